//! Local grammar: question to query.
//!
//! Hand-written and closed: what a question says is in the query, or among the assumptions, or in `unresolved`; it is
//! never dropped and never guessed.
#![forbid(unsafe_code)]

mod build;
mod describe;
mod grammar;
mod lexicon;
mod token;

pub use build::slot_kind;
pub use describe::{describe, describe_relation, describe_slot};

use chartproof_evidence::query::{Parsed, Unresolved};

/// Name and version of this parser.
pub const PARSER: &str = "grammar 1";

/// Questions longer than this many code points are refused.
pub const MAX_QUESTION: usize = 2_000;

/// Reads a question.
pub fn parse(question: &str) -> Parsed {
    let length = question.chars().count();
    if length > MAX_QUESTION {
        let whole = Unresolved {
            text: question.to_owned(),
            start: 0,
            end: length,
            blocking: true,
            why: format!("longer than {MAX_QUESTION} characters"),
        };
        return refuse(vec![whole], format!("a question may have {MAX_QUESTION} characters; this one has {length}"));
    }
    let reading = grammar::read(question);
    if reading.clauses.is_empty() {
        let why = "no event of a record was found in the question; name one, such as \
            'was acute kidney injury documented after vancomycin'";
        return refuse(reading.unresolved, why.to_owned());
    }
    build::build(reading)
}

fn refuse(unresolved: Vec<Unresolved>, why: String) -> Parsed {
    Parsed { query: None, unresolved, assumptions: Vec::new(), refusal: Some(why), parser: PARSER.to_owned() }
}
