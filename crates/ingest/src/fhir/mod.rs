//! FHIR resources: what each says, as rows of the record.

mod care;
mod document;
mod element;
mod event;
mod medication;
mod result;

use std::borrow::Cow;
use std::sync::Arc;

use chartproof_record::json::{Kind, Node};
use chartproof_record::{ClinicalTime, Code, Place, Severity, Standing, StandingReason, sha256_hex};

pub(crate) use document::{Unread, attachment_text};
use element::known_reference;

use crate::load::{BundleInfo, Draft, DraftIx, Event, Load, Reading, RefIx, string};

/// A resource being read.
pub(crate) struct Cx<'l, 'a> {
    pub(crate) load: &'l mut Load,
    pub(crate) node: Node<'a>,
    pub(crate) draft: DraftIx,
    pub(crate) scope: u32,
    /// Resources contained in the outermost one: id, draft, value, position.
    contained: &'l [Contained<'a>],
    /// The resource that contains this one.
    parent: Option<DraftIx>,
    pub(crate) patient: Option<RefIx>,
    pub(crate) encounter: Option<RefIx>,
}

pub(crate) struct Contained<'a> {
    id: Cow<'a, str>,
    draft: DraftIx,
    node: Node<'a>,
    position: usize,
}

/// Reads one entry of a Bundle.
pub(crate) fn entry(load: &mut Load, entry: Node<'_>, text: &str, file: u32, info: &mut BundleInfo, place: Place) {
    let Some((resource, full_url)) = take_entry(load, entry, file, info, place) else { return };
    self::resource(load, resource, text, file, place, info.scope, full_url.as_deref());
}

/// The resource of an entry and its full URL.
fn take_entry<'a>(
    load: &mut Load,
    entry: Node<'a>,
    file: u32,
    info: &mut BundleInfo,
    place: Place,
) -> Option<(Node<'a>, Option<Cow<'a, str>>)> {
    let at = info.entries.saturating_sub(1);
    let malformed = |load: &mut Load, location: String, message: &str| {
        let name = Arc::clone(&load.files[file as usize].name);
        let location = match place {
            Place::Line(line) => format!("line {line} {location}"),
            _ => location,
        };
        load.file_event(Severity::Error, Code::Malformed, &name, location, message);
    };
    if entry.kind() != Kind::Object {
        malformed(load, format!("/entry/{at}"), "an entry of the Bundle is not an object");
        return None;
    }
    let Some(resource) = entry.get("resource") else {
        let method = entry.get("request").and_then(|r| string(r, "method"));
        if method.as_deref() == Some("DELETE") {
            let name = Arc::clone(&load.files[file as usize].name);
            let message = "an entry says that a resource was deleted; deletions are not applied";
            let location = format!("/entry/{at}");
            load.file_event(Severity::Warning, Code::OpaqueResource, &name, location, message);
        }
        return None;
    };
    let Some(kind) = string(resource, "resourceType") else {
        malformed(load, format!("/entry/{at}/resource"), "the resource of an entry has no resourceType");
        return None;
    };
    let mode = entry.get("search").and_then(|s| string(s, "mode"));
    if kind == "OperationOutcome" {
        let failed = resource.get("issue").is_some_and(|issues| {
            issues.items().any(|i| matches!(string(i, "severity").as_deref(), Some("error" | "fatal")))
        });
        let name = Arc::clone(&load.files[file as usize].name);
        let location = format!("/entry/{at}/resource");
        let message = "the server's answer holds an OperationOutcome: part of what was asked for may be missing";
        let code = if failed { Code::IncompleteRecord } else { Code::OpaqueResource };
        load.file_event(Severity::Warning, code, &name, location, message);
    } else if mode.is_none_or(|m| m == "match") {
        info.matches += 1;
    }
    Some((resource, string(entry, "fullUrl")))
}

/// Reads a resource, and through any Bundles inside it.
pub(crate) fn resource(
    load: &mut Load,
    node: Node<'_>,
    text: &str,
    file: u32,
    place: Place,
    scope: u32,
    full_url: Option<&str>,
) {
    if string(node, "resourceType").as_deref() != Some("Bundle") {
        one(load, node, text, file, place, scope, full_url);
        return;
    }
    let mut bundles = vec![node];
    while let Some(bundle) = bundles.pop() {
        let mut info = BundleInfo::new(file, load.next_scope());
        for (key, value) in bundle.members() {
            if key != "entry" {
                info.member(&key, value);
            }
        }
        for item in bundle.get("entry").into_iter().flat_map(Node::items) {
            info.entries += 1;
            let Some((inner, url)) = take_entry(load, item, file, &mut info, place) else { continue };
            if string(inner, "resourceType").as_deref() == Some("Bundle") {
                bundles.push(inner);
            } else {
                one(load, inner, text, file, place, info.scope, url.as_deref());
            }
        }
        load.bundles.push(info);
    }
}

/// The `Type/id` at the end of a URL.
fn tail_of_url(url: &str) -> Option<&str> {
    let url = url.find("/_history/").map_or(url, |at| &url[..at]);
    let id = url.rfind('/')?;
    let start = url[..id].rfind('/').map_or(0, |at| at + 1);
    let kind = &url[start..id];
    let named = kind.starts_with(|c: char| c.is_ascii_uppercase()) && kind.bytes().all(|b| b.is_ascii_alphanumeric());
    (named && id + 1 < url.len()).then(|| &url[start..])
}

/// The server of an absolute URL that ends in `Type/id`, without its scheme.
fn server_of(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    let tail = tail_of_url(url)?;
    let rest = rest.find("/_history/").map_or(rest, |at| &rest[..at]);
    rest.strip_suffix(tail).map(|base| base.trim_end_matches('/')).filter(|base| !base.is_empty())
}

fn key_of(kind: &str, node: Node<'_>, full_url: Option<&str>) -> String {
    if let Some(id) = string(node, "id") {
        return format!("{kind}/{id}");
    }
    match full_url {
        Some(url) if url.starts_with("urn:") => format!("{kind}/{url}"),
        Some(url) if tail_of_url(url).is_some_and(|t| t.starts_with(kind) && t[kind.len()..].starts_with('/')) => {
            tail_of_url(url).unwrap_or_default().to_owned()
        }
        _ => format!("{kind}/sha256:{}", &sha256_hex(node.raw().as_bytes())[..32]),
    }
}

fn one(load: &mut Load, node: Node<'_>, text: &str, file: u32, place: Place, scope: u32, full_url: Option<&str>) {
    let kind = string(node, "resourceType").unwrap_or_default();
    let key = key_of(&kind, node, full_url);
    let (start, end) = node.range();
    let base = full_url.and_then(server_of).map(|base| load.interner.text(base));
    // The same in another file, or of another server, may be of another person with the same id.
    let known = load.by_key.get(key.as_str()).copied().filter(|ix| {
        let draft = &load.drafts[*ix as usize];
        draft.file == file && draft.base == base && text.get(draft.start..draft.end) == Some(node.raw())
    });
    let draft = known.unwrap_or(load.drafts.len() as u32);
    if let Some(url) = full_url {
        let url = if url.starts_with("urn:") { url } else { tail_of_url(url).unwrap_or(url) };
        if url != key {
            load.full_urls.push((url.into(), scope, draft));
        }
    }
    if known.is_some() {
        load.repeats.push(draft);
        return;
    }
    let key: Arc<str> = key.into();
    load.by_key.entry(Arc::clone(&key)).or_insert(draft);
    let resource_type = load.interner.text(&kind);
    let mut new = Draft {
        key,
        resource_type,
        file,
        start,
        end,
        place,
        parent: None,
        base,
        last_updated: None,
        version: None,
        reading: Reading::Opaque,
        naming: None,
    };
    if let Some(meta) = node.get("meta") {
        new.last_updated = string(meta, "lastUpdated").and_then(|t| ClinicalTime::parse_iso(&t)).map(Box::new);
        new.version = string(meta, "versionId").and_then(|v| v.parse().ok());
    }
    load.drafts.push(new);
    let mut contained = Vec::new();
    for (position, inner) in node.get("contained").into_iter().flat_map(Node::items).enumerate() {
        let Some(kind) = string(inner, "resourceType") else { continue };
        let id = string(inner, "id").unwrap_or_else(|| Cow::Owned(format!("contained/{position}")));
        let (start, end) = inner.range();
        contained.push(Contained { id: id.clone(), draft: load.drafts.len() as u32, node: inner, position });
        let resource_type = load.interner.text(&kind);
        load.drafts.push(Draft {
            key: id.as_ref().into(),
            resource_type,
            file,
            start,
            end,
            place: Place::Contained,
            parent: Some(draft),
            base: None,
            last_updated: None,
            version: None,
            reading: Reading::Opaque,
            naming: None,
        });
    }
    let before = (load.rows.len(), load.notes.len(), load.encounters.len());
    let cx = Cx { load, node, draft, scope, contained: &contained, parent: None, patient: None, encounter: None };
    let (patient, encounter) = read(cx, !contained.is_empty());
    for inner in &contained {
        let cx = Cx {
            load,
            node: inner.node,
            draft: inner.draft,
            scope,
            contained: &contained,
            parent: Some(draft),
            patient,
            encounter,
        };
        read(cx, false);
    }
    if node.repeats_keys() {
        contradicted(load, node, before);
    }
    surrogates(load, node, draft);
}

/// Says where text was read around an unpaired surrogate.
fn surrogates(load: &mut Load, node: Node<'_>, draft: DraftIx) {
    for offset in node.lone_surrogates() {
        load.events.push(Event {
            severity: Severity::Warning,
            code: Code::Encoding,
            about: Ok(draft),
            location: node.pointer_at(offset),
            message: Cow::Borrowed("an unpaired surrogate in a text was read as U+FFFD"),
            counted: false,
        });
    }
}

/// Voids what a resource says when it names a key twice, with different values, on which its meaning turns.
fn contradicted(load: &mut Load, node: Node<'_>, before: (usize, usize, usize)) {
    const TURNS: [&str; 19] = [
        "status",
        "docStatus",
        "verificationStatus",
        "clinicalStatus",
        "doNotPerform",
        "prohibited",
        "notGiven",
        "wasNotGiven",
        "notPerformed",
        "wasNotTaken",
        "taken",
        "adherence",
        "actuality",
        "intent",
        "interpretation",
        "dataAbsentReason",
        "modifierExtension",
        "subject",
        "patient",
    ];
    let turns = |key: &str| TURNS.contains(&key) || key.starts_with("value");
    let found = node.contradictions().into_iter().find(|pointer| pointer.split('/').any(turns));
    let Some(pointer) = found else { return };
    // What is cited must be one value: where the key is an object or a list, the resource by its type.
    let single = node.pointer(&pointer).is_some_and(|n| !matches!(n.kind(), Kind::Object | Kind::Array));
    let pointer = load.interner.text(if single { &pointer } else { "/resourceType" });
    let word = load.interner.text("contradictory keys");
    let reason = Some(Box::new(StandingReason { word, pointer }));
    for row in load.rows.iter_mut().skip(before.0) {
        row.occurrence.standing = Standing::Void;
        row.occurrence.standing_reason = reason.clone();
    }
    for row in load.notes.iter_mut().skip(before.1) {
        row.note.standing = Standing::Void;
        row.note.standing_reason = reason.clone();
    }
    load.encounters.iter_mut().skip(before.2).for_each(|row| row.void = true);
}

/// Reads one resource into rows; returns its patient and encounter for what it contains.
fn read(mut cx: Cx<'_, '_>, needed: bool) -> (Option<RefIx>, Option<RefIx>) {
    let kind = Arc::clone(&cx.load.drafts[cx.draft as usize].resource_type);
    type Reader = fn(&mut Cx<'_, '_>) -> Reading;
    let reader: Option<Reader> = match &*kind {
        "Patient" => Some(|_| Reading::Patient),
        "Encounter" => Some(care::encounter),
        "EpisodeOfCare" => Some(care::episode),
        "Condition" => Some(event::condition),
        "AllergyIntolerance" => Some(event::allergy),
        "AdverseEvent" => Some(event::adverse_event),
        "Procedure" => Some(event::procedure),
        "Immunization" => Some(event::immunization),
        "Device" => Some(event::device),
        "DeviceUseStatement" | "DeviceUsage" => Some(event::device_use),
        "Observation" => Some(result::observation),
        "DiagnosticReport" => Some(result::report),
        "Specimen" => Some(result::specimen),
        "ServiceRequest" | "ProcedureRequest" => Some(result::service_request),
        "Medication" | "Substance" | "Location" | "Organization" | "Practitioner" | "PractitionerRole" => {
            Some(medication::naming)
        }
        "MedicationRequest" => Some(medication::request),
        "MedicationAdministration" => Some(medication::administration),
        "MedicationDispense" => Some(medication::dispense),
        "MedicationStatement" | "MedicationUsage" => Some(medication::statement),
        "DocumentReference" => Some(document::document_reference),
        "Composition" => Some(document::composition),
        "ClinicalImpression" => Some(document::clinical_impression),
        "Communication" => Some(document::communication),
        _ => None,
    };
    if reader.is_some() || needed {
        cx.patient = cx.subject().or(cx.patient);
        cx.encounter = cx.own_encounter().or(cx.encounter);
    }
    let Some(reader) = reader else { return (cx.patient, cx.encounter) };
    cx.subsetted();
    let reading = reader(&mut cx);
    cx.load.drafts[cx.draft as usize].reading = reading;
    (cx.patient, cx.encounter)
}
