//! The dual-axis assessor: a frozen bundle to an assessment (Eq. 6-8).
//!
//! It depends on the bundle and on tables built into it, and can name no type of discovery, graph, forecast or
//! memory: the same bundle gives the same assessment, byte for byte.
#![forbid(unsafe_code)]

mod assessment;
mod episode;
mod frozen;
mod judge;
mod numeric;
mod report;
mod stance;
mod timing;
mod tuple;

use chartproof_evidence::Bundle;

pub use assessment::{
    Assessment, Axes, ChainEvent, Components, EventLine, EvidenceLine, Failure, Polarity, Reason, Stated, TimeVerdict,
    Transition, TupleAssessment, Verdict,
};
pub use frozen::{THRESHOLDS, WEIGHTS, version};
pub use report::evidence_line;

/// Assesses a bundle.
pub fn assess(bundle: &Bundle) -> Assessment {
    let query = bundle.query();
    let enumeration = tuple::enumerate(bundle);
    let mut tuples: Vec<TupleAssessment> =
        enumeration.tuples.iter().map(|t| tuple::assess(bundle, &enumeration, t)).collect();
    let (verdict, deciding, failure) = tuple::some(bundle, &tuples, enumeration.truncated.is_some());
    let chosen: Vec<&episode::Episode<'_>> = deciding
        .map(|ix| {
            let picks = enumeration.tuples[ix].iter().enumerate();
            picks.map(|(slot, episode)| &enumeration.episodes[slot][*episode]).collect()
        })
        .unwrap_or_default();
    let events: Vec<EventLine> = query
        .slots
        .iter()
        .enumerate()
        .map(|(ix, slot)| report::event_line(slot, &enumeration.episodes[ix], chosen.get(ix).copied()))
        .collect();
    let chain = if chosen.is_empty() { Vec::new() } else { report::chain(bundle, &chosen) };
    if let Some(ix) = deciding {
        let first = tuples.remove(ix);
        tuples.insert(0, first);
    }
    let first = tuples.first().filter(|_| deciding.is_some());
    let (axes, components, v_tim) = first.map_or_else(tuple::nothing, |t| (t.axes, t.components, t.v_tim));
    let subject = query.relations.last().map(|r| r.subject.as_str());
    let asked = events.iter().find(|e| Some(e.slot.as_str()) == subject);
    Assessment {
        verdict,
        axes,
        thresholds: THRESHOLDS,
        components,
        v_tim,
        documented: asked.map_or(Stated::NotStated, |e| e.documented),
        occurred: asked.map_or(Stated::NotAssessable, |e| e.occurred),
        events,
        chain,
        evidence: report::evidence(bundle, first),
        failure,
        failure_text: failure.map(|f| report::failure_text(bundle, f)),
        settle: report::settle(bundle, verdict, failure, first),
        truncated: enumeration.truncated.clone().or_else(|| bundle.coverage().truncated.clone()),
        assessor: version().to_owned(),
        bundle_digest: bundle.digest().to_owned(),
        tuples,
    }
}
