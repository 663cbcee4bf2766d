//! Documents and narrative: attachments, sections, summaries.

use std::sync::Arc;

use chartproof_record::json::{Kind as Json, Node};
use chartproof_record::{
    Binding, Code, Decode, Kind, Note, PatientIx, Severity, SourceIx, Standing, TimeRole, decode_base64,
};

use super::Cx;
use super::element::{Rule, combine, detail};
use crate::load::{NoteRow, Reading, Replaces, Row, string};

const DOCUMENT_STATUS: &[Rule] =
    &[("current", Standing::Affirmed), ("superseded", Standing::Affirmed), ("entered-in-error", Standing::Void)];

/// Status of the text itself.
const TEXT_STATUS: &[Rule] = &[
    ("registered", Standing::Void),
    ("partial", Standing::Affirmed),
    ("preliminary", Standing::Affirmed),
    ("final", Standing::Affirmed),
    ("amended", Standing::Affirmed),
    ("corrected", Standing::Affirmed),
    ("appended", Standing::Affirmed),
    ("cancelled", Standing::Void),
    ("entered-in-error", Standing::Void),
    ("deprecated", Standing::Void),
    ("in-progress", Standing::Affirmed),
    ("completed", Standing::Affirmed),
    ("not-done", Standing::Void),
    ("on-hold", Standing::Void),
    ("stopped", Standing::Affirmed),
    ("unknown", Standing::Uncertain),
];

/// Why an attachment gives no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unread {
    /// Not text by its own word or by its bytes.
    NotText,
    /// The base64 does not decode.
    Base64,
    /// A character set that is not read.
    Charset,
}

impl Unread {
    pub(crate) fn message(self) -> &'static str {
        match self {
            Self::NotText => "an attachment that is not text was not read; its pages are unknown",
            Self::Base64 => "an attachment whose base64 does not decode was not read",
            Self::Charset => "an attachment in a character set other than UTF-8 or Latin-1 was not read",
        }
    }
}

/// Whether a content type is read as text, and its character set.
fn text_type(content_type: &str) -> (bool, String, bool) {
    let lower = content_type.to_ascii_lowercase();
    let mut parts = lower.split(';').map(str::trim);
    let kind = parts.next().unwrap_or_default();
    let charset = parts.find_map(|p| p.strip_prefix("charset=")).unwrap_or_default().trim_matches('"').to_owned();
    let markup = kind.contains("html") || kind.contains("xml");
    (kind.is_empty() || kind.starts_with("text/") || markup, charset, markup)
}

/// Whether a content type holds no text to miss: pictures.
fn is_picture(content_type: &str) -> bool {
    let kind = content_type.trim_start().to_ascii_lowercase();
    kind.starts_with("image/") || kind.starts_with("application/dicom")
}

/// Decodes the base64 data of an attachment to text. The flag says that the bytes were not what was declared.
pub(crate) fn attachment_text(data: &str, content_type: &str) -> Result<(String, Vec<Decode>, bool), Unread> {
    let (is_text, charset, _) = text_type(content_type);
    if !is_text {
        return Err(Unread::NotText);
    }
    let bytes = decode_base64(data).ok_or(Unread::Base64)?;
    let latin = matches!(charset.as_str(), "iso-8859-1" | "latin1" | "iso_8859-1" | "windows-1252" | "cp1252");
    if !(latin || matches!(charset.as_str(), "" | "utf-8" | "utf8" | "us-ascii" | "ascii")) {
        return Err(Unread::Charset);
    }
    if bytes.contains(&0) || bytes.starts_with(b"%PDF") {
        return Err(Unread::NotText);
    }
    let steps = |last| vec![Decode::JsonString, Decode::Base64, last];
    if latin {
        return Ok((bytes.iter().map(|b| char::from(*b)).collect(), steps(Decode::Latin1Text), false));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok((text, steps(Decode::Utf8Text), false)),
        Err(_) if content_type.is_empty() => Err(Unread::NotText),
        Err(error) => {
            let text = error.as_bytes().iter().map(|b| char::from(*b)).collect();
            Ok((text, steps(Decode::Latin1Text), true))
        }
    }
}

impl Cx<'_, '_> {
    /// Says that an attachment was not read, once a document: a warning where text may be missing from the record.
    fn unread(&mut self, row: &Row, content_type: &str, pointer: &str, message: &'static str) {
        let matters = row.occurrence.standing != Standing::Void && !is_picture(content_type);
        let severity = if matters { Severity::Warning } else { Severity::Info };
        let draft = self.draft;
        let said = self.load.events.iter().rev().take_while(|e| e.about == Ok(draft));
        if said.into_iter().any(|e| e.code == Code::UnreadAttachment && e.severity >= severity) {
            return;
        }
        self.say(severity, Code::UnreadAttachment, pointer, message);
    }

    /// Of several forms of one document one was read: nothing is missing with the others.
    fn read_in_another_form(&mut self, since: usize) {
        for event in self.load.events.iter_mut().skip(since) {
            if event.code == Code::UnreadAttachment {
                event.severity = Severity::Info;
            }
        }
    }

    /// A note from an Attachment of `row`; what is not text, or not here, is said.
    pub(super) fn attachment(&mut self, row: &Row, node: Node<'_>, pointer: &str) {
        let content_type = string(node, "contentType").unwrap_or_default().into_owned();
        let Some(data) = string(node, "data") else {
            let Some(url) = string(node, "url") else {
                let message = "an attachment with neither data nor an address; its text is unknown";
                self.unread(row, &content_type, pointer, message);
                return;
            };
            let (is_text, _, _) = text_type(&content_type);
            if !is_text {
                self.unread(row, &content_type, &format!("{pointer}/url"), Unread::NotText.message());
                return;
            }
            let (target, text, kind) = super::known_reference(&url, self.scope);
            let target_type = self.text(kind);
            let base = match target {
                crate::load::Target::Key => super::server_of(&url).map(|base| self.text(base)),
                _ => None,
            };
            let target =
                self.load.reference(crate::load::Reference { target, text: text.as_ref().into(), target_type, base });
            let at = format!("{pointer}/url");
            self.note(row, String::new(), Vec::new(), &at);
            if let Some(kept) = self.load.notes.last_mut() {
                kept.binary = Some((target, content_type.as_str().into()));
            }
            return;
        };
        match attachment_text(&data, &content_type) {
            Ok((text, steps, other)) => {
                if other {
                    let message = "the text of an attachment is not UTF-8; read as Latin-1";
                    self.count(Severity::Warning, Code::Encoding, &format!("{pointer}/data"), message);
                }
                if text_type(&content_type).2 {
                    self.count(
                        Severity::Info,
                        Code::Encoding,
                        &format!("{pointer}/data"),
                        "an attachment is markup; its text was kept as written",
                    );
                }
                self.note(row, text, steps, &format!("{pointer}/data"));
            }
            Err(why) => {
                let kind = match content_type.as_str() {
                    "" if data.starts_with("iVBORw0KGgo") || data.starts_with("/9j/") => "image/",
                    stated => stated,
                };
                self.unread(row, kind, &format!("{pointer}/data"), why.message());
            }
        }
    }

    fn note(&mut self, row: &Row, text: String, decode: Vec<Decode>, pointer: &str) {
        let occurrence = &row.occurrence;
        let note = Note {
            source: SourceIx(self.draft),
            pointer: self.text(pointer),
            decode,
            text: text.into(),
            patient: PatientIx(0),
            note_type: Arc::clone(&occurrence.concept),
            section: None,
            author: occurrence.detail.as_ref().and_then(|d| d.author.clone()),
            times: occurrence.times.clone(),
            encounter: Binding::Unknown,
            standing: occurrence.standing,
            standing_reason: occurrence.standing_reason.clone(),
        };
        let (patient, encounter, author) = (row.patient, row.encounter, row.author);
        self.load.notes.push(NoteRow { note, patient, encounter, author, binary: None });
    }

    /// A row that only carries what the notes of a document share.
    fn carrier(&mut self, type_keys: &[&str], status: &str, rules: &[Rule]) -> Row {
        let concept = type_keys.iter().find_map(|key| self.concept_at(key));
        let mut row = self.row(Kind::NoteMention, concept);
        self.name_by_type(&mut row);
        let standing =
            if self.node.get(status).is_some() { self.status(status, rules) } else { (Standing::Affirmed, None) };
        (row.occurrence.standing, row.occurrence.standing_reason) = self.modified(standing);
        row
    }
}

pub(super) fn document_reference(cx: &mut Cx<'_, '_>) -> Reading {
    let mut row = cx.carrier(&["type", "category"], "status", DOCUMENT_STATUS);
    if cx.node.get("docStatus").is_some() {
        let own = (row.occurrence.standing, row.occurrence.standing_reason.take());
        let text = cx.status("docStatus", TEXT_STATUS);
        (row.occurrence.standing, row.occurrence.standing_reason) = combine(own, text);
    }
    let mut times = Vec::new();
    cx.time(&mut times, TimeRole::Documented, "date");
    cx.time(&mut times, TimeRole::Documented, "indexed");
    cx.time(&mut times, TimeRole::Recorded, "created");
    let context = cx.node.get("context").filter(|c| c.kind() == Json::Object);
    if let Some(period) = context.and_then(|c| c.get("period")) {
        cx.period_of(&mut times, TimeRole::Occurred, TimeRole::OccurredEnd, period, "/context/period");
    }
    cx.period(&mut times, TimeRole::Occurred, TimeRole::OccurredEnd, "period");
    row.occurrence.times = times;
    cx.author(&mut row, &["author", "authenticator"]);
    for (i, item) in cx.node.get("relatesTo").into_iter().flat_map(Node::items).enumerate() {
        let code = item.get("code");
        let word = match code.map(Node::kind) {
            Some(Json::Object) => code
                .and_then(|c| cx.concept(c, &format!("/relatesTo/{i}/code")))
                .and_then(|c| c.codings.first().map(|c| Arc::clone(&c.code))),
            _ => string(item, "code").map(|c| c.as_ref().into()),
        };
        if word.as_deref() == Some("replaces")
            && let Some(replaced) = item.get("target").and_then(|t| cx.reference(t))
        {
            let void = row.occurrence.standing == Standing::Void;
            cx.load.replaces.push(Replaces { successor: cx.draft, replaced, void });
        }
    }
    // Several contents are one document in several forms.
    let (events, notes) = (cx.load.events.len(), cx.load.notes.len());
    for (i, content) in cx.node.get("content").into_iter().flat_map(Node::items).enumerate() {
        if let Some(attachment) = content.get("attachment") {
            cx.attachment(&row, attachment, &format!("/content/{i}/attachment"));
        }
    }
    if cx.load.notes.len() > notes {
        cx.read_in_another_form(events);
    }
    Reading::Read
}

pub(super) fn composition(cx: &mut Cx<'_, '_>) -> Reading {
    let mut row = cx.carrier(&["type", "category"], "status", TEXT_STATUS);
    let mut times = Vec::new();
    cx.time(&mut times, TimeRole::Documented, "date");
    row.occurrence.times = times;
    cx.author(&mut row, &["author"]);
    let Some(sections) = cx.node.get("section") else { return Reading::Opaque };
    let mut markup = false;
    let mut open: Vec<(Node<'_>, String, String)> =
        sections.items().enumerate().map(|(i, node)| (node, format!("/section/{i}"), String::new())).collect();
    open.reverse();
    while let Some((section, at, mut heading)) = open.pop() {
        let title = section.get("title").and_then(|n| cx.concept(n, &format!("{at}/title")));
        let code = section.get("code").and_then(|n| cx.concept(n, &format!("{at}/code")));
        let named_by = title.or(code);
        if let Some(concept) = &named_by {
            if !heading.is_empty() {
                heading.push_str(" / ");
            }
            heading.push_str(concept.label.trim());
        }
        if let Some(text) = section.get("text").and_then(|t| string(t, "div")) {
            let mut named = row.clone();
            if let Some(concept) = named_by {
                named.occurrence.concept = concept;
            }
            markup = true;
            cx.note(&named, text.into_owned(), vec![Decode::JsonString], &format!("{at}/text/div"));
            let shown = cx.text(&heading);
            if let Some(kept) = cx.load.notes.last_mut().filter(|_| !heading.is_empty()) {
                kept.note.section = Some(shown);
            }
        }
        for (i, inner) in section.get("section").into_iter().flat_map(Node::items).enumerate() {
            open.push((inner, format!("{at}/section/{i}"), heading.clone()));
        }
    }
    if !markup {
        return Reading::Opaque;
    }
    cx.count(Severity::Info, Code::Encoding, "/section", "the narrative is markup; its text was kept as written");
    Reading::Read
}

pub(super) fn clinical_impression(cx: &mut Cx<'_, '_>) -> Reading {
    let mut row = cx.carrier(&["code"], "status", TEXT_STATUS);
    let mut times = Vec::new();
    cx.time(&mut times, TimeRole::Occurred, "effectiveDateTime");
    cx.period(&mut times, TimeRole::Occurred, TimeRole::OccurredEnd, "effectivePeriod");
    cx.time(&mut times, TimeRole::Documented, "date");
    row.occurrence.times = times;
    cx.author(&mut row, &["assessor", "performer"]);
    let mut found = false;
    for key in ["description", "summary"] {
        if let Some(text) = string(cx.node, key) {
            cx.plain_note(&row, &text, &format!("/{key}"));
            found = true;
        }
    }
    cx.annotations(&row);
    if found { Reading::Read } else { Reading::Opaque }
}

pub(super) fn communication(cx: &mut Cx<'_, '_>) -> Reading {
    let mut row = cx.carrier(&["topic", "category"], "status", TEXT_STATUS);
    let mut times = Vec::new();
    cx.time(&mut times, TimeRole::Documented, "sent");
    row.occurrence.times = times;
    if let Some(display) = cx.node.get("sender").and_then(|n| cx.display(n, "")) {
        detail(&mut row).author = Some(Arc::clone(&display.label));
    }
    let mut found = false;
    for (i, item) in cx.node.get("payload").into_iter().flat_map(Node::items).enumerate() {
        if let Some(text) = string(item, "contentString") {
            cx.plain_note(&row, &text, &format!("/payload/{i}/contentString"));
            found = true;
        }
        if let Some(attachment) = item.get("contentAttachment") {
            cx.attachment(&row, attachment, &format!("/payload/{i}/contentAttachment"));
            found = true;
        }
    }
    cx.annotations(&row);
    if found { Reading::Read } else { Reading::Opaque }
}
