//! Conditions, allergies, adverse events, procedures, immunisations and devices.

use std::sync::Arc;

use chartproof_record::json::Node;
use chartproof_record::{ClinicalStatus, Concept, Kind, Link, LinkKind, Standing, TimeRole, Value};

use super::Cx;
use super::element::{INVERTED, Rule, combine, detail};
use crate::load::{Reading, Row, first, string};

const VERIFICATION: &[Rule] = &[
    ("confirmed", Standing::Affirmed),
    ("provisional", Standing::Uncertain),
    ("differential", Standing::Uncertain),
    ("unconfirmed", Standing::Uncertain),
    ("presumed", Standing::Uncertain),
    ("unknown", Standing::Uncertain),
    ("refuted", Standing::Negative),
    ("entered-in-error", Standing::Void),
];

const PROCEDURE_STATUS: &[Rule] = &[
    ("preparation", Standing::Void),
    ("in-progress", Standing::Affirmed),
    ("not-done", Standing::Negative),
    ("on-hold", Standing::Void),
    ("stopped", Standing::Affirmed),
    ("aborted", Standing::Affirmed),
    ("completed", Standing::Affirmed),
    ("entered-in-error", Standing::Void),
    ("unknown", Standing::Uncertain),
];

const IMMUNIZATION_STATUS: &[Rule] =
    &[("completed", Standing::Affirmed), ("not-done", Standing::Negative), ("entered-in-error", Standing::Void)];

const DEVICE_STATUS: &[Rule] = &[
    ("active", Standing::Affirmed),
    ("inactive", Standing::Affirmed),
    ("entered-in-error", Standing::Void),
    ("unknown", Standing::Uncertain),
];

const DEVICE_USE_STATUS: &[Rule] = &[
    ("active", Standing::Affirmed),
    ("completed", Standing::Affirmed),
    ("stopped", Standing::Affirmed),
    ("not-done", Standing::Negative),
    ("intended", Standing::Void),
    ("on-hold", Standing::Void),
    ("entered-in-error", Standing::Void),
];

const ADVERSE_STATUS: &[Rule] = &[
    ("in-progress", Standing::Affirmed),
    ("completed", Standing::Affirmed),
    ("entered-in-error", Standing::Void),
    ("unknown", Standing::Uncertain),
];

impl Cx<'_, '_> {
    fn clinical_status(&mut self, row: &mut Row) {
        let Some((code, pointer)) = self.code_at("clinicalStatus") else { return };
        let status = match code.as_ref() {
            "active" | "relapse" => ClinicalStatus::Active,
            "recurrence" => ClinicalStatus::Recurrence,
            "resolved" => ClinicalStatus::Resolved,
            "inactive" | "remission" => ClinicalStatus::Inactive,
            _ => return,
        };
        let pointer = self.text(&pointer);
        detail(row).clinical_status = Some((status, pointer));
    }

    /// Onset and its like; an age, a range or words are kept as the row's value.
    fn onset(&mut self, row: &mut Row, prefix: &'static str, from: TimeRole, to: TimeRole) {
        self.time(&mut row.occurrence.times, from, &format!("{prefix}DateTime"));
        self.period(&mut row.occurrence.times, from, to, &format!("{prefix}Period"));
        for kind in ["Age", "Range", "String"] {
            let key = format!("{prefix}{kind}");
            if row.occurrence.value.is_none() && self.node.get(&key).is_some() {
                let value = self.value(self.node, "", prefix);
                row.occurrence.value = value.map(|value| match value {
                    Value::Quantity { quantity, pointer } => {
                        let unit = quantity.unit.as_deref().unwrap_or_default();
                        Value::Text { text: format!("{} {unit}", quantity.text).trim().into(), pointer }
                    }
                    other => other,
                });
            }
        }
    }

    /// Extensions that say whether a condition was there on admission.
    fn on_admission(&mut self, row: &mut Row) {
        const NAMES: [&str; 6] = [
            "present-on-admission",
            "presentonadmission",
            "condition-present-on-admission",
            "diagnosis-present-on-admission",
            "onadmission",
            "poa",
        ];
        let Some((i, extension)) = self.extension(self.node, &NAMES) else { return };
        let Some(value) = self.value(extension, &format!("/extension/{i}"), "value") else { return };
        let word = match &value {
            Value::Truth { value, .. } => Some(*value),
            Value::Coded { concept } => {
                let code = concept.codings.first().map_or(&concept.label, |c| &c.code);
                said(code)
            }
            Value::Text { text, .. } => said(text),
            Value::Quantity { .. } => None,
        };
        if let Some(present) = word {
            detail(row).on_admission = Some((present, self.text(value.pointer())));
        }
    }

    fn body_site(&mut self, row: &mut Row) {
        let site = self.label_at("bodySite").or_else(|| self.label_at("site"));
        if site.is_some() {
            detail(row).site = site;
        }
    }
}

fn said(word: &str) -> Option<bool> {
    match word.to_ascii_uppercase().as_str() {
        "Y" | "YES" | "TRUE" => Some(true),
        "N" | "NO" | "FALSE" => Some(false),
        _ => None,
    }
}

pub(super) fn condition(cx: &mut Cx<'_, '_>) -> Reading {
    let concept = cx.concept_at("code");
    let mut row = cx.row(Kind::Condition, concept.clone());
    let mut standing = (Standing::Affirmed, None);
    if cx.node.get("verificationStatus").is_some() {
        standing = cx.status("verificationStatus", VERIFICATION);
    }
    if let Some(absence) = concept.as_deref().and_then(|c| cx.stated_absence(c, "/code")) {
        standing = combine(standing, absence);
    }
    (row.occurrence.standing, row.occurrence.standing_reason) = cx.modified(standing);
    cx.clinical_status(&mut row);
    let category = cx.label_at("category");
    if category.is_some() {
        detail(&mut row).category = category;
    }
    cx.body_site(&mut row);
    cx.on_admission(&mut row);
    cx.onset(&mut row, "onset", TimeRole::Onset, TimeRole::OccurredEnd);
    cx.onset(&mut row, "abatement", TimeRole::Abated, TimeRole::Abated);
    contradiction(cx, &mut row, TimeRole::Onset, TimeRole::Abated);
    let mut times = std::mem::take(&mut row.occurrence.times);
    cx.time(&mut times, TimeRole::Recorded, "recordedDate");
    cx.time(&mut times, TimeRole::Recorded, "assertedDate");
    row.occurrence.times = times;
    for (i, extension) in cx.node.get("extension").into_iter().flat_map(Node::items).enumerate() {
        let url = string(extension, "url").unwrap_or_default();
        if url.ends_with("/condition-dueTo") || url.ends_with("/condition-due-to") {
            for key in ["valueReference", "valueCodeableConcept"] {
                if let Some(node) = extension.get(key) {
                    cx.link(&mut row, LinkKind::DueTo, node, &format!("/extension/{i}/{key}"), None);
                }
            }
        }
    }
    for (i, item) in cx.node.get("evidence").into_iter().flat_map(Node::items).enumerate() {
        for key in ["code", "detail"] {
            for (j, node) in item.get(key).into_iter().flat_map(Node::items).enumerate() {
                cx.link(&mut row, LinkKind::Basis, node, &format!("/evidence/{i}/{key}/{j}"), None);
            }
        }
        // R5: a list of CodeableReference
        if item.get("concept").is_some() || item.get("reference").is_some() {
            cx.link(&mut row, LinkKind::Basis, item, &format!("/evidence/{i}"), None);
        }
    }
    cx.author(&mut row, &["recorder", "asserter"]);
    cx.annotations(&row);
    cx.keep(row);
    Reading::Read
}

/// Drops a start and an end of which the end lies first: neither can be relied on.
fn contradiction(cx: &mut Cx<'_, '_>, row: &mut Row, from: TimeRole, to: TimeRole) {
    let (Some(start), Some(end)) = (row.occurrence.time(from), row.occurrence.time(to)) else { return };
    if end.at.order(&start.at) != chartproof_record::Order::Before {
        return;
    }
    let pointer = start.pointer.to_string();
    row.occurrence.times.retain(|t| t.role != from && t.role != to);
    let (severity, code) = (chartproof_record::Severity::Warning, chartproof_record::Code::TimeContradiction);
    cx.say(severity, code, &pointer, INVERTED);
}

pub(super) fn allergy(cx: &mut Cx<'_, '_>) -> Reading {
    let concept = cx.concept_at("code");
    let mut row = cx.row(Kind::Allergy, concept.clone());
    let mut standing = (Standing::Affirmed, None);
    if cx.node.get("verificationStatus").is_some() {
        standing = cx.status("verificationStatus", VERIFICATION);
    }
    if let Some(absence) = concept.as_deref().and_then(|c| cx.stated_absence(c, "/code")) {
        standing = combine(standing, absence);
    }
    (row.occurrence.standing, row.occurrence.standing_reason) = cx.modified(standing);
    cx.clinical_status(&mut row);
    let category = cx.label_at("category");
    if category.is_some() {
        detail(&mut row).category = category;
    }
    cx.onset(&mut row, "onset", TimeRole::Onset, TimeRole::OccurredEnd);
    let mut times = std::mem::take(&mut row.occurrence.times);
    cx.time(&mut times, TimeRole::Occurred, "lastOccurrence");
    cx.time(&mut times, TimeRole::Recorded, "recordedDate");
    cx.time(&mut times, TimeRole::Recorded, "assertedDate");
    row.occurrence.times = times;
    cx.author(&mut row, &["recorder", "asserter"]);
    reactions(cx, &mut row, concept.as_ref());
    cx.annotations(&row);
    cx.keep(row);
    Reading::Read
}

/// Dated reactions are adverse events of their own; the first manifestation is the allergy's value.
fn reactions(cx: &mut Cx<'_, '_>, allergy: &mut Row, substance: Option<&Arc<Concept>>) {
    for (i, reaction) in cx.node.get("reaction").into_iter().flat_map(Node::items).enumerate() {
        let named = reaction.get("substance").and_then(|n| cx.concept(n, &format!("/reaction/{i}/substance")));
        let suspect = named.or_else(|| substance.cloned());
        for (j, node) in reaction.get("manifestation").into_iter().flat_map(Node::items).enumerate() {
            let base = format!("/reaction/{i}/manifestation/{j}");
            let (node, at) = match node.get("concept") {
                Some(inner) => (inner, format!("{base}/concept")),
                None => (node, base.clone()),
            };
            let Some(concept) = cx.concept(node, &at) else { continue };
            if allergy.occurrence.value.is_none() {
                allergy.occurrence.value = Some(Value::Coded { concept: Arc::clone(&concept) });
            }
            let Some(onset) = reaction.get("onset") else { continue };
            let mut row = cx.row(Kind::AdverseEvent, Some(concept));
            row.occurrence.pointer = cx.text(&base);
            row.occurrence.standing = allergy.occurrence.standing;
            row.occurrence.standing_reason = allergy.occurrence.standing_reason.clone();
            cx.time_of(&mut row.occurrence.times, TimeRole::Occurred, onset, &format!("/reaction/{i}/onset"));
            if let Some(suspect) = &suspect {
                row.occurrence.links.push(Link {
                    kind: LinkKind::Suspect,
                    target: None,
                    concept: Some(Arc::clone(suspect)),
                    judgement: cx.text(""),
                    pointer: Arc::clone(&suspect.label_pointer),
                });
            }
            cx.keep(row);
        }
    }
}

pub(super) fn adverse_event(cx: &mut Cx<'_, '_>) -> Reading {
    let concept = cx.concept_at("event").or_else(|| cx.concept_at("code"));
    let mut row = cx.row(Kind::AdverseEvent, concept);
    let mut standing = (Standing::Affirmed, None);
    match string(cx.node, "actuality").as_deref() {
        Some("potential") => standing = (Standing::Uncertain, cx.reason("potential", "/actuality")),
        Some("actual") => {}
        _ => {
            use chartproof_record::{Code, Severity};
            cx.count(Severity::Info, Code::UnknownStatus, "", "no actuality recorded; read as actual");
        }
    }
    if cx.node.get("status").is_some() {
        let status = cx.status("status", ADVERSE_STATUS);
        standing = combine(standing, status);
    }
    (row.occurrence.standing, row.occurrence.standing_reason) = cx.modified(standing);
    let mut times = Vec::new();
    cx.time(&mut times, TimeRole::Occurred, "date");
    cx.time(&mut times, TimeRole::Occurred, "occurrenceDateTime");
    cx.period(&mut times, TimeRole::Occurred, TimeRole::OccurredEnd, "occurrencePeriod");
    cx.time(&mut times, TimeRole::Documented, "detected");
    cx.time(&mut times, TimeRole::Recorded, "recordedDate");
    row.occurrence.times = times;
    let category = cx.label_at("category");
    if category.is_some() {
        detail(&mut row).category = category;
    }
    for (i, item) in cx.node.get("suspectEntity").into_iter().flat_map(Node::items).enumerate() {
        let causality = item.get("causality").and_then(first);
        let assessed = causality.and_then(|c| c.get("assessment").or_else(|| c.get("entityRelatedness")));
        let judgement = assessed.and_then(|n| cx.concept(n, "")).map(|c| Arc::clone(&c.label));
        for key in ["instance", "instanceReference", "instanceCodeableConcept"] {
            if let Some(node) = item.get(key) {
                cx.link(&mut row, LinkKind::Suspect, node, &format!("/suspectEntity/{i}/{key}"), judgement.clone());
            }
        }
    }
    cx.refs(&mut row, LinkKind::Outcome, "resultingCondition");
    cx.refs(&mut row, LinkKind::Outcome, "resultingEffect");
    row.occurrence.value = cx.concept_at("outcome").map(|concept| Value::Coded { concept });
    cx.author(&mut row, &["recorder"]);
    if row.occurrence.concept.label.is_empty() {
        // Named by the condition it resulted in.
        if let Some(node) = cx.node.get("resultingCondition").and_then(|n| n.items().next()) {
            row.occurrence.concept = cx.display_or_reference(node, "/resultingCondition/0").unwrap_or_default();
            row.concept_ref = cx.reference(node);
        }
    }
    cx.annotations(&row);
    cx.keep(row);
    Reading::Read
}

pub(super) fn procedure(cx: &mut Cx<'_, '_>) -> Reading {
    let concept = cx.concept_at("code");
    let mut row = cx.row(Kind::Procedure, concept);
    let standing = cx.status("status", PROCEDURE_STATUS);
    (row.occurrence.standing, row.occurrence.standing_reason) = cx.modified(standing);
    let mut times = Vec::new();
    for prefix in ["performed", "occurrence"] {
        cx.time(&mut times, TimeRole::Occurred, &format!("{prefix}DateTime"));
        cx.period(&mut times, TimeRole::Occurred, TimeRole::OccurredEnd, &format!("{prefix}Period"));
    }
    cx.time(&mut times, TimeRole::Recorded, "recorded");
    row.occurrence.times = times;
    let category = cx.label_at("category");
    if category.is_some() {
        detail(&mut row).category = category;
    }
    cx.body_site(&mut row);
    cx.reasons(&mut row);
    for key in ["basedOn", "partOf", "report", "usedReference", "used"] {
        cx.refs(&mut row, LinkKind::RecordedRef, key);
    }
    cx.refs(&mut row, LinkKind::Outcome, "complication");
    cx.refs(&mut row, LinkKind::Outcome, "complicationDetail");
    row.occurrence.value = cx.concept_at("outcome").map(|concept| Value::Coded { concept });
    if row.occurrence.value.is_none() {
        for prefix in ["performed", "occurrence"] {
            let value = cx.value(cx.node, "", prefix);
            let worded = matches!(&value, Some(Value::Text { pointer, .. } | Value::Quantity { pointer, .. })
                if !pointer.contains("DateTime") && !pointer.contains("Period"));
            if worded {
                row.occurrence.value = value;
            }
        }
    }
    cx.author(&mut row, &["performer", "recorder", "asserter"]);
    cx.annotations(&row);
    cx.keep(row);
    Reading::Read
}

pub(super) fn immunization(cx: &mut Cx<'_, '_>) -> Reading {
    let concept = cx.concept_at("vaccineCode");
    let mut row = cx.row(Kind::Immunization, concept);
    let mut standing = cx.status("status", IMMUNIZATION_STATUS);
    if cx.node.get("notGiven").and_then(Node::as_bool) == Some(true) {
        let reason = cx.reason("not-done", "/notGiven");
        standing = combine(standing, (Standing::Negative, reason));
    }
    (row.occurrence.standing, row.occurrence.standing_reason) = cx.modified(standing);
    let mut times = Vec::new();
    cx.time(&mut times, TimeRole::Occurred, "occurrenceDateTime");
    cx.time(&mut times, TimeRole::Occurred, "date");
    cx.time(&mut times, TimeRole::Recorded, "recorded");
    row.occurrence.times = times;
    row.occurrence.value = string(cx.node, "occurrenceString")
        .map(|t| Value::Text { text: cx.text(&t), pointer: cx.text("/occurrenceString") });
    let route = cx.label_at("route");
    let dose = cx.node.get("doseQuantity").and_then(|n| cx.quantity_text(n));
    if route.is_some() || dose.is_some() {
        let detail = detail(&mut row);
        detail.route = route;
        detail.dose = dose;
    }
    cx.body_site(&mut row);
    cx.reasons(&mut row);
    for (i, item) in cx.node.get("reaction").into_iter().flat_map(Node::items).enumerate() {
        if let Some(node) = item.get("detail") {
            cx.link(&mut row, LinkKind::Outcome, node, &format!("/reaction/{i}/detail"), None);
        }
    }
    cx.author(&mut row, &["performer"]);
    cx.annotations(&row);
    cx.keep(row);
    Reading::Read
}

/// A device of a patient; one of nobody only gives its name to the rows that use it.
pub(super) fn device(cx: &mut Cx<'_, '_>) -> Reading {
    let concept = cx.concept_at("type").or_else(|| {
        let name = cx.node.get("deviceName").or_else(|| cx.node.get("name")).and_then(first)?;
        let (key, inner) = match name.get("name") {
            Some(inner) => ("name", inner),
            None => ("value", name.get("value")?),
        };
        let list = if cx.node.get("deviceName").is_some() { "deviceName" } else { "name" };
        cx.concept(inner, &format!("/{list}/0/{key}"))
    });
    cx.load.drafts[cx.draft as usize].naming = concept.clone();
    if cx.patient.is_none() {
        return Reading::Opaque;
    }
    let mut row = cx.row(Kind::Device, concept);
    let mut standing = (Standing::Affirmed, None);
    if cx.node.get("status").is_some() {
        standing = cx.status("status", DEVICE_STATUS);
    }
    (row.occurrence.standing, row.occurrence.standing_reason) = cx.modified(standing);
    cx.annotations(&row);
    cx.keep(row);
    Reading::Read
}

pub(super) fn device_use(cx: &mut Cx<'_, '_>) -> Reading {
    let mut row = cx.row(Kind::Device, None);
    if let Some(node) = cx.node.get("device") {
        match (node.get("concept"), node.get("reference").map(Node::kind)) {
            (Some(inner), _) => row.occurrence.concept = cx.concept(inner, "/device/concept").unwrap_or_default(),
            (None, Some(chartproof_record::json::Kind::Object)) => {
                let inner = node.get("reference").unwrap_or(node);
                row.occurrence.concept = cx.display_or_reference(inner, "/device/reference").unwrap_or_default();
                row.concept_ref = cx.reference(inner);
            }
            _ => {
                row.occurrence.concept = cx.display_or_reference(node, "/device").unwrap_or_default();
                row.concept_ref = cx.reference(node);
            }
        }
        if let Some(target) = row.concept_ref {
            let pointer = cx.text("/device/reference");
            row.link_refs.push((row.occurrence.links.len() as u32, target));
            let judgement = cx.text("");
            row.occurrence.links.push(Link {
                kind: LinkKind::RecordedRef,
                target: None,
                concept: None,
                judgement,
                pointer,
            });
        }
    }
    let standing = cx.status("status", DEVICE_USE_STATUS);
    (row.occurrence.standing, row.occurrence.standing_reason) = cx.modified(standing);
    let mut times = Vec::new();
    cx.time(&mut times, TimeRole::Occurred, "timingDateTime");
    cx.period(&mut times, TimeRole::Occurred, TimeRole::OccurredEnd, "timingPeriod");
    if let Some(repeat) = cx.node.get("timingTiming").and_then(|t| t.get("repeat")).and_then(|r| r.get("boundsPeriod"))
    {
        let at = "/timingTiming/repeat/boundsPeriod";
        cx.period_of(&mut times, TimeRole::Occurred, TimeRole::OccurredEnd, repeat, at);
    }
    cx.time(&mut times, TimeRole::Recorded, "recordedOn");
    cx.time(&mut times, TimeRole::Recorded, "dateAsserted");
    row.occurrence.times = times;
    cx.body_site(&mut row);
    cx.reasons(&mut row);
    cx.annotations(&row);
    cx.keep(row);
    Reading::Read
}
