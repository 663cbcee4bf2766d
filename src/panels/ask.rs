//! Asking: the question, examples from this record, how it was read, and what has to be decided before it runs.

use std::sync::Arc;

use chartproof_evidence::query::Unresolved;
use leptos::prelude::*;

use super::{form, notice, notice_text, notice_view, progress_view};
use crate::dom::{El, el, live, of_class};
use crate::messages as m;
use crate::state::{Asking, Reading, Room, share};

/// Examples that are offered at once.
const MOST_EXAMPLES: usize = 6;

/// The panel.
pub(super) fn panel(room: Room) -> El {
    let busy = Memo::new(move |_| room.asking.get() != Asking::Idle);
    of_class("section", "card ask")
        .attr("aria-labelledby", "cp-ask-title")
        .add(el("h2").attr("id", "cp-ask-title").add(m::ASK_TITLE))
        .add(question(room))
        .add(live(move || examples(room)))
        .add(live(move || busy.get().then(|| working(room))))
        .add(live(move || {
            room.ask_notice.get().map(|notice| {
                let (title, text) = notice_text(&notice, m::CANCELLED_ASK);
                notice_view(title, &text, None)
            })
        }))
        .add(live(move || room.reading.get().map(|reading| reading_view(room, &reading))))
        .add(live(move || form::panel(room)))
}

fn question(room: Room) -> El {
    of_class("form", "ask-form")
        .attr("role", "search")
        .attr("aria-labelledby", "cp-ask-title")
        .on("submit", move |event| {
            event.prevent_default();
            room.submit();
        })
        .add(of_class("label", "spoken").attr("for", "cp-ask").add(m::ASK_LABEL))
        .add(
            of_class("input", "ask-input")
                .attr("id", "cp-ask")
                .attr("type", "text")
                .attr("autocomplete", "off")
                .attr("enterkeyhint", "go")
                .attr("placeholder", m::ASK_PLACEHOLDER)
                .live_property("value", move || room.ask.get().into())
                .on("input", move |event| room.ask.set(event_target_value(&event))),
        )
        .add(of_class("button", "primary").attr("type", "submit").add(m::CHECK))
}

fn working(room: Room) -> El {
    progress_view(
        move || match room.asking.get() {
            Asking::Verifying(Some(progress)) => (m::stage(progress.stage).to_owned(), Some(share(Some(progress)))),
            Asking::Verifying(None) => (m::CHECKING.to_owned(), None),
            _ => (m::READING_QUESTION.to_owned(), None),
        },
        move || room.cancel_ask(),
    )
}

fn examples(room: Room) -> El {
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
    let buttons: Vec<El> = list
        .into_iter()
        .map(|text| {
            let asked = text.clone();
            el("li").add(of_class("button", "chip").on("click", move |_| room.submit_text(&asked)).add(text))
        })
        .collect();
    let title = (!buttons.is_empty()).then(|| of_class("h3", "examples-title").add(m::EXAMPLES));
    let build = of_class("button", "chip plain-chip").on("click", move |_| room.build()).add(m::BUILD_BY_FORM);
    of_class("div", "examples").add(title).add(of_class("ul", "plain chips").add(buttons).add(el("li").add(build)))
}

/// Words of the question that the parse does not hold, and why.
pub(super) fn unresolved_line(part: &Unresolved) -> El {
    el("li").add(of_class("q", "words").add(&part.text)).add(" ").add(&part.why)
}

fn reading_view(room: Room, reading: &Arc<Reading>) -> El {
    let lines = |blocking: bool| -> Vec<El> {
        reading.parsed.unresolved.iter().filter(|u| u.blocking == blocking).map(unresolved_line).collect()
    };
    let refused = reading.parsed.query.is_none();
    let runnable = !refused && reading.not_executable.is_empty();
    let alert = |title: &str, text: Option<&str>, lines: Vec<El>, action: Option<El>| {
        let inside = el("div")
            .add(of_class("h3", "notice-title").add(title))
            .add(text.map(|text| el("p").add(text)))
            .add((!lines.is_empty()).then(|| of_class("ul", "lines").add(lines)))
            .add(action);
        notice("notice warn", Some("alert"), inside)
    };
    let blocked = reading.blocked().then(|| {
        let run = runnable
            .then(|| of_class("button", "secondary").on("click", move |_| room.verify_ask(true)).add(m::RUN_WITHOUT));
        alert(m::BLOCKED_TITLE, Some(m::BLOCKED_TEXT), lines(true), run)
    });
    let refusal = refused.then(|| {
        alert(m::REFUSED_TITLE, Some(reading.parsed.refusal.as_deref().unwrap_or(m::REFUSED_TEXT)), Vec::new(), None)
    });
    let named =
        |field: &str, text: &str| el("li").add(of_class("span", "field").add(m::field(field))).add(": ").add(text);
    let faults: Vec<El> = reading.not_executable.iter().map(|fault| named(&fault.field, &fault.why)).collect();
    let missing = (!faults.is_empty()).then(|| alert(m::NOT_EXECUTABLE_TITLE, None, faults, None));
    let titled = |title: &str, class: &str, lines: Vec<El>| {
        (!lines.is_empty()).then(|| vec![el("h3").add(title), of_class("ul", class).add(lines)])
    };
    let statements = reading.statements.iter().map(|s| el("li").add(s)).collect();
    let assumptions = reading.parsed.assumptions.iter().map(|a| named(&a.field, &a.text)).collect();
    of_class("div", "reading")
        .add(blocked)
        .add(refusal)
        .add(missing)
        .add(titled(m::READ_AS, "plain statements", statements))
        .add(titled(m::ASSUMED, "lines", assumptions))
        .add(titled(m::LEFT_OUT, "lines", lines(false)))
}
