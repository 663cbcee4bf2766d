//! The one channel to the core: JSON commands out, JSON events in.

use chartproof_engine::wire::{Command, Event};
use js_sys::{Array, ArrayBuffer, Function, Object, Reflect};
use wasm_bindgen::prelude::*;

use crate::codec;

/// What comes from the core.
pub(crate) enum FromCore {
    /// An event of the request of that number.
    Event(u32, Box<Event>),
    /// The core fell over and was started anew: its record is gone.
    Restarted(String),
}

/// A channel to the core.
pub(crate) struct Port {
    port: JsValue,
    post: Option<Function>,
    _listener: Closure<dyn Fn(JsValue)>,
}

impl Port {
    /// Listens at `port`; `receive` is called for each message.
    pub(crate) fn new(port: JsValue, receive: impl Fn(FromCore) + 'static) -> Self {
        // A port may answer at once, while the page is still inside another message.
        let listener = Closure::<dyn Fn(JsValue)>::new(move |message: JsValue| {
            if let Some(message) = decode(&message) {
                receive(message);
            }
        });
        // A port without `onmessage` never answers; the page then stays in its waiting state, with Cancel.
        let _ = Reflect::set(&port, &"onmessage".into(), listener.as_ref());
        let post = Reflect::get(&port, &"postMessage".into()).ok().and_then(|f| f.dyn_into().ok());
        Self { port, post, _listener: listener }
    }

    /// Sends a command.
    pub(crate) fn command(&self, id: u32, command: &Command) {
        let message = numbered("id", id);
        set(&message, "command", &codec::write_command(command).into());
        self.send(&message, &Array::new());
    }

    /// Sends files; their buffers are handed over, not copied.
    pub(crate) fn load(&self, id: u32, files: &[(String, ArrayBuffer)]) {
        let list = Array::new();
        let transfer = Array::new();
        for (name, bytes) in files {
            let file = Object::new();
            set(&file, "name", &name.as_str().into());
            set(&file, "bytes", bytes);
            list.push(&file);
            transfer.push(bytes);
        }
        let message = numbered("id", id);
        set(&message, "load", &list);
        self.send(&message, &transfer);
    }

    /// Asks for a request to be given up.
    pub(crate) fn cancel(&self, id: u32) {
        self.send(&numbered("cancel", id), &Array::new());
    }

    fn send(&self, message: &Object, transfer: &Array) {
        if let Some(post) = &self.post {
            let _ = post.call2(&self.port, message, transfer);
        }
    }
}

impl Drop for Port {
    fn drop(&mut self) {
        let _ = Reflect::set(&self.port, &"onmessage".into(), &JsValue::NULL);
    }
}

fn numbered(key: &str, id: u32) -> Object {
    let message = Object::new();
    set(&message, key, &id.into());
    message
}

fn set(object: &Object, key: &str, value: &JsValue) {
    let _ = Reflect::set(object, &key.into(), value);
}

fn get(object: &JsValue, key: &str) -> Option<JsValue> {
    object.is_object().then(|| Reflect::get(object, &key.into()).ok()).flatten().filter(|v| !v.is_undefined())
}

/// Reads a message: the data of a message event, or the data itself.
fn decode(message: &JsValue) -> Option<FromCore> {
    let data = get(message, "data").unwrap_or_else(|| message.clone());
    if get(&data, "restarted").is_some_and(|r| r.is_truthy()) {
        return Some(FromCore::Restarted(get(&data, "reason").and_then(|r| r.as_string()).unwrap_or_default()));
    }
    let id = get(&data, "id")?.as_f64()? as u32;
    let json = get(&data, "event")?.as_string()?;
    let event =
        codec::read_event(&json).unwrap_or_else(|| Event::Failed { code: "bad_event".into(), message: String::new() });
    Some(FromCore::Event(id, Box::new(event)))
}
