//! Asking: the question, examples from this record, how it was read, and what has to be decided before it runs.

use std::sync::Arc;

use chartproof_evidence::query::Unresolved;
use leptos::prelude::*;

use super::{form, notice_text, notice_view, progress_view};
use crate::state::{Asking, Reading, Room, share};
use crate::{icons, messages as m};

/// Examples that are offered at once.
const MOST_EXAMPLES: usize = 6;

/// The panel.
pub(super) fn panel(room: Room) -> AnyView {
    let busy = Memo::new(move |_| room.asking.get() != Asking::Idle);
    view! {
        <section class="card ask" aria-labelledby="cp-ask-title">
            <h2 id="cp-ask-title">{m::ASK_TITLE}</h2>
            <form
                class="ask-form"
                role="search"
                aria-labelledby="cp-ask-title"
                on:submit=move |event| {
                    event.prevent_default();
                    room.submit();
                }
            >
                <label class="spoken" for="cp-ask">{m::ASK_LABEL}</label>
                <input
                    id="cp-ask"
                    class="ask-input"
                    type="text"
                    autocomplete="off"
                    enterkeyhint="go"
                    placeholder=m::ASK_PLACEHOLDER
                    prop:value=move || room.ask.get()
                    on:input=move |event| room.ask.set(event_target_value(&event))
                />
                <button class="primary" type="submit">{m::CHECK}</button>
            </form>
            {move || examples(room)}
            <Show when=move || busy.get()>
                <div class="working inline-working">
                    {progress_view(
                        move || match room.asking.get() {
                            Asking::Verifying(Some(progress)) => m::stage(progress.stage).to_owned(),
                            Asking::Verifying(None) => m::CHECKING.to_owned(),
                            _ => m::READING_QUESTION.to_owned(),
                        },
                        move || match room.asking.get() {
                            Asking::Verifying(Some(progress)) => Some(share(Some(progress))),
                            _ => None,
                        },
                    )}
                    <button class="secondary" on:click=move |_| room.cancel_ask()>{m::CANCEL}</button>
                </div>
            </Show>
            {move || room.ask_notice.get().map(|notice| {
                let (title, text) = notice_text(&notice, m::CANCELLED_ASK);
                notice_view(title, text, ().into_any())
            })}
            {move || room.reading.get().map(|reading| reading_view(room, &reading))}
            {form::panel(room)}
        </section>
    }
    .into_any()
}

fn examples(room: Room) -> Option<AnyView> {
    let mut list = room.questions.get();
    let patient = room.patient.get();
    if let Some(summary) = room.summary.get()
        && let Some(patient) = summary.patients.iter().find(|p| Some(&p.id) == patient.as_ref())
    {
        for example in &patient.examples {
            if !list.contains(example) {
                list.push(example.clone());
            }
        }
    }
    list.truncate(MOST_EXAMPLES);
    let buttons: Vec<AnyView> = list
        .into_iter()
        .map(|text| {
            let asked = text.clone();
            view! { <li><button class="chip" on:click=move |_| room.submit_text(&asked)>{text}</button></li> }.into_any()
        })
        .collect();
    Some(
        view! {
            <div class="examples">
                {(!buttons.is_empty()).then(|| view! { <h3 class="examples-title">{m::EXAMPLES}</h3> })}
                <ul class="plain chips">
                    {buttons}
                    <li><button class="chip plain-chip" on:click=move |_| room.build()>{m::BUILD_BY_FORM}</button></li>
                </ul>
            </div>
        }
        .into_any(),
    )
}

fn words(list: &[Unresolved], blocking: bool) -> Vec<AnyView> {
    list.iter()
        .filter(|u| u.blocking == blocking)
        .map(|u| view! { <li><q class="words">{u.text.clone()}</q> " " {u.why.clone()}</li> }.into_any())
        .collect()
}

fn reading_view(room: Room, reading: &Arc<Reading>) -> AnyView {
    let blocking = words(&reading.parsed.unresolved, true);
    let harmless = words(&reading.parsed.unresolved, false);
    let refused = reading.parsed.query.is_none();
    let runnable = !refused && reading.not_executable.is_empty();
    let blocked = (!blocking.is_empty()).then(|| {
        view! {
            <div class="notice warn" role="alert">
                {icons::warning()}
                <div>
                    <h3 class="notice-title">{m::BLOCKED_TITLE}</h3>
                    <p>{m::BLOCKED_TEXT}</p>
                    <ul class="lines">{blocking}</ul>
                    {runnable.then(|| view! {
                        <div class="row">
                            <button class="secondary" on:click=move |_| room.verify_ask(true)>{m::RUN_WITHOUT}</button>
                        </div>
                    })}
                </div>
            </div>
        }
    });
    let refusal = refused.then(|| {
        let text = reading.parsed.refusal.clone().unwrap_or_else(|| m::REFUSED_TEXT.into());
        notice_view(m::REFUSED_TITLE, text, ().into_any())
    });
    let missing = (!reading.not_executable.is_empty()).then(|| {
        let faults: Vec<AnyView> = reading
            .not_executable
            .iter()
            .map(|fault| view! { <li><strong>{m::field(&fault.field)}</strong> ": " {fault.why.clone()}</li> }.into_any())
            .collect();
        view! {
            <div class="notice warn" role="alert">
                {icons::warning()}
                <div>
                    <h3 class="notice-title">{m::NOT_EXECUTABLE_TITLE}</h3>
                    <ul class="lines">{faults}</ul>
                </div>
            </div>
        }
    });
    let statements: Vec<AnyView> =
        reading.statements.iter().map(|s| view! { <li>{s.clone()}</li> }.into_any()).collect();
    let assumptions: Vec<AnyView> = reading
        .parsed
        .assumptions
        .iter()
        .map(|a| view! { <li><span class="field">{m::field(&a.field)}</span> ": " {a.text.clone()}</li> }.into_any())
        .collect();
    view! {
        <div class="reading">
            {blocked}
            {refusal}
            {missing}
            {(!statements.is_empty()).then(|| view! {
                <h3>{m::READ_AS}</h3>
                <ul class="plain statements">{statements}</ul>
            })}
            {(!assumptions.is_empty()).then(|| view! {
                <h3>{m::ASSUMED}</h3>
                <ul class="lines">{assumptions}</ul>
            })}
            {(!harmless.is_empty()).then(|| view! {
                <h3>{m::LEFT_OUT}</h3>
                <ul class="lines">{harmless}</ul>
            })}
        </div>
    }
    .into_any()
}
