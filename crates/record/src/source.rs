//! Files and the sources inside them: bytes are kept once, everything else borrows by offset.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// How a file was wrapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Container {
    /// The bytes as given.
    Plain,
    /// A gzip stream.
    Gzip,
}

/// A file as it was opened.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Its name: a locator, outside every digest.
    pub name: Arc<str>,
    /// SHA-256 of the bytes as given (before unwrapping), in hexadecimal.
    pub sha256: Arc<str>,
    /// How it was wrapped.
    pub container: Container,
    /// The unwrapped text, without a byte-order mark.
    pub text: Arc<str>,
    /// Bytes before `text` in the unwrapped file: the length of a byte-order mark that was skipped, else 0.
    pub skipped: usize,
}

/// Where a source lies inside its file: a locator, outside every digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// The whole file.
    Whole,
    /// Entry of a Bundle, counted from 0.
    Entry(u32),
    /// Line of an NDJSON file, counted from 1.
    Line(u32),
    /// Contained in another source.
    Contained,
}

/// A row or resource of a file.
#[derive(Clone, Debug)]
pub struct Source {
    /// Stable key: `Type/id`, `Type/urn:uuid:…`, or `Type/sha256:…` of the content where there is no id;
    /// `…@sha256:…` is appended where two different contents claim one key.
    pub key: Arc<str>,
    /// Resource type.
    pub resource_type: Arc<str>,
    /// Index of the file in [`crate::Record::files`].
    pub file: u32,
    /// Byte range in the file's unwrapped text.
    pub start: usize,
    /// End of that range.
    pub end: usize,
    /// Where in the file.
    pub place: Place,
}

/// SHA-256 in hexadecimal.
pub fn sha256_hex(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    let mut out = String::with_capacity(64);
    for byte in digest {
        for half in [byte >> 4, byte & 15] {
            out.push(char::from_digit(u32::from(half), 16).unwrap_or('0'));
        }
    }
    out
}
