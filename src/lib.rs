//! The ChartProof page: a Leptos app that mounts into a given element and talks to the core through a port.
//!
//! It holds no clinical logic. What it shows are the plain messages of [`chartproof_engine::wire`]; what it asks
//! goes out as commands of the same module. It opens no connection: bytes come from files, from pasted text, or from
//! a callback of the host page.

mod codec;
mod dom;
mod files;
mod icons;
mod layout;
mod messages;
mod panels;
mod port;
mod state;
#[cfg(test)]
#[cfg(target_arch = "wasm32")]
mod tests;
mod text;

use std::any::Any;
use std::cell::Cell;
use std::rc::Rc;

use leptos::mount::mount_to;
use serde::Deserialize;
use wasm_bindgen::prelude::*;
use web_sys::HtmlElement;

use crate::port::Port;
use crate::state::Room;

/// A sample record that the host page offers.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Demo {
    /// Name by which the host fetches it.
    pub(crate) name: String,
    /// Title on the button.
    pub(crate) title: String,
    /// Address; its last part names the file.
    #[serde(default)]
    pub(crate) url: String,
    /// Questions to offer once it is open.
    #[serde(default)]
    pub(crate) questions: Vec<String>,
}

/// What the host page says when it mounts.
#[derive(Clone, Debug, Default, Deserialize)]
struct Options {
    #[serde(default)]
    demos: Vec<Demo>,
    /// `worker` or `page`.
    #[serde(default)]
    engine: String,
}

/// A mounted page. Dropping or unmounting it takes it out of the document and forgets what it held.
#[wasm_bindgen]
pub struct Handle {
    room: Room,
    _mounted: Box<dyn Any>,
}

#[wasm_bindgen]
impl Handle {
    /// Opens files, as if they had been dropped on the page: an array of `File`.
    pub fn open(&self, files: Vec<web_sys::File>) {
        self.room.open(files.into_iter().map(files::Item::of_file).collect());
    }

    /// Takes the page out of the document.
    pub fn unmount(self) {}
}

/// Mounts the page into `root`.
///
/// `port` has `postMessage(message, transfer)` and calls `onmessage`; `options` holds `demos`, `engine` and
/// `fetch_demo(name)`, a function that gives a promise of an `ArrayBuffer`.
#[wasm_bindgen]
pub fn mount(root: HtmlElement, port: JsValue, options: JsValue) -> Handle {
    #[cfg(debug_assertions)]
    console_error_panic_hook::set_once();
    let fetch_demo =
        js_sys::Reflect::get(&options, &"fetch_demo".into()).ok().and_then(|f| f.dyn_into::<js_sys::Function>().ok());
    let options: Options = serde_wasm_bindgen::from_value(options).unwrap_or_default();
    let on_page_thread = options.engine == "page";
    let room = Rc::new(Cell::new(None));
    let made_here = Rc::clone(&room);
    let handle = mount_to(root, move || {
        let made = Room::new(options.demos, fetch_demo, on_page_thread);
        made.connect(Port::new(port, move |message| made.receive(message)));
        made_here.set(Some(made));
        panels::page(made)
    });
    let Some(room) = room.get() else { wasm_bindgen::throw_str("ChartProof: nothing was mounted") };
    Handle { room, _mounted: Box::new(handle) }
}
