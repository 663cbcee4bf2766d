//! What goes in and what is refused.

use std::sync::Arc;

/// A file as the host gives it.
#[derive(Clone, Debug)]
pub struct Input {
    /// File name: a locator, outside every digest.
    pub name: Arc<str>,
    /// The bytes as given.
    pub bytes: Vec<u8>,
    /// SHA-256 of the bytes in hexadecimal, where the host has computed it; else it is computed here.
    pub sha256: Option<String>,
}

impl Input {
    /// A file whose digest is computed here.
    pub fn new(name: &str, bytes: impl Into<Vec<u8>>) -> Self {
        Self { name: name.into(), bytes: bytes.into(), sha256: None }
    }
}

/// Limits of what is opened; beyond them a file is refused, never read in part.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Largest file as given, in bytes.
    pub max_file_bytes: usize,
    /// Largest file after unpacking, in bytes.
    pub max_unpacked_bytes: usize,
    /// Largest sum of all files after unpacking, in bytes.
    pub max_total_bytes: usize,
    /// Largest ratio of unpacked to given bytes, for files that unpack to more than 16 MB.
    pub max_ratio: usize,
}

impl Limits {
    /// The limits of the page and the native commands: 1 GiB a file, 2 GiB a load, ratio 200.
    pub const fn standard() -> Self {
        Self { max_file_bytes: 1 << 30, max_unpacked_bytes: 1 << 30, max_total_bytes: 2 << 30, max_ratio: 200 }
    }
}

/// A closed list of reasons to refuse a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RefusalCode {
    /// Nothing in it but white space.
    Empty,
    /// Larger than a stated limit.
    TooLarge,
    /// A gzip stream that unpacks beyond the stated ratio.
    Ratio,
    /// A broken or truncated gzip stream.
    Gzip,
    /// UTF-16 or UTF-32.
    Utf16,
    /// Bytes that are not UTF-8.
    NotUtf8,
    /// JSON that does not parse.
    BrokenJson,
    /// JSON nested deeper than is read.
    TooDeep,
    /// JSON that is not a FHIR resource.
    NotFhir,
    /// FHIR as XML.
    FhirXml,
    /// A C-CDA document.
    CcdaXml,
    /// Another XML document.
    Xml,
    /// An HTML page.
    Html,
    /// A zip archive.
    Zip,
    /// Another archive or compression.
    Archive,
    /// A PDF.
    Pdf,
    /// An image, DICOM or other binary file.
    Binary,
    /// A table (CSV or TSV).
    Csv,
    /// Plain text.
    PlainText,
}

impl RefusalCode {
    /// The code as printed.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::TooLarge => "too_large",
            Self::Ratio => "ratio",
            Self::Gzip => "gzip",
            Self::Utf16 => "utf16",
            Self::NotUtf8 => "not_utf8",
            Self::BrokenJson => "broken_json",
            Self::TooDeep => "too_deep",
            Self::NotFhir => "not_fhir",
            Self::FhirXml => "fhir_xml",
            Self::CcdaXml => "ccda_xml",
            Self::Xml => "xml",
            Self::Html => "html",
            Self::Zip => "zip",
            Self::Archive => "archive",
            Self::Pdf => "pdf",
            Self::Binary => "binary",
            Self::Csv => "csv",
            Self::PlainText => "plain_text",
        }
    }
}

/// A file that was not read, and why. The other files of a load are not touched by it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Refusal {
    /// The file's name.
    pub file: Arc<str>,
    /// Where in it: `line 3 column 14`, or empty for the whole file.
    pub location: String,
    /// Its kind.
    pub code: RefusalCode,
    /// What, in a sentence without record content.
    pub message: String,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.location.is_empty() {
            write!(f, "{}: {}", self.file, self.message)
        } else {
            write!(f, "{}: {}: {}", self.file, self.location, self.message)
        }
    }
}

impl std::error::Error for Refusal {}
