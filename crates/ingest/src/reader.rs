//! The resumable reader: which file, how far.

use chartproof_record::InOrder as _;
use std::collections::VecDeque;
use std::sync::Arc;

use chartproof_record::json::{JsonError, Kind, Node, Scanner, Tape};
use chartproof_record::{Code, Place, Record, Severity};

use crate::input::{Input, Limits, Refusal, RefusalCode};
use crate::load::{BundleInfo, Checkpoint, Load};
use crate::open::{self, place};

/// What one slice of work came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// There is more to do.
    Working {
        /// Bytes worked through, as given.
        done_bytes: usize,
        /// Bytes pushed, as given.
        total_bytes: usize,
    },
    /// All pushed files are worked through: call [`Reader::finish`].
    Ready,
}

/// Reads files into a record, a slice at a time.
#[derive(Debug)]
pub struct Reader {
    limits: Limits,
    queue: VecDeque<Input>,
    current: Option<Current>,
    load: Load,
    tape: Tape,
    refusals: Vec<Refusal>,
    total_bytes: usize,
    done_bytes: usize,
    unpacked: usize,
}

#[derive(Debug)]
struct Current {
    file: u32,
    scope: u32,
    had_bom: bool,
    given_bytes: usize,
    before: Checkpoint,
    at: usize,
    mode: Mode,
    /// Whether lines were tried already (or cannot be).
    lines_tried: bool,
    /// The fault of the file as one JSON value, to be reported when its lines do not read either.
    json_fault: Option<Refusal>,
}

#[derive(Debug)]
enum Mode {
    /// At the start of a JSON value.
    Start,
    /// Inside the `entry` list of a Bundle.
    Entries { info: Box<BundleInfo>, keys: Vec<String> },
    /// Inside a Bundle's object, outside `entry`.
    Bundle { info: Box<BundleInfo>, keys: Vec<String>, first: bool },
    /// At the start of a line.
    Lines { line: u32, good: u32, first_fault: Option<(usize, RefusalCode, String)> },
}

type Fault = (usize, RefusalCode, String);

fn json_fault(error: JsonError) -> Fault {
    let deep = error.message.starts_with("nested deeper");
    let code = if deep { RefusalCode::TooDeep } else { RefusalCode::BrokenJson };
    (error.offset, code, format!("the JSON does not parse: {}", error.message))
}

const NO_TYPE: &str = "the JSON has no resourceType, so it is not a FHIR resource";

impl Reader {
    /// A reader without files.
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            queue: VecDeque::new(),
            current: None,
            load: Load::default(),
            tape: Tape::default(),
            refusals: Vec::new(),
            total_bytes: 0,
            done_bytes: 0,
            unpacked: 0,
        }
    }

    /// Adds a file.
    pub fn push(&mut self, input: Input) {
        self.total_bytes += input.bytes.len();
        self.queue.push_back(input);
    }

    /// Works on for about `budget` resources.
    pub fn step(&mut self, budget: usize) -> Step {
        let mut left = budget.max(1);
        while left > 0 {
            let Some(mut current) = self.current.take() else {
                let Some(input) = self.queue.pop_front() else { return Step::Ready };
                self.open(input);
                left -= 1;
                continue;
            };
            let text = Arc::clone(&self.load.files[current.file as usize].text);
            match self.advance(&mut current, &text, &mut left) {
                Ok(false) => self.current = Some(current),
                Ok(true) => self.done_bytes += current.given_bytes,
                Err(fault) => self.recover(current, &text, fault),
            }
        }
        if self.current.is_none() && self.queue.is_empty() {
            return Step::Ready;
        }
        let part = self.current.as_ref().map_or(0, |c| {
            let length = self.load.files[c.file as usize].text.len().max(1);
            (c.given_bytes as u64 * c.at as u64 / length as u64) as usize
        });
        Step::Working { done_bytes: self.done_bytes + part, total_bytes: self.total_bytes }
    }

    /// The record of the files that read, and the files that were refused. `None` when no file read. Works through
    /// what is left first.
    pub fn finish(mut self) -> (Option<Record>, Vec<Refusal>) {
        while self.step(usize::MAX) != Step::Ready {}
        self.refusals.order();
        if self.load.files.is_empty() {
            return (None, self.refusals);
        }
        (Some(crate::finish::finish(self.load)), self.refusals)
    }

    fn open(&mut self, input: Input) {
        let given_bytes = input.bytes.len();
        let room = self.limits.max_total_bytes.saturating_sub(self.unpacked);
        match open::open(input, &self.limits, room) {
            Err(refusal) => {
                self.done_bytes += given_bytes;
                self.refusals.push(refusal);
            }
            Ok(opened) => {
                self.unpacked += opened.file.text.len();
                let before = self.load.checkpoint();
                let file = self.load.files.len() as u32;
                let lines = starts_as_lines(&opened.file.text, &mut self.tape);
                let name = Arc::clone(&opened.file.name);
                self.load.files.push(opened.file);
                let had_bom = opened.had_bom;
                self.say_bom(had_bom, &name);
                let mode = if lines { Mode::Lines { line: 1, good: 0, first_fault: None } } else { Mode::Start };
                let scope = self.load.next_scope();
                self.current = Some(Current {
                    file,
                    scope,
                    had_bom,
                    given_bytes,
                    before,
                    at: 0,
                    mode,
                    lines_tried: lines,
                    json_fault: None,
                });
            }
        }
    }

    fn say_bom(&mut self, had_bom: bool, name: &Arc<str>) {
        if had_bom {
            let message = "a byte-order mark at the start of the file was skipped";
            self.load.file_event(Severity::Info, Code::Encoding, name, "line 1 column 1".to_owned(), message);
        }
    }

    /// A file that does not read as one JSON value may be lines of which the first is broken.
    fn recover(&mut self, mut current: Current, text: &str, fault: Fault) {
        let (offset, code, message) = fault;
        let file = Arc::clone(&self.load.files[current.file as usize].name);
        let refusal = Refusal { file, location: place(text.as_bytes(), offset), code, message };
        let keep_file = self.load.files.len();
        if !current.lines_tried && has_good_line(text, &mut self.tape) {
            self.load.rewind(&current.before, keep_file);
            self.say_bom(current.had_bom, &refusal.file);
            current.mode = Mode::Lines { line: 1, good: 0, first_fault: None };
            current.at = 0;
            current.lines_tried = true;
            current.json_fault = Some(refusal);
            self.current = Some(current);
            return;
        }
        self.load.rewind(&current.before, current.file as usize);
        self.done_bytes += current.given_bytes;
        self.unpacked = self.unpacked.saturating_sub(text.len());
        self.refusals.push(current.json_fault.unwrap_or(refusal));
    }

    /// Works on in one file; `true` when it is done.
    fn advance(&mut self, current: &mut Current, text: &str, left: &mut usize) -> Result<bool, Fault> {
        while *left > 0 {
            match &mut current.mode {
                Mode::Start => {
                    *left -= 1;
                    if self.start(current, text)? {
                        return Ok(true);
                    }
                }
                Mode::Entries { info, keys } => {
                    let mut scanner = Scanner::new(text, current.at);
                    scanner.value(&mut self.tape).map_err(json_fault)?;
                    let entry = self.tape.root(text);
                    let at_entry = info.entries;
                    info.entries += 1;
                    self.load.duplicates(&self.tape, text, current.file);
                    self.load.entry(entry, text, current.file, info, Place::Entry(at_entry));
                    *left -= 1;
                    let more = scanner.more(b']').map_err(json_fault)?;
                    current.at = scanner.offset();
                    if !more {
                        let info = std::mem::take(info);
                        let keys = std::mem::take(keys);
                        current.mode = Mode::Bundle { info, keys, first: false };
                    }
                }
                Mode::Bundle { .. } => {
                    if self.bundle_member(current, text)? {
                        return Ok(true);
                    }
                }
                Mode::Lines { .. } => {
                    *left -= 1;
                    if self.line(current, text)? {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// Decides whether the value at the start is a Bundle; anything else is read at once.
    fn start(&mut self, current: &mut Current, text: &str) -> Result<bool, Fault> {
        let mut scanner = Scanner::new(text, current.at);
        if scanner.peek() == Some(b'{') && root_is_bundle(text, scanner.offset(), &mut self.tape).map_err(json_fault)? {
            let _ = scanner.expect(b'{', "expected an object");
            current.at = scanner.offset();
            let info = Box::new(BundleInfo::new(current.file, current.scope));
            current.mode = Mode::Bundle { info, keys: Vec::new(), first: true };
            return Ok(false);
        }
        scanner.value(&mut self.tape).map_err(json_fault)?;
        if scanner.peek().is_some() {
            return Err((
                scanner.offset(),
                RefusalCode::BrokenJson,
                "the JSON does not parse: more text after the end of the value".to_owned(),
            ));
        }
        let node = self.tape.root(text);
        if let Some(message) = not_a_resource(node) {
            return Err((node.range().0, RefusalCode::NotFhir, message.to_owned()));
        }
        self.load.duplicates(&self.tape, text, current.file);
        self.load.resource(node, text, current.file, Place::Whole, current.scope, None);
        current.at = text.len();
        Ok(true)
    }

    /// Takes one member of a Bundle's object; `true` at its end.
    fn bundle_member(&mut self, current: &mut Current, text: &str) -> Result<bool, Fault> {
        let Mode::Bundle { info, keys, first } = &mut current.mode else { return Ok(false) };
        let mut scanner = Scanner::new(text, current.at);
        let empty = *first && scanner.peek() == Some(b'}');
        let more = if empty {
            scanner.expect(b'}', "").map_err(json_fault)?;
            false
        } else if *first {
            true
        } else {
            scanner.more(b'}').map_err(json_fault)?
        };
        *first = false;
        if !more {
            if scanner.peek().is_some() {
                return Err((
                    scanner.offset(),
                    RefusalCode::BrokenJson,
                    "the JSON does not parse: more text after the end of the value".to_owned(),
                ));
            }
            current.at = scanner.offset();
            let info = std::mem::take(info);
            self.load.bundles.push(*info);
            return Ok(true);
        }
        scanner.peek();
        let key_at = scanner.offset();
        let key = scanner.key().map_err(json_fault)?;
        scanner.expect(b':', "expected a colon after the key").map_err(json_fault)?;
        let repeated = keys.iter().any(|k| *k == key);
        if repeated {
            let name = Arc::clone(&self.load.files[current.file as usize].name);
            let message = "the Bundle names one key twice; the first was used";
            let location = place(text.as_bytes(), key_at);
            self.load.file_event(Severity::Warning, Code::DuplicateKey, &name, location, message);
        } else {
            keys.push(key.clone().into_owned());
        }
        if key == "entry" && !repeated && scanner.peek() == Some(b'[') {
            scanner.expect(b'[', "").map_err(json_fault)?;
            if scanner.peek() == Some(b']') {
                scanner.expect(b']', "").map_err(json_fault)?;
            } else {
                let (info, keys) = (std::mem::take(info), std::mem::take(keys));
                current.mode = Mode::Entries { info, keys };
            }
            current.at = scanner.offset();
            return Ok(false);
        }
        scanner.value(&mut self.tape).map_err(json_fault)?;
        if !repeated {
            info.member(&key, self.tape.root(text));
        }
        current.at = scanner.offset();
        Ok(false)
    }

    fn line(&mut self, current: &mut Current, text: &str) -> Result<bool, Fault> {
        let Mode::Lines { line, good, first_fault } = &mut current.mode else { return Ok(false) };
        if current.at >= text.len() {
            return match first_fault.take() {
                Some(fault) if *good == 0 => Err(fault),
                _ if *good == 0 => Err((0, RefusalCode::Empty, "the file holds no line with a resource".to_owned())),
                _ => Ok(true),
            };
        }
        let start = current.at;
        let end = text.as_bytes()[start..].iter().position(|b| *b == b'\n').map_or(text.len(), |n| start + n);
        let this_line = *line;
        current.at = (end + 1).min(text.len().max(end));
        if end == text.len() {
            current.at = end;
        }
        *line += 1;
        let row = &text[..end];
        if row[start..].trim().is_empty() {
            return Ok(false);
        }
        let mut scanner = Scanner::new(row, start);
        let read = scanner.value(&mut self.tape).map_err(json_fault).and_then(|()| match scanner.peek() {
            None => Ok(()),
            Some(_) => Err((
                scanner.offset(),
                RefusalCode::BrokenJson,
                "the JSON does not parse: more text after the end of the value".to_owned(),
            )),
        });
        let read = read.and_then(|()| match not_a_resource(self.tape.root(row)) {
            None => Ok(()),
            Some(message) => Err((start, RefusalCode::NotFhir, message.to_owned())),
        });
        match read {
            Ok(()) => {
                *good += 1;
                self.load.duplicates(&self.tape, row, current.file);
                let scope = current.scope;
                self.load.resource(self.tape.root(row), row, current.file, Place::Line(this_line), scope, None);
            }
            Err((offset, code, message)) => {
                let name = Arc::clone(&self.load.files[current.file as usize].name);
                let column = row[start..offset.clamp(start, end)].chars().count() + 1;
                let location = format!("line {this_line} column {column}");
                self.load.file_event(Severity::Error, Code::Malformed, &name, location, &message);
                if first_fault.is_none() {
                    *first_fault = Some((offset, code, message));
                }
            }
        }
        Ok(false)
    }
}

/// Why a well-formed JSON value is not a resource.
fn not_a_resource(node: Node<'_>) -> Option<&'static str> {
    match node.kind() {
        Kind::Object => match node.get("resourceType").map(Node::kind) {
            Some(Kind::String) => None,
            Some(_) => Some("the resourceType is not a string, so this is not a FHIR resource"),
            None => Some(NO_TYPE),
        },
        Kind::Array => Some("the JSON is a list; a FHIR resource is an object with a resourceType"),
        _ => Some("the JSON is a single value; a FHIR resource is an object with a resourceType"),
    }
}

/// Whether the object at `at` says that it is a Bundle. Stops at `resourceType`, which is nearly always first.
fn root_is_bundle(text: &str, at: usize, tape: &mut Tape) -> Result<bool, JsonError> {
    let mut scanner = Scanner::new(text, at);
    scanner.expect(b'{', "expected an object")?;
    if scanner.peek() == Some(b'}') {
        return Ok(false);
    }
    loop {
        let key = scanner.key()?;
        scanner.expect(b':', "expected a colon after the key")?;
        scanner.value(tape)?;
        if key == "resourceType" {
            return Ok(tape.root(text).as_str().as_deref() == Some("Bundle"));
        }
        if !scanner.more(b'}')? {
            return Ok(false);
        }
    }
}

/// Whether the first line is a whole value and more text follows.
fn starts_as_lines(text: &str, tape: &mut Tape) -> bool {
    let start = text.len() - text.trim_start().len();
    let Some(length) = text.as_bytes()[start..].iter().position(|b| *b == b'\n') else { return false };
    let line = &text[..start + length];
    if line[start..].trim_end().ends_with('}') && !text[start + length..].trim_start().is_empty() {
        let mut scanner = Scanner::new(line, start);
        return scanner.value(tape).is_ok() && scanner.peek().is_none();
    }
    false
}

/// Whether one of the first lines is a resource by itself.
fn has_good_line(text: &str, tape: &mut Tape) -> bool {
    let mut lines = text.lines().filter(|l| l.starts_with('{')).take(50);
    if text.trim_start().lines().next().is_none_or(|first| first.trim() == "{") {
        return false;
    }
    lines.any(|line| {
        let mut scanner = Scanner::new(line, 0);
        scanner.value(tape).is_ok() && scanner.peek().is_none() && not_a_resource(tape.root(line)).is_none()
    })
}

/// Reads all files at once.
pub fn read_all(inputs: impl IntoIterator<Item = Input>, limits: Limits) -> (Option<Record>, Vec<Refusal>) {
    let mut reader = Reader::new(limits);
    for input in inputs {
        reader.push(input);
    }
    reader.finish()
}
