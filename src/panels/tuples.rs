//! By encounter: every candidate filling of the question, each with its own verdict and axes.

use chartproof_assess::{Reason, TupleAssessment};
use chartproof_engine::wire::Answer;
use leptos::prelude::*;

use super::answer::Place;
use super::verdict::{class, reasons};
use crate::text::two_places;
use crate::{icons, messages as m};

/// Candidates that are listed before the rest is only counted.
const MOST: usize = 60;

/// The panel; nothing when the answer rests on the only one there is.
pub(super) fn panel(answer: &Answer, place: Place, n: usize) -> Option<AnyView> {
    if answer.tuples.len() < 2 {
        return None;
    }
    let rows: Vec<AnyView> = answer
        .tuples
        .iter()
        .take(MOST)
        .enumerate()
        .map(|(i, tuple)| tuple_view(answer, place, n, i, tuple))
        .collect();
    let more = answer.tuples.len().saturating_sub(MOST);
    Some(
        view! {
            <div class="card tuples">
                <h3 class="card-title">{m::tuples(answer.tuples.len())}</h3>
                <ol class="plain">{rows}</ol>
                {(more > 0).then(|| view! { <p class="hint">{m::and_more(more)}</p> })}
            </div>
        }
        .into_any(),
    )
}

fn tuple_view(answer: &Answer, place: Place, n: usize, i: usize, tuple: &TupleAssessment) -> AnyView {
    let list: Vec<&Reason> = tuple.reasons.iter().chain(tuple.transitions.iter().flat_map(|t| &t.reasons)).collect();
    let where_it_is = tuple.encounter.clone().unwrap_or_else(|| m::SEVERAL_OR_UNKNOWN.into());
    view! {
        <li>
            <details class="tuple">
                <summary>
                    <span class=format!("tuple-verdict {}", class(tuple.verdict))>
                        {icons::verdict(tuple.verdict)} {m::verdict(tuple.verdict)}
                    </span>
                    <span class="tuple-where">{where_it_is}</span>
                    <span class="tuple-axes">
                        {m::FOR} " " {two_places(tuple.axes.support)} " · " {m::AGAINST} " " {two_places(tuple.axes.refute)}
                    </span>
                    {(i == 0).then(|| view! { <span class="badge">{m::DECIDES}</span> })}
                </summary>
                <p class="hint">
                    {m::scope_says(tuple.scope)} " · " {m::time_verdict(tuple.v_tim)}
                    {tuple.failure.map(|f| view! { " · " {m::failure(f)} })}
                </p>
                {reasons(answer, place, n, &list)}
            </details>
        </li>
    }
    .into_any()
}
