//! What clinical words mean: synonyms, classes, codes, laboratory units and numeric event definitions.
//!
//! All tables are written by hand and small. Labels are compared through [`normalise`] and nothing else.
#![forbid(unsafe_code)]

mod codes;
pub mod definitions;
mod matching;
mod normalise;
mod synonyms;
mod table;
pub mod units;

pub use codes::{CodeSystem, ConceptCode};
pub use matching::{LabelReading, MatchBasis, matches_code, matches_label, read_label};
pub use normalise::{normalise, normalise_word};
pub use synonyms::{
    Entry, Expansion, TermKind, class_members, entries, expand, is_word_of_table, lookup, near_word, one_edit,
};
