//! Concept entries, looked up by any of their words.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use crate::codes::{CodeSystem, ConceptCode};
use crate::matching::Phrase;
use crate::normalise::normalise;
use crate::table::TABLE;

/// What a concept is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TermKind {
    /// A diagnosis or problem.
    Condition,
    /// A symptom or sign.
    Finding,
    /// A drug.
    Drug,
    /// A class of drugs.
    DrugClass,
    /// A laboratory value.
    Lab,
    /// A vital sign.
    Vital,
    /// A culture.
    Culture,
    /// A procedure.
    Procedure,
    /// A device.
    Device,
}

/// A row of the table. Lists are kept as one text each, parted by `|` (words, members, `unless`) or spaces (codes).
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The preferred name.
    pub canonical: &'static str,
    /// What it is.
    pub kind: TermKind,
    pub(crate) words: &'static str,
    pub(crate) codes: &'static str,
    pub(crate) members: &'static str,
    pub(crate) unless: &'static str,
}

fn list(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.split('|').map(str::trim).filter(|w| !w.is_empty())
}

impl Entry {
    /// Synonyms, abbreviations, brands and lay words, without the preferred name.
    pub fn words(&self) -> impl Iterator<Item = &'static str> {
        list(self.words)
    }

    /// Codes.
    pub fn codes(&self) -> impl Iterator<Item = ConceptCode> + use<> {
        self.codes.split_whitespace().filter_map(|pair| {
            let (tag, code) = pair.split_once(':')?;
            Some(ConceptCode { system: CodeSystem::tag(tag)?, code })
        })
    }

    /// Preferred names of the members of a class.
    pub fn members(&self) -> impl Iterator<Item = &'static str> {
        list(self.members)
    }

    /// Words that make a label another concept.
    pub fn unless(&self) -> impl Iterator<Item = &'static str> {
        list(self.unless)
    }
}

/// Everything by which a concept may be found in a record.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// The preferred name, or the text itself when it is not in the table.
    pub canonical: String,
    /// What it is; `None` when it is not in the table.
    pub kind: Option<TermKind>,
    /// All its words, the preferred name first.
    pub words: Vec<String>,
    /// Its codes, those of its members included.
    pub codes: Vec<ConceptCode>,
    /// Preferred names of the members of a class.
    pub members: Vec<String>,
    pub(crate) phrases: Vec<Phrase>,
    /// Words that make a label another concept, with the member they belong to.
    pub(crate) unless: Vec<(Option<&'static str>, Vec<String>)>,
}

struct Index {
    by_word: BTreeMap<String, u16>,
    vocabulary: BTreeSet<String>,
}

fn index() -> &'static Index {
    static INDEX: OnceLock<Index> = OnceLock::new();
    INDEX.get_or_init(|| {
        let mut index = Index { by_word: BTreeMap::new(), vocabulary: BTreeSet::new() };
        for (n, entry) in TABLE.iter().enumerate() {
            for word in std::iter::once(entry.canonical).chain(entry.words()) {
                let key = normalise(word);
                for token in key.split(' ').filter(|t| t.len() >= 6) {
                    index.vocabulary.insert(token.to_owned());
                }
                index.by_word.entry(key).or_insert(n as u16);
            }
        }
        index
    })
}

/// All entries.
pub fn entries() -> &'static [Entry] {
    TABLE
}

/// The entry of a word or phrase, whatever its spelling.
pub fn lookup(text: &str) -> Option<&'static Entry> {
    let ix = *index().by_word.get(&normalise(text))?;
    TABLE.get(usize::from(ix))
}

/// Whether a normalised word (of six letters or more) occurs in the table.
pub fn is_word_of_table(word: &str) -> bool {
    index().vocabulary.contains(word)
}

/// The one word of the table at edit distance one (a swap of neighbours counts as one) with the same first letter.
/// Words under six letters are not read this way; nor is a word with two such neighbours of different concepts.
pub fn near_word(word: &str) -> Option<&'static str> {
    let word = normalise(word);
    if word.chars().count() < 6 || word.contains(' ') || word.chars().any(|c| c.is_ascii_digit()) {
        return None;
    }
    let mut found: Option<&'static str> = None;
    for candidate in &index().vocabulary {
        if one_edit(&word, candidate) {
            if found.is_some() {
                return None;
            }
            found = Some(candidate);
        }
    }
    found
}

/// Whether two words with the same first letter are one edit apart; a swap of neighbours counts as one.
pub fn one_edit(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > 1 || a.first() != b.first() || a == b {
        return false;
    }
    let same = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let (ra, rb) = (&a[same..], &b[same..]);
    match ra.len() as isize - rb.len() as isize {
        0 => ra[1..] == rb[1..] || (ra.len() > 1 && ra[0] == rb[1] && ra[1] == rb[0] && ra[2..] == rb[2..]),
        1 => ra[1..] == *rb,
        _ => *ra == rb[1..],
    }
}

/// All that is known of a text; an unknown text expands to itself.
pub fn expand(text: &str) -> Expansion {
    let Some(entry) = lookup(text) else {
        let canonical = text.trim().to_owned();
        return Expansion {
            phrases: Phrase::new(&canonical, None, None).into_iter().collect(),
            words: vec![canonical.clone()],
            canonical,
            kind: None,
            codes: Vec::new(),
            members: Vec::new(),
            unless: Vec::new(),
        };
    };
    let words: Vec<String> = std::iter::once(entry.canonical).chain(entry.words()).map(str::to_owned).collect();
    let mut phrases: Vec<Phrase> = words.iter().filter_map(|w| Phrase::new(w, Some(entry.kind), None)).collect();
    let mut codes: Vec<ConceptCode> = entry.codes().collect();
    let mut unless = tokens(None, entry.unless());
    let mut members = Vec::new();
    for name in entry.members() {
        members.push(name.to_owned());
        let member = lookup(name);
        let kind = member.map_or(TermKind::Drug, |m| m.kind);
        phrases.extend(Phrase::new(name, Some(kind), Some(name)));
        if let Some(member) = member {
            phrases.extend(member.words().filter_map(|w| Phrase::new(w, Some(kind), Some(name))));
            codes.extend(member.codes());
            unless.extend(tokens(Some(name), member.unless()));
        }
    }
    Expansion { canonical: entry.canonical.to_owned(), kind: Some(entry.kind), words, codes, members, phrases, unless }
}

fn tokens(
    member: Option<&'static str>,
    texts: impl Iterator<Item = &'static str>,
) -> Vec<(Option<&'static str>, Vec<String>)> {
    texts.map(|t| (member, normalise(t).split(' ').map(str::to_owned).collect())).collect()
}

/// Preferred names of the members of a class; empty for anything else.
pub fn class_members(text: &str) -> Vec<&'static str> {
    lookup(text).map(|entry| entry.members().collect()).unwrap_or_default()
}
