//! Evidence that was admitted, and what was not, with the reason.

use chartproof_assess::{EvidenceLine, Polarity};
use chartproof_engine::wire::{Answer, ExcludedLine};
use chartproof_evidence::ScopeStatus;
use chartproof_record::Citation;
use leptos::prelude::*;

use crate::dom::{El, el, of_class};
use crate::state::{Looked, Room};
use crate::text::shorten;
use crate::{icons, messages as m};

/// Rows that are shown at once.
const PAGE: usize = 60;
/// Characters of a quotation on its button.
const QUOTE: usize = 72;
/// Citations of one row that are shown at once.
const MOST_CITED: usize = 4;

/// Id of a row, so that what rests on it can lead there.
pub(super) fn row_id(table: &str, n: usize, i: usize) -> String {
    ["cp-", table, "-", &n.to_string(), "-", &i.to_string()].concat()
}

/// Evidence that was admitted.
pub(super) fn panel(room: Room, answer: &Answer, n: usize) -> El {
    let out = of_class("div", "card evidence").add(of_class("h3", "card-title").add(m::EVIDENCE_TITLE));
    if answer.evidence.is_empty() {
        return out.add(of_class("p", "hint").add(m::NO_EVIDENCE_ROWS));
    }
    let rows: Vec<El> = answer.evidence.iter().enumerate().map(|(i, line)| row(room, n, i, line)).collect();
    let count = |polarity| answer.evidence.iter().filter(|e| e.polarity == polarity).count();
    let counts = m::evidence_title(count(Polarity::Supports), count(Polarity::Refutes), count(Polarity::Neutral));
    let columns = [m::COL_NUMBER, m::COL_SPEAKS, m::COL_SAYS, m::COL_TIME, m::COL_SCOPE];
    out.add(of_class("p", "hint").add(counts)).add(table(m::EVIDENCE_TITLE, &columns, rows))
}

/// A table whose rows become cards where there is little room; the roles keep it a table there.
fn table(label: &str, columns: &[&str], rows: Vec<El>) -> Vec<El> {
    let mut head = el("tr").attr("role", "row");
    for column in columns {
        head = head.add(el("th").attr("scope", "col").attr("role", "columnheader").add(*column));
    }
    let most = RwSignal::new(PAGE);
    let total = rows.len();
    let mut out = of_class("table", "rows")
        .attr("role", "table")
        .attr("aria-label", label)
        .add(el("thead").attr("role", "rowgroup").add(head));
    for (page, rows) in pages(rows).into_iter().enumerate() {
        let body = el("tbody").attr("role", "rowgroup").add(rows);
        let body = if page > 0 { body.live_class("gone", move || page * PAGE >= most.get()) } else { body };
        out = out.add(body);
    }
    let mut parts = vec![out];
    if total > PAGE {
        parts.push(
            of_class("button", "quiet")
                .live_class("gone", move || most.get() >= total)
                .on("click", move |_| most.update(|m| *m += PAGE))
                .add(m::show_more(PAGE)),
        );
    }
    parts
}

fn pages(rows: Vec<El>) -> Vec<Vec<El>> {
    let mut out: Vec<Vec<El>> = Vec::new();
    for (i, row) in rows.into_iter().enumerate() {
        if i % PAGE == 0 {
            out.push(Vec::new());
        }
        if let Some(page) = out.last_mut() {
            page.push(row);
        }
    }
    out
}

fn cell(class: &str) -> El {
    of_class("td", class).attr("role", "cell")
}

fn table_row(id: &str, number: &str) -> El {
    el("tr").attr("role", "row").attr("id", id).attr("tabindex", "-1").add(cell("number").add(number))
}

fn row(room: Room, n: usize, i: usize, line: &EvidenceLine) -> El {
    let class = match line.polarity {
        Polarity::Supports => "polarity for",
        Polarity::Refutes => "polarity against",
        Polarity::Neutral => "polarity",
    };
    let mut aside = vec![m::context(&line.context).to_owned()];
    aside.extend(line.origin.clone());
    if line.copies > 0 {
        aside.push(m::copies(line.copies));
    }
    let scope = if line.scope == ScopeStatus::Valid { "badge" } else { "badge warn" };
    table_row(&row_id("e", n, i), &m::evidence_short(i))
        .add(
            cell("speaks")
                .add(of_class("span", class).add(icons::polarity(line.polarity)).add(m::polarity(line.polarity))),
        )
        .add(
            cell("says")
                .add(of_class("p", "says-text").add(&line.text))
                .add(of_class("p", "hint").add(aside.join(" · ")))
                .add(citations(room, &line.citations, line.origin.as_ref(), &line.times)),
        )
        .add(cell("when").add(times(&line.times)))
        .add(cell("scope").add(of_class("span", scope).add(m::scope(line.scope))))
}

/// Times, each with what it is the time of.
fn times(list: &[(String, String)]) -> El {
    if list.is_empty() {
        return of_class("span", "hint").add(m::NO_TIME);
    }
    let mut out = of_class("ul", "plain times");
    for pair in list {
        let (role, time) = m::role_and_time(pair);
        out = out
            .add(el("li").add(of_class("span", "hint").add(role)).add(" ").add(of_class("span", "nowrap").add(time)));
    }
    out
}

fn citations(room: Room, list: &[Citation], origin: Option<&String>, times: &[(String, String)]) -> Vec<El> {
    let all = RwSignal::new(list.len() <= MOST_CITED);
    let mut out = of_class("ul", "plain cites").attr("aria-label", m::SOURCES);
    for (i, citation) in list.iter().enumerate() {
        let looked = Looked { citation: citation.clone(), origin: origin.cloned(), times: times.to_vec(), view: None };
        let button = of_class("button", "cite")
            .on("click", move |_| room.look(looked.clone()))
            .add(icons::sheet())
            .add(of_class("q", "cite-quote").add(shorten(&citation.quote, QUOTE)))
            .add(" ")
            .add(of_class("span", "source-key").add(&*citation.source));
        let item = el("li").add(button);
        out = out.add(if i < MOST_CITED { item } else { item.live_class("gone", move || !all.get()) });
    }
    let mut parts = vec![out];
    if list.len() > MOST_CITED {
        parts.push(
            of_class("button", "quiet")
                .live_class("gone", move || all.get())
                .on("click", move |_| all.set(true))
                .add(m::show_more(list.len() - MOST_CITED)),
        );
    }
    parts
}

/// What was not admitted.
pub(super) fn excluded(room: Room, answer: &Answer, n: usize) -> Option<El> {
    if answer.excluded.is_empty() {
        return None;
    }
    let rows: Vec<El> = answer.excluded.iter().enumerate().map(|(i, line)| excluded_row(room, n, i, line)).collect();
    Some(
        of_class("details", "card excluded")
            .add(el("summary").add(of_class("h3", "card-title").add(m::excluded_title(answer.excluded.len()))))
            .add(of_class("p", "hint").add(m::EXCLUDED_HINT))
            .add(table(m::EXCLUDED_NAME, &[m::COL_NUMBER, m::COL_REASON, m::COL_SAYS, m::COL_TIME], rows)),
    )
}

fn excluded_row(room: Room, n: usize, i: usize, line: &ExcludedLine) -> El {
    table_row(&row_id("x", n, i), &m::excluded_short(i))
        .add(
            cell("speaks")
                .add(of_class("span", "badge").add(m::exclusion(line.reason)))
                .add(of_class("p", "hint").add(&line.detail)),
        )
        .add(cell("says").add(of_class("p", "says-text").add(&line.text)).add(citations(
            room,
            &line.citations,
            None,
            &line.times,
        )))
        .add(cell("when").add(times(&line.times)))
}
