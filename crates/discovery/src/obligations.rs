//! Obligations `u`: what the search owes the question, on both sides.

use chartproof_evidence::query::{Query, RelationKind};

/// Which side a retrieval query looks at. It never sets the polarity of what is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// Consistent with the statement.
    Aligned,
    /// Against it: negation, other order, history, hypothesis, stable findings.
    Counter,
}

impl Side {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Aligned => "aligned",
            Self::Counter => "counter",
        }
    }
}

/// How an obligation stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// Nothing yet.
    Open,
    /// Admitted evidence is there.
    Met,
    /// All of the record was looked at; there is none.
    Exhausted,
}

impl State {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Met => "met",
            Self::Exhausted => "exhausted",
        }
    }
}

/// One obligation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obligation {
    /// What is owed.
    pub what: Owed,
    /// How it stands.
    pub state: State,
}

/// What is owed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Owed {
    /// An event of the question.
    Event(String),
    /// Evidence on one side of a relation.
    Relation(usize, Side),
}

impl Owed {
    /// In words.
    pub fn describe(&self) -> String {
        match self {
            Self::Event(slot) => format!("event {slot}"),
            Self::Relation(relation, side) => format!("relation {relation}, {}", side.name()),
        }
    }
}

/// `InitObligations`.
pub(crate) fn init(query: &Query) -> Vec<Obligation> {
    let events = query.slots.iter().map(|s| Owed::Event(s.id.clone()));
    let relations =
        (0..query.relations.len()).flat_map(|r| [Owed::Relation(r, Side::Aligned), Owed::Relation(r, Side::Counter)]);
    events.chain(relations).map(|what| Obligation { what, state: State::Open }).collect()
}

/// The words a retrieval query adds to the names of the events, by relation and side.
pub(crate) fn cue_words(kind: RelationKind, side: Side) -> &'static str {
    match (kind, side) {
        (RelationKind::Before, Side::Aligned) => "before prior to preceded",
        (RelationKind::After, Side::Aligned) => "after following developed since",
        (RelationKind::During | RelationKind::Overlaps, Side::Aligned) => "during while on",
        (RelationKind::AttributedTo | RelationKind::AdverseEventOf | RelationKind::ReasonFor, Side::Aligned) => {
            "due to secondary to caused by attributed induced because of"
        }
        (RelationKind::Rises, Side::Aligned) => "rise rising increased elevated up from",
        (RelationKind::Falls, Side::Aligned) => "fall falling decreased drop down from",
        (_, Side::Aligned) => "diagnosed developed noted",
        (RelationKind::AttributedTo | RelationKind::AdverseEventOf | RelationKind::ReasonFor, Side::Counter) => {
            "not due to unlikely unrelated other cause no evidence"
        }
        (RelationKind::Rises | RelationKind::Falls, Side::Counter) => "stable unchanged normal baseline at baseline",
        (_, Side::Counter) => "no denies without ruled out negative on admission history of if risk stable resolved",
    }
}
