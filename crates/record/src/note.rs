//! Notes: decoded clinical text with its source, author, times and encounter.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::occurrence::{Binding, Concept, PatientIx, SourceIx, Standing, StandingReason};
use crate::time::Stamp;

/// One step from the bytes of a file to a decoded value, in the order they are applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decode {
    /// Unwrap gzip.
    Gzip,
    /// The bytes are UTF-8 (a byte-order mark is skipped).
    Utf8,
    /// A JSON string: quotes removed, escapes resolved.
    JsonString,
    /// A JSON number, truth value or null: the text as written.
    JsonLiteral,
    /// Base64, white space ignored.
    Base64,
    /// The decoded bytes are UTF-8.
    Utf8Text,
    /// The decoded bytes are Latin-1.
    Latin1Text,
}

/// A text with its provenance.
#[derive(Clone, Debug)]
pub struct Note {
    /// Where it is recorded.
    pub source: SourceIx,
    /// Pointer of the encoded text relative to the source, such as `/content/0/attachment/data`.
    pub pointer: Arc<str>,
    /// Steps from the JSON value at `pointer` to `text`.
    pub decode: Vec<Decode>,
    /// The decoded text. Offsets into it are Unicode code points.
    pub text: Arc<str>,
    /// Whose it is.
    pub patient: PatientIx,
    /// Note type as recorded, such as "Discharge summary".
    pub note_type: Arc<Concept>,
    /// The recorded heading that the whole text stands under, outer headings first, joined by ` / `.
    pub section: Option<Arc<str>>,
    /// Author as recorded (role or name as displayed).
    pub author: Option<Arc<str>>,
    /// Recorded times; [`crate::TimeRole::Documented`] is when it was written.
    pub times: Vec<Stamp>,
    /// Its encounter.
    pub encounter: Binding,
    /// Affirmed, or void when entered in error, a draft, or replaced by another that is in the load.
    pub standing: Standing,
    /// Why, when not affirmed.
    pub standing_reason: Option<Box<StandingReason>>,
}
