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

/// Whether a finding's value says that the finding is not there.
fn says_no(value: &Value) -> Option<(&str, &str)> {
    const CODES: [&str; 15] = [
        "2667000",
        "260385009",
        "373067005",
        "260415000",
        "272519000",
        "LA32-8",
        "LA9634-2",
        "LA6577-6",
        "LA11883-8",
        "NEG",
        "ND",
        "N",
        "no",
        "absent",
        "negative",
    ];
    const WORDS: [&str; 7] = ["no", "none", "absent", "negative", "not detected", "not present", "denies"];
    let worded = |text: &str| {
        let text = text.trim().trim_end_matches('.').to_ascii_lowercase();
        WORDS.contains(&text.as_str())
    };
    match value {
        Value::Truth { value: false, pointer } => Some(("false", pointer)),
        Value::Coded { concept } => {
            let coded = concept.codings.iter().any(|c| CODES.contains(&&*c.code));
            (coded || worded(&concept.label)).then_some((&*concept.label, &*concept.label_pointer))
        }
        Value::Text { text, pointer } if worded(text) => Some((text, pointer)),
        _ => None,
    }
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
        let no = row.occurrence.value.as_ref().and_then(says_no);
        let marked = interpretation.as_ref().filter(|i| i.codings.iter().any(|c| matches!(&*c.code, "NEG" | "ND")));
        let no = no.or_else(|| marked.map(|i| (&*i.label, &*i.label_pointer)));
        if let Some((word, pointer)) = no {
            let reason = cx.reason(word, pointer);
            standing = combine(standing, (Standing::Negative, reason));
        }
        let absence = cx.stated_absence(&Arc::clone(&row.occurrence.concept), &format!("{base}/code"));
        if let Some(absence) = absence {
            standing = combine(standing, absence);
        }
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
