//! The engine's JavaScript boundary: files as bytes, commands and events as JSON.
//!
//! Whoever drives it (`www/serve-core.js`) adds files, starts a load or submits a command, then calls [`Core::step`] in
//! slices until it returns an event that is not progress. A panic ends the instance: the error thrown says where, never
//! what, and the driver replaces the whole instance.

mod stop;

use chartproof_engine::wire::{Command, Event};
use chartproof_engine::{Engine, File};
use wasm_bindgen::prelude::*;

/// One engine. It holds at most one load.
#[wasm_bindgen]
#[derive(Default)]
pub struct Core {
    engine: Engine,
    files: Vec<File>,
}

#[wasm_bindgen]
impl Core {
    /// An engine without a record.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        stop::install();
        Self::default()
    }

    /// Adds a file to the next load. The bytes are copied once, into the engine's memory. `sha256` is their digest in
    /// hexadecimal where the host has computed it, which it does faster.
    #[wasm_bindgen(js_name = addFile)]
    pub fn add_file(&mut self, name: String, bytes: Vec<u8>, sha256: Option<String>) {
        self.files.push(File { name, bytes, sha256 });
    }

    /// Starts to load the files added since the last load; the former record is dropped.
    pub fn load(&mut self) {
        self.engine.load(std::mem::take(&mut self.files));
    }

    /// Drops the files added since the last load.
    #[wasm_bindgen(js_name = dropFiles)]
    pub fn drop_files(&mut self) {
        self.files = Vec::new();
    }

    /// Starts a command. Returns an event, as JSON, when it is not one.
    pub fn submit(&mut self, command: &str) -> Option<String> {
        match serde_json::from_str::<Command>(command) {
            Ok(command) => {
                self.engine.submit(command);
                None
            }
            // The error's own words can quote the command, and the command the record.
            Err(error) => Some(json(&Event::Failed {
                code: "bad_command".into(),
                message: format!("not a command: line {} column {}", error.line(), error.column()),
            })),
        }
    }

    /// Works for one slice and returns an event as JSON; nothing when there is nothing to do.
    pub fn step(&mut self, budget: u32) -> Option<String> {
        self.engine.step(budget as usize).as_ref().map(json)
    }

    /// Cancels what runs; the next step says so.
    pub fn cancel(&mut self) {
        self.engine.cancel();
    }

    /// The version of this build.
    pub fn version() -> String {
        env!("CARGO_PKG_VERSION").to_owned()
    }

    /// Ends this instance the way a fault would; tests of the recovery use it.
    #[doc(hidden)]
    #[wasm_bindgen(js_name = __trap)]
    pub fn trap() {
        stop::install();
        panic!("{}", stop::UNSAID);
    }
}

/// An event as JSON. Its types cannot fail to serialise: every map of theirs has strings as keys.
fn json(event: &Event) -> String {
    serde_json::to_string(event).unwrap_or_else(|_| {
        r#"{"event":"failed","code":"trap","message":"the answer could not be written"}"#.to_owned()
    })
}

#[cfg(test)]
mod tests;
