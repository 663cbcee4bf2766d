//! The verdict card: the word, the statement, both axes, documented and occurred, why, and what would settle it.

use chartproof_assess::{Polarity, Reason, Stated, Verdict};
use chartproof_engine::wire::Answer;
use leptos::prelude::*;

use super::answer::{Place, references};
use crate::state::Room;
use crate::text::{percent, two_places};
use crate::{icons, messages as m};

/// Class of a verdict.
pub(super) fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Supported => "supported",
        Verdict::Conflicting => "conflicting",
        Verdict::Refuted => "refuted",
        Verdict::Insufficient => "insufficient",
    }
}

/// The card.
pub(super) fn card(room: Room, place: Place, n: usize, answer: &Answer) -> AnyView {
    let id = format!("cp-verdict-{n}");
    let mut card = String::from("card verdict ");
    card.push_str(class(answer.verdict));
    let digest = answer.bundle_digest.clone();
    let settle: Vec<AnyView> = answer.settle.iter().map(|s| view! { <li>{s.clone()}</li> }.into_any()).collect();
    let no_evidence = answer.evidence.is_empty();
    view! {
        <div class=card>
            <div class="verdict-top">
                <div class="verdict-says">
                    <h2 id=id class="verdict-word">{icons::verdict(answer.verdict)} <span>{m::verdict(answer.verdict)}</span></h2>
                    <p class="statement">{answer.statement.clone()}</p>
                    <p class="hint">{m::verdict_means(answer.verdict)}</p>
                </div>
                <div class="axes">
                    {meter(m::AXIS_SUPPORT, "for", answer.axes.support, answer.thresholds.support)}
                    {meter(m::AXIS_REFUTE, "against", answer.axes.refute, answer.thresholds.refute)}
                    <p class="hint">{m::AXES_NOTE}</p>
                </div>
            </div>
            {failure(answer)}
            {answer.truncated.as_ref().map(|cut| view! {
                <p class="notice-line">{icons::warning()} <span>{m::truncated(&cut.what, cut.limit, cut.seen)}</span></p>
            })}
            {no_evidence.then(|| view! { <p class="notice-line">{icons::warning()} <span>{m::NO_EVIDENCE}</span></p> })}
            {event_lines(answer, place, n)}
            {why(answer, place, n)}
            {(!settle.is_empty()).then(|| view! {
                <div class="block">
                    <h3>{m::SETTLE}</h3>
                    <ul class="lines">{settle}</ul>
                </div>
            })}
            {found(answer)}
            {parts(answer)}
            <footer class="verdict-foot">
                <button class="secondary" on:click=move |_| room.export(&digest)>{m::EXPORT_BUNDLE}</button>
                <p class="hint">
                    {m::REPLAY_NOTE} " "
                    <code class="digest" title=answer.bundle_digest.clone()>{answer.bundle_digest.chars().take(16).collect::<String>()}</code>
                    " " {m::ASSESSOR} " " <code class="digest">{answer.assessor.chars().take(48).collect::<String>()}</code>
                </p>
            </footer>
        </div>
    }
    .into_any()
}

/// One axis as a bar of its own.
fn meter(label: &'static str, side: &'static str, value: f64, threshold: f64) -> AnyView {
    let reached = value >= threshold && threshold > 0.0;
    let words = if reached { m::REACHED } else { m::NOT_REACHED };
    let said = m::axis_says(&two_places(value), &two_places(threshold), words);
    view! {
        <div class=format!("axis {side}") class:reached=reached>
            <div class="axis-head">
                <span class="axis-name">{label}</span>
                <span class="axis-value">{two_places(value)}</span>
            </div>
            <div
                class="axis-track"
                role="meter"
                aria-label=label
                aria-valuemin="0"
                aria-valuemax="1"
                aria-valuenow=two_places(value)
                aria-valuetext=said
            >
                <div class="axis-fill" style:--v=percent(value * 100.0)></div>
                <div class="axis-threshold" style:--t=percent(threshold * 100.0)></div>
            </div>
            <p class="axis-foot">{m::threshold_says(&two_places(threshold), words)}</p>
        </div>
    }
    .into_any()
}

fn failure(answer: &Answer) -> Option<AnyView> {
    if answer.failure.is_none() && answer.failure_text.is_none() {
        return None;
    }
    Some(
        view! {
            <div class="block failure">
                <h3>{answer.failure.map_or(m::WHAT_IS_MISSING, m::failure)}</h3>
                {answer.failure_text.clone().map(|text| view! { <p>{text}</p> })}
            </div>
        }
        .into_any(),
    )
}

fn stated(stated: Stated) -> AnyView {
    let class = match stated {
        Stated::Yes => "stated yes",
        Stated::No => "stated no",
        Stated::NotStated | Stated::NotAssessable => "stated unsaid",
    };
    view! { <span class=class>{m::stated(stated)}</span> }.into_any()
}

fn event_lines(answer: &Answer, place: Place, n: usize) -> Option<AnyView> {
    if answer.events.is_empty() {
        return None;
    }
    let lines: Vec<AnyView> = answer
        .events
        .iter()
        .map(|line| {
            view! {
                <div class="event-line">
                    <h4>{line.label.clone()}</h4>
                    <dl>
                        <dt>{m::DOCUMENTED}</dt>
                        <dd>{stated(line.documented)} " " {line.documented_text.clone()} " " {references(answer, place, n, &line.documented_items)}</dd>
                        <dt>{m::OCCURRED}</dt>
                        <dd>{stated(line.occurred)} " " {line.occurred_text.clone()} " " {references(answer, place, n, &line.occurred_items)}</dd>
                    </dl>
                </div>
            }
            .into_any()
        })
        .collect();
    Some(
        view! {
            <div class="block">
                <h3>{m::DOCUMENTED_OCCURRED}</h3>
                {lines}
            </div>
        }
        .into_any(),
    )
}

/// Reasons as a list, each with the rows it rests on.
pub(super) fn reasons(answer: &Answer, place: Place, n: usize, list: &[&Reason]) -> AnyView {
    let lines: Vec<AnyView> = list
        .iter()
        .map(|reason| {
            let class = match reason.polarity {
                Polarity::Supports => "reason for",
                Polarity::Refutes => "reason against",
                Polarity::Neutral => "reason",
            };
            view! {
                <li class=class>
                    <span class="polarity">{icons::polarity(reason.polarity)} {m::polarity(reason.polarity)}</span>
                    <span class="reason-text">
                        {reason.text.clone()}
                        {reason.trigger.clone().map(|t| view! { <span class="trigger">" " {m::DECIDED_BY} " " <q>{t}</q></span> })}
                        " "
                        {references(answer, place, n, &reason.items)}
                    </span>
                </li>
            }
            .into_any()
        })
        .collect();
    view! { <ul class="plain reasons">{lines}</ul> }.into_any()
}

fn why(answer: &Answer, place: Place, n: usize) -> Option<AnyView> {
    let deciding = answer.tuples.first()?;
    let mut list: Vec<&Reason> = Vec::new();
    for reason in deciding.reasons.iter().chain(deciding.transitions.iter().flat_map(|t| &t.reasons)) {
        if !list.contains(&reason) {
            list.push(reason);
        }
    }
    if list.is_empty() {
        return None;
    }
    Some(
        view! {
            <div class="block">
                <h3>{m::WHY}</h3>
                {reasons(answer, place, n, &list)}
            </div>
        }
        .into_any(),
    )
}

fn found(answer: &Answer) -> Option<AnyView> {
    if answer.found.is_empty() {
        return None;
    }
    let lines: Vec<AnyView> = answer
        .found
        .iter()
        .map(|line| {
            view! { <li><strong>{line.label.clone()}</strong> ": " {line.text.clone()} " " <span class="hint">{m::matched(line.matched, line.admitted)}</span></li> }
                .into_any()
        })
        .collect();
    Some(
        view! {
            <div class="block">
                <h3>{m::FOUND}</h3>
                <ul class="lines">{lines}</ul>
            </div>
        }
        .into_any(),
    )
}

/// What the axes are made of.
fn parts(answer: &Answer) -> AnyView {
    let part = |label: &'static str, value: Option<f64>| {
        let text = value.map_or_else(|| m::DOES_NOT_APPLY.to_owned(), two_places);
        view! { <div class="fact"><dt>{label}</dt><dd>{text}</dd></div> }.into_any()
    };
    let c = &answer.components;
    view! {
        <details class="small">
            <summary>{m::PARTS}</summary>
            <dl class="facts kinds">
                {part(m::PART_TIME, c.tim)}
                {part(m::PART_NUMBER, c.num)}
                {part(m::PART_FOR, Some(c.jdg_support))}
                {part(m::PART_AGAINST, Some(c.jdg_refute))}
                <div class="fact"><dt>{m::PART_ORDER}</dt><dd>{m::time_verdict(answer.v_tim)}</dd></div>
            </dl>
        </details>
    }
    .into_any()
}
