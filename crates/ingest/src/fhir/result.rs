//! Observations, reports, specimens and service orders.

use std::sync::Arc;

use chartproof_record::json::Node;
use chartproof_record::{Concept, Kind, LinkKind, ReferenceRange, Stamp, Standing, TimeRole, Value};

use super::Cx;
use super::element::{Reason, Rule, combine, detail};
use crate::load::{Reading, Row, first, string};

const OBSERVATION_STATUS: &[Rule] = &[
    ("final", Standing::Affirmed),
    ("amended", Standing::Affirmed),
    ("corrected", Standing::Affirmed),
    ("appended", Standing::Affirmed),
    ("modified", Standing::Affirmed),
    ("preliminary", Standing::Affirmed),
    ("partial", Standing::Affirmed),
    ("registered", Standing::Void),
    ("specimen-in-process", Standing::Void),
    ("cannot-be-obtained", Standing::Void),
    ("cancelled", Standing::Void),
    ("entered-in-error", Standing::Void),
    ("unknown", Standing::Uncertain),
];

const SPECIMEN_STATUS: &[Rule] = &[
    ("available", Standing::Affirmed),
    ("unavailable", Standing::Affirmed),
    ("unsatisfactory", Standing::Affirmed),
    ("entered-in-error", Standing::Void),
];

const ORDER_STATUS: &[Rule] = &[
    ("active", Standing::Affirmed),
    ("completed", Standing::Affirmed),
    ("ended", Standing::Affirmed),
    ("draft", Standing::Void),
    ("on-hold", Standing::Void),
    ("suspended", Standing::Void),
    ("revoked", Standing::Void),
    ("cancelled", Standing::Void),
    ("entered-in-error", Standing::Void),
    ("unknown", Standing::Uncertain),
];

/// LOINC codes of vital signs, for observations without a category.
const VITAL_CODES: [&str; 20] = [
    "85353-1", "9279-1", "8867-4", "2708-6", "59408-5", "8310-5", "8302-2", "9843-4", "29463-7", "39156-5", "85354-9",
    "8480-6", "8462-4", "55284-4", "8306-3", "8331-1", "8287-5", "3141-9", "8478-0", "20564-1",
];

/// Texts longer than this are notes as well as values.
const NOTE_LENGTH: usize = 80;

fn kind_of(cx: &mut Cx<'_, '_>, concept: Option<&Concept>, measured: bool) -> (Kind, Option<Arc<str>>) {
    let mut found = None;
    let mut shown = None;
    let mut microbiology = false;
    for (i, node) in cx.node.get("category").into_iter().flat_map(Node::items).enumerate() {
        let Some(category) = cx.concept(node, &format!("/category/{i}")) else { continue };
        shown.get_or_insert_with(|| Arc::clone(&category.label));
        let codes = category.codings.iter().map(|c| &*c.code);
        for word in codes.chain([&*category.label]) {
            let kind = match word.to_ascii_lowercase().as_str() {
                "laboratory" | "lab" | "ch" | "hm" | "bg" | "pat" => Kind::Lab,
                "vital-signs" | "vital signs" => Kind::Vital,
                "mb" | "microbiology" | "mcb" => {
                    microbiology = true;
                    Kind::Culture
                }
                "social-history" | "survey" | "exam" | "imaging" | "procedure" | "therapy" | "activity" => {
                    Kind::Finding
                }
                _ => continue,
            };
            found.get_or_insert(kind);
        }
    }
    let code = |list: &[&str]| concept.is_some_and(|c| c.codings.iter().any(|c| list.contains(&&*c.code)));
    let kind = found.unwrap_or_else(|| {
        if code(&VITAL_CODES) {
            Kind::Vital
        } else if measured {
            Kind::Lab
        } else {
            Kind::Finding
        }
    });
    let culture = |text: &str| text.to_ascii_lowercase().contains("culture");
    let worded = concept
        .is_some_and(|c| culture(&c.label) || c.codings.iter().any(|c| c.display.as_deref().is_some_and(culture)));
    let kind = match (kind, found) {
        (Kind::Lab, _) if worded || microbiology => Kind::Culture,
        (Kind::Finding, None) if worded => Kind::Culture,
        _ => kind,
    };
    (kind, shown)
}

/// What a finding's value says of the finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    /// It is not there.
    No,
    /// Nothing: not assessed, unknown, declined, none.
    Nothing,
    /// It is left open.
    Open,
}

/// A value's words without case, remarks in brackets, stops and extra space.
fn plain_words(text: &str) -> String {
    let text = text.split(['(', '[']).next().unwrap_or_default().to_lowercase();
    let text = text.trim().trim_end_matches(['.', '!', ';', ',']).replace(['-', '_'], " ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What words used as a value say; `None` when they say something of their own.
fn said_in_words(text: &str) -> Option<Said> {
    const NO: [&str; 10] =
        ["no", "absent", "negative", "neg", "not detected", "not present", "not found", "denies", "denied", "false"];
    const NOTHING: [&str; 31] = [
        "none",
        "nil",
        "n/a",
        "na",
        "n.a",
        "n a",
        "nk",
        "n/k",
        "unk",
        "unknown",
        "declined",
        "refused",
        "deferred",
        "unavailable",
        "no data",
        "no information",
        "no answer",
        "no response",
        "no value",
        "null",
        "missing",
        "masked",
        "blank",
        "tbd",
        "pending",
        "cancelled",
        "canceled",
        "error",
        "unsupported",
        "other",
        "not a number",
    ];
    const OPEN: [&str; 16] = [
        "indeterminate",
        "inconclusive",
        "equivocal",
        "undetermined",
        "uncertain",
        "unsure",
        "unclear",
        "possible",
        "possibly",
        "probable",
        "probably",
        "suspected",
        "suspicious",
        "maybe",
        "borderline",
        "questionable",
    ];
    const NOTHING_STARTS: [&str; 16] = [
        "not assess",
        "not applic",
        "not done",
        "not perform",
        "not record",
        "not ask",
        "not evaluat",
        "not examin",
        "not avail",
        "not report",
        "not state",
        "not known",
        "not test",
        "not obtain",
        "not document",
        "not specif",
    ];
    const NOTHING_PHRASES: [&str; 16] = [
        "not collected",
        "not answered",
        "not permitted",
        "not determined",
        "not screened",
        "unable to ",
        "asked but ",
        "asked unknown",
        "asked declined",
        "patient declined",
        "patient refused",
        "temp unknown",
        "temporarily un",
        "choose not to",
        "prefer not to",
        "don't know",
    ];
    let words = plain_words(text);
    if words.is_empty() || words.chars().all(|c| matches!(c, '?' | '/' | ' ')) {
        return Some(Said::Nothing);
    }
    let all = &*words;
    if NO.contains(&all) {
        Some(Said::No)
    } else if NOTHING.contains(&all)
        || NOTHING_STARTS.iter().any(|w| all.starts_with(w))
        || NOTHING_PHRASES.iter().any(|w| all.starts_with(w) || all.contains(w.trim_end()) && all.len() < 48)
    {
        Some(Said::Nothing)
    } else if OPEN.contains(&all) {
        Some(Said::Open)
    } else {
        None
    }
}

/// What a code used as a value says.
fn said_in_code(system: &str, code: &str) -> Option<Said> {
    match code {
        "2667000" | "260385009" | "373067005" | "260415000" | "272519000" | "LA32-8" | "LA9634-2" | "LA6577-6"
        | "LA11883-8" | "NEG" | "no" | "absent" | "negative" => Some(Said::No),
        "N" if system.ends_with("0136") || system.ends_with("1.12.136") => Some(Said::No),
        "ND" if system.contains("ObservationInterpretation") => Some(Said::No),
        "261665006" | "385432009" | "443390004" | "262008008" | "260413007" | "1631000175102" | "LA4489-6"
        | "LA4720-4" | "LA137-2" | "LA12688-0" | "LA30122-8" | "unknown" | "asked-unknown" | "temp-unknown"
        | "not-asked" | "asked-declined" | "masked" | "not-applicable" | "unsupported" | "as-text" | "error"
        | "not-performed" | "not-permitted" | "not-a-number" | "UNK" | "ASKU" | "NASK" | "NAVU" | "NAV" | "MSK" => {
            Some(Said::Nothing)
        }
        "NI" | "NA" if system.contains("NullFlavor") => Some(Said::Nothing),
        "373068000" | "82334004" | "419984006" | "42425007" | "LA11884-6" => Some(Said::Open),
        _ => None,
    }
}

/// What a finding's value says, with its word and pointer.
fn says(value: &Value) -> Option<(Said, &str, &str)> {
    match value {
        Value::Truth { value: false, pointer } => Some((Said::No, "false", pointer)),
        Value::Coded { concept } => {
            // A word that says nothing beats a code.
            let worded = said_in_words(&concept.label);
            let coded = concept.codings.iter().find_map(|c| said_in_code(&c.system, &c.code));
            let said = worded.filter(|w| *w != Said::No).or(coded).or(worded)?;
            Some((said, &concept.label, &concept.label_pointer))
        }
        Value::Text { text, pointer } => Some((said_in_words(text)?, text, pointer)),
        _ => None,
    }
}

/// Names of what is done or asked about a condition: "no" to them does not deny the condition.
fn names_an_activity(label: &str) -> bool {
    const WORDS: [&str; 12] = [
        "plan",
        "screening",
        "screened",
        "screen",
        "questionnaire",
        "survey",
        "education",
        "counseling",
        "counselling",
        "consent",
        "risk",
        "goal",
    ];
    label.split(|c: char| !c.is_alphanumeric()).any(|w| WORDS.iter().any(|known| w.eq_ignore_ascii_case(known)))
}

/// Whether a value of a measurement says that it was not made.
fn says_not_made(value: &Value) -> Option<(&str, &str)> {
    let (text, pointer) = match value {
        Value::Text { text, pointer } => (text, pointer),
        Value::Coded { concept } => (&concept.label, &concept.label_pointer),
        _ => return None,
    };
    let words = plain_words(text);
    let not_made = ["not done", "not performed", "test not performed", "not collected", "cancelled", "canceled", "tnp"];
    not_made.contains(&&*words).then_some((&**text, &**pointer))
}

pub(super) fn observation(cx: &mut Cx<'_, '_>) -> Reading {
    let concept = cx.concept_at("code");
    let value = cx.value(cx.node, "", "value");
    let components = cx.node.get("component");
    let measured = matches!(value, Some(Value::Quantity { .. }))
        || components.is_some_and(|c| c.items().any(|c| c.get("valueQuantity").is_some()));
    let (kind, category) = kind_of(cx, concept.as_deref(), measured);
    let status = cx.status("status", OBSERVATION_STATUS);
    let status = cx.modified(status);
    let mut times = Vec::new();
    let lab = matches!(kind, Kind::Lab | Kind::Culture);
    let from = if lab { TimeRole::Collected } else { TimeRole::Occurred };
    cx.time(&mut times, from, "effectiveDateTime");
    cx.time(&mut times, from, "effectiveInstant");
    cx.period(&mut times, from, TimeRole::OccurredEnd, "effectivePeriod");
    if let Some(at) = cx.node.get("effectiveTiming").and_then(|t| t.get("event")).and_then(first) {
        cx.time_of(&mut times, from, at, "/effectiveTiming/event/0");
    }
    cx.time(&mut times, TimeRole::Resulted, "issued");
    let mut row = cx.row(kind, concept);
    row.occurrence.times = times;
    row.occurrence.value = value;
    if category.is_some() {
        detail(&mut row).category = category;
    }
    let site = cx.label_at("bodySite");
    if site.is_some() {
        detail(&mut row).site = site;
    }
    if let Some(specimen) = cx.node.get("specimen") {
        row.specimen = cx.reference(specimen);
        let named = match cx.contained(specimen) {
            Some((node, _)) => node.get("type").and_then(|t| cx.concept(t, "")),
            None => cx.display(specimen, ""),
        };
        if let Some(named) = named {
            detail(&mut row).specimen = Some(Arc::clone(&named.label));
        }
        cx.link(&mut row, LinkKind::RecordedRef, specimen, "/specimen", None);
    }
    for key in ["hasMember", "derivedFrom", "basedOn", "partOf", "related"] {
        cx.refs(&mut row, LinkKind::RecordedRef, key);
    }
    cx.author(&mut row, &["performer"]);
    fill(cx, &mut row, cx.node, "", status.clone());
    for (i, component) in components.into_iter().flat_map(Node::items).enumerate() {
        let base = format!("/component/{i}");
        let concept = component.get("code").and_then(|n| cx.concept(n, &format!("{base}/code")));
        let mut part = cx.row(kind, concept);
        part.occurrence.pointer = cx.text(&base);
        part.occurrence.times = row.occurrence.times.clone();
        part.occurrence.detail = row.occurrence.detail.clone();
        part.specimen = row.specimen;
        part.author = row.author;
        part.occurrence.value = cx.value(component, &base, "value");
        fill(cx, &mut part, component, &base, status.clone());
        cx.keep(part);
    }
    cx.annotations(&row);
    if let Some(Value::Text { text, pointer }) = &row.occurrence.value
        && &**pointer == "/valueString"
        && text.chars().count() > NOTE_LENGTH
    {
        cx.plain_note(&row, text, "/valueString");
    }
    cx.keep(row);
    Reading::Read
}

/// What an observation and its components have in common: standing by value, range, interpretation.
fn fill(cx: &mut Cx<'_, '_>, row: &mut Row, node: Node<'_>, base: &str, status: (Standing, Reason)) {
    let mut standing = status;
    let interpretation = node
        .get("interpretation")
        .and_then(|n| {
            if n.kind() == chartproof_record::json::Kind::Array {
                n.items().next().map(|n| (n, "/0"))
            } else {
                Some((n, ""))
            }
        })
        .and_then(|(n, i)| cx.concept(n, &format!("{base}/interpretation{i}")));
    if row.occurrence.value.is_none()
        && let Some(absent) =
            node.get("dataAbsentReason").and_then(|n| cx.concept(n, &format!("{base}/dataAbsentReason")))
    {
        let word = absent.codings.first().map_or(&absent.label, |c| &c.code);
        let reason = cx.reason(&format!("no value: {word}"), &absent.label_pointer);
        standing = combine(standing, (Standing::Void, reason));
    }
    if row.occurrence.kind == Kind::Finding {
        let value = row.occurrence.value.as_ref();
        let marked = interpretation.as_ref().and_then(|i| {
            let said = i.codings.iter().find_map(|c| match &*c.code {
                "NEG" | "ND" => Some(Said::No),
                "IND" | "E" | "I" => Some(Said::Open),
                _ => None,
            })?;
            Some((said, &*i.label, &*i.label_pointer))
        });
        let said = value.and_then(says).or(marked);
        let activity = names_an_activity(&row.occurrence.concept.label);
        let unsaid = value.is_none() && interpretation.is_none() && node.get("component").is_none();
        if let Some((said, word, pointer)) = said {
            let clear = |text: &str| !matches!(&*plain_words(text), "no" | "false");
            let made = match said {
                Said::No if activity && !clear(word) => Standing::Uncertain,
                Said::No => Standing::Negative,
                Said::Nothing => Standing::Void,
                Said::Open => Standing::Uncertain,
            };
            let reason = cx.reason(word, pointer);
            standing = combine(standing, (made, reason));
        } else if unsaid && node.get("dataAbsentReason").is_none() {
            // A name alone is what was looked at, not that it was found.
            let at = Arc::clone(&row.occurrence.concept.label_pointer);
            let reason = cx.reason("no value", &at);
            standing = combine(standing, (Standing::Uncertain, reason));
        }
        let absence = cx.stated_absence(&Arc::clone(&row.occurrence.concept), &format!("{base}/code"));
        if let Some(absence) = absence {
            standing = combine(standing, absence);
        }
    }
    if matches!(row.occurrence.kind, Kind::Lab | Kind::Culture | Kind::Vital)
        && let Some((word, pointer)) = row.occurrence.value.as_ref().and_then(says_not_made)
    {
        let reason = cx.reason(word, pointer);
        standing = combine(standing, (Standing::Void, reason));
    }
    (row.occurrence.standing, row.occurrence.standing_reason) = standing;
    if interpretation.is_some() {
        detail(row).interpretation = interpretation;
    } else if let Some(detail) = row.occurrence.detail.as_mut() {
        detail.interpretation = None;
    }
    row.occurrence.reference_range = range(cx, node).map(Box::new);
}

fn range(cx: &mut Cx<'_, '_>, node: Node<'_>) -> Option<ReferenceRange> {
    let item = first(node.get("referenceRange")?)?;
    let number = |key: &str| {
        let value = item.get(key)?.get("value")?.raw().parse::<f64>().ok()?;
        value.is_finite().then_some(value)
    };
    let (low, high) = (number("low"), number("high"));
    let words = string(item, "text").map(|t| cx.text(&t));
    let shown = words.or_else(|| {
        let low = item.get("low").and_then(|n| cx.quantity_text(n)).unwrap_or_default();
        let high = item.get("high").and_then(|n| cx.quantity_text(n)).unwrap_or_default();
        let text = match (low.is_empty(), high.is_empty()) {
            (true, true) => return None,
            (false, true) => format!(">= {low}"),
            (true, false) => format!("<= {high}"),
            (false, false) => format!("{low} - {high}"),
        };
        Some(cx.text(&text))
    });
    shown.map(|text| ReferenceRange { low, high, text })
}

pub(super) fn report(cx: &mut Cx<'_, '_>) -> Reading {
    let concept = cx.concept_at("code");
    let mut row = cx.row(Kind::Report, concept);
    let status = cx.status("status", OBSERVATION_STATUS);
    (row.occurrence.standing, row.occurrence.standing_reason) = cx.modified(status);
    let category = cx.label_at("category");
    let lab = cx.node.get("category").into_iter().flat_map(Node::items).any(|c| {
        c.get("coding").is_some_and(|list| {
            list.items()
                .any(|c| matches!(string(c, "code").as_deref(), Some("LAB" | "CH" | "HM" | "MB" | "laboratory")))
        })
    });
    if category.is_some() {
        detail(&mut row).category = category;
    }
    let from = if lab { TimeRole::Collected } else { TimeRole::Occurred };
    let mut times = Vec::new();
    cx.time(&mut times, from, "effectiveDateTime");
    cx.period(&mut times, from, TimeRole::OccurredEnd, "effectivePeriod");
    cx.time(&mut times, TimeRole::Resulted, "issued");
    row.occurrence.times = times;
    if let Some(specimen) = cx.node.get("specimen").and_then(first) {
        row.specimen = cx.reference(specimen);
    }
    for key in ["basedOn", "specimen", "result"] {
        cx.refs(&mut row, LinkKind::RecordedRef, key);
    }
    cx.author(&mut row, &["performer", "resultsInterpreter"]);
    for (i, node) in cx.node.get("conclusionCode").into_iter().flat_map(Node::items).enumerate() {
        let Some(concept) = cx.concept(node, &format!("/conclusionCode/{i}")) else { continue };
        let mut found = cx.row(Kind::Finding, Some(concept));
        found.occurrence.pointer = cx.text(&format!("/conclusionCode/{i}"));
        found.occurrence.standing = row.occurrence.standing;
        found.occurrence.standing_reason = row.occurrence.standing_reason.clone();
        found.occurrence.times = row.occurrence.times.clone();
        cx.keep(found);
    }
    if let Some(text) = string(cx.node, "conclusion") {
        cx.plain_note(&row, &text, "/conclusion");
        document_time(cx);
    }
    for (i, form) in cx.node.get("presentedForm").into_iter().flat_map(Node::items).enumerate() {
        cx.attachment(&row, form, &format!("/presentedForm/{i}"));
        document_time(cx);
    }
    cx.annotations(&row);
    cx.name_by_type(&mut row);
    cx.keep(row);
    Reading::Read
}

/// The text of a report was written when it was issued; a report without that, at its own time.
fn document_time(cx: &mut Cx<'_, '_>) {
    let Some(kept) = cx.load.notes.last_mut() else { return };
    let times = &mut kept.note.times;
    if times.iter().any(|t| t.role == TimeRole::Documented) {
        return;
    }
    let written = times.iter().find(|t| t.role == TimeRole::Resulted);
    let written = written.or_else(|| times.iter().find(|t| matches!(t.role, TimeRole::Occurred | TimeRole::Collected)));
    if let Some(stamp) = written.cloned() {
        times.push(Stamp { role: TimeRole::Documented, ..stamp });
    }
}

pub(super) fn specimen(cx: &mut Cx<'_, '_>) -> Reading {
    let concept = cx.concept_at("type");
    let mut row = cx.row(Kind::Specimen, concept.clone());
    cx.load.drafts[cx.draft as usize].naming = concept;
    let mut standing = (Standing::Affirmed, None);
    if cx.node.get("status").is_some() {
        standing = cx.status("status", SPECIMEN_STATUS);
    }
    (row.occurrence.standing, row.occurrence.standing_reason) = cx.modified(standing);
    let mut times = Vec::new();
    if let Some(collection) = cx.node.get("collection") {
        if let Some(at) = collection.get("collectedDateTime") {
            cx.time_of(&mut times, TimeRole::Collected, at, "/collection/collectedDateTime");
        }
        if let Some(period) = collection.get("collectedPeriod") {
            let at = "/collection/collectedPeriod";
            cx.period_of(&mut times, TimeRole::Collected, TimeRole::OccurredEnd, period, at);
        }
        let site = collection.get("bodySite").and_then(|n| {
            let inner = n.get("concept").unwrap_or(n);
            cx.concept(inner, "/collection/bodySite")
        });
        if let Some(site) = site {
            detail(&mut row).site = Some(Arc::clone(&site.label));
        }
    }
    cx.time(&mut times, TimeRole::Recorded, "receivedTime");
    row.occurrence.times = times;
    for key in ["request", "parent"] {
        cx.refs(&mut row, LinkKind::RecordedRef, key);
    }
    cx.name_by_type(&mut row);
    cx.annotations(&row);
    cx.keep(row);
    Reading::Read
}

pub(super) fn service_request(cx: &mut Cx<'_, '_>) -> Reading {
    // R5: code is a CodeableReference.
    let nested = cx.node.get("code").and_then(|n| n.get("concept"));
    let concept = match nested {
        Some(inner) => cx.concept(inner, "/code/concept"),
        None => cx.concept_at("code"),
    };
    let mut row = cx.row(Kind::ServiceOrder, concept);
    (row.occurrence.standing, row.occurrence.standing_reason) = cx.order_standing(ORDER_STATUS);
    let mut times = Vec::new();
    cx.time(&mut times, TimeRole::Ordered, "authoredOn");
    row.occurrence.times = times;
    let category = cx.label_at("category");
    if category.is_some() {
        detail(&mut row).category = category;
    }
    let site = cx.label_at("bodySite");
    if site.is_some() {
        detail(&mut row).site = site;
    }
    cx.reasons(&mut row);
    for key in ["basedOn", "replaces", "specimen"] {
        cx.refs(&mut row, LinkKind::RecordedRef, key);
    }
    cx.author(&mut row, &["requester"]);
    cx.annotations(&row);
    cx.keep(row);
    Reading::Read
}
