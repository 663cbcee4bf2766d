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

use crate::dom::{El, el, live, of_class};
use crate::state::{Notice, Opening, Room};
use crate::{icons, messages as m};

/// The whole page.
pub(crate) fn page(room: Room) -> El {
    let open = Memo::new(move |_| room.opening.get() == Opening::Open);
    let close = of_class("button", "quiet")
        .live_class("gone", move || !open.get())
        .on("click", move |_| room.forget())
        .add(m::CLOSE_RECORD);
    of_class("div", "page")
        .add(
            of_class("header", "bar")
                .add(of_class("h1", "brand").add(icons::mark()).add(" ").add(m::PRODUCT))
                .add(of_class("p", "promise").add(icons::lock()).add(" ").add(m::PROMISE))
                .add(close),
        )
        .add(
            of_class("p", "spoken")
                .attr("role", "status")
                .attr("aria-live", "polite")
                .live_text(move || room.announced.get()),
        )
        .add(live(move || if open.get() { desk(room) } else { load::panel(room) }))
}

fn desk(room: Room) -> El {
    of_class("div", "desk")
        .add(
            of_class("div", "work")
                .add(record::panel(room))
                .add(timeline::panel(room))
                .add(ask::panel(room))
                .add(answer::panel(room)),
        )
        .add(source::panel(room))
}

/// A box with a sign: `notice warn` or `notice bad`.
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
    of_class("div", class)
        .attr("tabindex", "0")
        .attr("role", "group")
        .attr("aria-label", label)
        .add(of_class("table", "plain-table").add(el("thead").add(head)).add(el("tbody").add(rows)))
}

/// A choice of a select.
fn choice(value: &str, label: &str, chosen: bool) -> El {
    let option = el("option").attr("value", value).add(label);
    if chosen { option.attr("selected", "") } else { option }
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

/// A progress bar with its stage and a way to give up. `progress` gives the stage in words and how much is done.
fn progress_view(progress: impl Fn() -> (String, Option<u32>) + Copy + 'static, cancel: impl Fn() + 'static) -> El {
    let bar = of_class("div", "progress-track")
        .attr("role", "progressbar")
        .attr("aria-valuemin", "0")
        .attr("aria-valuemax", "100")
        .add(of_class("div", "progress-fill"))
        .effect(move |node| {
            let (words, share) = progress();
            let _ = node.set_attribute("aria-label", &words);
            let _ = match share {
                Some(share) => node.set_attribute("aria-valuenow", &share.to_string()),
                None => node.remove_attribute("aria-valuenow"),
            };
            let _ = node.class_list().toggle_with_force("endless", share.is_none());
            if let Some(node) = node.dyn_ref::<HtmlElement>() {
                let _ = node.style().set_property("--v", &[&share.unwrap_or(0).to_string(), "%"].concat());
            }
        });
    of_class("div", "working")
        .add(of_class("div", "progress").add(of_class("p", "progress-label").live_text(move || progress().0)).add(bar))
        .add(of_class("button", "secondary").attr("type", "button").on("click", move |_| cancel()).add(m::CANCEL))
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
