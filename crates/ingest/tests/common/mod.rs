//! What a record says, one line a row, without locators.

use std::fmt::Write as _;

use chartproof_ingest::{Input, Limits, Refusal, read_all};
use chartproof_record::{Binding, Record, Stamp};

pub(crate) fn read(files: &[(&str, &str)]) -> (Option<Record>, Vec<Refusal>) {
    read_all(files.iter().map(|(name, text)| Input::new(name, text.as_bytes())), Limits::standard())
}

fn binding(record: &Record, binding: Binding) -> String {
    let key = |ix: chartproof_record::EncounterIx| record.encounters[ix.0 as usize].key.to_string();
    match binding {
        Binding::Recorded(ix) => format!("in {}", key(ix)),
        Binding::Inferred(ix) => format!("inferred {}", key(ix)),
        Binding::Unknown => String::new(),
    }
}

fn times(record: &Record, stamps: &[Stamp]) -> String {
    let one = |s: &Stamp| {
        let source = s.source.map(|ix| format!(" of {}", record.sources[ix.0 as usize].key)).unwrap_or_default();
        format!("{:?}={}{source}", s.role, s.at.text)
    };
    stamps.iter().map(one).collect::<Vec<_>>().join(" ")
}

/// One line for every occurrence, encounter, note and diagnostic.
pub(crate) fn dump(record: &Record) -> Vec<String> {
    let mut out = Vec::new();
    let source = |ix: chartproof_record::SourceIx| record.sources[ix.0 as usize].key.to_string();
    for patient in &record.patients {
        out.push(format!("patient {} {}", patient.key, patient.source.map(source).unwrap_or_default()));
    }
    for e in &record.encounters {
        let stay = &record.stays[e.stay.0 as usize].key;
        let part = e.part_of.map(|ix| format!(" part of {}", record.encounters[ix.0 as usize].key)).unwrap_or_default();
        let (start, end) = (e.start.as_ref().map(|s| &*s.at.text), e.end.as_ref().map(|s| &*s.at.text));
        out.push(format!(
            "encounter {} {:?} {:?} {start:?} {end:?}{part} stay {stay} {:?}",
            e.key, e.class, e.label, e.episodes
        ));
    }
    for o in &record.occurrences {
        let patient = &record.patients[o.patient.0 as usize].key;
        let mut line = format!("{} | {:?} | {:?}@{}", o.id, o.kind, o.concept.label, o.concept.label_pointer);
        if let Some(ix) = o.concept.source {
            let _ = write!(line, " of {}", source(ix));
        }
        let _ = write!(line, " | {:?}", o.standing);
        if let Some(reason) = &o.standing_reason {
            let _ = write!(line, " ({} {})", reason.word, reason.pointer);
        }
        if let Some(value) = &o.value {
            let _ = write!(line, " | = {} @{}", value.display(), value.pointer());
        }
        if let Some(range) = &o.reference_range {
            let _ = write!(line, " | range {:?} {:?} {:?}", range.low, range.high, range.text);
        }
        let _ = write!(line, " | {} | {} | {patient}", times(record, &o.times), binding(record, o.encounter));
        if let Some(d) = &o.detail {
            let shown = [
                ("route", &d.route),
                ("dose", &d.dose),
                ("site", &d.site),
                ("specimen", &d.specimen),
                ("author", &d.author),
                ("category", &d.category),
            ];
            for (name, text) in shown {
                if let Some(text) = text {
                    let _ = write!(line, " | {name} {text}");
                }
            }
            if let Some((present, pointer)) = &d.on_admission {
                let _ = write!(line, " | on admission {present} @{pointer}");
            }
            if let Some((status, pointer)) = &d.clinical_status {
                let _ = write!(line, " | {status:?} @{pointer}");
            }
            if let Some(concept) = &d.admit_source {
                let _ = write!(line, " | from {}", concept.label);
            }
            if let Some(concept) = &d.interpretation {
                let _ = write!(line, " | flag {}", concept.label);
            }
        }
        for link in &o.links {
            let target = link.target.map(source).unwrap_or_default();
            let concept = link.concept.as_ref().map(|c| format!(" {:?}", c.label)).unwrap_or_default();
            let _ = write!(line, " | {:?} -> {target}{concept} {}@{}", link.kind, link.judgement, link.pointer);
        }
        out.push(line);
    }
    for n in &record.notes {
        let reason = n.standing_reason.as_ref().map(|r| format!(" ({} {})", r.word, r.pointer)).unwrap_or_default();
        let section = n.section.as_ref().map(|s| format!(" [{s}]")).unwrap_or_default();
        out.push(format!(
            "note {}{} | {}{section} | {:?}{reason} | {:?} | {} | {} | {} | {:?}",
            source(n.source),
            n.pointer,
            n.note_type.label,
            n.standing,
            n.text,
            times(record, &n.times),
            binding(record, n.encounter),
            record.patients[n.patient.0 as usize].key,
            n.author,
        ));
    }
    for d in &record.diagnostics {
        out.push(format!("{:?} {:?} {} {} {}", d.severity, d.code, d.source, d.location, d.message));
    }
    out
}
