//! Algorithm 1 as resumable steps with progress and cancel, behind plain messages.
//!
//! The engine holds at most one load. It has no clock, threads or I/O: whoever drives it (a worker, a page, a
//! command) gives it bytes and messages and calls [`Engine::step`] until it is done.
#![forbid(unsafe_code)]

mod answer;
mod kinds;
mod loading;
mod source_view;
mod summary;
mod text;
mod verifying;
pub mod wire;

use std::collections::VecDeque;

use chartproof_evidence::query::{Parsed, Request};
use chartproof_evidence::{Bundle, NotExecutable, executable};
use chartproof_parse::{describe, parse};
use chartproof_record::PatientIx;

use loading::{Loaded, Loading};
use verifying::Verifying;
use wire::{Answer, Command, Event, Verified};

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

/// Bundles that are kept for export.
const BUNDLES_MAX: usize = 32;

/// The engine: holds at most one load, works in slices.
///
/// Drive it so: [`Engine::load`] or [`Engine::submit`], then [`Engine::step`] until it returns an event that is not
/// [`Event::Progress`]. Between steps the caller may [`Engine::cancel`].
#[derive(Default)]
pub struct Engine {
    loaded: Option<Box<Loaded>>,
    bundles: VecDeque<Bundle>,
    work: Work,
}

#[derive(Default)]
enum Work {
    #[default]
    Idle,
    Loading(Loading),
    Verifying(Box<Verifying>),
    Ready(Box<Event>),
}

fn failed(code: &str, message: impl Into<String>) -> Event {
    Event::Failed { code: code.to_owned(), message: message.into() }
}

impl Engine {
    /// An engine without a record.
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts a load; the former record and all that was made of it are dropped at once.
    pub fn load(&mut self, files: Vec<File>) {
        self.forget();
        self.work = if files.is_empty() {
            Work::Ready(Box::new(failed("no_files", "no file was given")))
        } else {
            Work::Loading(Loading::start(files))
        };
    }

    /// Starts a command.
    pub fn submit(&mut self, command: Command) {
        self.work = match command {
            Command::Verify { patient, ask, request, accept_unresolved } => {
                self.verify(patient.as_deref(), ask.as_deref(), request, accept_unresolved)
            }
            other => Work::Ready(Box::new(self.at_once(other))),
        };
    }

    /// Works for one slice (about `budget` thousand small steps; 10 is some milliseconds) and says how far it is.
    /// `None` when there is nothing to do.
    pub fn step(&mut self, budget: usize) -> Option<Event> {
        match std::mem::take(&mut self.work) {
            Work::Idle => None,
            Work::Ready(event) => Some(*event),
            Work::Loading(loading) => Some(match loading.step(budget.max(1)) {
                loading::Slice::More(loading, progress) => {
                    self.work = Work::Loading(*loading);
                    Event::Progress { progress }
                }
                loading::Slice::Done(loaded) => {
                    let summary = Box::new(summary::summary(&loaded));
                    self.loaded = Some(loaded);
                    Event::Loaded { summary }
                }
                loading::Slice::Nothing(refused) => {
                    let lines: Vec<String> = refused
                        .iter()
                        .map(|r| {
                            format!(
                                "{}: {}{}",
                                r.file,
                                if r.location.is_empty() { String::new() } else { format!("{}: ", r.location) },
                                r.message
                            )
                        })
                        .collect();
                    failed("nothing_read", lines.join("; "))
                }
            }),
            Work::Verifying(mut verifying) => {
                let Some(loaded) = &self.loaded else { return Some(failed("no_record", "no record is open")) };
                Some(match verifying.step(loaded) {
                    verifying::Slice::More(progress) => {
                        self.work = Work::Verifying(verifying);
                        Event::Progress { progress }
                    }
                    verifying::Slice::Done(verified, bundles) => {
                        self.bundles.extend(bundles);
                        while self.bundles.len() > BUNDLES_MAX {
                            self.bundles.pop_front();
                        }
                        Event::Verified { verified }
                    }
                })
            }
        }
    }

    /// Cancels what runs; the next step returns [`Event::Cancelled`]. A cancelled load leaves no record.
    pub fn cancel(&mut self) {
        if !matches!(self.work, Work::Idle) {
            self.work = Work::Ready(Box::new(Event::Cancelled));
        }
    }

    /// Runs what was started to its end.
    pub fn run(&mut self) -> Event {
        loop {
            match self.step(1_000) {
                Some(Event::Progress { .. }) => {}
                Some(event) => return event,
                None => return failed("bad_command", "nothing was started"),
            }
        }
    }

    /// SHA-256 over the record's sources, independent of file names and order; `None` without a record.
    pub fn record_digest(&self) -> Option<String> {
        self.loaded.as_ref().map(|l| summary::digest(&l.record))
    }

    /// The open record.
    pub fn record(&self) -> Option<&chartproof_record::Record> {
        self.loaded.as_ref().map(|l| &l.record)
    }

    /// The event graph of the open record as plain data.
    pub fn export_graph(&self) -> Option<chartproof_graph::Exported> {
        self.loaded.as_ref().map(|l| l.graph.export(&l.record))
    }

    fn forget(&mut self) {
        self.loaded = None;
        self.bundles.clear();
        self.work = Work::Idle;
    }

    fn at_once(&mut self, command: Command) -> Event {
        match command {
            Command::Parse { ask } => {
                let parsed = parse(&ask);
                let statements = parsed.query.iter().flat_map(|r| &r.queries).map(describe).collect();
                let not_executable = parsed.query.as_ref().and_then(|r| executable(r).err()).unwrap_or_default();
                Event::Parsed { parsed, statements, not_executable }
            }
            Command::Forget => {
                self.forget();
                Event::Forgotten
            }
            Command::Bundle { digest } => match self.bundles.iter().find(|b| b.digest() == digest) {
                Some(bundle) => Event::Bundle { json: bundle.to_json() },
                None => failed("unknown_bundle", "no bundle of that digest is kept; run the question again"),
            },
            Command::Timeline { patient } => match self.patient(Some(&patient)) {
                Ok((loaded, ix)) => {
                    let (rows, truncated) = summary::timeline(loaded, ix);
                    Event::Timeline { rows, truncated }
                }
                Err(event) => *event,
            },
            Command::Source { citation } => {
                let Some(loaded) = &self.loaded else { return failed("no_record", "no record is open") };
                match source_view::source_view(&loaded.record, &citation) {
                    Some(view) => Event::Source { view },
                    None => failed("unknown_source", "the open record does not hold this source"),
                }
            }
            Command::Verify { .. } => failed("bad_command", "verify runs in slices"),
        }
    }

    fn patient(&self, wanted: Option<&str>) -> Result<(&Loaded, PatientIx), Box<Event>> {
        let Some(loaded) = &self.loaded else { return Err(Box::new(failed("no_record", "no record is open"))) };
        let patients = &loaded.record.patients;
        // Rows that name no patient are kept under an empty key: they are nobody's evidence.
        let named = |key: &str, wanted: &str| {
            !key.is_empty() && (key == wanted || key.strip_prefix("Patient/") == Some(wanted))
        };
        let at = match wanted {
            Some(wanted) => patients
                .iter()
                .position(|p| named(&p.key, wanted))
                .ok_or_else(|| failed("unknown_patient", "the record holds no patient of that id"))?,
            None => {
                let mut usable = patients.iter().enumerate().filter(|(_, p)| !p.key.is_empty());
                match (usable.next(), usable.next()) {
                    (Some((at, _)), None) => at,
                    (None, _) => return Err(Box::new(failed("unknown_patient", "the record names no patient"))),
                    (Some(_), Some(_)) => {
                        return Err(Box::new(failed("choose_patient", "the load holds several patients: name one")));
                    }
                }
            }
        };
        Ok((loaded, PatientIx(at as u32)))
    }

    fn verify(&self, patient: Option<&str>, ask: Option<&str>, request: Option<Request>, accept: bool) -> Work {
        let ready = |event: Event| Work::Ready(Box::new(event));
        let verified = |verified: Verified| ready(Event::Verified { verified: Box::new(verified) });
        let ix = match self.patient(patient) {
            Ok((_, ix)) => ix,
            Err(event) => return Work::Ready(event),
        };
        let (mut request, unresolved) = match (request, ask) {
            (Some(request), _) => (request, Vec::new()),
            (None, Some(ask)) => {
                let parsed = parse(ask);
                let blocking = parsed.unresolved.iter().any(|u| u.blocking);
                match parsed {
                    Parsed { query: None, .. } => return verified(Verified::Refused { parsed }),
                    parsed if blocking && !accept => return verified(Verified::Blocked { parsed }),
                    Parsed { query: Some(request), unresolved, .. } => (request, unresolved),
                }
            }
            (None, None) => return ready(failed("bad_command", "a question or a request is needed")),
        };
        kinds::fill(&mut request);
        match executable(&request).and_then(|()| unambiguous(&request)) {
            Err(faults) => verified(Verified::NotExecutable { faults, request }),
            Ok(()) => Work::Verifying(Box::new(Verifying::start(request.queries, ix, unresolved))),
        }
    }
}

/// A pressure has two numbers: a condition on it has to say which.
fn unambiguous(request: &Request) -> Result<(), Vec<NotExecutable>> {
    let mut faults = Vec::new();
    for (n, query) in request.queries.iter().enumerate() {
        for (i, slot) in query.slots.iter().enumerate() {
            let pressure =
                slot.concept.any_of.iter().any(|t| chartproof_terms::expand(&t.text).canonical == "blood pressure");
            if pressure && slot.value.is_some() {
                faults.push(NotExecutable {
                    field: format!("queries/{n}/slots/{i}/concept"),
                    why: "a blood pressure is two numbers: ask for the systolic or the diastolic one".to_owned(),
                });
            }
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

/// Assesses an exported bundle from its text alone.
///
/// # Errors
/// When it is not a bundle, was changed, or was made for another version of the assessor.
pub fn replay(json: &str) -> Result<Answer, String> {
    let bundle = Bundle::open(json).map_err(|e| e.to_string())?;
    let own = chartproof_assess::version();
    if bundle.assessor() != own {
        return Err(format!("the bundle was made for assessor \"{}\", this is \"{own}\"", bundle.assessor()));
    }
    Ok(answer::answer(&bundle, chartproof_assess::assess(&bundle), &[], None))
}
