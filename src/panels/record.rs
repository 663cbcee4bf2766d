//! What the record holds: patient, counts, what the readers had to say, what was refused.

use chartproof_engine::wire::{PatientSummary, Summary};
use chartproof_record::{Code, Diagnostic, Severity};
use leptos::prelude::*;

use super::{choice, details, fact, notice, scrolling_table};
use crate::dom::{El, el, live, of_class};
use crate::layout::order;
use crate::messages as m;
use crate::state::Room;
use crate::text::thousands;

/// Remarks of one kind that are listed before the rest is only counted.
const MOST_LISTED: usize = 40;

/// The panel.
pub(super) fn panel(room: Room) -> El {
    of_class("section", "card record")
        .attr("aria-labelledby", "cp-record")
        .add(of_class("h2", "spoken").attr("id", "cp-record").add(m::RECORD_TITLE))
        .add(live(move || {
            let summary = room.summary.get()?;
            let chosen = room.patient.get()?;
            let patient = summary.patients.iter().find(|p| p.id == chosen)?;
            Some(
                el("div")
                    .add(head(room, &summary, patient))
                    .add(contents(&summary, patient))
                    .add(remarks(&summary))
                    .add(banner(&summary))
                    .add(refusals(&summary)),
            )
        }))
}

fn head(room: Room, summary: &Summary, patient: &PatientSummary) -> El {
    let name = if summary.patients.len() > 1 {
        let mut select = el("select").on("change", move |event| room.choose_patient(event_target_value(&event)));
        for other in &summary.patients {
            select = select.add(choice(&other.id, &other.id, other.id == patient.id));
        }
        of_class("label", "patient").add(el("span").add(m::patients(summary.patients.len()))).add(select)
    } else {
        of_class("p", "patient").add(el("span").add(m::PATIENT)).add(" ").add(el("strong").add(&patient.id))
    };
    let events: usize = patient.events.values().sum();
    let range = patient.first.as_ref().zip(patient.last.as_ref()).map(|(first, last)| {
        of_class("div", "fact").add(el("dt").add(m::FIRST_LAST)).add(
            el("dd").add(of_class("span", "nowrap").add(first)).add(" – ").add(of_class("span", "nowrap").add(last)),
        )
    });
    of_class("div", "record-head").add(name).add(
        of_class("dl", "facts")
            .add(fact(m::STAYS, &thousands(patient.stays)))
            .add(fact(m::ENCOUNTERS, &thousands(patient.encounters)))
            .add(fact(m::EVENTS, &thousands(events)))
            .add(fact(m::NOTES, &thousands(patient.notes)))
            .add(range),
    )
}

fn contents(summary: &Summary, patient: &PatientSummary) -> El {
    let kinds: Vec<El> = patient.events.iter().map(|(kind, count)| fact(m::lane(kind), &thousands(*count))).collect();
    let files: Vec<El> = summary
        .files
        .iter()
        .take(MOST_LISTED)
        .map(|(name, digest)| {
            let short: String = digest.chars().take(12).collect();
            el("li").add(name).add(" ").add(of_class("code", "digest").add(short))
        })
        .collect();
    details(m::WHAT_IS_IN_IT)
        .add(of_class("dl", "facts kinds").add(kinds))
        .add(el("h3").add(m::FILES))
        .add(of_class("ul", "lines").add(files))
        .add(rest(summary.files.len()))
}

/// How many are not listed.
fn rest(all: usize) -> Option<El> {
    (all > MOST_LISTED).then(|| of_class("p", "hint").add(m::and_more(all - MOST_LISTED)))
}

fn banner(summary: &Summary) -> Option<El> {
    let incomplete = summary.diagnostics.iter().any(|d| matches!(d.code, Code::IncompleteRecord | Code::Truncated));
    incomplete.then(|| {
        let inside =
            el("div").add(of_class("p", "notice-title").add(m::INCOMPLETE_TITLE)).add(el("p").add(m::INCOMPLETE_TEXT));
        notice("notice warn", None, inside)
    })
}

/// Files that were refused.
pub(super) fn refusals(summary: &Summary) -> Option<El> {
    if summary.refused.is_empty() {
        return None;
    }
    let rows: Vec<El> = summary
        .refused
        .iter()
        .take(MOST_LISTED)
        .map(|file| {
            el("tr")
                .add(el("th").attr("scope", "row").add(&file.file))
                .add(el("td").add(&file.location))
                .add(el("td").add(&file.message).add(" ").add(of_class("code", "digest").add(&file.code)))
        })
        .collect();
    let columns = [m::COL_FILE, m::COL_WHERE, m::COL_WHAT];
    let inside = of_class("div", "grow")
        .add(of_class("h3", "notice-title").add(m::refused(summary.refused.len())))
        .add(scrolling_table("scroll", m::REFUSED_TABLE, &columns, rows))
        .add(rest(summary.refused.len()));
    Some(notice("notice bad", None, inside))
}

/// What the readers had to say, the gravest first.
pub(super) fn remarks(summary: &Summary) -> Option<El> {
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
    let count = |severity| summary.diagnostics.iter().filter(|d| d.severity == severity).count();
    let title = m::remarks(count(Severity::Error), count(Severity::Warning), count(Severity::Info));
    let gravest_first = order(groups.iter().map(|(severity, code, _)| (-(*severity as i64), *code as i64)));
    let groups: Vec<El> = gravest_first
        .into_iter()
        .map(|i| {
            let (severity, code, list) = &groups[i];
            el("li").add(group(*severity, *code, list))
        })
        .collect();
    Some(details(&title).add(of_class("ul", "plain remarks").add(groups)))
}

fn group(severity: Severity, code: Code, list: &[&Diagnostic]) -> El {
    let class = match severity {
        Severity::Error => "badge bad",
        Severity::Warning => "badge warn",
        Severity::Info => "badge",
    };
    let lines: Vec<El> = list
        .iter()
        .take(MOST_LISTED)
        .map(|d| {
            el("li")
                .add(of_class("span", "source-key").add(&d.source))
                .add(" ")
                .add(of_class("span", "where").add(&d.location))
                .add(" ")
                .add(&d.message)
        })
        .collect();
    of_class("details", "remark")
        .add(
            el("summary")
                .add(of_class("span", class).add(m::severity(severity)))
                .add(" ")
                .add(m::code(code))
                .add(" ")
                .add(of_class("span", "count").add(thousands(list.len()))),
        )
        .add(of_class("ul", "lines").add(lines))
        .add(rest(list.len()))
}
