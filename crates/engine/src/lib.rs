//! Algorithm 1 as resumable steps with progress and cancel, behind plain messages.
#![forbid(unsafe_code)]

pub mod wire;

use wire::{Command, Event};

/// A file to be read.
#[derive(Clone, Debug)]
pub struct File {
    /// Its name.
    pub name: String,
    /// Its bytes as given.
    pub bytes: Vec<u8>,
    /// SHA-256 of the bytes in hexadecimal, when the host has computed it; else it is computed here.
    pub sha256: Option<String>,
}

/// The engine: holds at most one load, works in slices.
///
/// Drive it so: [`Engine::load`] or [`Engine::submit`], then [`Engine::step`] until it returns an event that is not
/// [`Event::Progress`]. Between steps the caller may [`Engine::cancel`].
#[derive(Debug, Default)]
pub struct Engine {
    pending: Option<Event>,
}

impl Engine {
    /// An engine without a record.
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts a load; the former record and all that was made of it are dropped at once.
    pub fn load(&mut self, _files: Vec<File>) {
        self.pending = Some(Event::Failed { code: "no_files".into(), message: "nothing is read yet".into() });
    }

    /// Starts a command.
    pub fn submit(&mut self, _command: Command) {
        self.pending = Some(Event::Failed { code: "no_record".into(), message: "no record is open".into() });
    }

    /// Works for one slice (about `budget` thousand small steps; 10 is some milliseconds) and says how far it is.
    /// `None` when there is nothing to do.
    pub fn step(&mut self, _budget: usize) -> Option<Event> {
        self.pending.take()
    }

    /// Cancels what runs; the next step returns [`Event::Cancelled`]. A cancelled load leaves no record.
    pub fn cancel(&mut self) {
        if self.pending.is_some() {
            self.pending = Some(Event::Cancelled);
        }
    }
}
