//! An assessment as an answer: with what was found, what was excluded, and how it was searched.

use chartproof_assess::{Assessment, evidence_line};
use chartproof_discovery::{Search, View};
use chartproof_evidence::query::Slot;
use chartproof_evidence::{Bundle, Excluded};

use crate::wire::{Answer, ExcludedLine, FoundLine, ObligationLine, Trace, TraceDepth};

/// The answer of a bundle. Without a search (a replay) obligations and trace stay empty.
pub(crate) fn answer(
    bundle: &Bundle,
    assessment: Assessment,
    excluded: &[Excluded],
    search: Option<(&Search, View<'_>)>,
) -> Answer {
    Answer {
        query: bundle.query().clone(),
        statement: chartproof_parse::describe(bundle.query()),
        patient: bundle.patient().to_owned(),
        verdict: assessment.verdict,
        axes: assessment.axes,
        thresholds: assessment.thresholds,
        tuples: assessment.tuples,
        documented: assessment.documented,
        occurred: assessment.occurred,
        events: assessment.events,
        components: assessment.components,
        v_tim: assessment.v_tim,
        found: found(bundle),
        evidence: assessment.evidence,
        excluded: excluded.iter().map(excluded_line).collect(),
        chain: assessment.chain,
        obligations: search.map(|(s, _)| obligations(s)).unwrap_or_default(),
        failure: assessment.failure,
        failure_text: assessment.failure_text,
        settle: assessment.settle,
        truncated: assessment.truncated,
        bundle_digest: assessment.bundle_digest,
        assessor: assessment.assessor,
        trace: search.map(|(s, view)| trace(s, view)).unwrap_or_default(),
    }
}

fn slot_label(slot: &Slot) -> String {
    slot.concept.any_of.iter().map(|t| t.text.as_str()).collect::<Vec<_>>().join(" or ")
}

fn found(bundle: &Bundle) -> Vec<FoundLine> {
    let coverage = bundle.coverage();
    let line = |(slot, covered): (&Slot, &chartproof_evidence::SlotCoverage)| {
        let label = slot_label(slot);
        let text = match (covered.matched, covered.admitted) {
            (0, _) => format!("nothing in the record of this patient matches {label}"),
            (matched, 0) => format!("{matched} match {label}, none is admitted"),
            (matched, admitted) if matched == admitted => format!("{matched} match {label}, all admitted"),
            (matched, admitted) => format!("{matched} match {label}, {admitted} admitted"),
        };
        FoundLine { slot: slot.id.clone(), label, matched: covered.matched, admitted: covered.admitted, text }
    };
    bundle.query().slots.iter().zip(&coverage.slots).map(line).collect()
}

fn excluded_line(excluded: &Excluded) -> ExcludedLine {
    let line = evidence_line(&excluded.item, None);
    ExcludedLine {
        reason: excluded.reason,
        detail: excluded.detail.clone(),
        id: line.id,
        text: line.text,
        occurrences: line.occurrences,
        times: line.times,
        citations: line.citations,
    }
}

fn obligations(search: &Search) -> Vec<ObligationLine> {
    let line = |o: &chartproof_discovery::Obligation| ObligationLine {
        what: o.what.describe(),
        state: o.state.name().to_owned(),
    };
    search.obligations().iter().map(line).collect()
}

fn trace(search: &Search, view: View<'_>) -> Trace {
    let id = |ix: &chartproof_record::OccurrenceIx| view.record.occurrences[ix.0 as usize].id.to_string();
    let depths = search
        .depths()
        .iter()
        .map(|d| TraceDepth {
            depth: d.depth,
            steps: d.steps.clone(),
            retrievals: d.retrievals.iter().map(|(s, w, n)| (s.name().to_owned(), w.clone(), *n)).collect(),
            paths: d.paths.iter().map(|(score, ids)| (*score, ids.iter().map(id).collect())).collect(),
            failure: d.failure.as_ref().map(chartproof_discovery::RetrievalFailure::describe),
            replan: d.replan.map(str::to_owned),
        })
        .collect();
    Trace { depths, policy: search.policy().describe(), indexed: (view.store.len(), view.record.occurrences.len()) }
}
