//! Evidence that was admitted, and what was not, with the reason.

use chartproof_assess::{EvidenceLine, Polarity};
use chartproof_engine::wire::{Answer, ExcludedLine};
use chartproof_record::Citation;
use leptos::prelude::*;

use crate::state::{Looked, Room};
use crate::text::shorten;
use crate::{icons, messages as m};

/// Rows that are shown at once.
const PAGE: usize = 60;
/// Characters of a quotation on its button.
const QUOTE: usize = 72;
/// Citations of one row that are shown at once.
const MOST_CITED: usize = 4;

/// Evidence that was admitted.
pub(super) fn panel(room: Room, answer: &Answer, n: usize) -> AnyView {
    let rows: Vec<AnyView> = answer.evidence.iter().enumerate().map(|(i, line)| row(room, n, i, line)).collect();
    let count = |polarity| answer.evidence.iter().filter(|e| e.polarity == polarity).count();
    let title = m::evidence_title(count(Polarity::Supports), count(Polarity::Refutes), count(Polarity::Neutral));
    let empty = rows.is_empty();
    view! {
        <div class="card evidence">
            <h3 class="card-title">{m::EVIDENCE_TITLE}</h3>
            <p class="hint">{if empty { m::NO_EVIDENCE_ROWS.to_owned() } else { title }}</p>
            {(!empty).then(|| table(m::EVIDENCE_TITLE, &[m::COL_NUMBER, m::COL_SPEAKS, m::COL_SAYS, m::COL_TIME, m::COL_SCOPE], rows))}
        </div>
    }
    .into_any()
}

/// A table whose rows become cards where there is little room; the roles keep it a table there.
fn table(label: &'static str, columns: &[&'static str], rows: Vec<AnyView>) -> AnyView {
    let head: Vec<AnyView> =
        columns.iter().map(|c| view! { <th scope="col" role="columnheader">{*c}</th> }.into_any()).collect();
    let most = RwSignal::new(PAGE);
    let total = rows.len();
    let rows: Vec<AnyView> = rows
        .into_iter()
        .enumerate()
        .map(|(i, row)| {
            view! { <tbody role="rowgroup" class:gone={move || i >= most.get()}>{row}</tbody> }.into_any()
        })
        .collect();
    view! {
        <table class="rows" role="table" aria-label=label>
            <thead role="rowgroup"><tr role="row">{head}</tr></thead>
            {rows}
        </table>
        <Show when={move || most.get() < total}>
            <button class="quiet" on:click=move |_| most.update(|m| *m += PAGE)>{m::show_more(PAGE)}</button>
        </Show>
    }
    .into_any()
}

fn row(room: Room, n: usize, i: usize, line: &EvidenceLine) -> AnyView {
    let class = match line.polarity {
        Polarity::Supports => "polarity for",
        Polarity::Refutes => "polarity against",
        Polarity::Neutral => "polarity",
    };
    let mut aside = String::from(m::context(&line.context));
    if let Some(origin) = &line.origin {
        aside.push_str(" · ");
        aside.push_str(origin);
    }
    if line.copies > 0 {
        aside.push_str(" · ");
        aside.push_str(&m::copies(line.copies));
    }
    view! {
        <tr role="row" id=format!("cp-e-{n}-{i}") tabindex="-1">
            <td role="cell" class="number">{m::evidence_short(i)}</td>
            <td role="cell"><span class=class>{icons::polarity(line.polarity)} {m::polarity(line.polarity)}</span></td>
            <td role="cell" class="says">
                <p class="says-text">{line.text.clone()}</p>
                <p class="hint">{aside}</p>
                {citations(room, &line.citations, line.origin.as_ref(), &line.times)}
            </td>
            <td role="cell">{times(&line.times)}</td>
            <td role="cell"><span class="badge" class:warn=line.scope != chartproof_evidence::ScopeStatus::Valid>{m::scope(line.scope)}</span></td>
        </tr>
    }
    .into_any()
}

/// Times, each with what it is the time of.
fn times(list: &[(String, String)]) -> AnyView {
    if list.is_empty() {
        return view! { <span class="hint">{m::NO_TIME}</span> }.into_any();
    }
    let lines: Vec<AnyView> = list
        .iter()
        .map(|pair| {
            let (role, time) = m::role_and_time(pair);
            view! { <li><span class="hint">{role}</span> " " <span class="nowrap">{time.to_owned()}</span></li> }.into_any()
        })
        .collect();
    view! { <ul class="plain times">{lines}</ul> }.into_any()
}

fn citations(room: Room, list: &[Citation], origin: Option<&String>, times: &[(String, String)]) -> AnyView {
    let all = RwSignal::new(list.len() <= MOST_CITED);
    let buttons: Vec<AnyView> = list
        .iter()
        .enumerate()
        .map(|(i, citation)| {
            let looked = Looked {
                citation: citation.clone(),
                origin: origin.cloned(),
                times: times.to_vec(),
                view: None,
            };
            view! {
                <li class:gone={move || i >= MOST_CITED && !all.get()}>
                    <button class="cite" on:click=move |_| room.look(looked.clone())>
                        {icons::sheet()}
                        <q class="cite-quote">{shorten(&citation.quote, QUOTE)}</q>
                        " "
                        <span class="source-key">{citation.source.to_string()}</span>
                    </button>
                </li>
            }
            .into_any()
        })
        .collect();
    let more = list.len().saturating_sub(MOST_CITED);
    view! {
        <ul class="plain cites" aria-label=m::SOURCES>{buttons}</ul>
        <Show when=move || !all.get()>
            <button class="quiet" on:click=move |_| all.set(true)>{m::show_more(more)}</button>
        </Show>
    }
    .into_any()
}

/// What was not admitted.
pub(super) fn excluded(room: Room, answer: &Answer, n: usize) -> Option<AnyView> {
    if answer.excluded.is_empty() {
        return None;
    }
    let rows: Vec<AnyView> =
        answer.excluded.iter().enumerate().map(|(i, line)| excluded_row(room, n, i, line)).collect();
    Some(
        view! {
            <details class="card excluded">
                <summary><h3 class="card-title">{m::excluded_title(answer.excluded.len())}</h3></summary>
                <p class="hint">{m::EXCLUDED_HINT}</p>
                {table(m::EXCLUDED_NAME, &[m::COL_NUMBER, m::COL_REASON, m::COL_SAYS, m::COL_TIME], rows)}
            </details>
        }
        .into_any(),
    )
}

fn excluded_row(room: Room, n: usize, i: usize, line: &ExcludedLine) -> AnyView {
    view! {
        <tr role="row" id=format!("cp-x-{n}-{i}") tabindex="-1">
            <td role="cell" class="number">{m::excluded_short(i)}</td>
            <td role="cell"><span class="badge">{m::exclusion(line.reason)}</span> <p class="hint">{line.detail.clone()}</p></td>
            <td role="cell" class="says">
                <p class="says-text">{line.text.clone()}</p>
                {citations(room, &line.citations, None, &line.times)}
            </td>
            <td role="cell">{times(&line.times)}</td>
        </tr>
    }
    .into_any()
}
