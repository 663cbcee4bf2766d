//! What a load holds, for a person: summaries, timeline rows, questions the record can be asked.

use chartproof_record::InOrder as _;
use std::collections::{BTreeMap, BTreeSet};

use chartproof_evidence::Truncated;
use chartproof_record::{ClinicalTime, Kind, Occurrence, PatientIx, Record, Standing, StayIx, sha256_hex};
use chartproof_terms::{TermKind, lookup};

use crate::loading::Loaded;
use crate::wire::{PatientSummary, Summary, TimelineRow};

/// Most rows of a timeline.
const ROWS_MAX: usize = 2_000;

/// The name of a kind on the wire.
pub(crate) fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Condition => "condition",
        Kind::Finding => "finding",
        Kind::MedicationOrder => "medication_order",
        Kind::MedicationDispense => "medication_dispense",
        Kind::MedicationGiven => "medication_given",
        Kind::MedicationStatement => "medication_statement",
        Kind::Lab => "lab",
        Kind::Vital => "vital",
        Kind::Culture => "culture",
        Kind::Procedure => "procedure",
        Kind::Device => "device",
        Kind::Allergy => "allergy",
        Kind::AdverseEvent => "adverse_event",
        Kind::Immunization => "immunization",
        Kind::Encounter => "encounter",
        Kind::Episode => "episode",
        Kind::Transfer => "transfer",
        Kind::Report => "report",
        Kind::ServiceOrder => "service_order",
        Kind::Specimen => "specimen",
        Kind::NoteMention => "note_mention",
    }
}

fn standing_name(standing: Standing) -> &'static str {
    match standing {
        Standing::Affirmed => "affirmed",
        Standing::Negative => "negative",
        Standing::Uncertain => "uncertain",
        Standing::Void => "void",
    }
}

/// The summary of a load. Its digest stays empty: [`digest`] hashes every source and is made when asked for.
pub(crate) fn summary(loaded: &Loaded) -> Summary {
    let record = &loaded.record;
    let patients = (0..record.patients.len() as u32).map(|ix| patient(loaded, PatientIx(ix))).collect();
    Summary {
        patients,
        diagnostics: record.diagnostics.clone(),
        refused: loaded.refused.clone(),
        files: record.files.iter().map(|f| (f.name.to_string(), f.sha256.to_string())).collect(),
        digest: String::new(),
    }
}

fn patient(loaded: &Loaded, ix: PatientIx) -> PatientSummary {
    let record = &loaded.record;
    let range = loaded.known.of_patient(ix);
    let own = &record.occurrences[range.clone()];
    let mut events: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut first: Option<&ClinicalTime> = None;
    let mut last: Option<&ClinicalTime> = None;
    for occurrence in own {
        *events.entry(kind_name(occurrence.kind)).or_default() += 1;
        let Some(at) = occurrence.listed_at().filter(|_| occurrence.standing != Standing::Void) else { continue };
        if first.is_none_or(|f| at.sort_key() < f.sort_key()) {
            first = Some(at);
        }
        if last.is_none_or(|l| at.sort_key().1 > l.sort_key().1) {
            last = Some(at);
        }
    }
    let mut edges: BTreeMap<String, usize> = BTreeMap::new();
    if record.patients.len() == 1 {
        edges = loaded.graph.edge_counts().iter().map(|(k, n)| (k.name().to_owned(), *n)).collect();
    }
    PatientSummary {
        id: record.patients[ix.0 as usize].key.to_string(),
        encounters: record.encounters.iter().filter(|e| e.patient == ix).count(),
        stays: record.stays.iter().filter(|s| s.patient == ix).count(),
        notes: record.notes.iter().filter(|n| n.patient == ix).count(),
        events: events.into_iter().map(|(k, n)| (k.to_owned(), n)).collect(),
        first: first.map(ClinicalTime::display),
        last: last.map(ClinicalTime::display),
        edges,
        examples: examples(record, own),
    }
}

/// Questions made of the record's own events: a condition after a drug of the same stay, a change of a value after
/// it, evidence of a condition.
fn examples(record: &Record, own: &[Occurrence]) -> Vec<String> {
    let mut drugs: BTreeMap<StayIx, BTreeSet<&'static str>> = BTreeMap::new();
    let mut labs: BTreeMap<StayIx, BTreeMap<&'static str, usize>> = BTreeMap::new();
    let mut conditions: BTreeMap<StayIx, BTreeSet<String>> = BTreeMap::new();
    let mut any: BTreeSet<String> = BTreeSet::new();
    let name = |o: &Occurrence| lookup(o.label().split([' ', ',']).next().unwrap_or("")).or_else(|| lookup(o.label()));
    for o in own.iter().filter(|o| o.standing == Standing::Affirmed) {
        let stay = record.stay_of(o.encounter);
        match o.kind {
            Kind::MedicationGiven | Kind::MedicationOrder => {
                if let (Some(stay), Some(entry)) = (stay, name(o)) {
                    drugs.entry(stay).or_default().insert(entry.canonical);
                }
            }
            Kind::Lab => {
                if let (Some(stay), Some(entry)) = (stay, name(o).filter(|e| e.kind == TermKind::Lab)) {
                    *labs.entry(stay).or_default().entry(entry.canonical).or_default() += 1;
                }
            }
            Kind::Condition => {
                let label = lookup(o.label()).map_or_else(|| o.label().to_lowercase(), |e| e.canonical.to_owned());
                if !label.is_empty() && label.len() <= 60 {
                    any.insert(label.clone());
                    if let Some(stay) = stay {
                        conditions.entry(stay).or_default().insert(label);
                    }
                }
            }
            _ => {}
        }
    }
    let mut out = Vec::new();
    for (stay, given) in &drugs {
        let Some(drug) = given.iter().next() else { continue };
        if let Some(condition) = conditions.get(stay).and_then(|c| c.iter().next()) {
            out.push(format!("was {condition} documented after {drug} in one encounter?"));
        }
        if let Some((lab, _)) =
            labs.get(stay).and_then(|l| l.iter().max_by_key(|(name, n)| (**n, std::cmp::Reverse(*name))))
        {
            out.push(format!("did {lab} rise after {drug}?"));
        }
        if out.len() >= 3 {
            break;
        }
    }
    out.extend(any.iter().take(2).map(|c| format!("is there evidence of {c}?")));
    out.truncate(4);
    out
}

/// SHA-256 over the keys and contents of all sources, in key order: the same for any order and naming of files.
pub(crate) fn digest(record: &Record) -> String {
    use std::fmt::Write as _;
    let mut lines = String::new();
    for source in &record.sources {
        let text = &record.files[source.file as usize].text[source.start..source.end];
        let _ = writeln!(lines, "{} {}", source.key, sha256_hex(text.as_bytes()));
    }
    sha256_hex(lines.as_bytes())
}

/// Timeline rows of a patient, in time order; rows without a time last.
pub(crate) fn timeline(loaded: &Loaded, ix: PatientIx) -> (Vec<TimelineRow>, Option<Truncated>) {
    let record = &loaded.record;
    let stay_key = |stay: Option<StayIx>| stay.map(|s| record.stays[s.0 as usize].key.to_string());
    let mut rows: Vec<(i64, TimelineRow)> = Vec::new();
    for stay in record.stays.iter().filter(|s| s.patient == ix) {
        let label =
            stay.encounters.iter().map(|e| &*record.encounters[e.0 as usize].label).collect::<Vec<_>>().join(" + ");
        let start = stay.start.as_ref();
        let end = stay.end.as_ref().or(start);
        rows.push((
            start.map_or(i64::MAX, |t| t.sort_key().0),
            TimelineRow {
                id: stay.key.to_string(),
                lane: "encounter".into(),
                label,
                value: None,
                standing: "affirmed".into(),
                time: start.map(ClinicalTime::display),
                bounds: start.zip(end).map(|(s, e)| (s.earliest, e.latest)),
                stay: Some(stay.key.to_string()),
            },
        ));
    }
    for o in record.occurrences[loaded.known.of_patient(ix)].iter().filter(|o| o.kind != Kind::Encounter) {
        let at = o.listed_at();
        let end = o.ended().map_or(at.map(|t| t.latest), |e| Some(e.at.latest));
        rows.push((
            at.map_or(i64::MAX, |t| t.sort_key().0),
            TimelineRow {
                id: o.id.to_string(),
                lane: kind_name(o.kind).into(),
                label: o.label().to_owned(),
                value: o.value.as_ref().map(chartproof_record::Value::display),
                standing: standing_name(o.standing).into(),
                time: at.map(ClinicalTime::display),
                bounds: at.map(|t| t.earliest).zip(end),
                stay: stay_key(record.stay_of(o.encounter)),
            },
        ));
    }
    for note in record.notes.iter().filter(|n| n.patient == ix) {
        let at = note.times.first().map(|s| &s.at);
        let key = &record.sources[note.source.0 as usize].key;
        rows.push((
            at.map_or(i64::MAX, |t| t.sort_key().0),
            TimelineRow {
                id: format!("{key}#{}", note.pointer),
                lane: "note".into(),
                label: note.note_type.label.to_string(),
                value: None,
                standing: standing_name(note.standing).into(),
                time: at.map(ClinicalTime::display),
                bounds: at.map(|t| (t.earliest, t.latest)),
                stay: stay_key(record.stay_of(note.encounter)),
            },
        ));
    }
    rows.order_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.id.cmp(&b.1.id)));
    let seen = rows.len();
    let truncated = (seen > ROWS_MAX).then(|| Truncated { what: "timeline rows".into(), limit: ROWS_MAX, seen });
    rows.truncate(ROWS_MAX);
    (rows.into_iter().map(|(_, row)| row).collect(), truncated)
}
