//! What has been read so far, before references are resolved: drafts of sources, rows, notes and encounters.
//!
//! Everything of a file can be taken back ([`Load::rewind`]) when the file turns out not to read.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use chartproof_record::json::{Kind, Node, Tape};
use chartproof_record::{ClinicalTime, Code, Concept, Encounter, Note, Occurrence, Place, Severity, SourceFile};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::fhir;

/// Index of a source in reading order; final indices are given at the end.
pub(crate) type DraftIx = u32;

/// Index of a reference as recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct RefIx(pub(crate) u32);

/// What a reference leads to, as far as its text says.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    /// A source of the same resource (contained), or the resource itself.
    Direct(DraftIx),
    /// `Type/id`, also with `#contained`.
    Key,
    /// `urn:…` or another full URL, looked up in its own Bundle first.
    Full { scope: u32 },
    /// By identifier.
    Query { system: Arc<str>, value: Arc<str> },
    /// Nothing that could be looked up.
    Text,
}

/// A reference as recorded.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    pub(crate) target: Target,
    /// Normalised: `Type/id`, the URN, `Type?identifier=system|value`.
    pub(crate) text: Arc<str>,
    /// Type of the target, empty when the text does not say.
    pub(crate) target_type: Arc<str>,
    /// The server that an absolute `Type/id` names, without its scheme.
    pub(crate) base: Option<Arc<str>>,
}

/// How far a source is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// Its content is in the record.
    Read,
    /// A patient.
    Patient,
    /// Kept, not read.
    Opaque,
}

/// A source before its final key is known.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    /// Key; for a contained resource the id inside its parent.
    pub(crate) key: Arc<str>,
    pub(crate) resource_type: Arc<str>,
    pub(crate) file: u32,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) place: Place,
    pub(crate) parent: Option<DraftIx>,
    /// The server that the entry's full URL names, without its scheme.
    pub(crate) base: Option<Arc<str>>,
    pub(crate) last_updated: Option<Box<ClinicalTime>>,
    pub(crate) version: Option<u64>,
    pub(crate) reading: Reading,
    /// How rows that name it show it (medications, locations, practitioners).
    pub(crate) naming: Option<Arc<Concept>>,
}

/// An occurrence whose references are not resolved. `occurrence.source` is a [`DraftIx`], its id is empty.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) occurrence: Occurrence,
    pub(crate) patient: Option<RefIx>,
    pub(crate) encounter: Option<RefIx>,
    /// Where the concept is when the row itself names none.
    pub(crate) concept_ref: Option<RefIx>,
    pub(crate) specimen: Option<RefIx>,
    pub(crate) author: Option<RefIx>,
    pub(crate) link_refs: Vec<(u32, RefIx)>,
}

/// A note whose references are not resolved.
#[derive(Clone, Debug)]
pub(crate) struct NoteRow {
    pub(crate) note: Note,
    pub(crate) patient: Option<RefIx>,
    pub(crate) encounter: Option<RefIx>,
    pub(crate) author: Option<RefIx>,
    /// The attachment lies in a `Binary` resource; `note.text` is empty until it is found.
    pub(crate) binary: Option<(RefIx, Arc<str>)>,
}

/// An encounter whose references are not resolved.
#[derive(Clone, Debug)]
pub(crate) struct EncounterRow {
    pub(crate) encounter: Encounter,
    pub(crate) patient: Option<RefIx>,
    pub(crate) part_of: Option<RefIx>,
    pub(crate) episodes: Vec<RefIx>,
    pub(crate) diagnoses: Vec<RefIx>,
    /// Planned, cancelled or entered in error: a row, but no part of a stay.
    pub(crate) void: bool,
}

/// A document that replaces another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Replaces {
    pub(crate) successor: DraftIx,
    pub(crate) replaced: RefIx,
    pub(crate) void: bool,
}

/// A Bundle's own statements about completeness.
#[derive(Clone, Debug, Default)]
pub(crate) struct BundleInfo {
    pub(crate) file: u32,
    pub(crate) scope: u32,
    pub(crate) kind: Option<Arc<str>>,
    pub(crate) total: Option<u64>,
    pub(crate) own_url: Option<Arc<str>>,
    pub(crate) next_url: Option<Arc<str>>,
    pub(crate) entries: u32,
    pub(crate) matches: u64,
}

impl BundleInfo {
    pub(crate) fn new(file: u32, scope: u32) -> Self {
        Self { file, scope, ..Self::default() }
    }

    /// Takes a member of the Bundle other than `entry`.
    pub(crate) fn member(&mut self, key: &str, value: Node<'_>) {
        match key {
            "type" => self.kind = value.as_str().map(|t| t.as_ref().into()),
            "total" => self.total = value.raw().parse().ok(),
            "link" => {
                for link in value.items() {
                    let url: Option<Arc<str>> = link.get("url").and_then(Node::as_str).map(|u| u.as_ref().into());
                    match link.get("relation").and_then(Node::as_str).as_deref() {
                        Some("next") => self.next_url = url.or_else(|| Some("".into())),
                        Some("self") => self.own_url = url,
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
}

/// A remark before keys are final.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) severity: Severity,
    pub(crate) code: Code,
    /// The draft it is about, or the file's name.
    pub(crate) about: Result<DraftIx, Arc<str>>,
    pub(crate) location: String,
    pub(crate) message: Cow<'static, str>,
    /// Counted by resource type instead of listed.
    pub(crate) counted: bool,
}

/// A concept as read at a pointer.
type Placed = (Arc<str>, Arc<Concept>);

/// One copy of every repeated text and concept.
#[derive(Debug, Default)]
pub(crate) struct Interner {
    texts: FxHashSet<Arc<str>>,
    concepts: FxHashMap<Box<str>, Vec<Placed>>,
}

impl Interner {
    pub(crate) fn text(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.texts.get(text) {
            return Arc::clone(known);
        }
        let new: Arc<str> = text.into();
        self.texts.insert(Arc::clone(&new));
        new
    }

    pub(crate) fn known_concept(&self, raw: &str, pointer: &str) -> Option<Arc<Concept>> {
        let found = self.concepts.get(raw)?.iter().find(|(p, _)| &**p == pointer)?;
        Some(Arc::clone(&found.1))
    }

    pub(crate) fn keep_concept(&mut self, raw: &str, pointer: Arc<str>, concept: &Arc<Concept>) {
        self.concepts.entry(raw.into()).or_default().push((pointer, Arc::clone(concept)));
    }
}

/// Everything read so far.
#[derive(Debug, Default)]
pub(crate) struct Load {
    pub(crate) files: Vec<SourceFile>,
    pub(crate) interner: Interner,
    pub(crate) drafts: Vec<Draft>,
    /// First draft of every key (not of contained resources).
    pub(crate) by_key: FxHashMap<Arc<str>, DraftIx>,
    pub(crate) rows: Vec<Row>,
    pub(crate) notes: Vec<NoteRow>,
    pub(crate) encounters: Vec<EncounterRow>,
    pub(crate) replaces: Vec<Replaces>,
    pub(crate) bundles: Vec<BundleInfo>,
    pub(crate) events: Vec<Event>,
    /// Drafts met again with the very same bytes.
    pub(crate) repeats: Vec<DraftIx>,
    pub(crate) references: Vec<Reference>,
    reference_index: FxHashMap<Arc<str>, RefIx>,
    scoped_index: FxHashMap<Arc<str>, RefIx>,
    /// The Bundle whose references `scoped_index` holds.
    indexed_scope: u32,
    /// Full URLs of entries: URL, Bundle, draft.
    pub(crate) full_urls: Vec<(Arc<str>, u32, DraftIx)>,
    scopes: u32,
    /// Remarks by file and kind, listed or not.
    pub(crate) file_counts: BTreeMap<(Arc<str>, Severity, Code), usize>,
}

/// How long everything was before a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Checkpoint {
    drafts: usize,
    rows: usize,
    notes: usize,
    encounters: usize,
    replaces: usize,
    bundles: usize,
    events: usize,
    repeats: usize,
    full_urls: usize,
}

/// Most remarks of one kind that are listed for one file.
const LISTED_PER_FILE: usize = 50;

impl Load {
    pub(crate) fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            drafts: self.drafts.len(),
            rows: self.rows.len(),
            notes: self.notes.len(),
            encounters: self.encounters.len(),
            replaces: self.replaces.len(),
            bundles: self.bundles.len(),
            events: self.events.len(),
            repeats: self.repeats.len(),
            full_urls: self.full_urls.len(),
        }
    }

    /// Forgets what was read since `to`, keeping the first `files` files.
    pub(crate) fn rewind(&mut self, to: &Checkpoint, files: usize) {
        for (ix, draft) in self.drafts.iter().enumerate().skip(to.drafts) {
            if draft.parent.is_none() && self.by_key.get(&draft.key) == Some(&(ix as u32)) {
                self.by_key.remove(&draft.key);
            }
        }
        if let Some(file) = self.files.last() {
            let name = Arc::clone(&file.name);
            self.file_counts.retain(|(of, _, _), _| *of != name);
        }
        self.files.truncate(files);
        self.drafts.truncate(to.drafts);
        self.rows.truncate(to.rows);
        self.notes.truncate(to.notes);
        self.encounters.truncate(to.encounters);
        self.replaces.truncate(to.replaces);
        self.bundles.truncate(to.bundles);
        self.events.truncate(to.events);
        self.repeats.truncate(to.repeats);
        self.full_urls.truncate(to.full_urls);
    }

    /// A new Bundle: `urn:` references of two Bundles do not mix.
    pub(crate) fn next_scope(&mut self) -> u32 {
        self.scopes += 1;
        self.scopes
    }

    /// A remark about a place in a file; of many alike the first are listed.
    pub(crate) fn file_event(
        &mut self,
        severity: Severity,
        code: Code,
        file: &Arc<str>,
        location: String,
        message: &str,
    ) {
        let count = self.file_counts.entry((Arc::clone(file), severity, code)).or_default();
        *count += 1;
        if *count > LISTED_PER_FILE {
            return;
        }
        self.events.push(Event {
            severity,
            code,
            about: Err(Arc::clone(file)),
            location,
            message: Cow::Owned(message.to_owned()),
            counted: false,
        });
    }

    /// Says which keys the value on the tape names twice.
    pub(crate) fn duplicates(&mut self, tape: &Tape, text: &str, file: u32) {
        if tape.duplicate_keys().is_empty() {
            return;
        }
        let name = Arc::clone(&self.files[file as usize].name);
        for offset in tape.duplicate_keys() {
            let known = self.file_counts.get(&(Arc::clone(&name), Severity::Warning, Code::DuplicateKey));
            let listed = known.is_none_or(|count| *count < LISTED_PER_FILE);
            let location = if listed { crate::open::place(text.as_bytes(), *offset as usize) } else { String::new() };
            let message = "an object names one key twice; the first was used";
            self.file_event(Severity::Warning, Code::DuplicateKey, &name, location, message);
        }
    }

    /// Interns a reference that is looked up by `Type/id`.
    pub(crate) fn reference(&mut self, make: Reference) -> RefIx {
        let next = RefIx(self.references.len() as u32);
        let index = match make.target {
            Target::Direct(_) => None,
            Target::Full { scope } => {
                if scope != self.indexed_scope {
                    self.scoped_index.clear();
                    self.indexed_scope = scope;
                }
                Some(&mut self.scoped_index)
            }
            _ => Some(&mut self.reference_index),
        };
        if let Some(index) = index {
            let name = match &make.base {
                None => Arc::clone(&make.text),
                Some(base) => format!("//{base}/{}", make.text).into(),
            };
            if let Some(known) = index.get(&name) {
                return *known;
            }
            index.insert(name, next);
        }
        self.references.push(make);
        next
    }

    /// One entry of a Bundle.
    pub(crate) fn entry(&mut self, entry: Node<'_>, text: &str, file: u32, info: &mut BundleInfo, place: Place) {
        fhir::entry(self, entry, text, file, info, place);
    }

    /// One resource, with all it holds.
    pub(crate) fn resource(
        &mut self,
        node: Node<'_>,
        text: &str,
        file: u32,
        place: Place,
        scope: u32,
        full_url: Option<&str>,
    ) {
        fhir::resource(self, node, text, file, place, scope, full_url);
    }
}

/// The decoded text of a non-empty string member.
pub(crate) fn string<'a>(node: Node<'a>, key: &str) -> Option<Cow<'a, str>> {
    node.get(key).and_then(Node::as_str).filter(|s| !s.is_empty())
}

/// The first item of a list, or the value itself.
pub(crate) fn first(node: Node<'_>) -> Option<Node<'_>> {
    if node.kind() == Kind::Array { node.items().next() } else { Some(node) }
}
