//! What the record holds: patient, counts, what the readers had to say, what was refused.

use std::sync::Arc;

use chartproof_engine::wire::{PatientSummary, Summary};
use chartproof_record::{Code, Diagnostic, Severity};
use leptos::prelude::*;

use crate::state::Room;
use crate::text::thousands;
use crate::{icons, messages as m};

/// Remarks of one kind that are listed before the rest is only counted.
const MOST_LISTED: usize = 40;

/// The panel.
pub(super) fn panel(room: Room) -> AnyView {
    view! {
        <section class="card record" aria-labelledby="cp-record">
            <h2 id="cp-record" class="spoken">{m::RECORD_TITLE}</h2>
            {move || {
                let summary = room.summary.get()?;
                let chosen = room.patient.get()?;
                let patient = summary.patients.iter().find(|p| p.id == chosen)?;
                Some(
                    view! {
                        {head(room, &summary, patient)}
                        {banner(&summary)}
                        {refusals(&summary)}
                        {remarks(&summary)}
                    }
                    .into_any(),
                )
            }}
        </section>
    }
    .into_any()
}

fn head(room: Room, summary: &Arc<Summary>, patient: &PatientSummary) -> AnyView {
    let name = if summary.patients.len() > 1 {
        let options: Vec<AnyView> = summary
            .patients
            .iter()
            .map(|p| {
                let id = p.id.clone();
                view! { <option value=id.clone() selected=p.id == patient.id>{id.clone()}</option> }.into_any()
            })
            .collect();
        view! {
            <label class="patient">
                <span>{m::patients(summary.patients.len())}</span>
                <select on:change=move |event| room.choose_patient(event_target_value(&event))>{options}</select>
            </label>
        }
        .into_any()
    } else {
        view! { <p class="patient"><span>{m::PATIENT}</span> <strong>{patient.id.clone()}</strong></p> }.into_any()
    };
    let events: usize = patient.events.values().sum();
    let fact = |value: String, label: &'static str| {
        view! { <div class="fact"><dt>{label}</dt><dd>{value}</dd></div> }.into_any()
    };
    let range = patient.first.clone().zip(patient.last.clone());
    let kinds: Vec<AnyView> = patient
        .events
        .iter()
        .map(|(kind, count)| fact(thousands(*count), m::lane(kind)))
        .collect();
    let files: Vec<AnyView> = summary
        .files
        .iter()
        .take(MOST_LISTED)
        .map(|(name, digest)| {
            view! { <li>{name.clone()} <code class="digest">{digest.chars().take(12).collect::<String>()}</code></li> }.into_any()
        })
        .collect();
    view! {
        <div class="record-head">
            {name}
            <dl class="facts">
                {fact(thousands(patient.stays), m::STAYS)}
                {fact(thousands(patient.encounters), m::ENCOUNTERS)}
                {fact(thousands(events), m::EVENTS)}
                {fact(thousands(patient.notes), m::NOTES)}
                {range.map(|(first, last)| view! {
                    <div class="fact wide"><dt>{m::FIRST_LAST}</dt><dd><span class="nowrap">{first}</span>" – "<span class="nowrap">{last}</span></dd></div>
                })}
            </dl>
        </div>
        <details class="small">
            <summary>{m::WHAT_IS_IN_IT}</summary>
            <dl class="facts kinds">{kinds}</dl>
            <h3>{m::FILES}</h3>
            <ul class="lines">{files}</ul>
            {(summary.files.len() > MOST_LISTED).then(|| view! { <p class="hint">{m::and_more(summary.files.len() - MOST_LISTED)}</p> })}
        </details>
    }
    .into_any()
}

fn banner(summary: &Summary) -> Option<AnyView> {
    let incomplete = summary.diagnostics.iter().any(|d| matches!(d.code, Code::IncompleteRecord | Code::Truncated));
    incomplete.then(|| {
        view! {
            <div class="notice warn">
                {icons::warning()}
                <div>
                    <p class="notice-title">{m::INCOMPLETE_TITLE}</p>
                    <p>{m::INCOMPLETE_TEXT}</p>
                </div>
            </div>
        }
        .into_any()
    })
}

/// Files that were refused.
pub(super) fn refusals(summary: &Summary) -> Option<AnyView> {
    if summary.refused.is_empty() {
        return None;
    }
    let rows: Vec<AnyView> = summary
        .refused
        .iter()
        .take(MOST_LISTED)
        .map(|file| {
            view! {
                <tr>
                    <th scope="row">{file.file.clone()}</th>
                    <td>{file.location.clone()}</td>
                    <td>{file.message.clone()} <code class="digest">{file.code.clone()}</code></td>
                </tr>
            }
            .into_any()
        })
        .collect();
    let more = summary.refused.len().saturating_sub(MOST_LISTED);
    Some(
        view! {
            <div class="notice bad">
                {icons::warning()}
                <div class="grow">
                    <h3 class="notice-title">{m::refused(summary.refused.len())}</h3>
                    <div class="scroll" tabindex="0" role="group" aria-label=m::REFUSED_TABLE>
                        <table class="plain-table">
                            <thead><tr><th scope="col">{m::COL_FILE}</th><th scope="col">{m::COL_WHERE}</th><th scope="col">{m::COL_WHAT}</th></tr></thead>
                            <tbody>{rows}</tbody>
                        </table>
                    </div>
                    {(more > 0).then(|| view! { <p>{m::and_more(more)}</p> })}
                </div>
            </div>
        }
        .into_any(),
    )
}

/// What the readers had to say, the gravest first.
pub(super) fn remarks(summary: &Summary) -> Option<AnyView> {
    if summary.diagnostics.is_empty() {
        return None;
    }
    let mut groups: Vec<(Severity, Code, Vec<&Diagnostic>)> = Vec::new();
    for remark in &summary.diagnostics {
        match groups.iter_mut().find(|(s, c, _)| *s == remark.severity && *c == remark.code) {
            Some((_, _, list)) => list.push(remark),
            None => groups.push((remark.severity, remark.code, vec![remark])),
        }
    }
    groups.sort_by_key(|(severity, code, _)| (std::cmp::Reverse(*severity), *code));
    let count = |severity| summary.diagnostics.iter().filter(|d| d.severity == severity).count();
    let title = m::remarks(count(Severity::Error), count(Severity::Warning), count(Severity::Info));
    let list: Vec<AnyView> = groups
        .into_iter()
        .map(|(severity, code, list)| {
            let lines: Vec<AnyView> = list
                .iter()
                .take(MOST_LISTED)
                .map(|d| {
                    view! {
                        <li>
                            <span class="source-key">{d.source.clone()}</span>
                            " "
                            <span class="where">{d.location.clone()}</span>
                            " "
                            <span>{d.message.clone()}</span>
                        </li>
                    }
                    .into_any()
                })
                .collect();
            let more = list.len().saturating_sub(MOST_LISTED);
            view! {
                <li>
                    <details class="remark">
                        <summary>
                            <span class="badge" class:warn=severity == Severity::Warning class:bad=severity == Severity::Error>
                                {m::severity(severity)}
                            </span>
                            " "
                            {m::code(code)}
                            " "
                            <span class="count">{thousands(list.len())}</span>
                        </summary>
                        <ul class="lines">{lines}</ul>
                        {(more > 0).then(|| view! { <p class="hint">{m::and_more(more)}</p> })}
                    </details>
                </li>
            }
            .into_any()
        })
        .collect();
    Some(
        view! {
            <details class="small">
                <summary>{title}</summary>
                <ul class="plain remarks">{list}</ul>
            </details>
        }
        .into_any(),
    )
}
