//! Opening a record: drop, pick, paste, samples; progress; what went wrong.

use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast as _;
use web_sys::{ClipboardEvent, DragEvent, Event, HtmlElement, HtmlInputElement};

use super::{notice_text, notice_view, progress_view, record};
use crate::dom::{El, el, live, of_class};
use crate::files::{self, Item};
use crate::state::{Notice, Opening, Room, share};
use crate::{Demo, icons, messages as m};

/// The panel.
pub(super) fn panel(room: Room) -> El {
    let busy = Memo::new(move |_| matches!(room.opening.get(), Opening::Fetching(..) | Opening::Loading(_)));
    of_class("section", "open")
        .attr("aria-labelledby", "cp-open")
        .add(
            of_class("div", "open-head")
                .add(el("h2").attr("id", "cp-open").add(m::OPEN_TITLE))
                .add(of_class("p", "lead").add(m::OPEN_LEAD)),
        )
        .add(live(move || troubles(room)))
        .add(live(move || if busy.get() { working(room) } else { ways(room) }))
        .add(room.on_page_thread.then(|| of_class("p", "hint").add(m::ON_PAGE_THREAD)))
}

fn troubles(room: Room) -> Vec<El> {
    let mut out = Vec::new();
    if let Some(notice) = room.notice.get() {
        let (title, text) = notice_text(&notice, m::CANCELLED_LOAD);
        let again = matches!(notice, Notice::Restarted(_) | Notice::Cancelled) && room.can_reopen();
        let action =
            again.then(|| of_class("button", "secondary").on("click", move |_| room.reopen()).add(m::OPEN_AGAIN));
        out.push(notice_view(title, &text, action));
    }
    if let Some(summary) = room.summary.get() {
        out.push(notice_view(m::NO_PATIENT, m::NO_PATIENT_TEXT, None));
        out.extend(record::refusals(&summary));
        out.extend(record::remarks(&summary));
    }
    out
}

fn working(room: Room) -> El {
    progress_view(
        move || match room.opening.get() {
            Opening::Fetching(done, of) => (m::fetching(done, of), None),
            Opening::Loading(Some(progress)) => (m::stage(progress.stage).to_owned(), Some(share(Some(progress)))),
            _ => (m::WAITING_FOR_CORE.to_owned(), None),
        },
        move || room.cancel_load(),
    )
}

fn ways(room: Room) -> El {
    let paste = move |event: Event| {
        let data = event.dyn_ref::<ClipboardEvent>().and_then(ClipboardEvent::clipboard_data);
        let list = files::list(data.and_then(|data| data.files()));
        if !list.is_empty() {
            event.prevent_default();
            room.open(list.into_iter().map(Item::of_file).collect());
        }
    };
    of_class("div", "ways").on("paste", paste).add(drop_zone(room)).add(samples(room)).add(paste_box(room))
}

fn drop_zone(room: Room) -> El {
    let over = RwSignal::new(false);
    let (files_button, files_input) = picker(room, "primary", m::PICK_FILES, false);
    let (folder_button, folder_input) = picker(room, "secondary", m::PICK_FOLDER, true);
    of_class("div", "drop")
        .live_class("over", move || over.get())
        .on("dragover", move |event| {
            event.prevent_default();
            over.set(true);
        })
        .on("dragleave", move |_| over.set(false))
        .on("drop", move |event| {
            event.prevent_default();
            over.set(false);
            if let Some(transfer) = event.dyn_ref::<DragEvent>().and_then(DragEvent::data_transfer) {
                let dropped = files::dropped(&transfer);
                spawn_local(async move { room.open(files::walk(dropped).await) });
            }
        })
        .add(icons::tray())
        .add(of_class("p", "drop-title").add(m::DROP_HERE))
        .add(of_class("p", "hint").add(m::DROP_FORMATS))
        .add(of_class("div", "row centred").add(files_button).add(folder_button))
        .add(files_input)
        .add(folder_input)
}

/// A button and the field that it presses.
fn picker(room: Room, class: &str, label: &str, folder: bool) -> (El, El) {
    let input = of_class("input", "gone")
        .attr("type", "file")
        .attr("multiple", "")
        .attr("tabindex", "-1")
        .attr("aria-label", label)
        .on("change", move |event| {
            if let Some(input) = event.target().and_then(|t| t.dyn_into::<HtmlInputElement>().ok()) {
                room.open(files::list(input.files()).into_iter().map(Item::of_file).collect());
            }
        });
    let input = if folder { input.attr("webkitdirectory", "") } else { input };
    let node = input.node().clone();
    let button = of_class("button", class)
        .on("click", move |_| {
            if let Some(input) = node.dyn_ref::<HtmlElement>() {
                input.click();
            }
        })
        .add(label);
    (button, input)
}

fn samples(room: Room) -> Option<El> {
    let buttons: Vec<El> = room.demos.get_value().into_iter().map(|demo| el("li").add(sample(room, demo))).collect();
    (!buttons.is_empty()).then(|| {
        of_class("div", "samples")
            .add(el("h3").add(m::SAMPLES))
            .add(of_class("p", "hint").add(m::SAMPLES_HINT))
            .add(of_class("ul", "plain").add(buttons))
    })
}

fn sample(room: Room, demo: Demo) -> El {
    of_class("button", "sample")
        .add(icons::sheet())
        .add(of_class("span", "sample-title").add(&demo.title))
        .add(demo.questions.first().map(|question| of_class("span", "sample-ask").add(question)))
        .on("click", move |_| room.open(vec![Item::Demo(demo.clone())]))
}

fn paste_box(room: Room) -> El {
    let pasted = RwSignal::new(String::new());
    of_class("details", "paste")
        .add(el("summary").add(m::PASTE))
        .add(el("label").attr("for", "cp-paste").add(m::PASTE_LABEL))
        .add(
            el("textarea")
                .attr("id", "cp-paste")
                .attr("rows", "6")
                .attr("spellcheck", "false")
                .attr("autocomplete", "off")
                .on("input", move |event| pasted.set(event_target_value(&event))),
        )
        .add(
            of_class("button", "secondary")
                .live_property("disabled", move || pasted.with(|text| text.trim().is_empty()).into())
                .on("click", move |_| room.open(vec![Item::Text(pasted.get_untracked())]))
                .add(m::PASTE_OPEN),
        )
}
