//! The source behind a citation, as the viewer shows it. It fails closed: what does not re-read is not highlighted.

use chartproof_record::{Citation, Container, Decode, Place, Record, code_point_of_byte, decode};

use crate::wire::SourceView;

/// The view of a citation; `None` when the load does not hold its file or source.
pub(crate) fn source_view(record: &Record, citation: &Citation) -> Option<SourceView> {
    let file = record.files.iter().find(|f| f.sha256 == citation.locator.sha256 && f.name == citation.locator.file)?;
    let range = citation.range_in(file)?;
    let source = record.sources.iter().find(|s| {
        s.key == citation.source
            && record.files[s.file as usize].sha256 == file.sha256
            && s.start <= range.start
            && range.end <= s.end
    })?;
    let verified = citation.reread_in(file).is_ok();
    let is_note = citation.decode.contains(&Decode::Base64);
    let raw = file.text.get(range.clone())?;
    let decoded = decode(raw, &citation.decode).ok();
    let (text, highlight, kind) = match decoded.filter(|d| is_note || d.chars().count() > 200) {
        Some(decoded) => (decoded, (citation.start, citation.end), "note"),
        None => {
            let text = &file.text[source.start..source.end];
            let quoted = usize::from(raw.starts_with('"'));
            let start = code_point_of_byte(text, range.start - source.start + quoted)?;
            let end = code_point_of_byte(text, range.end - source.start - quoted)?;
            (text.to_owned(), (start, end), "json")
        }
    };
    Some(SourceView {
        key: source.key.to_string(),
        file: file.name.to_string(),
        place: match source.place {
            Place::Whole => "the whole file".to_owned(),
            Place::Entry(n) => format!("entry {}", n + 1),
            Place::Line(n) => format!("line {n}"),
            Place::Contained => "contained in another resource".to_owned(),
        },
        text,
        highlight: if verified { highlight } else { (0, 0) },
        kind: kind.to_owned(),
        chain: chain(file.container, citation),
        verified,
    })
}

fn chain(container: Container, citation: &Citation) -> Vec<String> {
    let mut out = Vec::new();
    if container == Container::Plain {
        out.push("file as given".to_owned());
    }
    out.extend(citation.decode.iter().map(|step| {
        match step {
            Decode::Gzip => "gzip unpacked",
            Decode::Utf8 => "read as UTF-8",
            Decode::JsonString => "JSON string",
            Decode::JsonLiteral => "JSON value as written",
            Decode::Base64 => "base64",
            Decode::Utf8Text => "text in UTF-8",
            Decode::Latin1Text => "text in Latin-1",
        }
        .to_owned()
    }));
    out.push(format!("value at {}", citation.pointer));
    out
}
