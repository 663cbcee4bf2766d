//! The answers: verdict, chain, tuples, evidence, what was left out, how it was searched.

use std::sync::Arc;

use chartproof_engine::wire::Answer;
use leptos::prelude::*;
use web_sys::{Element, ScrollIntoViewOptions, ScrollLogicalPosition};

use super::ask::unresolved_line;
use super::{chain, evidence, go_to, search, tuples, verdict};
use crate::dom::{El, Live, el, live, of_class};
use crate::messages as m;
use crate::state::{Answered, Room};

/// The element that holds the answers, so that a reference can find its row.
pub(super) type Place = Element;

/// The panel.
pub(super) fn panel(room: Room) -> Live {
    live(move || room.outcome.get().map(|outcome| answers(room, &outcome)))
}

fn answers(room: Room, outcome: &Arc<Answered>) -> El {
    let section = of_class("section", "answers").attr("aria-label", m::ANSWER_TITLE);
    let place = section.node().clone();
    let (answers, unresolved) = &**outcome;
    let left_out: Vec<El> = unresolved.iter().map(unresolved_line).collect();
    let left_out = (!left_out.is_empty()).then(|| {
        of_class("div", "notice").add(
            el("div")
                .add(of_class("h2", "notice-title").add(m::ANSWERED_WITHOUT))
                .add(of_class("ul", "lines").add(left_out)),
        )
    });
    let none = answers.is_empty().then(|| of_class("p", "hint").add(m::NO_ANSWERS));
    let views: Vec<El> = answers
        .iter()
        .enumerate()
        .map(|(n, answer)| {
            of_class("article", "answer")
                .attr("aria-labelledby", &verdict::title_id(n))
                .add(verdict::card(room, &place, n, answer))
                .add(chain::panel(answer, &place, n))
                .add(tuples::panel(answer, &place, n))
                .add(evidence::panel(room, answer, n))
                .add(evidence::excluded(room, answer, n))
                .add(search::panel(answer))
        })
        .collect();
    // Whoever asked wants to see the verdict; the focus stays where it is.
    request_animation_frame(move || {
        if let Ok(Some(top)) = place.query_selector(".verdict-top") {
            let options = ScrollIntoViewOptions::new();
            options.set_block(ScrollLogicalPosition::Nearest);
            top.scroll_into_view_with_scroll_into_view_options(&options);
        }
    });
    section.add(left_out).add(none).add(views)
}

/// Buttons that lead to the evidence rows a line rests on.
pub(super) fn references(answer: &Answer, place: &Place, n: usize, items: &[String]) -> Option<El> {
    let mut buttons: Vec<El> = Vec::new();
    for item in items {
        let (id, short, label) = if let Some(i) = answer.evidence.iter().position(|e| e.id == *item) {
            (evidence::row_id("e", n, i), m::evidence_short(i), m::evidence_link(i))
        } else if let Some(i) = answer.excluded.iter().position(|e| e.id == *item) {
            (evidence::row_id("x", n, i), m::excluded_short(i), m::excluded_link(i))
        } else {
            continue;
        };
        let place = place.clone();
        buttons.push(
            of_class("button", "ref").attr("aria-label", &label).on("click", move |_| go_to(&place, &id)).add(short),
        );
    }
    (!buttons.is_empty()).then(|| of_class("span", "refs").add(buttons))
}
