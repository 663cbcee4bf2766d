//! The chain of events on one time axis, and the same as a table.

use chartproof_assess::ChainEvent;
use chartproof_engine::wire::Answer;

use super::answer::{Place, references};
use super::{details, scrolling_table};
use crate::dom::{El, el, of_class, svg};
use crate::layout::axis::Tick;
use crate::layout::chain::{gap, lay_out, length};
use crate::layout::order;
use crate::messages as m;
use crate::text::percent;

/// The panel.
pub(super) fn panel(answer: &Answer, place: &Place, n: usize) -> Option<El> {
    if answer.chain.is_empty() {
        return None;
    }
    let laid = lay_out(&answer.chain);
    let ticks = laid.as_ref().map(|l| l.axis.ticks(5)).unwrap_or_default();
    let mut rows: Vec<El> = Vec::new();
    // Shown in time order; events without a time come last.
    let mut before: Option<(i64, i64)> = None;
    for i in order(answer.chain.iter().map(|e| e.bounds.unwrap_or((i64::MAX, i64::MAX)))) {
        let event = &answer.chain[i];
        if let (Some(first), Some(second)) = (before, event.bounds) {
            rows.push(of_class("li", "gap").add(gap_words(first, second)));
        }
        before = event.bounds.or(before);
        let span = laid.as_ref().and_then(|l| l.spans[i]);
        let refs = references(answer, place, n, &event.items);
        rows.push(of_class("li", "link").add(what(event, refs)).add(track(&ticks, span)));
    }
    let axis = (!ticks.is_empty()).then(|| {
        let mut labels = svg("svg").attr("class", "track").attr("height", "18");
        for tick in &ticks {
            labels = labels.add(tick_label(tick, 14));
        }
        of_class("div", "link axis-row").attr("aria-hidden", "true").add(of_class("span", "link-what")).add(labels)
    });
    Some(
        of_class("div", "card chain")
            .add(of_class("h3", "card-title").add(m::CHAIN_TITLE))
            .add(of_class("ol", "plain links").add(rows))
            .add(axis)
            .add(of_class("p", "hint").add(m::BARS_NOTE))
            .add(details(m::AS_TABLE).add(table(answer))),
    )
}

/// A label under an axis.
pub(super) fn tick_label(tick: &Tick, y: usize) -> El {
    svg("text")
        .attr("class", "tick")
        .attr("x", &percent(tick.at))
        .number("y", y)
        .attr("text-anchor", "middle")
        .add(&tick.label)
}

/// A line across an axis.
pub(super) fn tick_line(tick: &Tick, height: usize) -> El {
    let x = percent(tick.at);
    svg("line").attr("class", "grid").attr("x1", &x).attr("x2", &x).attr("y1", "0").number("y2", height)
}

fn gap_words(first: (i64, i64), second: (i64, i64)) -> String {
    match gap(first, second) {
        Some((least, most)) if most - least < 60_000 => m::later(&length(most)),
        Some((least, most)) => m::later_between(&length(least), &length(most)),
        None => m::ORDER_OPEN.to_owned(),
    }
}

fn what(event: &ChainEvent, refs: Option<El>) -> El {
    of_class("div", "link-what")
        .add(el("strong").add(&event.label))
        .add(event.value.as_ref().map(|v| of_class("span", "value").add(" ").add(v)))
        .add(
            of_class("span", "link-when")
                .add(event.time_role.as_deref().map(m::time_role))
                .add(" ")
                .add(event.time.as_deref().unwrap_or(m::NO_TIME))
                .add(" ")
                .add(refs),
        )
}

fn track(ticks: &[Tick], span: Option<(f64, f64)>) -> El {
    let mut out = svg("svg").attr("class", "track").attr("height", "28").attr("aria-hidden", "true");
    for tick in ticks {
        out = out.add(tick_line(tick, 28));
    }
    let shape = span.map(|(at, width)| {
        if width < 1.2 {
            svg("circle").attr("class", "dot").attr("cx", &percent(at + width / 2.0)).attr("cy", "14").attr("r", "6")
        } else {
            svg("rect")
                .attr("class", "extent")
                .attr("x", &percent(at))
                .attr("y", "8")
                .attr("width", &percent(width))
                .attr("height", "12")
                .attr("rx", "6")
        }
    });
    out.add(shape)
}

fn table(answer: &Answer) -> El {
    let rows: Vec<El> = answer
        .chain
        .iter()
        .map(|event| {
            el("tr")
                .add(el("th").attr("scope", "row").add(&event.label))
                .add(el("td").add(event.value.as_ref()))
                .add(el("td").add(event.time_role.as_deref().map(m::time_role)))
                .add(of_class("td", "nowrap").add(event.time.as_deref().unwrap_or(m::NO_TIME)))
        })
        .collect();
    scrolling_table("scroll", m::CHAIN_TITLE, &[m::COL_EVENT, m::COL_VALUE, m::COL_TIME_OF, m::COL_TIME], rows)
}
