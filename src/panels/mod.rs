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
use web_sys::HtmlElement;

#[cfg(all(test, target_arch = "wasm32"))]
pub(crate) use source::quotation;

use crate::messages as m;
use crate::state::{Notice, Opening, Room};
use crate::icons;

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

/// A notice with a title, text and what can be done about it.
fn notice_view(title: &'static str, text: String, action: AnyView) -> AnyView {
    view! {
        <div class="notice warn" role="alert">
            {icons::warning()}
            <div>
                <p class="notice-title">{title}</p>
                <p>{text}</p>
                {action}
            </div>
        </div>
    }
    .into_any()
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
fn go_to(within: NodeRef<leptos::html::Section>, id: &str) {
    let Some(section) = within.get_untracked() else { return };
    let found = section.query_selector(&format!("#{id}")).ok().flatten();
    if let Some(element) = found.and_then(|e| wasm_bindgen::JsCast::dyn_into::<HtmlElement>(e).ok()) {
        // A row inside a closed part has to be shown first.
        let mut above = element.parent_element();
        while let Some(parent) = above {
            if parent.tag_name() == "DETAILS" {
                let _ = parent.set_attribute("open", "");
            }
            above = parent.parent_element();
        }
        let _ = element.focus();
        element.scroll_into_view_with_scroll_into_view_options(&centred());
    }
}

fn centred() -> web_sys::ScrollIntoViewOptions {
    let options = web_sys::ScrollIntoViewOptions::new();
    options.set_block(web_sys::ScrollLogicalPosition::Center);
    options
}
