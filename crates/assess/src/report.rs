//! What an assessment shows beside its verdict: event lines, chain, evidence table, what is missing, what would
//! settle it. Every line names the items it rests on.

use chartproof_evidence::query::{Basis, RelationKind, Slot, SlotKind};
use chartproof_evidence::{Bundle, ContextKind, Item};
use chartproof_record::InOrder as _;
use chartproof_record::{ClinicalTime, TimeRole};

use crate::assessment::{ChainEvent, EventLine, EvidenceLine, Failure, Polarity, Stated, TupleAssessment, Verdict};
use crate::episode::Episode;
use crate::judge::slot_name;
use crate::numeric::ByNumbers;
use crate::stance::{Reading, Stance};
use crate::timing;

/// The name of a time's role on the wire.
pub(crate) fn role_word(role: TimeRole) -> &'static str {
    match role {
        TimeRole::Occurred => "occurred",
        TimeRole::OccurredEnd => "occurred_end",
        TimeRole::Onset => "onset",
        TimeRole::Abated => "abated",
        TimeRole::Collected => "collected",
        TimeRole::Resulted => "resulted",
        TimeRole::Ordered => "ordered",
        TimeRole::Given => "given",
        TimeRole::GivenEnd => "given_end",
        TimeRole::Dispensed => "dispensed",
        TimeRole::Recorded => "recorded",
        TimeRole::Documented => "documented",
    }
}

/// The documented and occurred lines of a slot, over all its admitted evidence.
pub(crate) fn event_line(slot: &Slot, episodes: &[Episode<'_>], chosen: Option<&Episode<'_>>) -> EventLine {
    let readings: Vec<&Reading<'_>> = match chosen {
        Some(episode) => episode.readings.iter().collect(),
        None => episodes.iter().flat_map(|e| &e.readings).collect(),
    };
    let of =
        |stance: Stance| -> Vec<&Reading<'_>> { readings.iter().copied().filter(|r| r.stance == stance).collect() };
    let (affirmed, denied, suspected) = (of(Stance::Affirm), of(Stance::Deny), of(Stance::Suspect));
    let (documented, by) = if !affirmed.is_empty() {
        (Stated::Yes, affirmed)
    } else if !denied.is_empty() && slot.value.is_none() {
        (Stated::No, denied)
    } else if !suspected.is_empty() {
        (Stated::NotStated, suspected)
    } else {
        (Stated::NotStated, Vec::new())
    };
    let mut documented_items: Vec<String> = by.iter().map(|r| r.item.id.clone()).collect();
    documented_items.order();
    documented_items.dedup();
    let numbers: Option<&ByNumbers> = match chosen {
        Some(episode) => episode.numbers.as_ref(),
        None => episodes
            .iter()
            .filter_map(|e| e.numbers.as_ref())
            .max_by_key(|n| (n.occurred == Stated::Yes, n.occurred == Stated::No)),
    };
    EventLine {
        slot: slot.id.clone(),
        label: slot_name(slot),
        documented,
        documented_text: documented_text(documented, &by),
        documented_items,
        occurred: numbers.map_or(Stated::NotAssessable, |n| n.occurred),
        occurred_text: numbers
            .map_or_else(|| "no numbers to which a definition applies".to_owned(), |n| n.shown.clone()),
        occurred_items: numbers.map(|n| n.items.clone()).unwrap_or_default(),
    }
}

fn documented_text(documented: Stated, by: &[&Reading<'_>]) -> String {
    let Some(first) = by.iter().min_by_key(|r| timing::documented(r.fact).map_or(i64::MAX, |t| t.sort_key().0)) else {
        return "no statement for or against it".to_owned();
    };
    let word = match documented {
        Stated::Yes => "stated",
        Stated::No => "denied",
        _ => "only suspected",
    };
    let when = timing::documented(first.fact).or_else(|| timing::occurred(first.fact));
    let when = when.map(|t| format!(", {}", t.display())).unwrap_or_default();
    let more = if by.len() > 1 { format!(", and {} more", by.len() - 1) } else { String::new() };
    format!("{word} in {}{when}{more}", origin(first.item).unwrap_or_else(|| "a structured row".to_owned()))
}

/// Where an item was written: note type, author, section.
pub(crate) fn origin(item: &Item) -> Option<String> {
    let author = item.facts.iter().find_map(|f| f.author.as_deref());
    let kind = match item.context.kind {
        ContextKind::Span => item.context.note_type.as_deref().unwrap_or("a note"),
        _ => return author.map(|a| format!("a structured row by {a}")),
    };
    let section = item.context.section.as_deref().map(|s| format!(", section {s}")).unwrap_or_default();
    Some(format!("{kind}{}{section}", author.map(|a| format!(" by {a}")).unwrap_or_default()))
}

/// The chain of a tuple in slot order.
pub(crate) fn chain(bundle: &Bundle, chosen: &[&Episode<'_>]) -> Vec<ChainEvent> {
    chosen
        .iter()
        .zip(&bundle.query().slots)
        .map(|(episode, slot)| {
            let dated = episode.dated_by(slot);
            let stamp = dated.as_ref().and_then(|(_, s)| s.clone());
            let by_numbers = episode.numbers.as_ref().filter(|_| dated.is_none());
            let at: Option<ClinicalTime> =
                stamp.as_ref().map(|(_, t)| t.clone()).or_else(|| by_numbers.and_then(|n| n.at.clone()));
            let mut items: Vec<String> = match &dated {
                Some((reading, _)) => vec![reading.item.id.clone()],
                None => by_numbers.map(|n| n.items.clone()).unwrap_or_default(),
            };
            if items.is_empty() {
                items = episode.readings.iter().map(|r| r.item.id.clone()).collect();
                items.order();
                items.dedup();
            }
            ChainEvent {
                slot: slot.id.clone(),
                label: slot_name(slot),
                value: dated.as_ref().and_then(|(r, _)| r.fact.value.as_ref()).map(chartproof_record::Value::display),
                time: at.as_ref().map(ClinicalTime::display),
                bounds: at.as_ref().map(|t| (t.earliest, t.latest)),
                time_role: stamp
                    .map(|(role, _)| role_word(role).to_owned())
                    .or_else(|| by_numbers.map(|_| "criteria_met".to_owned())),
                items,
            }
        })
        .collect()
}

/// The evidence table; polarity as the deciding tuple uses each item.
pub(crate) fn evidence(bundle: &Bundle, deciding: Option<&TupleAssessment>) -> Vec<EvidenceLine> {
    bundle.items().iter().map(|item| evidence_line(item, deciding)).collect()
}

/// One line of the table.
pub fn evidence_line(item: &Item, deciding: Option<&TupleAssessment>) -> EvidenceLine {
    let uses = |polarity: Polarity| {
        deciding.is_some_and(|t| t.reasons.iter().any(|r| r.polarity == polarity && r.items.contains(&item.id)))
    };
    let polarity = if uses(Polarity::Refutes) {
        Polarity::Refutes
    } else if uses(Polarity::Supports) {
        Polarity::Supports
    } else {
        Polarity::Neutral
    };
    let mut times: Vec<(String, String)> = Vec::new();
    let first_and_last = [item.facts.first(), item.facts.last().filter(|_| item.facts.len() > 1)];
    for stamp in first_and_last.into_iter().flatten().flat_map(|f| &f.times) {
        let row = (role_word(stamp.role).to_owned(), stamp.at.display());
        if !times.contains(&row) {
            times.push(row);
        }
    }
    EvidenceLine {
        id: item.id.clone(),
        polarity,
        scope: item.scope,
        slots: item.bindings.iter().map(|b| b.slot.clone()).collect(),
        occurrences: item.facts.iter().map(|f| f.id.clone()).collect(),
        text: item.context.text.clone(),
        context: match item.context.kind {
            ContextKind::Row => "row",
            ContextKind::Course => "course",
            ContextKind::Span => "span",
            ContextKind::Trajectory => "trajectory",
        }
        .to_owned(),
        times,
        origin: origin(item),
        copies: item.context.copies.len(),
        citations: item.citations.clone(),
    }
}

/// The failure in words, with the coverage it was judged against.
pub(crate) fn failure_text(bundle: &Bundle, failure: Failure) -> String {
    let coverage = bundle.coverage();
    let query = bundle.query();
    let tables = coverage
        .tables
        .iter()
        .map(|t| {
            let span = match (&t.first, &t.last) {
                (Some(first), Some(last)) if first == last => format!(" at {first}"),
                (Some(first), Some(last)) => format!(" from {first} to {last}"),
                _ => String::new(),
            };
            format!("{} {} rows{span}", t.rows, t.table.replace('_', " "))
        })
        .collect::<Vec<_>>()
        .join("; ");
    let covered = if tables.is_empty() {
        "the record holds no rows of the kinds asked for".to_owned()
    } else {
        format!("looked at {tables}")
    };
    let without: Vec<String> =
        query.slots.iter().zip(&coverage.slots).filter(|(_, c)| c.admitted == 0).map(|(s, _)| slot_name(s)).collect();
    let missing = without.join(", ");
    match failure {
        Failure::MissingEvent if missing.is_empty() => {
            format!("an event of the question has no statement or value that counts; {covered}")
        }
        Failure::MissingEvent => format!("nothing admissible on {missing}; {covered}"),
        Failure::MissingRelationEvidence => format!("the events are recorded, their relation is not stated; {covered}"),
        Failure::MissingTime => "the recorded times do not decide the order".to_owned(),
        Failure::MissingProvenance => format!("no source resolves for {missing}"),
        Failure::ScopeUnknown => {
            "the encounter of the evidence is not recorded and cannot be inferred from its time".to_owned()
        }
        Failure::OnlyOtherScope => format!("{missing} is recorded only in other encounters"),
        Failure::OnlyOtherPatient => format!("{missing} is recorded only in other patients of this load"),
        Failure::TemporalOnly => {
            "the order in time fits; no statement or recorded link attributes one to the other".to_owned()
        }
        Failure::UncertainOnly => "the event or its attribution is only suspected".to_owned(),
        Failure::LowerRungOnly => "it was ordered, dispensed or listed; no administration is recorded".to_owned(),
        Failure::IncompleteRecord => {
            format!(
                "the record is known to be incomplete ({}), so nothing is concluded from what it does not hold",
                coverage.incomplete.join("; ")
            )
        }
        Failure::Budget => {
            let limit = coverage
                .truncated
                .as_ref()
                .map(|t| format!(" ({} of {} {})", t.limit, t.seen, t.what))
                .unwrap_or_default();
            format!("a limit was reached before everything was looked at{limit}")
        }
    }
}

/// What evidence would settle or flip the answer.
pub(crate) fn settle(
    bundle: &Bundle,
    verdict: Verdict,
    failure: Option<Failure>,
    deciding: Option<&TupleAssessment>,
) -> Vec<String> {
    let query = bundle.query();
    let subject = query.relations.last().and_then(|r| query.slots.iter().find(|s| s.id == r.subject));
    let name = subject.map(slot_name).unwrap_or_default();
    let mut out = Vec::new();
    match (verdict, failure) {
        (Verdict::Supported, _) => {
            out.push(format!("it would flip with a later statement that denies {name} and that nothing reconciles"));
        }
        (Verdict::Refuted, _) => {
            out.push(format!("it would flip with an affirmed statement or value for {name} that fits the question"))
        }
        (Verdict::Conflicting, _) => {
            out.push("a later statement that reconciles the two sides would settle it".to_owned());
        }
        (_, Some(Failure::MissingTime)) => {
            let which = match subject.map(|s| s.basis) {
                Some(Basis::Documented) => "a time of writing at day granularity or finer",
                _ => "an onset or occurrence time at a finer granularity",
            };
            out.push(format!("{which} for {name}, or a statement of the order"));
        }
        (_, Some(Failure::TemporalOnly | Failure::MissingRelationEvidence)) => {
            out.push("a statement or a recorded link that attributes one to the other, or rules it out".to_owned());
        }
        (_, Some(Failure::UncertainOnly)) => out.push(format!("a statement that confirms {name} or rules it out")),
        (_, Some(Failure::LowerRungOnly)) => out.push(format!("an administration row for {name}")),
        (_, Some(Failure::ScopeUnknown)) => out.push("the encounter of the evidence".to_owned()),
        (_, Some(Failure::OnlyOtherScope)) => {
            out.push("the same question over the whole record of the patient".to_owned())
        }
        (_, Some(Failure::IncompleteRecord)) => out.push("the pages of the record that are missing".to_owned()),
        (_, Some(Failure::Budget)) => out.push("a narrower question: one encounter, or a shorter window".to_owned()),
        (_, Some(Failure::MissingEvent)) => {
            let kinds: Vec<&str> = query.slots.iter().map(|s| kind_word(s.kind)).collect();
            out.push(format!("a {} for the event that is missing", kinds.join(" or ")));
        }
        _ => {}
    }
    if let Some(tuple) = deciding
        && verdict == Verdict::Insufficient
        && query
            .relations
            .iter()
            .any(|r| matches!(r.kind, RelationKind::Rises | RelationKind::Falls | RelationKind::Unchanged))
        && tuple.reasons.iter().any(|r| r.code == "no_trajectory")
    {
        out.push("a value on each side of the event".to_owned());
    }
    out
}

fn kind_word(kind: SlotKind) -> &'static str {
    match kind {
        SlotKind::Given => "dose given",
        SlotKind::Exposure => "dose, order or statement of exposure",
        SlotKind::Order => "order",
        SlotKind::Lab | SlotKind::Vital | SlotKind::Culture => "value",
        SlotKind::Procedure => "procedure",
        SlotKind::Device => "device use",
        _ => "row or statement",
    }
}
