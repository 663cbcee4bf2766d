//! Tuples: one episode for each slot, enumerated from the bundle alone, and the quantifier over them.

use chartproof_record::InOrder as _;
use std::collections::BTreeSet;

use chartproof_evidence::query::ScopeLevel;
use chartproof_evidence::{Bundle, ExclusionReason, ScopeStatus, Truncated};

use crate::assessment::{Axes, Components, Failure, TimeVerdict, TupleAssessment, Verdict};
use crate::episode::{Episode, episodes};
use crate::frozen::THRESHOLDS;
use crate::judge::Case;

/// Most tuples that are assessed.
pub(crate) const TUPLES_MAX: usize = 2_048;

/// All episodes by slot, and the tuples as indices into them.
pub(crate) struct Enumeration<'a> {
    /// By slot.
    pub(crate) episodes: Vec<Vec<Episode<'a>>>,
    /// Indices, one for each slot.
    pub(crate) tuples: Vec<Vec<usize>>,
    /// Set when the limit cut the list.
    pub(crate) truncated: Option<Truncated>,
}

/// Enumerates the tuples of a bundle.
pub(crate) fn enumerate(bundle: &Bundle) -> Enumeration<'_> {
    let query = bundle.query();
    let mut episodes: Vec<Vec<Episode<'_>>> = (0..query.slots.len()).map(|s| episodes(bundle, s)).collect();
    let named: Vec<Vec<Episode<'_>>> = (0..query.slots.len()).map(|s| named_by_links(query, &episodes, s)).collect();
    for (own, named) in episodes.iter_mut().zip(named) {
        own.extend(named);
    }
    let one_stay = query.scope.level != ScopeLevel::Patient;
    let mut tuples: Vec<Vec<usize>> = vec![Vec::new()];
    let mut seen = 0;
    for (slot, choices) in episodes.iter().enumerate() {
        let mut next = Vec::new();
        seen = 0;
        for tuple in &tuples {
            for (n, episode) in choices.iter().enumerate() {
                let fits = !one_stay
                    || tuple.iter().enumerate().all(|(other, ix)| {
                        let stay = episodes[other][*ix].stay;
                        stay.is_none() || episode.stay.is_none() || stay == episode.stay
                    });
                // A slot without statements of its own in this episode fills no tuple.
                if !fits || (episode.readings.is_empty() && !episode.by_numbers() && !episode.named) {
                    continue;
                }
                if !distinct(query, slot, tuple, n, &episodes) {
                    continue;
                }
                seen += 1;
                if next.len() < TUPLES_MAX {
                    next.push(tuple.iter().copied().chain([n]).collect());
                }
            }
        }
        tuples = next;
    }
    if query.slots.is_empty() {
        tuples.clear();
    }
    let truncated = (seen > TUPLES_MAX).then(|| Truncated { what: "tuples".to_owned(), limit: TUPLES_MAX, seen });
    Enumeration { episodes, tuples, truncated }
}

/// A slot without any episode that a recorded link of another slot's row names (the reason of an order, the suspect
/// of an adverse event): an episode without statements of its own, which only a relation of attribution can use.
fn named_by_links<'a>(
    query: &chartproof_evidence::query::Query,
    episodes: &[Vec<Episode<'a>>],
    slot: usize,
) -> Vec<Episode<'a>> {
    let id = &query.slots[slot].id;
    if episodes[slot].iter().any(|e| !e.readings.is_empty()) {
        return Vec::new();
    }
    let linking = episodes
        .iter()
        .flatten()
        .filter(|e| e.readings.iter().any(|r| r.fact.links.iter().any(|l| l.slots.contains(id))));
    let stays: BTreeSet<Option<&'a str>> = linking.map(|e| e.stay).collect();
    stays.into_iter().map(|stay| Episode { stay, readings: Vec::new(), numbers: None, named: true }).collect()
}

/// Two slots that must be filled by different occurrences: another episode, or one with two occurrences or more.
fn distinct(
    query: &chartproof_evidence::query::Query,
    slot: usize,
    tuple: &[usize],
    n: usize,
    episodes: &[Vec<Episode<'_>>],
) -> bool {
    let own = &query.slots[slot];
    tuple.iter().enumerate().all(|(other, ix)| {
        let that = &query.slots[other];
        let apart = own.distinct_from.as_deref() == Some(that.id.as_str())
            || that.distinct_from.as_deref() == Some(own.id.as_str());
        if !apart {
            return true;
        }
        let facts = |e: &Episode<'_>| -> BTreeSet<String> { e.readings.iter().map(|r| r.fact.id.clone()).collect() };
        let (a, b) = (facts(&episodes[other][*ix]), facts(&episodes[slot][n]));
        let all: BTreeSet<&String> = a.union(&b).collect();
        all.len() >= 2
    })
}

/// Assesses one tuple: every relation, then the chain rule.
pub(crate) fn assess(bundle: &Bundle, enumeration: &Enumeration<'_>, tuple: &[usize]) -> TupleAssessment {
    let query = bundle.query();
    let chosen: Vec<&Episode<'_>> =
        tuple.iter().enumerate().map(|(slot, ix)| &enumeration.episodes[slot][*ix]).collect();
    let case = Case { query, episodes: &chosen };
    let transitions: Vec<_> = query.relations.iter().enumerate().map(|(at, r)| case.transition(at, r)).collect();
    // S+ is the least, S- the greatest over the transitions.
    let axes = Axes {
        support: transitions.iter().map(|t| t.axes.support).fold(f64::INFINITY, f64::min).clamp(0.0, 1.0),
        refute: transitions.iter().map(|t| t.axes.refute).fold(0.0, f64::max),
    };
    let verdict = if transitions.iter().any(|t| t.verdict == Verdict::Refuted) {
        Verdict::Refuted
    } else if transitions.iter().any(|t| t.verdict == Verdict::Conflicting) {
        Verdict::Conflicting
    } else if !transitions.is_empty() && transitions.iter().all(|t| t.verdict == Verdict::Supported) {
        Verdict::Supported
    } else {
        Verdict::Insufficient
    };
    let stays: BTreeSet<Option<&str>> = chosen.iter().map(|e| e.stay).collect();
    let scope = if query.scope.level != ScopeLevel::Patient && stays.contains(&None) {
        ScopeStatus::Unknown
    } else {
        ScopeStatus::Valid
    };
    let encounter = match stays.iter().next() {
        Some(Some(only)) if stays.len() == 1 => Some((*only).to_owned()),
        _ => None,
    };
    let weakest = transitions
        .iter()
        .min_by(|a, b| a.axes.support.total_cmp(&b.axes.support).then(b.axes.refute.total_cmp(&a.axes.refute)));
    let deciding = match verdict {
        Verdict::Refuted => transitions.iter().find(|t| t.verdict == Verdict::Refuted),
        Verdict::Conflicting => transitions.iter().find(|t| t.verdict == Verdict::Conflicting),
        _ => weakest,
    };
    let occurrences = chosen
        .iter()
        .map(|e| {
            let mut ids: Vec<String> = e.readings.iter().map(|r| r.fact.id.clone()).collect();
            ids.order();
            ids.dedup();
            ids
        })
        .collect();
    let mut out = TupleAssessment {
        verdict,
        axes,
        components: deciding.map(|t| t.components).unwrap_or_default(),
        v_tim: deciding.map_or(TimeVerdict::NotApplicable, |t| t.v_tim),
        occurrences,
        encounter,
        scope,
        reasons: transitions.iter().flat_map(|t| t.reasons.clone()).collect(),
        failure: weakest.and_then(|t| t.failure).filter(|_| verdict == Verdict::Insufficient),
        transitions,
    };
    if scope == ScopeStatus::Unknown && verdict != Verdict::Insufficient {
        // Retained, but it cannot by itself establish support or refutation.
        out.verdict = Verdict::Insufficient;
        out.failure = Some(Failure::ScopeUnknown);
        let below = |value: f64, limit: f64| if value >= limit { 0.0 } else { value };
        out.axes.support = below(out.axes.support, THRESHOLDS.support);
        out.axes.refute = below(out.axes.refute, THRESHOLDS.refute);
    }
    out
}

/// The verdict over all tuples for the quantifier "some", the deciding tuple and the named failure.
pub(crate) fn some(
    bundle: &Bundle,
    tuples: &[TupleAssessment],
    truncated: bool,
) -> (Verdict, Option<usize>, Option<Failure>) {
    let best = |verdict: Verdict, key: &dyn Fn(&TupleAssessment) -> f64| {
        let of = tuples.iter().enumerate().filter(|(_, t)| t.verdict == verdict);
        // The greatest key; the first of equals.
        of.fold(None, |best: Option<(usize, f64)>, (ix, t)| match best {
            Some((_, value)) if value >= key(t) => best,
            _ => Some((ix, key(t))),
        })
        .map(|(ix, _)| ix)
    };
    if let Some(ix) = best(Verdict::Supported, &|t| t.axes.support - t.axes.refute) {
        return (Verdict::Supported, Some(ix), None);
    }
    if let Some(ix) = best(Verdict::Conflicting, &|t| t.axes.support + t.axes.refute) {
        return (Verdict::Conflicting, Some(ix), None);
    }
    let coverage = bundle.coverage();
    let all_refuted = !tuples.is_empty() && tuples.iter().all(|t| t.verdict == Verdict::Refuted);
    if all_refuted {
        let ix = best(Verdict::Refuted, &|t| t.axes.refute);
        if !coverage.incomplete.is_empty() {
            return (Verdict::Insufficient, ix, Some(Failure::IncompleteRecord));
        }
        if truncated || !coverage.complete {
            return (Verdict::Insufficient, ix, Some(Failure::Budget));
        }
        return (Verdict::Refuted, ix, None);
    }
    if let Some(ix) = best(Verdict::Insufficient, &|t| t.axes.support + t.components.jdg_support) {
        let failure = tuples[ix].failure.or(Some(Failure::MissingRelationEvidence));
        let budget = (truncated || !coverage.complete).then_some(Failure::Budget);
        return (Verdict::Insufficient, Some(ix), budget.or(failure));
    }
    (Verdict::Insufficient, None, Some(no_tuple(bundle)))
}

/// Why there is no tuple at all.
fn no_tuple(bundle: &Bundle) -> Failure {
    let coverage = bundle.coverage();
    let excluded = |reason: ExclusionReason, without_match: bool| {
        coverage.slots.iter().any(|s| {
            s.admitted == 0
                && (!without_match || s.matched == 0)
                && s.excluded.iter().any(|(r, n)| *r == reason && *n > 0)
        })
    };
    if excluded(ExclusionReason::OtherEncounter, false) {
        Failure::OnlyOtherScope
    } else if excluded(ExclusionReason::OtherPatient, true) {
        Failure::OnlyOtherPatient
    } else if excluded(ExclusionReason::NoSource, false) {
        Failure::MissingProvenance
    } else if !coverage.complete {
        Failure::Budget
    } else {
        Failure::MissingEvent
    }
}

/// Components of nothing, for an answer without a tuple.
pub(crate) fn nothing() -> (Axes, Components, TimeVerdict) {
    (Axes::default(), Components::default(), TimeVerdict::Unknown)
}
