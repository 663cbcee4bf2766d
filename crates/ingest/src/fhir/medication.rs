//! Medication orders, doses, supplies and statements, and the resources that give others their name.

use std::sync::Arc;

use chartproof_record::json::{Kind as Json, Node};
use chartproof_record::{Concept, Kind, LinkKind, Standing, TimeRole};

use super::Cx;
use super::element::{Rule, combine, detail};
use crate::load::{Reading, Row, first, string};

const REQUEST_STATUS: &[Rule] = &[
    ("active", Standing::Affirmed),
    ("completed", Standing::Affirmed),
    ("stopped", Standing::Affirmed),
    ("ended", Standing::Affirmed),
    ("on-hold", Standing::Void),
    ("cancelled", Standing::Void),
    ("draft", Standing::Void),
    ("entered-in-error", Standing::Void),
    ("unknown", Standing::Uncertain),
];

const ADMINISTRATION_STATUS: &[Rule] = &[
    ("in-progress", Standing::Affirmed),
    ("completed", Standing::Affirmed),
    ("stopped", Standing::Affirmed),
    ("not-done", Standing::Negative),
    ("on-hold", Standing::Void),
    ("entered-in-error", Standing::Void),
    ("unknown", Standing::Uncertain),
];

const DISPENSE_STATUS: &[Rule] = &[
    ("completed", Standing::Affirmed),
    ("preparation", Standing::Void),
    ("in-progress", Standing::Void),
    ("on-hold", Standing::Void),
    ("cancelled", Standing::Void),
    ("declined", Standing::Void),
    ("stopped", Standing::Uncertain),
    ("entered-in-error", Standing::Void),
    ("unknown", Standing::Uncertain),
];

const STATEMENT_STATUS: &[Rule] = &[
    ("active", Standing::Affirmed),
    ("completed", Standing::Affirmed),
    ("recorded", Standing::Affirmed),
    ("stopped", Standing::Affirmed),
    ("not-taken", Standing::Negative),
    ("intended", Standing::Void),
    ("on-hold", Standing::Void),
    ("draft", Standing::Void),
    ("entered-in-error", Standing::Void),
    ("unknown", Standing::Uncertain),
];

/// A resource that rows name: its own code or name, to be cited from it.
pub(super) fn naming(cx: &mut Cx<'_, '_>) -> Reading {
    let concept = cx.concept_at("code").or_else(|| cx.ingredients(cx.node, "")).or_else(|| {
        let name = cx.node.get("name")?;
        if name.kind() == Json::String {
            return cx.concept(name, "/name");
        }
        let person = first(name)?;
        let (key, text) = match (person.get("text"), person.get("family")) {
            (Some(text), _) => ("text", text),
            (None, Some(family)) => ("family", family),
            _ => return None,
        };
        cx.concept(text, &format!("/name/0/{key}"))
    });
    cx.load.drafts[cx.draft as usize].naming = concept;
    let kind = &cx.load.drafts[cx.draft as usize].resource_type;
    if &**kind == "Medication" { Reading::Read } else { Reading::Opaque }
}

impl Cx<'_, '_> {
    /// A medication that is known by its ingredients alone: the label of the first active one, the codes of all
    /// active ones.
    fn ingredients(&mut self, medication: Node<'_>, base: &str) -> Option<Arc<Concept>> {
        let mut found: Option<Concept> = None;
        for (i, item) in medication.get("ingredient").into_iter().flat_map(Node::items).enumerate() {
            if item.get("isActive").and_then(Node::as_bool) == Some(false) {
                continue;
            }
            let at = format!("{base}/ingredient/{i}");
            // R5: item is a CodeableReference.
            let nested = item.get("item").and_then(|n| n.get("concept"));
            let concept = match (item.get("itemCodeableConcept"), nested, item.get("itemReference")) {
                (Some(node), _, _) => self.concept(node, &format!("{at}/itemCodeableConcept")),
                (None, Some(node), _) => self.concept(node, &format!("{at}/item/concept")),
                (None, None, Some(node)) => self.display(node, &format!("{at}/itemReference")),
                _ => None,
            };
            match (&mut found, concept) {
                (Some(known), Some(next)) => known.codings.extend(next.codings.iter().cloned()),
                (None, Some(next)) => found = Some((*next).clone()),
                (_, None) => {}
            }
        }
        found.map(Arc::new)
    }

    /// The medication of a row: code, reference, contained, or (R5) either.
    fn medication(&mut self, kind: Kind) -> Row {
        let mut row = self.row(kind, None);
        if let Some(node) = self.node.get("medicationCodeableConcept") {
            row.occurrence.concept = self.concept(node, "/medicationCodeableConcept").unwrap_or_default();
            return row;
        }
        let (reference, at) = match (self.node.get("medicationReference"), self.node.get("medication")) {
            (Some(node), _) => (node, "/medicationReference"),
            (None, Some(node)) => {
                if let Some(concept) = node.get("concept") {
                    row.occurrence.concept = self.concept(concept, "/medication/concept").unwrap_or_default();
                    return row;
                }
                match node.get("reference") {
                    Some(inner) if inner.kind() == Json::Object => (inner, "/medication/reference"),
                    _ => (node, "/medication"),
                }
            }
            _ => return row,
        };
        if let Some((medication, pointer)) = self.contained(reference) {
            let coded = medication.get("code").and_then(|code| self.concept(code, &format!("{pointer}/code")));
            let coded = coded.or_else(|| self.ingredients(medication, &pointer));
            row.occurrence.concept = coded.or_else(|| self.display(reference, at)).unwrap_or_default();
            return row;
        }
        row.occurrence.concept = self.display_or_reference(reference, at).unwrap_or_default();
        row.concept_ref = self.reference(reference);
        row
    }

    /// Route, site and dose of the first dosage.
    fn dosage(&mut self, row: &mut Row, node: Option<Node<'_>>, pointer: &str) {
        let Some(node) = node.and_then(first) else { return };
        let label = |cx: &mut Self, key: &str| {
            let inner = node.get(key).and_then(first)?;
            cx.concept(inner, &format!("{pointer}/{key}")).map(|c| Arc::clone(&c.label))
        };
        let route = label(self, "route");
        let site = label(self, "site");
        let rate_holder = node.get("doseAndRate").and_then(first).unwrap_or(node);
        let mut parts: Vec<Arc<str>> = Vec::new();
        for key in ["dose", "doseQuantity", "rateQuantity"] {
            parts.extend(rate_holder.get(key).and_then(|n| self.quantity_text(n)));
        }
        for (key, from, to, between) in [
            ("doseRange", "low", "high", " - "),
            ("rateRange", "low", "high", " - "),
            ("rateRatio", "numerator", "denominator", " per "),
        ] {
            let Some(pair) = rate_holder.get(key) else { continue };
            let low = pair.get(from).and_then(|n| self.quantity_text(n));
            let high = pair.get(to).and_then(|n| self.quantity_text(n));
            if let (Some(low), Some(high)) = (low, high) {
                parts.push(format!("{low}{between}{high}").into());
            }
        }
        let dose = if parts.is_empty() {
            string(node, "text").map(|t| t.as_ref().into())
        } else {
            Some(parts.join(", ").into())
        };
        if route.is_some() || site.is_some() || dose.is_some() {
            let detail = detail(row);
            detail.route = route;
            detail.site = site;
            detail.dose = dose;
        }
    }

    fn not_wanted(&mut self, standing: (Standing, super::element::Reason)) -> (Standing, super::element::Reason) {
        let mut standing = standing;
        if let Some(word @ ("proposal" | "plan" | "option")) = string(self.node, "intent").as_deref() {
            let reason = self.reason(word, "/intent");
            standing = combine(standing, (Standing::Void, reason));
        }
        if self.node.get("doNotPerform").and_then(Node::as_bool) == Some(true) {
            let reason = self.reason("doNotPerform", "/doNotPerform");
            standing = combine(standing, (Standing::Negative, reason));
        }
        standing
    }

    /// The order's standing, for medications and services alike.
    pub(super) fn order_standing(&mut self, rules: &[Rule]) -> (Standing, super::element::Reason) {
        let standing = self.status("status", rules);
        let standing = self.not_wanted(standing);
        self.modified(standing)
    }

    fn category(&mut self, row: &mut Row) {
        let category = self.label_at("category");
        if category.is_some() {
            detail(row).category = category;
        }
    }
}

pub(super) fn request(cx: &mut Cx<'_, '_>) -> Reading {
    let mut row = cx.medication(Kind::MedicationOrder);
    (row.occurrence.standing, row.occurrence.standing_reason) = cx.order_standing(REQUEST_STATUS);
    absence(cx, &mut row);
    let mut times = Vec::new();
    cx.time(&mut times, TimeRole::Ordered, "authoredOn");
    row.occurrence.times = times;
    cx.dosage(&mut row, cx.node.get("dosageInstruction"), "/dosageInstruction/0");
    cx.category(&mut row);
    cx.reasons(&mut row);
    for key in ["basedOn", "priorPrescription"] {
        cx.refs(&mut row, LinkKind::RecordedRef, key);
    }
    cx.author(&mut row, &["requester", "recorder"]);
    cx.annotations(&row);
    cx.keep(row);
    Reading::Read
}

pub(super) fn administration(cx: &mut Cx<'_, '_>) -> Reading {
    let mut row = cx.medication(Kind::MedicationGiven);
    let mut standing = cx.status("status", ADMINISTRATION_STATUS);
    if cx.node.get("notGiven").and_then(Node::as_bool) == Some(true) {
        let reason = cx.reason("not-done", "/notGiven");
        standing = combine(standing, (Standing::Negative, reason));
    }
    (row.occurrence.standing, row.occurrence.standing_reason) = cx.modified(standing);
    let mut times = Vec::new();
    // R5 spells it `occurence`.
    for prefix in ["effective", "occurence", "occurrence"] {
        cx.time(&mut times, TimeRole::Given, &format!("{prefix}DateTime"));
        cx.period(&mut times, TimeRole::Given, TimeRole::GivenEnd, &format!("{prefix}Period"));
    }
    cx.time(&mut times, TimeRole::Recorded, "recorded");
    row.occurrence.times = times;
    cx.dosage(&mut row, cx.node.get("dosage"), "/dosage");
    cx.category(&mut row);
    cx.reasons(&mut row);
    for key in ["request", "prescription", "partOf", "basedOn"] {
        cx.refs(&mut row, LinkKind::RecordedRef, key);
    }
    cx.author(&mut row, &["performer"]);
    cx.annotations(&row);
    cx.keep(row);
    Reading::Read
}

pub(super) fn dispense(cx: &mut Cx<'_, '_>) -> Reading {
    let mut row = cx.medication(Kind::MedicationDispense);
    let standing = cx.status("status", DISPENSE_STATUS);
    (row.occurrence.standing, row.occurrence.standing_reason) = cx.modified(standing);
    let mut times = Vec::new();
    if cx.node.get("whenHandedOver").is_some() {
        cx.time(&mut times, TimeRole::Dispensed, "whenHandedOver");
    } else {
        // Prepared is not handed over, but no event of the supply is earlier.
        cx.time(&mut times, TimeRole::Occurred, "whenPrepared");
    }
    cx.time(&mut times, TimeRole::Recorded, "recorded");
    row.occurrence.times = times;
    cx.dosage(&mut row, cx.node.get("dosageInstruction"), "/dosageInstruction/0");
    cx.category(&mut row);
    for key in ["authorizingPrescription", "partOf", "basedOn"] {
        cx.refs(&mut row, LinkKind::RecordedRef, key);
    }
    cx.author(&mut row, &["performer"]);
    cx.annotations(&row);
    cx.keep(row);
    Reading::Read
}

pub(super) fn statement(cx: &mut Cx<'_, '_>) -> Reading {
    let mut row = cx.medication(Kind::MedicationStatement);
    let mut standing = cx.status("status", STATEMENT_STATUS);
    if string(cx.node, "taken").as_deref() == Some("n") {
        let reason = cx.reason("not-taken", "/taken");
        standing = combine(standing, (Standing::Negative, reason));
    }
    let adherence = cx.node.get("adherence").and_then(|n| n.get("code")).and_then(|n| cx.concept(n, "/adherence/code"));
    if let Some(adherence) = adherence
        && adherence.codings.iter().any(|c| matches!(&*c.code, "not-taking" | "stopped" | "stopped-or-not-taking"))
        && adherence.codings.iter().any(|c| &*c.code == "not-taking")
    {
        let reason = cx.reason("not-taking", &adherence.label_pointer);
        standing = combine(standing, (Standing::Negative, reason));
    }
    (row.occurrence.standing, row.occurrence.standing_reason) = cx.modified(standing);
    absence(cx, &mut row);
    let mut times = Vec::new();
    cx.time(&mut times, TimeRole::Occurred, "effectiveDateTime");
    cx.period(&mut times, TimeRole::Occurred, TimeRole::OccurredEnd, "effectivePeriod");
    cx.time(&mut times, TimeRole::Recorded, "dateAsserted");
    row.occurrence.times = times;
    cx.dosage(&mut row, cx.node.get("dosage"), "/dosage/0");
    cx.category(&mut row);
    cx.reasons(&mut row);
    for key in ["basedOn", "partOf"] {
        cx.refs(&mut row, LinkKind::RecordedRef, key);
    }
    cx.author(&mut row, &["informationSource"]);
    cx.annotations(&row);
    cx.keep(row);
    Reading::Read
}

fn absence(cx: &mut Cx<'_, '_>, row: &mut Row) {
    let concept = Arc::clone(&row.occurrence.concept);
    let base = if cx.node.get("medicationCodeableConcept").is_some() {
        "/medicationCodeableConcept"
    } else {
        "/medication/concept"
    };
    if let Some(absence) = cx.stated_absence(&concept, base) {
        let own = (row.occurrence.standing, row.occurrence.standing_reason.take());
        (row.occurrence.standing, row.occurrence.standing_reason) = combine(own, absence);
    }
}
