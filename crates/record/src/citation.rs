//! Citations that re-read exactly.

use std::sync::Arc;

use base64::Engine as _;
use serde::{Deserialize, Serialize};

use crate::Record;
use crate::json::{Kind, Tape};
use crate::note::Decode;
use crate::occurrence::SourceIx;
use crate::offsets::CodePointIndex;
use crate::source::{Container, Place, SourceFile};

/// Where the quoted bytes lie: beside the citation, outside every digest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Locator {
    /// File name.
    pub file: Arc<str>,
    /// SHA-256 of the file as given.
    pub sha256: Arc<str>,
    /// Where the source lies in the file.
    pub place: Place,
    /// Byte range of the raw value in the unwrapped file, a byte-order mark counted.
    pub byte_start: usize,
    /// End of that range.
    pub byte_end: usize,
}

/// A quotation: `quote` is the slice `start..end`, in Unicode code points, of the value that the steps `decode`
/// make of the raw value at `pointer` of `source`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Citation {
    /// Stable source key.
    pub source: Arc<str>,
    /// JSON pointer relative to the source.
    pub pointer: Arc<str>,
    /// First code point.
    pub start: usize,
    /// Code point after the last.
    pub end: usize,
    /// The slice.
    pub quote: Arc<str>,
    /// Steps from the file's bytes to the decoded value.
    pub decode: Vec<Decode>,
    /// Where the bytes are.
    pub locator: Locator,
}

/// Why a citation does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CitationError {
    /// The pointer leads nowhere or not to a single value.
    NoValue,
    /// A decode step failed.
    Decode(Decode),
    /// The offsets lie outside the decoded value.
    Range,
    /// The slice is not the quote.
    Mismatch,
}

impl std::fmt::Display for CitationError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoValue => f.write_str("the pointer leads to no single value"),
            Self::Decode(step) => write!(f, "the step {step:?} does not decode"),
            Self::Range => f.write_str("the offsets lie outside the value"),
            Self::Mismatch => f.write_str("the slice is not the quote"),
        }
    }
}

impl std::error::Error for CitationError {}

/// Applies the steps to the raw text of a JSON value.
pub fn decode(raw: &str, steps: &[Decode]) -> Result<String, CitationError> {
    let mut text = raw.to_owned();
    let mut bytes: Vec<u8> = Vec::new();
    for step in steps {
        let fail = CitationError::Decode(*step);
        match step {
            Decode::Gzip | Decode::Utf8 => {}
            Decode::JsonString => {
                let inside = text.strip_prefix('"').and_then(|t| t.strip_suffix('"')).ok_or(fail)?;
                text = crate::json::unescape(inside).into_owned();
            }
            Decode::JsonLiteral => {
                if text.starts_with(['"', '[', '{']) {
                    return Err(fail);
                }
            }
            Decode::Base64 => bytes = decode_base64(&text).ok_or(fail)?,
            Decode::Utf8Text => text = String::from_utf8(std::mem::take(&mut bytes)).map_err(|_| fail)?,
            Decode::Latin1Text => text = bytes.iter().map(|b| char::from(*b)).collect(),
        }
    }
    Ok(text)
}

/// Base64 with white space ignored and padding optional.
pub fn decode_base64(text: &str) -> Option<Vec<u8>> {
    const LENIENT: base64::engine::GeneralPurpose = base64::engine::GeneralPurpose::new(
        &base64::alphabet::STANDARD,
        base64::engine::GeneralPurposeConfig::new()
            .with_decode_padding_mode(base64::engine::DecodePaddingMode::Indifferent),
    );
    if text.bytes().any(|b| b.is_ascii_whitespace()) {
        let tight: Vec<u8> = text.bytes().filter(|b| !b.is_ascii_whitespace()).collect();
        return LENIENT.decode(tight).ok();
    }
    LENIENT.decode(text).ok()
}

impl Record {
    /// The raw text of a source.
    pub fn source_text(&self, source: SourceIx) -> &str {
        let source = &self.sources[source.0 as usize];
        &self.files[source.file as usize].text[source.start..source.end]
    }

    /// Cites a slice (code points) of the value at `pointer`; `None` as range means all of it. `steps` are the
    /// steps after the JSON value, as in [`crate::Note::decode`]; pass none for a plain value. For many citations of
    /// one source use a [`Quoter`].
    ///
    /// # Errors
    /// When the pointer leads to no single value, a step fails or the range lies outside.
    pub fn cite(
        &self,
        source: SourceIx,
        pointer: &str,
        steps: &[Decode],
        range: Option<(usize, usize)>,
    ) -> Result<Citation, CitationError> {
        Quoter::of(self).cite(source, pointer, steps, range)
    }
}

/// A decoded value with the places of its code points.
#[derive(Debug)]
struct Decoded {
    /// Byte range of the raw value.
    at: (usize, usize),
    steps: Vec<Decode>,
    text: String,
    index: CodePointIndex,
}

impl Decoded {
    fn of(raw: &str, at: (usize, usize), steps: &[Decode]) -> Result<Self, CitationError> {
        let text = decode(raw, steps)?;
        Ok(Self { at, steps: steps.to_vec(), index: CodePointIndex::of(&text), text })
    }

    /// Sooner decoded again than held: a date between two quotations of a note must not push the note out.
    fn is_short(&self) -> bool {
        self.at.1 - self.at.0 < 1_024
    }

    fn is(&self, at: (usize, usize), steps: &[Decode]) -> bool {
        self.at == at && self.steps == steps
    }
}

/// Makes citations; a source is read and a value decoded once for all that are made of it in a row.
#[derive(Debug)]
pub struct Quoter<'r> {
    record: &'r Record,
    source: Option<(SourceIx, Tape)>,
    /// The value of that source that was last decoded, when it is long.
    value: Option<Decoded>,
}

impl<'r> Quoter<'r> {
    /// For the sources of a record.
    pub fn of(record: &'r Record) -> Self {
        Self { record, source: None, value: None }
    }

    /// As [`Record::cite`].
    ///
    /// # Errors
    /// As [`Record::cite`].
    pub fn cite(
        &mut self,
        source: SourceIx,
        pointer: &str,
        steps: &[Decode],
        range: Option<(usize, usize)>,
    ) -> Result<Citation, CitationError> {
        let text = self.record.source_text(source);
        if self.source.as_ref().is_none_or(|(known, _)| *known != source) {
            self.value = None;
            self.source = Some((source, Tape::of(text, 0).map_err(|_| CitationError::NoValue)?));
        }
        let (_, tape) = self.source.as_ref().ok_or(CitationError::NoValue)?;
        let node = tape.root(text).pointer(pointer).ok_or(CitationError::NoValue)?;
        let value_steps: Vec<Decode> = match node.kind() {
            Kind::String if steps.is_empty() => vec![Decode::JsonString],
            Kind::String => steps.to_vec(),
            Kind::Number | Kind::Bool | Kind::Null => vec![Decode::JsonLiteral],
            Kind::Array | Kind::Object => return Err(CitationError::NoValue),
        };
        let at = node.range();
        let short;
        let value = match &self.value {
            Some(held) if held.is(at, &value_steps) => held,
            _ => {
                let read = Decoded::of(node.raw(), at, &value_steps)?;
                if read.is_short() {
                    short = read;
                    &short
                } else {
                    self.value.insert(read)
                }
            }
        };
        let (start, end) = range.unwrap_or_else(|| (0, value.text.chars().count()));
        let quote = value.index.slice(&value.text, start, end).ok_or(CitationError::Range)?.into();
        let row = &self.record.sources[source.0 as usize];
        let file = &self.record.files[row.file as usize];
        let mut chain = Vec::new();
        if file.container == Container::Gzip {
            chain.push(Decode::Gzip);
        }
        chain.push(Decode::Utf8);
        chain.extend(value_steps);
        Ok(Citation {
            source: Arc::clone(&row.key),
            pointer: pointer.into(),
            start,
            end,
            quote,
            decode: chain,
            locator: Locator {
                file: Arc::clone(&file.name),
                sha256: Arc::clone(&file.sha256),
                place: row.place,
                byte_start: file.skipped + row.start + at.0,
                byte_end: file.skipped + row.start + at.1,
            },
        })
    }
}

/// Re-reads citations; a value is decoded once for all that quote it in a row.
#[derive(Debug, Default)]
pub struct Rereader {
    /// Digest of the file and the value of it that was last decoded, when it is long.
    value: Option<(Arc<str>, Decoded)>,
}

impl Rereader {
    /// As [`Citation::reread_in`].
    ///
    /// # Errors
    /// As [`Citation::reread_in`].
    pub fn reread(&mut self, citation: &Citation, file: &SourceFile) -> Result<(), CitationError> {
        if citation.locator.sha256 != file.sha256 {
            // Of another file: nothing is held under its name.
            return citation.reread_after(file.skipped, &file.text, &mut Self::default());
        }
        citation.reread_after(file.skipped, &file.text, self)
    }
}

impl Citation {
    /// Re-reads the citation from the unwrapped file, a byte-order mark included.
    ///
    /// # Errors
    /// When the decoded slice is not the quote: fail closed, never re-anchor to look-alike text.
    pub fn reread(&self, file_text: &str) -> Result<(), CitationError> {
        self.reread_after(0, file_text, &mut Rereader::default())
    }

    /// Re-reads the citation from a file of the load.
    ///
    /// # Errors
    /// As [`Citation::reread`].
    pub fn reread_in(&self, file: &SourceFile) -> Result<(), CitationError> {
        Rereader::default().reread(self, file)
    }

    /// The locator's byte range in [`SourceFile::text`].
    pub fn range_in(&self, file: &SourceFile) -> Option<std::ops::Range<usize>> {
        let start = self.locator.byte_start.checked_sub(file.skipped)?;
        Some(start..self.locator.byte_end.checked_sub(file.skipped)?)
    }

    fn reread_after(&self, skipped: usize, text: &str, rereader: &mut Rereader) -> Result<(), CitationError> {
        let at = (self.locator.byte_start, self.locator.byte_end);
        let short;
        let value = match &rereader.value {
            Some((file, held)) if *file == self.locator.sha256 && held.is(at, &self.decode) => held,
            _ => {
                let from = at.0.checked_sub(skipped).ok_or(CitationError::Range)?;
                let to = at.1.checked_sub(skipped).ok_or(CitationError::Range)?;
                let raw = text.get(from..to).ok_or(CitationError::Range)?;
                let read = Decoded::of(raw, at, &self.decode)?;
                if read.is_short() {
                    short = read;
                    &short
                } else {
                    &rereader.value.insert((Arc::clone(&self.locator.sha256), read)).1
                }
            }
        };
        match value.index.slice(&value.text, self.start, self.end) {
            Some(slice) if slice == &*self.quote => Ok(()),
            Some(_) => Err(CitationError::Mismatch),
            None => Err(CitationError::Range),
        }
    }
}
