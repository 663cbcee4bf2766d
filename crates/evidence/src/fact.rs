//! Facts read off the record: the only place where a row or a statement becomes evidence's plain data.

use std::sync::Arc;

use chartproof_record::{
    Binding, Encounter, Kind, LinkKind, Note, NoteIx, Occurrence, OccurrenceIx, Record, Stamp, TimeRole, Value,
};

use crate::item::{EncounterHow, Fact, FactLink, StartBound};
use crate::known::Known;

/// Names the slots that a link's target, by row or by name, is bound to.
pub type SlotsOf<'a> = &'a dyn Fn(Option<OccurrenceIx>, Option<&str>) -> Vec<String>;

/// The fact of a row.
pub fn of_row(record: &Record, known: &Known, ix: OccurrenceIx, slots_of: SlotsOf<'_>) -> Fact {
    let occurrence = &record.occurrences[ix.0 as usize];
    let detail = occurrence.detail.as_deref();
    let (stay, encounter, episodes) = place_of(record, occurrence.encounter);
    let links = occurrence
        .links
        .iter()
        .filter(|l| l.kind != LinkKind::RecordedRef)
        .map(|link| {
            let row = link.target.and_then(|t| known.of_source(t));
            let label = link.concept.as_ref().map(|c| c.label.to_string()).filter(|l| !l.is_empty());
            FactLink {
                kind: link.kind,
                target: link.target.map(|t| record.sources[t.0 as usize].key.to_string()),
                slots: slots_of(row, label.as_deref()),
                label: label.or_else(|| row.map(|r| record.occurrences[r.0 as usize].label().to_owned())),
                judgement: link.judgement.to_string(),
            }
        })
        .collect();
    Fact {
        id: occurrence.id.0.to_string(),
        kind: occurrence.kind,
        label: occurrence.label().to_owned(),
        codes: occurrence.concept.codings.iter().map(|c| (c.system.to_string(), c.code.to_string())).collect(),
        standing: occurrence.standing,
        standing_word: occurrence.standing_reason.as_ref().map(|r| r.word.to_string()),
        value: occurrence.value.clone().map(without_source),
        low: occurrence.reference_range.as_ref().and_then(|r| r.low),
        high: occurrence.reference_range.as_ref().and_then(|r| r.high),
        times: occurrence.times.iter().map(own_stamp).collect(),
        start_bound: start_bound(record, known, occurrence),
        stay,
        encounter,
        episodes,
        on_admission: detail.and_then(|d| d.on_admission.as_ref()).map(|(yes, _)| *yes),
        clinical_status: detail.and_then(|d| d.clinical_status.as_ref()).map(|(status, _)| *status),
        author: detail.and_then(|d| d.author.as_ref()).map(ToString::to_string),
        links,
    }
}

/// The fact of a statement in a note: `start..end` are code points of the mention in the note.
pub fn of_mention(record: &Record, ix: NoteIx, start: usize, end: usize, label: &str) -> Fact {
    let note: &Note = &record.notes[ix.0 as usize];
    let (stay, encounter, episodes) = place_of(record, note.encounter);
    let key = &record.sources[note.source.0 as usize].key;
    Fact {
        id: format!("{key}#{}@{start}-{end}", note.pointer),
        kind: Kind::NoteMention,
        label: label.to_owned(),
        codes: Vec::new(),
        standing: note.standing,
        standing_word: note.standing_reason.as_ref().map(|r| r.word.to_string()),
        value: None,
        low: None,
        high: None,
        times: note.times.iter().map(own_stamp).collect(),
        start_bound: None,
        stay,
        encounter,
        episodes,
        on_admission: None,
        clinical_status: None,
        author: note.author.as_ref().map(ToString::to_string),
        links: Vec::new(),
    }
}

/// Source indices depend on what else is loaded; a fact keeps none.
fn own_stamp(stamp: &Stamp) -> Stamp {
    Stamp { source: None, ..stamp.clone() }
}

fn without_source(value: Value) -> Value {
    match value {
        Value::Coded { concept } if concept.source.is_some() => {
            let mut own = (*concept).clone();
            own.source = None;
            Value::Coded { concept: Arc::new(own) }
        }
        other => other,
    }
}

fn place_of(record: &Record, binding: Binding) -> (Option<String>, EncounterHow, Vec<String>) {
    let encounter = binding.encounter().and_then(|ix| record.encounters.get(ix.0 as usize));
    let stay = encounter.and_then(|e| record.stays.get(e.stay.0 as usize)).map(|s| s.key.to_string());
    let episodes = encounter.map(|e| e.episodes.iter().map(ToString::to_string).collect()).unwrap_or_default();
    (stay, EncounterHow::of(binding), episodes)
}

/// Home medicines began at some time before they were listed; drugs and devices of a patient transferred in may
/// have begun elsewhere.
fn start_bound(record: &Record, known: &Known, occurrence: &Occurrence) -> Option<StartBound> {
    match occurrence.kind {
        Kind::MedicationStatement => {
            let open = !occurrence
                .times
                .iter()
                .any(|t| t.role == TimeRole::Occurred && &*t.pointer == "/effectivePeriod/start");
            open.then_some(StartBound::HomeMedication)
        }
        Kind::MedicationGiven | Kind::MedicationOrder | Kind::Device | Kind::Procedure => {
            let stay = record.stay_of(occurrence.encounter)?;
            record.stays[stay.0 as usize]
                .encounters
                .iter()
                .any(|e| transferred_in(record, known, &record.encounters[e.0 as usize]))
                .then_some(StartBound::TransferredIn)
        }
        _ => None,
    }
}

/// Whether the encounter's own row names another hospital as where the patient came from.
fn transferred_in(record: &Record, known: &Known, encounter: &Encounter) -> bool {
    let row = known.of_source(encounter.source).map(|ix| &record.occurrences[ix.0 as usize]);
    let Some(concept) = row.and_then(|o| o.detail.as_ref()?.admit_source.as_ref()) else { return false };
    let label = concept.label.to_lowercase();
    concept.codings.iter().any(|c| &*c.code == "hosp-trans" || &*c.code == "other-hcf")
        || label.contains("transfer")
        || label.contains("other hospital")
}
