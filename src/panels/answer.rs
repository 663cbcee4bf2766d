//! The answers: verdict, chain, tuples, evidence, what was left out, how it was searched.

use std::sync::Arc;

use chartproof_engine::wire::Answer;
use leptos::prelude::*;
use web_sys::{ScrollIntoViewOptions, ScrollLogicalPosition};

use super::{chain, evidence, go_to, search, tuples, verdict};
use crate::messages as m;
use crate::state::{Answered, Room};

/// The section that holds the answers, so that a reference can find its row.
pub(super) type Place = NodeRef<leptos::html::Section>;

/// The panel.
pub(super) fn panel(room: Room) -> AnyView {
    view! {
        {move || room.outcome.get().map(|outcome| answers(room, &outcome))}
    }
    .into_any()
}

fn answers(room: Room, outcome: &Arc<Answered>) -> AnyView {
    let place = Place::new();
    // Whoever asked wants to see the verdict; the focus stays where it is.
    Effect::new(move |_| {
        if let Some(section) = place.get() {
            request_animation_frame(move || {
                if let Ok(Some(top)) = section.query_selector(".verdict-top") {
                    let options = ScrollIntoViewOptions::new();
                    options.set_block(ScrollLogicalPosition::Nearest);
                    top.scroll_into_view_with_scroll_into_view_options(&options);
                }
            });
        }
    });
    let (answers, unresolved) = &**outcome;
    let left_out: Vec<AnyView> = unresolved
        .iter()
        .map(|u| view! { <li><q class="words">{u.text.clone()}</q> " " {u.why.clone()}</li> }.into_any())
        .collect();
    let views: Vec<AnyView> = answers.iter().enumerate().map(|(n, answer)| answer_view(room, place, n, answer)).collect();
    view! {
        <section class="answers" aria-label=m::ANSWER_TITLE node_ref=place>
            {(!left_out.is_empty()).then(|| view! {
                <div class="notice">
                    <div>
                        <h2 class="notice-title">{m::ANSWERED_WITHOUT}</h2>
                        <ul class="lines">{left_out}</ul>
                    </div>
                </div>
            })}
            {answers.is_empty().then(|| view! { <p class="hint">{m::NO_ANSWERS}</p> })}
            {views}
        </section>
    }
    .into_any()
}

fn answer_view(room: Room, place: Place, n: usize, answer: &Answer) -> AnyView {
    view! {
        <article class="answer" aria-labelledby=format!("cp-verdict-{n}")>
            {verdict::card(room, place, n, answer)}
            {chain::panel(answer, place, n)}
            {tuples::panel(answer, place, n)}
            {evidence::panel(room, answer, n)}
            {evidence::excluded(room, answer, n)}
            {search::panel(answer)}
        </article>
    }
    .into_any()
}

/// Buttons that lead to the evidence rows a line rests on.
pub(super) fn references(answer: &Answer, place: Place, n: usize, items: &[String]) -> Option<AnyView> {
    let mut buttons: Vec<AnyView> = Vec::new();
    for item in items {
        let (id, short, label) = if let Some(i) = answer.evidence.iter().position(|e| e.id == *item) {
            (format!("cp-e-{n}-{i}"), m::evidence_short(i), m::evidence_link(i))
        } else if let Some(i) = answer.excluded.iter().position(|e| e.id == *item) {
            (format!("cp-x-{n}-{i}"), m::excluded_short(i), m::excluded_link(i))
        } else {
            continue;
        };
        buttons.push(
            view! { <button class="ref" aria-label=label on:click=move |_| go_to(place, &id)>{short}</button> }.into_any(),
        );
    }
    (!buttons.is_empty()).then(|| view! { <span class="refs">{buttons}</span> }.into_any())
}
