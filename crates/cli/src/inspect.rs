//! `inspect`: what the files hold.

use std::path::PathBuf;

use chartproof_record::Record;
use serde::Serialize;

use crate::{files, output};

/// One line of `--events`.
#[derive(Serialize)]
struct EventLine<'a> {
    id: &'a str,
    patient: &'a str,
    encounter: Option<&'a str>,
    #[serde(flatten)]
    occurrence: Occurrence<'a>,
}

#[derive(Serialize)]
struct Occurrence<'a> {
    kind: chartproof_record::Kind,
    label: &'a str,
    codes: Vec<(&'a str, &'a str)>,
    value: Option<String>,
    standing: chartproof_record::Standing,
    standing_reason: Option<&'a str>,
    binding: &'static str,
    times: Vec<(chartproof_record::TimeRole, &'a str)>,
}

pub(crate) fn run(paths: &[PathBuf], json: bool, events: bool, graph: bool) -> Result<(), String> {
    let (engine, mut summary) = files::open(paths)?;
    summary.digest = engine.record_digest().unwrap_or_default();
    if events {
        engine.record().into_iter().try_for_each(print_events)?;
    } else if graph {
        engine.export_graph().iter().try_for_each(output::json)?;
    } else if json {
        output::json(&summary)?;
    } else {
        for patient in &summary.patients {
            let span = patient.first.as_deref().unwrap_or("?");
            let last = patient.last.as_deref().unwrap_or("?");
            output::line(&format!(
                "{}: {} encounters in {} stays, {} notes, {span} to {last}",
                if patient.id.is_empty() { "no patient named" } else { &patient.id },
                patient.encounters,
                patient.stays,
                patient.notes
            ));
            for (kind, count) in &patient.events {
                output::line(&format!("  {count:>7} {kind}"));
            }
        }
        for d in &summary.diagnostics {
            output::line(&format!("{:?}: {} {}: {}", d.severity, d.source, d.location, d.message).to_lowercase());
        }
        output::line(&format!("digest {}", summary.digest));
    }
    match files::refused(&summary) {
        Some(message) => Err(message),
        None => Ok(()),
    }
}

fn print_events(record: &Record) -> Result<(), String> {
    for o in &record.occurrences {
        let encounter = o.encounter.encounter().and_then(|ix| record.encounters.get(ix.0 as usize));
        output::json(&EventLine {
            id: &o.id.0,
            patient: &record.patients[o.patient.0 as usize].key,
            encounter: encounter.map(|e| &*e.key),
            occurrence: Occurrence {
                kind: o.kind,
                label: o.label(),
                codes: o.concept.codings.iter().map(|c| (&*c.system, &*c.code)).collect(),
                value: o.value.as_ref().map(chartproof_record::Value::display),
                standing: o.standing,
                standing_reason: o.standing_reason.as_ref().map(|r| &*r.word),
                binding: match o.encounter {
                    chartproof_record::Binding::Recorded(_) => "recorded",
                    chartproof_record::Binding::Inferred(_) => "inferred",
                    chartproof_record::Binding::Unknown => "unknown",
                },
                times: o.times.iter().map(|t| (t.role, &*t.at.text)).collect(),
            },
        })?;
    }
    Ok(())
}
