//! The context store `C_p`: sentences of notes and rows, searchable by words.

use std::collections::BTreeMap;
use std::sync::Arc;

use chartproof_record::{CodePointIndex, Concept, NoteIx, OccurrenceIx, Record, Standing};
use chartproof_terms::normalise;
use rustc_hash::FxHashMap;

use crate::lexical::Bm25;

/// How clinical text is read: the seam behind which the reader of sentences can be replaced.
pub trait TextReader {
    /// Sentences as `(start, end, section)` in code points of the text.
    fn sentences(&self, text: &str) -> Vec<(usize, usize, Option<String>)>;
    /// Mentions of phrases as `(start, end, phrase)` in code points of the text.
    fn mentions(&self, text: &str, phrases: &[&str]) -> Vec<(usize, usize, usize)>;
}

/// A sentence of a note.
#[derive(Clone, Debug)]
pub struct Sentence {
    /// Its note.
    pub note: NoteIx,
    /// First code point in the note.
    pub start: usize,
    /// Code point after the last.
    pub end: usize,
    /// The heading it stands under.
    pub section: Option<String>,
}

/// A document of the lexical index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Context {
    /// A sentence, by index.
    Sentence(u32),
    /// The rows of one concept, by index.
    Rows(u32),
}

/// The context store of a record.
#[derive(Debug, Default)]
pub struct ContextStore {
    /// Sentences by note, then place.
    pub sentences: Vec<Sentence>,
    /// First sentence of each note, and the end.
    by_note: Vec<(usize, usize)>,
    /// Places of the code points of each note.
    offsets: Vec<CodePointIndex>,
    /// Distinct concepts, each with its occurrences in record order.
    pub concepts: Vec<(Arc<Concept>, Vec<OccurrenceIx>)>,
    documents: Vec<Context>,
    lexical: Bm25,
}

/// Builds the store note by note, so that a long record can be indexed in slices.
#[derive(Debug, Default)]
pub struct Builder {
    store: ContextStore,
    next_note: usize,
    rows_done: bool,
}

impl Builder {
    /// Indexes up to `notes` more notes; `true` when all is done.
    pub fn step(&mut self, record: &Record, reader: &dyn TextReader, notes: usize) -> bool {
        if !self.rows_done {
            self.rows(record);
            self.rows_done = true;
        }
        let end = (self.next_note + notes).min(record.notes.len());
        for ix in self.next_note..end {
            self.note(record, NoteIx(ix as u32), reader);
        }
        self.next_note = end;
        end == record.notes.len()
    }

    /// How many notes are done.
    pub fn done(&self) -> usize {
        self.next_note
    }

    /// The finished store.
    pub fn finish(mut self) -> ContextStore {
        self.store.lexical.finish();
        self.store
    }

    fn rows(&mut self, record: &Record) {
        // Readers share one `Arc` per concept; equal concepts behind different ones are joined by content.
        let mut by_pointer: FxHashMap<*const Concept, u32> = FxHashMap::default();
        let mut by_content: BTreeMap<(Arc<str>, Vec<Arc<str>>), u32> = BTreeMap::new();
        for (ix, occurrence) in record.occurrences.iter().enumerate() {
            let concept = &occurrence.concept;
            let at = *by_pointer.entry(Arc::as_ptr(concept)).or_insert_with(|| {
                let codes = concept.codings.iter().map(|c| Arc::clone(&c.code)).collect();
                let key = (Arc::clone(&concept.label), codes);
                let next = self.store.concepts.len() as u32;
                let at = *by_content.entry(key).or_insert(next);
                if at == next {
                    self.store.concepts.push((Arc::clone(concept), Vec::new()));
                }
                at
            });
            self.store.concepts[at as usize].1.push(OccurrenceIx(ix as u32));
        }
        for (at, (concept, _)) in self.store.concepts.iter().enumerate() {
            let displays = concept.codings.iter().filter_map(|c| c.display.as_deref());
            let text = concept.text.as_deref().into_iter().chain(displays).collect::<Vec<_>>().join(" ");
            self.store.documents.push(Context::Rows(at as u32));
            self.store.lexical.add(&normalise(&text));
        }
    }

    fn note(&mut self, record: &Record, ix: NoteIx, reader: &dyn TextReader) {
        let note = &record.notes[ix.0 as usize];
        let first = self.store.sentences.len();
        let offsets = CodePointIndex::of(&note.text);
        for (start, end, section) in reader.sentences(&note.text) {
            // A void note is not searched; its statements are still listed among what was excluded.
            if note.standing != Standing::Void {
                self.store.documents.push(Context::Sentence(self.store.sentences.len() as u32));
                self.store.lexical.add(&normalise(offsets.slice(&note.text, start, end).unwrap_or("")));
            }
            let section = section.or_else(|| note.section.as_deref().map(str::to_owned));
            self.store.sentences.push(Sentence { note: ix, start, end, section });
        }
        self.store.by_note.push((first, self.store.sentences.len()));
        self.store.offsets.push(offsets);
    }
}

impl ContextStore {
    /// A slice of a note, in code points.
    pub(crate) fn slice<'r>(&self, record: &'r Record, note: NoteIx, start: usize, end: usize) -> &'r str {
        let text = &record.notes[note.0 as usize].text;
        self.offsets.get(note.0 as usize).and_then(|o| o.slice(text, start, end)).unwrap_or("")
    }

    /// The text of a sentence.
    pub(crate) fn text<'r>(&self, record: &'r Record, sentence: usize) -> &'r str {
        let s = &self.sentences[sentence];
        self.slice(record, s.note, s.start, s.end)
    }

    /// Sentences of a note, as indices.
    pub fn of_note(&self, note: NoteIx) -> std::ops::Range<usize> {
        self.by_note.get(note.0 as usize).map_or(0..0, |(start, end)| *start..*end)
    }

    /// The sentence that holds a place of a note.
    pub fn sentence_at(&self, note: NoteIx, code_point: usize) -> Option<usize> {
        let range = self.of_note(note);
        let within = &self.sentences[range.clone()];
        let at = within.partition_point(|s| s.end <= code_point);
        within.get(at).filter(|s| s.start <= code_point).map(|_| range.start + at)
    }

    /// How many contexts are indexed.
    pub fn len(&self) -> usize {
        self.documents.len()
    }

    /// Whether nothing is indexed.
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// The best contexts for some words, best first; ties by document order.
    pub fn search(&self, words: &str, limit: usize) -> Vec<(Context, f64)> {
        let hits = self.lexical.search(&normalise(words), limit);
        hits.into_iter().filter_map(|(doc, score)| Some((*self.documents.get(doc as usize)?, score))).collect()
    }
}
