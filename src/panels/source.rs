//! The source behind a citation: where it is, how it was decoded, and the quoted words in their place.

use std::sync::Arc;

use chartproof_engine::wire::SourceView;
use leptos::html::{Dialog, Pre};
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast as _;
use wasm_bindgen_futures::JsFuture;
use web_sys::{HtmlElement, KeyboardEvent};

use super::{details, fact};
use crate::dom::{El, el, of_class};
use crate::state::{Looked, Room};
use crate::text::cut;
use crate::{icons, messages as m};

/// Pages at least this wide show the source beside the answer; narrower ones over it.
const BESIDE: i32 = 1_100;

/// The panel.
pub(super) fn panel(room: Room) -> AnyView {
    let dialog = NodeRef::<Dialog>::new();
    Effect::new(move |_| {
        let looked = room.looked.with(Option::is_some);
        let Some(dialog) = dialog.get() else { return };
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
    });
    let copied = RwSignal::new(None::<bool>);
    Effect::new(move |_| {
        room.looked.track();
        copied.set(None);
    });
    let keys = move |event: KeyboardEvent| match event.key().as_str() {
        "Escape" => {
            event.prevent_default();
            room.look_away();
        }
        "c" if !event.ctrl_key() && !event.meta_key() && !event.alt_key() => copy(room, copied),
        _ => {}
    };
    view! {
        <dialog class="source" node_ref=dialog aria-labelledby="cp-source" on:close=move |_| room.look_away() on:keydown=keys>
            <div class="source-head">
                <h2 id="cp-source" tabindex="-1" autofocus="">{m::SOURCE_TITLE}</h2>
                <button class="quiet square" aria-label=m::CLOSE on:click=move |_| room.look_away()>{icons::close()}</button>
            </div>
            {move || room.looked.get().map(|looked| body(room, &looked, copied))}
        </dialog>
    }
    .into_any()
}

fn body(room: Room, looked: &Looked, copied: RwSignal<Option<bool>>) -> AnyView {
    let content = match &looked.view {
        None => view! { <p class="hint" role="status">{m::SOURCE_WAIT}</p> }.into_any(),
        Some(Err((code, message))) => {
            super::notice_view(m::SOURCE_FAILED, &m::failed(code, message), None).into_any()
        }
        Some(Ok(view)) => text_view(view),
    };
    let mut written = of_class("dl", "facts source-facts");
    if let Some(origin) = &looked.origin {
        written = written.add(fact(m::WRITTEN_IN, origin));
    }
    for pair in &looked.times {
        let (role, time) = m::role_and_time(pair);
        written = written.add(fact(role, time));
    }
    view! {
        {written}
        {content}
        <div class="row source-foot">
            <button class="secondary" aria-keyshortcuts="c" on:click=move |_| copy(room, copied)>{m::COPY_QUOTE}</button>
            <span class="hint" role="status">
                {move || copied.get().map(|ok| if ok { m::COPIED } else { m::COPY_REFUSED })}
            </span>
        </div>
    }
    .into_any()
}

fn text_view(view: &Arc<SourceView>) -> AnyView {
    let all = RwSignal::new(false);
    let text = NodeRef::<Pre>::new();
    // Only the box of the text is moved, never the page.
    Effect::new(move |_| {
        all.track();
        let Some(text) = text.get() else { return };
        request_animation_frame(move || {
            let mark = text.query_selector("mark").ok().flatten().and_then(|m| m.dyn_into::<HtmlElement>().ok());
            if let Some(mark) = mark {
                text.set_scroll_top(mark.offset_top() - text.client_height() / 3);
            }
        });
    });
    let chain: Vec<El> = view.chain.iter().map(|step| el("li").add(step)).collect();
    let place = of_class("dl", "facts source-facts")
        .add(fact(m::FILE, &view.file))
        .add(fact(m::PLACE, &view.place))
        .add(fact(m::SOURCE_KEY, &view.key));
    let unread = (!view.verified).then(|| {
        of_class("p", "notice bad").attr("role", "alert").add(icons::warning()).add(el("span").add(m::NOT_VERIFIED))
    });
    let shown = Arc::clone(view);
    let class = if view.kind == "json" { "source-text json" } else { "source-text note" };
    let words = move || {
        // Without a citation that re-reads there is nothing to highlight: a look-alike is never marked.
        let range = if shown.verified { shown.highlight } else { (0, 0) };
        let cut = cut(&shown.text, range, all.get())?;
        Some(
            view! {
                {cut.more_before.then_some("… ")}
                {cut.before.to_owned()}
                {shown.verified.then(|| view! { <mark>{cut.quote.to_owned()}</mark> })}
                {cut.after.to_owned()}
                {cut.more_after.then_some(" …")}
            }
            .into_any(),
        )
    };
    let long = cut(&view.text, if view.verified { view.highlight } else { (0, 0) }, false)
        .is_some_and(|cut| cut.more_before || cut.more_after);
    view! {
        {unread}
        {place}
        <pre class=class node_ref=text tabindex="0" role="group" aria-label=m::source_text(&view.kind)>{words}</pre>
        <Show when=move || long && !all.get()>
            <button class="quiet" on:click=move |_| all.set(true)>{m::SHOW_ALL_TEXT}</button>
        </Show>
        {details(m::DECODED_SO).add(of_class("ol", "lines").add(chain))}
    }
    .into_any()
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
