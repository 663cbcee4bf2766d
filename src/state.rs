//! What the page knows, and the only code that changes it.
//!
//! Everything is keyed to the load: opening another record, forgetting it, or a restart of the core wipes the rest
//! before anything new arrives. An answer to a request that was replaced meanwhile is dropped.

use std::sync::Arc;

use chartproof_engine::wire::{Answer, Command, Event, Progress, SourceView, Stage, Summary, TimelineRow, Verified};
use chartproof_evidence::query::{
    Parsed, Query, Relation, RelationKind, Request, SCHEMA_VERSION, Scope, ScopeLevel, Slot, Unresolved,
};
use chartproof_evidence::{NotExecutable, Truncated};
use chartproof_record::Citation;
use js_sys::{Array, ArrayBuffer, Function};
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast as _;
use web_sys::{
    Blob, BlobPropertyBag, HtmlAnchorElement, HtmlElement, ScrollIntoViewOptions, ScrollLogicalPosition, Url,
};

use crate::files::{self, Item};
use crate::port::{FromCore, Port};
use crate::{Demo, messages};

/// How far a record is open.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Opening {
    /// No record.
    Empty,
    /// The page reads the bytes: done, of.
    Fetching(usize, usize),
    /// The core reads them.
    Loading(Option<Progress>),
    /// It is open.
    Open,
}

/// What went another way than asked.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Notice {
    /// The user cancelled.
    Cancelled,
    /// Something could not be read by the page.
    Unread(String),
    /// The core could not do it.
    Failed {
        /// Stable code.
        code: String,
        /// What and where.
        message: String,
    },
    /// The core fell over; its record is gone.
    Restarted(String),
}

/// How far a question is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Asking {
    /// Nothing runs.
    Idle,
    /// It is being read.
    Parsing,
    /// It is being checked.
    Verifying(Option<Progress>),
}

/// What the parser made of the question.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reading {
    /// The question it read.
    pub(crate) ask: String,
    /// The parse.
    pub(crate) parsed: Parsed,
    /// What will be checked, one sentence a query.
    pub(crate) statements: Vec<String>,
    /// Parts that are not executed yet.
    pub(crate) not_executable: Vec<NotExecutable>,
}

impl Reading {
    /// Whether parts that could change the answer are not understood.
    pub(crate) fn blocked(&self) -> bool {
        self.parsed.unresolved.iter().any(|u| u.blocking)
    }
}

/// A citation that is looked at.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Looked {
    /// The citation.
    pub(crate) citation: Citation,
    /// Note type, author and section of where it was written.
    pub(crate) origin: Option<String>,
    /// Times with their roles.
    pub(crate) times: Vec<(String, String)>,
    /// Its source, once it is there.
    pub(crate) view: Option<Result<Arc<SourceView>, (String, String)>>,
}

/// Answers, and the parts of the question that were left out.
pub(crate) type Answered = (Vec<Answer>, Vec<Unresolved>);

/// Numbers of the requests that still count.
#[derive(Default)]
struct Requests {
    last: u32,
    load: Option<u32>,
    parse: Option<u32>,
    verify: Option<u32>,
    timeline: Option<u32>,
    source: Option<u32>,
    bundle: Option<u32>,
}

type Hidden<T> = StoredValue<T, LocalStorage>;

/// The state of one mounted page.
#[derive(Clone, Copy)]
pub(crate) struct Room {
    port: Hidden<Option<Port>>,
    requests: Hidden<Requests>,
    fetch_demo: Hidden<Option<Function>>,
    given: Hidden<Vec<Item>>,
    opener: Hidden<Option<HtmlElement>>,
    /// The question that was sent; the field may say something else by now.
    asked: StoredValue<String>,
    /// Counts loads, so that bytes which arrive late are dropped.
    generation: StoredValue<u32>,
    /// Samples the host offers.
    pub(crate) demos: StoredValue<Vec<Demo>>,
    /// Whether the core runs on the page's thread.
    pub(crate) on_page_thread: bool,
    /// How far the record is open.
    pub(crate) opening: RwSignal<Opening>,
    /// What went another way, while opening.
    pub(crate) notice: RwSignal<Option<Notice>>,
    /// What the load holds.
    pub(crate) summary: RwSignal<Option<Arc<Summary>>>,
    /// The patient that is looked at.
    pub(crate) patient: RwSignal<Option<String>>,
    /// Questions that come with the sample that is open.
    pub(crate) questions: RwSignal<Vec<String>>,
    /// Rows of the timeline.
    pub(crate) timeline: RwSignal<Option<Arc<Vec<TimelineRow>>>>,
    /// Whether rows were left out.
    pub(crate) timeline_cut: RwSignal<Option<Truncated>>,
    /// The question as typed.
    pub(crate) ask: RwSignal<String>,
    /// How far the question is.
    pub(crate) asking: RwSignal<Asking>,
    /// What went another way, while asking.
    pub(crate) ask_notice: RwSignal<Option<Notice>>,
    /// The parse.
    pub(crate) reading: RwSignal<Option<Arc<Reading>>>,
    /// The request as the form has it.
    pub(crate) request: RwSignal<Option<Request>>,
    /// Counts the times the form is to be drawn anew.
    pub(crate) drawn: RwSignal<u32>,
    /// Whether the form differs from the parse.
    pub(crate) edited: RwSignal<bool>,
    /// What came of it: the answers, and what was left out of the question.
    pub(crate) outcome: RwSignal<Option<Arc<Answered>>>,
    /// The citation that is looked at.
    pub(crate) looked: RwSignal<Option<Looked>>,
    /// Said to a screen reader.
    pub(crate) announced: RwSignal<String>,
}

impl Room {
    /// An empty room.
    pub(crate) fn new(demos: Vec<Demo>, fetch_demo: Option<Function>, on_page_thread: bool) -> Self {
        Self {
            port: StoredValue::new_local(None),
            requests: StoredValue::new_local(Requests::default()),
            fetch_demo: StoredValue::new_local(fetch_demo),
            given: StoredValue::new_local(Vec::new()),
            opener: StoredValue::new_local(None),
            asked: StoredValue::new(String::new()),
            generation: StoredValue::new(0),
            demos: StoredValue::new(demos),
            on_page_thread,
            opening: RwSignal::new(Opening::Empty),
            notice: RwSignal::new(None),
            summary: RwSignal::new(None),
            patient: RwSignal::new(None),
            questions: RwSignal::new(Vec::new()),
            timeline: RwSignal::new(None),
            timeline_cut: RwSignal::new(None),
            ask: RwSignal::new(String::new()),
            asking: RwSignal::new(Asking::Idle),
            ask_notice: RwSignal::new(None),
            reading: RwSignal::new(None),
            request: RwSignal::new(None),
            drawn: RwSignal::new(0),
            edited: RwSignal::new(false),
            outcome: RwSignal::new(None),
            looked: RwSignal::new(None),
            announced: RwSignal::new(String::new()),
        }
    }

    /// Takes the channel to the core.
    pub(crate) fn connect(&self, port: Port) {
        self.port.set_value(Some(port));
    }

    fn number(&self, slot: impl FnOnce(&mut Requests) -> &mut Option<u32>) -> u32 {
        let mut id = 0;
        self.requests.update_value(|requests| {
            requests.last += 1;
            id = requests.last;
            *slot(requests) = Some(id);
        });
        id
    }

    fn send(&self, id: u32, command: &Command) {
        self.port.with_value(|port| {
            if let Some(port) = port {
                port.command(id, command);
            }
        });
    }

    fn say(&self, text: impl Into<String>) {
        self.announced.set(text.into());
    }

    /// Wipes all that was made of a record. Numbers go on counting, so nothing of it can arrive later.
    fn wipe(&self) {
        self.requests.update_value(|r| *r = Requests { last: r.last, ..Requests::default() });
        self.generation.update_value(|g| *g += 1);
        self.looked.set(None);
        self.clear_question();
        self.ask.set(String::new());
        self.timeline.set(None);
        self.timeline_cut.set(None);
        self.patient.set(None);
        self.questions.set(Vec::new());
        self.summary.set(None);
        self.notice.set(None);
        self.announced.set(String::new());
    }

    fn clear_question(&self) {
        self.requests.update_value(|r| {
            r.parse = None;
            r.verify = None;
            r.source = None;
            r.bundle = None;
        });
        self.looked.set(None);
        self.outcome.set(None);
        self.reading.set(None);
        self.request.set(None);
        self.edited.set(false);
        self.drawn.update(|n| *n += 1);
        self.asking.set(Asking::Idle);
        self.ask_notice.set(None);
    }

    /// Opens files; whatever was open is forgotten first.
    pub(crate) fn open(&self, items: Vec<Item>) {
        if items.is_empty() {
            return;
        }
        self.wipe();
        self.given.set_value(items.clone());
        if let [Item::Demo(demo)] = items.as_slice() {
            self.questions.set(demo.questions.clone());
        }
        self.opening.set(Opening::Fetching(0, items.len()));
        let room = *self;
        let generation = self.generation.get_value();
        let fetch_demo = self.fetch_demo.get_value();
        spawn_local(async move {
            let mut bytes: Vec<(String, ArrayBuffer)> = Vec::with_capacity(items.len());
            for (done, item) in items.iter().enumerate() {
                let read = files::read(item, fetch_demo.as_ref()).await;
                if room.generation.try_get_value() != Some(generation) {
                    return;
                }
                match read {
                    Ok(file) => bytes.push(file),
                    Err(name) => {
                        room.opening.set(Opening::Empty);
                        room.notice.set(Some(Notice::Unread(name)));
                        return;
                    }
                }
                room.opening.set(Opening::Fetching(done + 1, items.len()));
            }
            room.opening.set(Opening::Loading(None));
            let id = room.number(|r| &mut r.load);
            room.port.with_value(|port| {
                if let Some(port) = port {
                    port.load(id, &bytes);
                }
            });
        });
    }

    /// Opens once more what was opened last.
    pub(crate) fn reopen(&self) {
        self.open(self.given.get_value());
    }

    /// Whether there is something to open once more.
    pub(crate) fn can_reopen(&self) -> bool {
        self.given.with_value(|given| !given.is_empty())
    }

    /// Closes the record; the core forgets it too.
    pub(crate) fn forget(&self) {
        self.wipe();
        self.given.set_value(Vec::new());
        self.opening.set(Opening::Empty);
        let mut id = 0;
        self.requests.update_value(|r| {
            r.last += 1;
            id = r.last;
        });
        self.send(id, &Command::Forget);
    }

    /// Gives up the load.
    pub(crate) fn cancel_load(&self) {
        let id = self.requests.with_value(|r| r.load);
        self.wipe();
        self.opening.set(Opening::Empty);
        self.notice.set(Some(Notice::Cancelled));
        self.say(messages::CANCELLED_LOAD);
        self.cancel(id);
    }

    /// Gives up the question.
    pub(crate) fn cancel_ask(&self) {
        let id = self.requests.with_value(|r| r.verify.or(r.parse));
        self.requests.update_value(|r| {
            r.parse = None;
            r.verify = None;
        });
        self.asking.set(Asking::Idle);
        self.ask_notice.set(Some(Notice::Cancelled));
        self.say(messages::CANCELLED_ASK);
        self.cancel(id);
    }

    fn cancel(&self, id: Option<u32>) {
        self.port.with_value(|port| {
            if let (Some(port), Some(id)) = (port, id) {
                port.cancel(id);
            }
        });
    }

    /// Looks at another patient of the load.
    pub(crate) fn choose_patient(&self, patient: String) {
        self.clear_question();
        self.timeline.set(None);
        self.timeline_cut.set(None);
        self.patient.set(Some(patient.clone()));
        let id = self.number(|r| &mut r.timeline);
        self.send(id, &Command::Timeline { patient });
    }

    /// Reads the question, then checks it unless the user has to decide something first.
    pub(crate) fn submit(&self) {
        let ask = self.ask.with_untracked(|ask| ask.trim().to_owned());
        if ask.is_empty() || self.opening.get_untracked() != Opening::Open {
            return;
        }
        self.clear_question();
        self.asking.set(Asking::Parsing);
        self.asked.set_value(ask.clone());
        let id = self.number(|r| &mut r.parse);
        self.send(id, &Command::Parse { ask });
    }

    /// Asks a given question.
    pub(crate) fn submit_text(&self, ask: &str) {
        self.ask.set(ask.to_owned());
        self.submit();
    }

    /// Checks the question as it was read.
    pub(crate) fn verify_ask(&self, accept_unresolved: bool) {
        if let Some(reading) = self.reading.get_untracked() {
            self.verify(Some(reading.ask.clone()), None, accept_unresolved);
        }
    }

    /// Checks the form.
    pub(crate) fn verify_form(&self) {
        if let Some(request) = self.request.get_untracked() {
            self.verify(None, Some(request), true);
        }
    }

    fn verify(&self, ask: Option<String>, request: Option<Request>, accept_unresolved: bool) {
        self.looked.set(None);
        self.outcome.set(None);
        self.ask_notice.set(None);
        self.asking.set(Asking::Verifying(None));
        let id = self.number(|r| &mut r.verify);
        let patient = self.patient.get_untracked();
        self.send(id, &Command::Verify { patient, ask, request, accept_unresolved });
    }

    /// Changes the request of the form; `draw` when its fields change.
    pub(crate) fn edit(&self, draw: bool, change: impl FnOnce(&mut Request)) {
        self.request.update(|request| {
            if let Some(request) = request {
                change(request);
            }
        });
        self.edited.set(true);
        if draw {
            self.drawn.update(|n| *n += 1);
        }
    }

    /// Opens the source behind a citation.
    pub(crate) fn look(&self, looked: Looked) {
        let active = document().active_element();
        // Inside a shadow root the document's active element is the host.
        let inner = active.map(|mut element| {
            while let Some(deeper) = element.shadow_root().and_then(|root| root.active_element()) {
                element = deeper;
            }
            element
        });
        self.opener.set_value(inner.and_then(|e| e.dyn_into().ok()));
        let id = self.number(|r| &mut r.source);
        let command = Command::Source { citation: looked.citation.clone() };
        self.looked.set(Some(looked));
        self.send(id, &command);
    }

    /// Keeps what opened the source in view.
    pub(crate) fn show_opener(&self) {
        if let Some(Some(opener)) = self.opener.try_get_value() {
            let options = ScrollIntoViewOptions::new();
            options.set_block(ScrollLogicalPosition::Nearest);
            opener.scroll_into_view_with_scroll_into_view_options(&options);
        }
    }

    /// Closes the source and gives the focus back.
    pub(crate) fn look_away(&self) {
        if self.looked.get_untracked().is_none() {
            return;
        }
        self.looked.set(None);
        if let Some(opener) = self.opener.get_value() {
            let _ = opener.focus();
        }
    }

    /// Saves the bundle of an answer.
    pub(crate) fn export(&self, digest: &str) {
        let id = self.number(|r| &mut r.bundle);
        self.send(id, &Command::Bundle { digest: digest.to_owned() });
    }

    /// Takes a message of the core.
    pub(crate) fn receive(&self, message: FromCore) {
        // A message may come after the page was taken out of the document.
        if self.generation.try_get_value().is_none() {
            return;
        }
        match message {
            FromCore::Restarted(reason) => {
                self.wipe();
                self.opening.set(Opening::Empty);
                self.notice.set(Some(Notice::Restarted(reason)));
                self.say(messages::RESTARTED_TITLE);
            }
            FromCore::Event(id, event) => self.take(id, *event),
        }
    }

    fn take(&self, id: u32, event: Event) {
        let is = |slot: fn(&Requests) -> Option<u32>| self.requests.with_value(|r| slot(r) == Some(id));
        if is(|r| r.load) {
            self.take_load(event);
        } else if is(|r| r.parse) {
            self.take_parse(event);
        } else if is(|r| r.verify) {
            self.take_verify(event);
        } else if is(|r| r.timeline) {
            match event {
                Event::Timeline { rows, truncated } => {
                    self.timeline_cut.set(truncated);
                    self.timeline.set(Some(Arc::new(rows)));
                }
                Event::Progress { .. } => {}
                _ => self.timeline.set(Some(Arc::default())),
            }
        } else if is(|r| r.source) {
            let view = match event {
                Event::Source { view } => Ok(Arc::new(view)),
                Event::Failed { code, message } => Err((code, message)),
                Event::Progress { .. } => return,
                _ => Err((String::new(), String::new())),
            };
            self.looked.update(|looked| {
                if let Some(looked) = looked {
                    looked.view = Some(view);
                }
            });
        } else if is(|r| r.bundle) {
            match event {
                Event::Bundle { json } => save(&json),
                Event::Failed { code, message } => self.ask_notice.set(Some(Notice::Failed { code, message })),
                _ => {}
            }
        }
    }

    fn take_load(&self, event: Event) {
        match event {
            Event::Progress { progress } => self.opening.set(Opening::Loading(Some(progress))),
            Event::Loaded { summary } => {
                let summary = Arc::new(*summary);
                if summary.patients.is_empty() {
                    self.opening.set(Opening::Empty);
                    self.say(messages::NO_PATIENT);
                } else {
                    self.opening.set(Opening::Open);
                    self.say(messages::opened(summary.patients.len()));
                }
                let only = summary.patients.first().map(|p| p.id.clone());
                self.summary.set(Some(summary));
                if let Some(patient) = only {
                    self.choose_patient(patient);
                }
            }
            Event::Cancelled => {
                self.opening.set(Opening::Empty);
                self.notice.set(Some(Notice::Cancelled));
            }
            Event::Failed { code, message } => {
                self.opening.set(Opening::Empty);
                self.notice.set(Some(Notice::Failed { code, message }));
            }
            _ => {}
        }
    }

    fn take_parse(&self, event: Event) {
        match event {
            Event::Parsed { parsed, statements, not_executable } => {
                let reading = Reading { ask: self.asked.get_value(), parsed, statements, not_executable };
                let runs = reading.parsed.query.is_some() && !reading.blocked() && reading.not_executable.is_empty();
                if reading.blocked() {
                    self.say(messages::BLOCKED_TITLE);
                } else if reading.parsed.query.is_none() {
                    self.say(messages::REFUSED_TITLE);
                } else if !runs {
                    self.say(messages::NOT_EXECUTABLE_TITLE);
                }
                self.show_reading(reading);
                if runs {
                    self.verify_ask(false);
                } else {
                    self.asking.set(Asking::Idle);
                }
            }
            other => self.stopped(other),
        }
    }

    fn show_reading(&self, reading: Reading) {
        self.request.set(reading.parsed.query.clone());
        self.edited.set(false);
        self.reading.set(Some(Arc::new(reading)));
        self.drawn.update(|n| *n += 1);
    }

    fn take_verify(&self, event: Event) {
        match event {
            Event::Progress { progress } => self.asking.set(Asking::Verifying(Some(progress))),
            Event::Verified { verified } => {
                self.asking.set(Asking::Idle);
                self.settle(*verified);
            }
            other => self.stopped(other),
        }
    }

    fn settle(&self, verified: Verified) {
        let ask = self.asked.get_value();
        let unread = |parsed| Reading { ask, parsed, statements: Vec::new(), not_executable: Vec::new() };
        match verified {
            Verified::Answered { answers, unresolved } => {
                self.say(spoken(&answers));
                self.outcome.set(Some(Arc::new((answers, unresolved))));
            }
            Verified::Blocked { parsed } => {
                self.say(messages::BLOCKED_TITLE);
                self.show_reading(unread(parsed));
            }
            Verified::Refused { parsed } => {
                self.say(messages::REFUSED_TITLE);
                self.show_reading(unread(parsed));
            }
            Verified::NotExecutable { faults, request } => {
                self.say(messages::NOT_EXECUTABLE_TITLE);
                let parsed = Parsed {
                    query: Some(request),
                    unresolved: Vec::new(),
                    assumptions: Vec::new(),
                    refusal: None,
                    parser: String::new(),
                };
                self.show_reading(Reading { not_executable: faults, ..unread(parsed) });
            }
        }
    }

    /// Starts a question by form: two events and their order.
    pub(crate) fn build(&self) {
        self.clear_question();
        let slot = |id: &str| {
            let mut slot = Slot { id: id.into(), ..Slot::default() };
            slot.concept.any_of.push(Default::default());
            slot
        };
        self.request.set(Some(Request {
            version: SCHEMA_VERSION,
            queries: vec![Query {
                want: Default::default(),
                slots: vec![slot("e0"), slot("e1")],
                relations: vec![Relation {
                    kind: RelationKind::After,
                    subject: "e0".into(),
                    object: Some("e1".into()),
                    window: None,
                }],
                scope: Scope { level: ScopeLevel::Encounter, reference: None, assumed: true },
                quantifier: Default::default(),
            }],
            join: Default::default(),
        }));
        self.edited.set(true);
        self.drawn.update(|n| *n += 1);
    }

    fn stopped(&self, event: Event) {
        let notice = match event {
            Event::Cancelled => Notice::Cancelled,
            Event::Failed { code, message } => Notice::Failed { code, message },
            _ => return,
        };
        self.asking.set(Asking::Idle);
        self.ask_notice.set(Some(notice));
    }
}

fn spoken(answers: &[Answer]) -> String {
    let mut out = String::new();
    for answer in answers {
        out.push_str(messages::verdict(answer.verdict));
        out.push_str(": ");
        out.push_str(&answer.statement);
        out.push_str(". ");
    }
    out
}

/// Share of the work that is done, over both stages of its kind, from 0 to 100.
pub(crate) fn share(progress: Option<Progress>) -> u32 {
    let Some(progress) = progress else { return 0 };
    let within = match progress.total {
        0 => 0,
        total => (progress.done.min(total).saturating_mul(100) / total) as u32,
    };
    match progress.stage {
        Stage::Read => within * 7 / 10,
        Stage::Index => 70 + within * 3 / 10,
        Stage::Search => within * 8 / 10,
        Stage::Assess => 80 + within * 2 / 10,
    }
}

/// Hands a bundle to the browser's downloads.
fn save(json: &str) {
    let parts = Array::of1(&json.into());
    let options = BlobPropertyBag::new();
    options.set_type("application/json");
    let Ok(blob) = Blob::new_with_str_sequence_and_options(&parts, &options) else { return };
    let Ok(url) = Url::create_object_url_with_blob(&blob) else { return };
    if let Some(link) = document().create_element("a").ok().and_then(|a| a.dyn_into::<HtmlAnchorElement>().ok()) {
        link.set_href(&url);
        link.set_download(messages::BUNDLE_NAME);
        link.click();
    }
    // The click has taken the address by the time a timer fires.
    set_timeout(move || drop(Url::revoke_object_url(&url)), std::time::Duration::from_secs(10));
}
