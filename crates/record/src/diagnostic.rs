//! What a reader has to say about its input: nothing is dropped silently.

use serde::{Deserialize, Serialize};

/// How much a diagnostic matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Worth knowing; nothing is missing.
    Info,
    /// Something was read with a stated assumption, or kept aside.
    Warning,
    /// Something could not be read.
    Error,
}

/// A closed list of diagnostic kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// The record is known to be a part of a larger one (a `next` page, a capped result).
    IncompleteRecord,
    /// A reference whose target is not in the load.
    DanglingReference,
    /// A resource type kept as an opaque source.
    OpaqueResource,
    /// The same resource more than once with the same content.
    Duplicate,
    /// The same resource more than once with different content.
    VersionConflict,
    /// An object names one key twice; the first was used.
    DuplicateKey,
    /// A row names no patient.
    NoPatient,
    /// A row that cannot be an event: no code, no value, or not of the expected shape.
    UnusableRow,
    /// A time that is not of a known shape.
    BadTime,
    /// An encounter whose end lies before its start, or a similar contradiction.
    TimeContradiction,
    /// A standing was read with an assumption, such as an unknown status code.
    UnknownStatus,
    /// An encoding fault that was read around: a byte-order mark, an unpaired surrogate.
    Encoding,
    /// An attachment that is not text, or lies elsewhere: a warning where text may be missing, for information
    /// where it is a picture or the same text was read in another form.
    UnreadAttachment,
    /// A document marked superseded whose successor is not in the load.
    SupersededAlone,
    /// A malformed line or entry; the others were read.
    Malformed,
    /// A limit was reached.
    Truncated,
}

/// One remark of a reader, with where it applies.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Diagnostic {
    /// How much it matters.
    pub severity: Severity,
    /// Its kind.
    pub code: Code,
    /// The source key or, where there is none, the file name.
    pub source: String,
    /// Where: `line 3 column 14`, `/entry/4/resource`, or a pointer inside the source.
    pub location: String,
    /// What, in a sentence without record content.
    pub message: String,
}
