//! Opening a record: drop, pick, paste, samples; progress; what went wrong.

use leptos::prelude::*;
use leptos::task::spawn_local;
use web_sys::{ClipboardEvent, DragEvent, HtmlElement};

use super::{notice_text, notice_view, progress_view, record};
use crate::dom::{El, el, of_class};
use crate::files::{self, Item};
use crate::state::{Notice, Opening, Room, share};
use crate::{icons, messages as m};

/// The panel.
pub(super) fn panel(room: Room) -> AnyView {
    let busy = Memo::new(move |_| matches!(room.opening.get(), Opening::Fetching(..) | Opening::Loading(_)));
    view! {
        <section class="open" aria-labelledby="cp-open">
            <div class="open-head">
                <h2 id="cp-open">{m::OPEN_TITLE}</h2>
                <p class="lead">{m::OPEN_LEAD}</p>
            </div>
            {move || troubles(room)}
            {move || if busy.get() { working(room) } else { ways(room) }}
            <Show when=move || room.on_page_thread>
                <p class="hint">{m::ON_PAGE_THREAD}</p>
            </Show>
        </section>
    }
    .into_any()
}

fn troubles(room: Room) -> El {
    let notice = room.notice.get().map(|notice| {
        let (title, text) = notice_text(&notice, m::CANCELLED_LOAD);
        let again = matches!(notice, Notice::Restarted(_) | Notice::Cancelled) && room.can_reopen();
        let action = again.then(|| {
            of_class("button", "secondary").on("click", move |_| room.reopen()).add(m::OPEN_AGAIN)
        });
        notice_view(title, &text, action)
    });
    let nothing = room.summary.get().map(|summary| {
        vec![
            Some(notice_view(m::NO_PATIENT, m::NO_PATIENT_TEXT, None)),
            record::refusals(&summary),
            record::remarks(&summary),
        ]
    });
    el("div").add(notice).add(nothing)
}

fn working(room: Room) -> AnyView {
    let label = move || match room.opening.get() {
        Opening::Fetching(done, of) => m::fetching(done, of),
        Opening::Loading(Some(progress)) => m::stage(progress.stage).to_owned(),
        _ => m::WAITING_FOR_CORE.to_owned(),
    };
    let done = move || match room.opening.get() {
        Opening::Loading(Some(progress)) => Some(share(Some(progress))),
        _ => None,
    };
    view! {
        <div class="working">
            {progress_view(label, done)}
            <button class="secondary" on:click=move |_| room.cancel_load()>{m::CANCEL}</button>
        </div>
    }
    .into_any()
}

fn ways(room: Room) -> AnyView {
    let over = RwSignal::new(false);
    let pasted = RwSignal::new(String::new());
    let file_input = NodeRef::<leptos::html::Input>::new();
    let folder_input = NodeRef::<leptos::html::Input>::new();
    let picked = move |input: NodeRef<leptos::html::Input>| {
        if let Some(input) = input.get_untracked() {
            room.open(files::list(input.files()).into_iter().map(Item::of_file).collect());
        }
    };
    let press = |input: NodeRef<leptos::html::Input>| {
        if let Some(input) = input.get_untracked() {
            HtmlElement::click(&input);
        }
    };
    let drop_files = move |event: DragEvent| {
        event.prevent_default();
        over.set(false);
        if let Some(transfer) = event.data_transfer() {
            let dropped = files::dropped(&transfer);
            spawn_local(async move { room.open(files::walk(dropped).await) });
        }
    };
    let paste = move |event: ClipboardEvent| {
        let Some(data) = event.clipboard_data() else { return };
        let list = files::list(data.files());
        if !list.is_empty() {
            event.prevent_default();
            room.open(list.into_iter().map(Item::of_file).collect());
        }
    };
    let demos = room.demos.get_value();
    let samples = (!demos.is_empty()).then(|| {
        let buttons: Vec<AnyView> = demos
            .into_iter()
            .map(|demo| {
                let title = demo.title.clone();
                let first = demo.questions.first().cloned();
                view! {
                    <li>
                        <button class="sample" on:click=move |_| room.open(vec![Item::Demo(demo.clone())])>
                            {icons::sheet()}
                            <span class="sample-title">{title}</span>
                            {first.map(|q| view! { <span class="sample-ask">{q}</span> })}
                        </button>
                    </li>
                }
                .into_any()
            })
            .collect();
        view! {
            <div class="samples">
                <h3>{m::SAMPLES}</h3>
                <p class="hint">{m::SAMPLES_HINT}</p>
                <ul class="plain">{buttons}</ul>
            </div>
        }
    });
    view! {
        <div class="ways" on:paste=paste>
            <div
                class="drop"
                class:over=move || over.get()
                on:dragover=move |event| {
                    event.prevent_default();
                    over.set(true);
                }
                on:dragleave=move |_| over.set(false)
                on:drop=drop_files
            >
                {icons::tray()}
                <p class="drop-title">{m::DROP_HERE}</p>
                <p class="hint">{m::DROP_FORMATS}</p>
                <div class="row centred">
                    <button class="primary" on:click=move |_| press(file_input)>{m::PICK_FILES}</button>
                    <button class="secondary" on:click=move |_| press(folder_input)>{m::PICK_FOLDER}</button>
                </div>
                <input
                    node_ref=file_input
                    class="gone"
                    type="file"
                    multiple=true
                    tabindex="-1"
                    aria-label=m::PICK_FILES
                    on:change=move |_| picked(file_input)
                />
                <input
                    node_ref=folder_input
                    class="gone"
                    type="file"
                    multiple=true
                    prop:webkitdirectory=true
                    tabindex="-1"
                    aria-label=m::PICK_FOLDER
                    on:change=move |_| picked(folder_input)
                />
            </div>
            {samples}
            <details class="paste">
                <summary>{m::PASTE}</summary>
                <label for="cp-paste">{m::PASTE_LABEL}</label>
                <textarea
                    id="cp-paste"
                    rows="6"
                    spellcheck="false"
                    autocomplete="off"
                    prop:value=move || pasted.get()
                    on:input=move |event| pasted.set(event_target_value(&event))
                ></textarea>
                <button
                    class="secondary"
                    prop:disabled=move || pasted.with(|text| text.trim().is_empty())
                    on:click=move |_| room.open(vec![Item::Text(pasted.get_untracked())])
                >
                    {m::PASTE_OPEN}
                </button>
            </details>
        </div>
    }
    .into_any()
}
