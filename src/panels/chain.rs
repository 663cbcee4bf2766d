//! The chain of events on one time axis, and the same as a table.

use chartproof_engine::wire::Answer;
use leptos::prelude::*;

use super::answer::{Place, references};
use crate::layout::chain::{gap, lay_out, length};
use crate::messages as m;
use crate::text::percent;

/// The panel.
pub(super) fn panel(answer: &Answer, place: Place, n: usize) -> Option<AnyView> {
    if answer.chain.is_empty() {
        return None;
    }
    let laid = lay_out(&answer.chain);
    let ticks = laid.as_ref().map(|l| l.axis.ticks(5)).unwrap_or_default();
    let mut rows: Vec<AnyView> = Vec::new();
    // Shown in time order; events without a time come last.
    let mut order: Vec<usize> = (0..answer.chain.len()).collect();
    order.sort_by_key(|i| answer.chain[*i].bounds.map_or((true, 0, 0), |(from, to)| (false, from, to)));
    let mut before: Option<(i64, i64)> = None;
    for i in order {
        let event = &answer.chain[i];
        if let (Some(first), Some(second)) = (before, event.bounds) {
            let words = match gap(first, second) {
                Some((least, most)) if most - least < 60_000 => m::later(&length(most)),
                Some((least, most)) => m::later_between(&length(least), &length(most)),
                None => m::ORDER_OPEN.to_owned(),
            };
            rows.push(view! { <li class="gap">{words}</li> }.into_any());
        }
        before = event.bounds.or(before);
        let span = laid.as_ref().and_then(|l| l.spans[i]);
        let grid: Vec<AnyView> = ticks
            .iter()
            .map(|t| view! { <line class="grid" x1=percent(t.at) x2=percent(t.at) y1="0" y2="28"></line> }.into_any())
            .collect();
        let shape = match span {
            None => ().into_any(),
            Some((at, width)) if width < 1.2 => {
                view! { <circle class="dot" cx=percent(at + width / 2.0) cy="14" r="6"></circle> }.into_any()
            }
            Some((at, width)) => {
                view! { <rect class="extent" x=percent(at) y="8" width=percent(width) height="12" rx="6"></rect> }.into_any()
            }
        };
        let role = event.time_role.as_deref().map(m::time_role);
        rows.push(
            view! {
                <li class="link">
                    <div class="link-what">
                        <strong>{event.label.clone()}</strong>
                        {event.value.clone().map(|v| view! { " " <span class="value">{v}</span> })}
                        <span class="link-when">
                            {role} " " {event.time.clone().unwrap_or_else(|| m::NO_TIME.into())} " "
                            {references(answer, place, n, &event.items)}
                        </span>
                    </div>
                    <svg class="track" height="28" aria-hidden="true">{grid}{shape}</svg>
                </li>
            }
            .into_any(),
        );
    }
    let labels: Vec<AnyView> = ticks
        .iter()
        .map(|t| view! { <text class="tick" x=percent(t.at) y="14" text-anchor="middle">{t.label.clone()}</text> }.into_any())
        .collect();
    let lines: Vec<AnyView> = answer
        .chain
        .iter()
        .map(|event| {
            view! {
                <tr>
                    <th scope="row">{event.label.clone()}</th>
                    <td>{event.value.clone()}</td>
                    <td>{event.time_role.as_deref().map(m::time_role)}</td>
                    <td class="nowrap">{event.time.clone().unwrap_or_else(|| m::NO_TIME.into())}</td>
                </tr>
            }
            .into_any()
        })
        .collect();
    Some(
        view! {
            <div class="card chain">
                <h3 class="card-title">{m::CHAIN_TITLE}</h3>
                <ol class="plain links">{rows}</ol>
                {(!labels.is_empty()).then(|| view! {
                    <div class="link axis-row" aria-hidden="true">
                        <span class="link-what">{()}</span>
                        <svg class="track" height="18">{labels}</svg>
                    </div>
                })}
                <p class="hint">{m::BARS_NOTE}</p>
                <details class="small">
                    <summary>{m::AS_TABLE}</summary>
                    <div class="scroll" tabindex="0" role="group" aria-label=m::CHAIN_TITLE>
                        <table class="plain-table">
                            <thead><tr>
                                <th scope="col">{m::COL_EVENT}</th>
                                <th scope="col">{m::COL_VALUE}</th>
                                <th scope="col">{m::COL_TIME_OF}</th>
                                <th scope="col">{m::COL_TIME}</th>
                            </tr></thead>
                            <tbody>{lines}</tbody>
                        </table>
                    </div>
                </details>
            </div>
        }
        .into_any(),
    )
}
