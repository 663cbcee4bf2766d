//! How it searched: not evidence, and shown apart from it.

use chartproof_engine::wire::{Answer, TraceDepth};
use leptos::prelude::*;

use crate::messages as m;
use crate::text::thousands;

/// Paths of one depth that are listed.
const MOST_PATHS: usize = 12;

/// The panel.
pub(super) fn panel(answer: &Answer) -> AnyView {
    let obligations: Vec<AnyView> = answer
        .obligations
        .iter()
        .map(|line| {
            view! { <li><span class="badge" class:warn=line.state == "open">{m::obligation(&line.state)}</span> " " {line.what.clone()}</li> }
                .into_any()
        })
        .collect();
    let depths: Vec<AnyView> = answer.trace.depths.iter().map(depth).collect();
    let policy: Vec<AnyView> = answer
        .trace
        .policy
        .iter()
        .map(|(name, value)| view! { <div class="fact"><dt>{name.clone()}</dt><dd>{value.clone()}</dd></div> }.into_any())
        .collect();
    let (contexts, occurrences) = answer.trace.indexed;
    view! {
        <details class="card search">
            <summary><h3 class="card-title">{m::SEARCH_TITLE}</h3></summary>
            <p class="hint">{m::SEARCH_HINT}</p>
            <p>{m::indexed(&thousands(contexts), &thousands(occurrences))}</p>
            {(!obligations.is_empty()).then(|| view! {
                <h4>{m::OBLIGATIONS}</h4>
                <ul class="lines">{obligations}</ul>
            })}
            {depths}
            {(!policy.is_empty()).then(|| view! {
                <h4>{m::POLICY}</h4>
                <dl class="facts kinds">{policy}</dl>
            })}
        </details>
    }
    .into_any()
}

fn depth(depth: &TraceDepth) -> AnyView {
    let steps: Vec<AnyView> = depth.steps.iter().map(|s| view! { <li>{s.clone()}</li> }.into_any()).collect();
    let retrievals: Vec<AnyView> = depth
        .retrievals
        .iter()
        .map(|(side, words, found)| {
            view! { <li>{m::side(side)} ": " <q class="words">{words.clone()}</q> " " <span class="hint">{m::contexts(*found)}</span></li> }
                .into_any()
        })
        .collect();
    let paths: Vec<AnyView> = depth
        .paths
        .iter()
        .take(MOST_PATHS)
        .map(|(_, ids)| view! { <li class="source-key">{ids.join(" → ")}</li> }.into_any())
        .collect();
    view! {
        <section class="depth">
            <h4>{m::depth(depth.depth)}</h4>
            <ol class="lines">{steps}</ol>
            {(!retrievals.is_empty()).then(|| view! { <h5>{m::RETRIEVALS}</h5> <ul class="lines">{retrievals}</ul> })}
            {(!paths.is_empty()).then(|| view! { <h5>{m::PATHS}</h5> <ol class="lines">{paths}</ol> })}
            {depth.failure.clone().map(|f| view! { <p><strong>{m::SEARCH_FAILURE}</strong> " " {f}</p> })}
            {depth.replan.clone().map(|r| view! { <p><strong>{m::SEARCH_REPLAN}</strong> " " {r}</p> })}
        </section>
    }
    .into_any()
}
