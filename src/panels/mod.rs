//! The panels of the page, one module each.

mod answer;
mod ask;
mod chain;
mod evidence;
mod form;
mod load;
mod record;
mod search;
mod source;
mod timeline;
mod tuples;
mod verdict;

use leptos::prelude::*;
use wasm_bindgen::JsCast as _;
use web_sys::{Element, HtmlElement, ScrollIntoViewOptions, ScrollLogicalPosition};

#[cfg(all(test, target_arch = "wasm32"))]
pub(crate) use source::quotation;

use crate::dom::{El, el, of_class};
use crate::state::{Notice, Opening, Room};
use crate::{icons, messages as m};

/// The whole page.
pub(crate) fn page(room: Room) -> AnyView {
    let open = Memo::new(move |_| room.opening.get() == Opening::Open);
    view! {
        <div class="page">
            <header class="bar">
                <h1 class="brand">{icons::mark()} {m::PRODUCT}</h1>
                <p class="promise">{icons::lock()} {m::PROMISE}</p>
                <Show when=move || open.get()>
                    <button class="quiet" on:click=move |_| room.forget()>{m::CLOSE_RECORD}</button>
                </Show>
            </header>
            <p class="spoken" role="status" aria-live="polite">{move || room.announced.get()}</p>
            {move || {
                if open.get() {
                    view! {
                        <div class="desk">
                            <div class="work">
                                {record::panel(room)}
                                {timeline::panel(room)}
                                {ask::panel(room)}
                                {answer::panel(room)}
                            </div>
                            {source::panel(room)}
                        </div>
                    }
                    .into_any()
                } else {
                    load::panel(room)
                }
            }}
        </div>
    }
    .into_any()
}

/// A box with a sign: `warn` or `bad`.
fn notice(class: &str, role: Option<&str>, inside: El) -> El {
    let out = of_class("div", class).add(icons::warning()).add(inside);
    match role {
        Some(role) => out.attr("role", role),
        None => out,
    }
}

/// A notice with a title, text and what can be done about it.
fn notice_view(title: &str, text: &str, action: Option<El>) -> El {
    notice(
        "notice warn",
        Some("alert"),
        el("div").add(of_class("p", "notice-title").add(title)).add(el("p").add(text)).add(action),
    )
}

/// A closed part with a summary.
fn details(summary: &str) -> El {
    of_class("details", "small").add(el("summary").add(summary))
}

/// A name and its value, in a list of such.
fn fact(label: &str, value: &str) -> El {
    of_class("div", "fact").add(el("dt").add(label)).add(el("dd").add(value))
}

/// A table in a box that scrolls, also by keyboard.
fn scrolling_table(class: &str, label: &str, columns: &[&str], rows: Vec<El>) -> El {
    let mut head = el("tr");
    for column in columns {
        head = head.add(el("th").attr("scope", "col").add(*column));
    }
    of_class("div", class).attr("tabindex", "0").attr("role", "group").attr("aria-label", label).add(
        of_class("table", "plain-table").add(el("thead").add(head)).add(el("tbody").add(rows)),
    )
}

/// Title and text of a notice.
fn notice_text(notice: &Notice, cancelled: &'static str) -> (&'static str, String) {
    match notice {
        Notice::Cancelled => (m::CANCELLED_TITLE, cancelled.to_owned()),
        Notice::Unread(name) => (m::UNREAD_TITLE, m::unread(name)),
        Notice::Failed { code, message } => (m::FAILED_TITLE, m::failed(code, message)),
        Notice::Restarted(reason) => (m::RESTARTED_TITLE, m::restarted(reason)),
    }
}

/// A progress bar with its stage.
fn progress_view(label: impl Fn() -> String + Send + Sync + Clone + 'static, share: impl Fn() -> Option<u32> + Send + Sync + Clone + 'static) -> AnyView {
    let spoken = label.clone();
    let now = share.clone();
    let width = share.clone();
    view! {
        <div class="progress">
            <p class="progress-label">{label}</p>
            <div
                class="progress-track"
                role="progressbar"
                aria-label=spoken
                aria-valuemin="0"
                aria-valuemax="100"
                aria-valuenow=move || now().map(|v| v.to_string())
                class:endless=move || share().is_none()
            >
                <div class="progress-fill" style:--v=move || format!("{}%", width().unwrap_or(0))></div>
            </div>
        </div>
    }
    .into_any()
}

/// Brings an element of the answer into view and gives it the focus.
fn go_to(within: &Element, id: &str) {
    let found = within.query_selector(&["#", id].concat()).ok().flatten();
    let Some(element) = found.and_then(|e| e.dyn_into::<HtmlElement>().ok()) else { return };
    // A row inside a closed part has to be shown first.
    let mut above = element.parent_element();
    while let Some(parent) = above {
        if parent.tag_name() == "DETAILS" {
            let _ = parent.set_attribute("open", "");
        }
        above = parent.parent_element();
    }
    let _ = element.focus();
    let options = ScrollIntoViewOptions::new();
    options.set_block(ScrollLogicalPosition::Center);
    element.scroll_into_view_with_scroll_into_view_options(&options);
}
