//! The source behind a citation: where it is, how it was decoded, and the quoted words in their place.

use std::sync::Arc;

use chartproof_engine::wire::SourceView;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast as _;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Element, HtmlDialogElement, HtmlElement, KeyboardEvent};

use super::{details, fact, notice_view};
use crate::dom::{El, el, live, of_class};
use crate::state::{Looked, Room};
use crate::text::cut;
use crate::{icons, messages as m};

/// Pages at least this wide show the source beside the answer; narrower ones over it.
const BESIDE: i32 = 1_100;

/// The panel.
pub(super) fn panel(room: Room) -> El {
    let copied = RwSignal::new(None::<bool>);
    let close = of_class("button", "quiet square")
        .attr("aria-label", m::CLOSE)
        .on("click", move |_| room.look_away())
        .add(icons::close());
    of_class("dialog", "source")
        .attr("aria-labelledby", "cp-source")
        .on("close", move |_| room.look_away())
        .on("keydown", move |event| {
            let Some(key) = event.dyn_ref::<KeyboardEvent>() else { return };
            match key.key().as_str() {
                "Escape" => {
                    event.prevent_default();
                    room.look_away();
                }
                "c" if !key.ctrl_key() && !key.meta_key() && !key.alt_key() => copy(room, copied),
                _ => {}
            }
        })
        .effect(move |node| {
            copied.set(None);
            show(room, node, room.looked.with(Option::is_some));
        })
        .add(
            of_class("div", "source-head")
                .add(el("h2").attr("id", "cp-source").attr("tabindex", "-1").attr("autofocus", "").add(m::SOURCE_TITLE))
                .add(close),
        )
        .add(live(move || room.looked.get().map(|looked| body(room, &looked, copied))))
}

fn show(room: Room, node: &Element, looked: bool) {
    let Some(dialog) = node.dyn_ref::<HtmlDialogElement>() else { return };
    if looked && !dialog.open() {
        let page = dialog.closest(".page").ok().flatten();
        if page.is_some_and(|page| page.client_width() >= BESIDE) {
            dialog.show();
            // The answer has become narrower: what was clicked stays in view.
            request_animation_frame(move || room.show_opener());
        } else {
            let _ = dialog.show_modal();
        }
    } else if !looked && dialog.open() {
        dialog.close();
    }
}

fn body(room: Room, looked: &Looked, copied: RwSignal<Option<bool>>) -> Vec<El> {
    let mut written = of_class("dl", "facts source-facts");
    if let Some(origin) = &looked.origin {
        written = written.add(fact(m::WRITTEN_IN, origin));
    }
    for pair in &looked.times {
        let (role, time) = m::role_and_time(pair);
        written = written.add(fact(role, time));
    }
    let mut out = vec![written];
    match &looked.view {
        None => out.push(of_class("p", "hint").attr("role", "status").add(m::SOURCE_WAIT)),
        Some(Err((code, message))) => out.push(notice_view(m::SOURCE_FAILED, &m::failed(code, message), None)),
        Some(Ok(view)) => out.extend(text_view(view)),
    }
    let status = of_class("span", "hint")
        .attr("role", "status")
        .live_text(move || copied.get().map_or("", |ok| if ok { m::COPIED } else { m::COPY_REFUSED }).to_owned());
    out.push(
        of_class("div", "row source-foot")
            .add(
                of_class("button", "secondary")
                    .attr("aria-keyshortcuts", "c")
                    .on("click", move |_| copy(room, copied))
                    .add(m::COPY_QUOTE),
            )
            .add(status),
    );
    out
}

fn text_view(view: &Arc<SourceView>) -> Vec<El> {
    let all = RwSignal::new(false);
    // Without a citation that re-reads there is nothing to highlight: a look-alike is never marked.
    let range = if view.verified { view.highlight } else { (0, 0) };
    let long = cut(&view.text, range, false).is_some_and(|cut| cut.more_before || cut.more_after);
    let unread = (!view.verified).then(|| {
        of_class("p", "notice bad").attr("role", "alert").add(icons::warning()).add(el("span").add(m::NOT_VERIFIED))
    });
    let place = of_class("dl", "facts source-facts")
        .add(fact(m::FILE, &view.file))
        .add(fact(m::PLACE, &view.place))
        .add(fact(m::SOURCE_KEY, &view.key));
    let shown = Arc::clone(view);
    let text = of_class("pre", if view.kind == "json" { "source-text json" } else { "source-text note" })
        .attr("tabindex", "0")
        .attr("role", "group")
        .attr("aria-label", m::source_text(&view.kind))
        .add(live(move || {
            let cut = cut(&shown.text, range, all.get())?;
            Some(
                el("span")
                    .add(cut.more_before.then_some("… "))
                    .add(cut.before)
                    .add(shown.verified.then(|| el("mark").add(cut.quote)))
                    .add(cut.after)
                    .add(cut.more_after.then_some(" …")),
            )
        }))
        .effect(move |node| {
            all.track();
            let node = node.clone();
            request_animation_frame(move || show_mark(&node));
        });
    let more = long.then(|| {
        of_class("button", "quiet")
            .live_class("gone", move || all.get())
            .on("click", move |_| all.set(true))
            .add(m::SHOW_ALL_TEXT)
    });
    let steps: Vec<El> = view.chain.iter().map(|step| el("li").add(step)).collect();
    let chain = details(m::DECODED_SO).add(of_class("ol", "lines").add(steps));
    unread.into_iter().chain([place, text]).chain(more).chain([chain]).collect()
}

/// Scrolls the box of the text to the quotation; never the page.
fn show_mark(text: &Element) {
    let mark = text.query_selector("mark").ok().flatten().and_then(|m| m.dyn_into::<HtmlElement>().ok());
    if let Some(mark) = mark {
        text.set_scroll_top(mark.offset_top() - text.client_height() / 3);
    }
}

/// The quotation with where and when it was written; never the verdict.
pub(crate) fn quotation(looked: &Looked) -> String {
    let mut out = String::from("“");
    out.push_str(&looked.citation.quote);
    out.push_str("”\n");
    if let Some(origin) = &looked.origin {
        out.push_str(origin);
        out.push_str(", ");
    }
    for pair in &looked.times {
        let (role, time) = m::role_and_time(pair);
        out.push_str(role);
        out.push(' ');
        out.push_str(time);
        out.push_str(", ");
    }
    out.push_str(&looked.citation.source);
    out
}

fn copy(room: Room, copied: RwSignal<Option<bool>>) {
    let Some(text) = room.looked.with_untracked(|looked| looked.as_ref().map(quotation)) else { return };
    let clipboard = window().navigator().clipboard();
    // Frames without the permission have no clipboard at all.
    if clipboard.is_undefined() {
        copied.set(Some(false));
        return;
    }
    let promise = clipboard.write_text(&text);
    spawn_local(async move {
        let done = JsFuture::from(promise).await.is_ok();
        copied.try_set(Some(done));
    });
}
