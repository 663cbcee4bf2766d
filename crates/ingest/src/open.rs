//! From bytes to text: unwrapping, encoding, and what kind of file it is.

use std::io::Read as _;
use std::sync::Arc;

use chartproof_record::json::line_column;
use chartproof_record::{Container, SourceFile, sha256_hex};

use crate::input::{Input, Limits, Refusal, RefusalCode};

/// Below this unpacked size the ratio is not looked at: small repetitive files pack very well.
const RATIO_FLOOR: usize = 16 << 20;

pub(crate) struct Opened {
    pub(crate) file: SourceFile,
    pub(crate) had_bom: bool,
}

/// Place of a byte offset as shown.
pub(crate) fn place(text: &[u8], offset: usize) -> String {
    let (line, column) = line_column(text, offset);
    format!("line {line} column {column}")
}

fn megabytes(bytes: usize) -> usize {
    bytes >> 20
}

/// Opens a file. `room` is what the load may still unpack.
pub(crate) fn open(input: Input, limits: &Limits, room: usize) -> Result<Opened, Refusal> {
    let Input { name, bytes, sha256 } = input;
    let refuse = |code, location: String, message: String| Refusal { file: Arc::clone(&name), location, code, message };
    let whole = |code, message: &str| refuse(code, String::new(), message.to_owned());
    if bytes.len() > limits.max_file_bytes {
        return Err(whole(
            RefusalCode::TooLarge,
            &format!("the file is larger than {} MB", megabytes(limits.max_file_bytes)),
        ));
    }
    let given = sha256.unwrap_or_else(|| sha256_hex(&bytes));
    let (bytes, container) = if bytes.starts_with(&[0x1f, 0x8b]) {
        let unpacked = gunzip(&bytes, limits, room).map_err(|(code, message)| whole(code, &message))?;
        (unpacked, Container::Gzip)
    } else {
        (bytes, Container::Plain)
    };
    if bytes.len() > limits.max_unpacked_bytes || bytes.len() > room {
        return Err(whole(RefusalCode::TooLarge, "the files together are larger than this load may be"));
    }
    if let Some((code, message)) = binary_kind(&bytes) {
        return Err(whole(code, message));
    }
    let had_bom = bytes.starts_with(b"\xEF\xBB\xBF");
    let body = &bytes[if had_bom { 3 } else { 0 }..];
    let text: Arc<str> = match std::str::from_utf8(body) {
        Ok(text) => text.into(),
        Err(error) => {
            let at = error.valid_up_to();
            if body[..at].contains(&0) {
                return Err(whole(RefusalCode::Binary, "a binary file; FHIR JSON is read"));
            }
            let head = String::from_utf8_lossy(&body[..body.len().min(4096)]);
            if head.trim_start().starts_with('<')
                && let Some((code, message)) = text_kind(&head, &name)
            {
                return Err(whole(code, message));
            }
            return Err(refuse(RefusalCode::NotUtf8, place(body, at), "the bytes are not UTF-8 here".to_owned()));
        }
    };
    drop(bytes);
    if let Some((code, message)) = text_kind(&text, &name) {
        return Err(whole(code, message));
    }
    let skipped = if had_bom { 3 } else { 0 };
    let file = SourceFile { name: Arc::clone(&name), sha256: given.into(), container, text, skipped };
    Ok(Opened { file, had_bom })
}

fn gunzip(bytes: &[u8], limits: &Limits, room: usize) -> Result<Vec<u8>, (RefusalCode, String)> {
    let most = limits.max_unpacked_bytes.min(room);
    let mut out = Vec::new();
    let mut decoder = flate2::read::MultiGzDecoder::new(bytes);
    let mut chunk = vec![0_u8; 1 << 16];
    loop {
        let n = decoder.read(&mut chunk).map_err(|_| {
            (RefusalCode::Gzip, format!("the gzip stream is broken or cut off after {} bytes", out.len()))
        })?;
        if n == 0 {
            return Ok(out);
        }
        out.extend_from_slice(&chunk[..n]);
        if out.len() > most {
            return Err((RefusalCode::TooLarge, format!("the file unpacks to more than {} MB", megabytes(most))));
        }
        if out.len() > RATIO_FLOOR && out.len() / bytes.len().max(1) > limits.max_ratio {
            return Err((
                RefusalCode::Ratio,
                format!("the file unpacks to more than {} times its size", limits.max_ratio),
            ));
        }
    }
}

fn binary_kind(bytes: &[u8]) -> Option<(RefusalCode, &'static str)> {
    const UTF16: (RefusalCode, &str) = (RefusalCode::Utf16, "the file is UTF-16; save it as UTF-8");
    const ARCHIVE: (RefusalCode, &str) = (RefusalCode::Archive, "an archive of this kind is not read; unpack it first");
    let magic: &[(&[u8], (RefusalCode, &'static str))] = &[
        (b"\xFF\xFE", UTF16),
        (b"\xFE\xFF", UTF16),
        (b"\x00\x00\xFE\xFF", UTF16),
        (b"{\x00", UTF16),
        (b"\x00{", UTF16),
        (b"<\x00", UTF16),
        (b"\x00<", UTF16),
        (b"PK\x03\x04", (RefusalCode::Zip, "zip archives are not read yet; unpack it first")),
        (b"PK\x05\x06", (RefusalCode::Zip, "zip archives are not read yet; unpack it first")),
        (b"\x1f\x8b", (RefusalCode::Gzip, "gzip inside gzip is not read")),
        (b"BZh", ARCHIVE),
        (b"\xFD7zXZ\x00", ARCHIVE),
        (b"\x28\xB5\x2F\xFD", ARCHIVE),
        (b"7z\xBC\xAF", ARCHIVE),
        (b"Rar!", ARCHIVE),
        (b"%PDF-", (RefusalCode::Pdf, "PDF files are not read")),
        (b"\x89PNG", (RefusalCode::Binary, "images are not read")),
        (b"\xFF\xD8\xFF", (RefusalCode::Binary, "images are not read")),
        (b"PAR1", (RefusalCode::Binary, "Parquet files are not read")),
    ];
    let found = magic.iter().find(|(head, _)| bytes.starts_with(head)).map(|(_, kind)| *kind);
    let found = found.or_else(|| (bytes.get(257..262) == Some(b"ustar")).then_some(ARCHIVE));
    found
        .or_else(|| (bytes.get(128..132) == Some(b"DICM")).then_some((RefusalCode::Binary, "DICOM files are not read")))
}

/// Names what is text but not JSON; `None` when it may be JSON.
fn text_kind(text: &str, name: &str) -> Option<(RefusalCode, &'static str)> {
    let body = text.trim_start();
    let Some(first) = body.bytes().next() else { return Some((RefusalCode::Empty, "the file is empty")) };
    let name = name.to_ascii_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    if first == b'<' {
        let head: String = body.chars().take(4096).collect::<String>().to_ascii_lowercase();
        return Some(if head.contains("http://hl7.org/fhir") {
            (RefusalCode::FhirXml, "FHIR XML is not read yet; save it as FHIR JSON")
        } else if head.contains("clinicaldocument") || head.contains("urn:hl7-org:v3") {
            (RefusalCode::CcdaXml, "C-CDA XML is not read yet")
        } else if head.starts_with("<!doctype html") || head.starts_with("<html") {
            (RefusalCode::Html, "an HTML page, not a record")
        } else {
            (RefusalCode::Xml, "XML of this kind is not read")
        });
    }
    if first == b'{'
        || first == b'['
        || name.ends_with(".json")
        || name.ends_with(".ndjson")
        || name.ends_with(".jsonl")
    {
        return None;
    }
    if name.ends_with(".csv") || name.ends_with(".tsv") {
        return Some((RefusalCode::Csv, "CSV tables are not read yet"));
    }
    Some((RefusalCode::PlainText, "plain text is not read yet; FHIR JSON is"))
}
