//! Encounters and episodes of care.

use std::sync::Arc;

use chartproof_record::json::Node;
use chartproof_record::{
    Encounter, EncounterClass, Kind, LinkKind, PatientIx, SourceIx, Standing, StayIx, TimeRole, Value,
};

use super::Cx;
use super::element::{Rule, detail};
use crate::load::{EncounterRow, Reading, Target, first, string};

const ENCOUNTER_STATUS: &[Rule] = &[
    ("planned", Standing::Void),
    ("arrived", Standing::Affirmed),
    ("triaged", Standing::Affirmed),
    ("in-progress", Standing::Affirmed),
    ("onleave", Standing::Affirmed),
    ("on-hold", Standing::Affirmed),
    ("discharged", Standing::Affirmed),
    ("discontinued", Standing::Affirmed),
    ("finished", Standing::Affirmed),
    ("completed", Standing::Affirmed),
    ("cancelled", Standing::Void),
    ("entered-in-error", Standing::Void),
    ("unknown", Standing::Uncertain),
];

const EPISODE_STATUS: &[Rule] = &[
    ("planned", Standing::Void),
    ("waitlist", Standing::Void),
    ("active", Standing::Affirmed),
    ("onhold", Standing::Affirmed),
    ("finished", Standing::Affirmed),
    ("cancelled", Standing::Void),
    ("entered-in-error", Standing::Void),
];

fn class_of(code: &str) -> EncounterClass {
    match code.to_ascii_uppercase().as_str() {
        "IMP" | "ACUTE" | "NONAC" | "INPATIENT" | "I" => EncounterClass::Inpatient,
        "EMER" | "EMERGENCY" | "E" => EncounterClass::Emergency,
        "OBSENC" | "OBSERVATION" => EncounterClass::Observation,
        "AMB" | "SS" | "AMBULATORY" | "OUTPATIENT" | "O" | "DAYTIME" => EncounterClass::Ambulatory,
        "HH" | "HOME" => EncounterClass::Home,
        "VR" | "VIRTUAL" => EncounterClass::Virtual,
        _ => EncounterClass::Other,
    }
}

pub(super) fn encounter(cx: &mut Cx<'_, '_>) -> Reading {
    // The encounter of the row is the encounter itself.
    let part_of = cx.node.get("partOf").and_then(|n| cx.reference(n));
    let class = cx.concept_at("class");
    let kind = cx.concept_at("type");
    let service = cx.concept_at("serviceType");
    let concept = kind.or_else(|| class.clone()).or(service);
    let itself = cx.itself();
    let mut row = cx.row(Kind::Encounter, concept.clone());
    row.encounter = Some(itself);
    let standing = cx.status("status", ENCOUNTER_STATUS);
    let (standing, reason) = cx.modified(standing);
    row.occurrence.standing = standing;
    row.occurrence.standing_reason = reason;
    let period = if cx.node.get("period").is_some() { "period" } else { "actualPeriod" };
    let mut times = Vec::new();
    cx.period(&mut times, TimeRole::Occurred, TimeRole::OccurredEnd, period);
    row.occurrence.times = times;
    cx.reasons(&mut row);
    let diagnoses = diagnoses(cx, &mut row);
    cx.refs(&mut row, LinkKind::RecordedRef, "basedOn");
    let stay = cx.node.get("hospitalization").map(|n| (n, "/hospitalization"));
    let stay = stay.or_else(|| cx.node.get("admission").map(|n| (n, "/admission")));
    if let Some((node, pointer)) = stay {
        let from = node.get("admitSource").and_then(|n| cx.concept(n, &format!("{pointer}/admitSource")));
        if from.is_some() {
            detail(&mut row).admit_source = from;
        }
        let to =
            node.get("dischargeDisposition").and_then(|n| cx.concept(n, &format!("{pointer}/dischargeDisposition")));
        row.occurrence.value = to.map(|concept| Value::Coded { concept });
    }
    if let Some(class) = &class {
        detail(&mut row).category = Some(Arc::clone(&class.label));
    }
    let code = class.as_ref().and_then(|c| c.codings.first()).map(|c| Arc::clone(&c.code));
    let code = code.or_else(|| class.as_ref().map(|c| Arc::clone(&c.label)));
    let times = &row.occurrence.times;
    let found = Encounter {
        key: cx.text(""),
        source: SourceIx(cx.draft),
        patient: PatientIx(0),
        class: class_of(code.as_deref().unwrap_or_default()),
        label: concept.as_ref().map_or_else(|| "encounter".into(), |c| Arc::clone(&c.label)),
        status: string(cx.node, "status").map_or_else(|| "".into(), |s| s.as_ref().into()),
        start: times.iter().find(|t| t.role == TimeRole::Occurred).cloned(),
        end: times.iter().find(|t| t.role == TimeRole::OccurredEnd).cloned(),
        part_of: None,
        episodes: Vec::new(),
        stay: StayIx(0),
    };
    let mut episodes = Vec::new();
    for item in cx.node.get("episodeOfCare").into_iter().flat_map(list_or_one) {
        episodes.extend(cx.reference(item));
    }
    transfers(cx, &row);
    cx.load.encounters.push(EncounterRow {
        encounter: found,
        patient: cx.patient,
        part_of,
        episodes,
        diagnoses,
        void: standing == Standing::Void,
    });
    // An encounter needs no name to have happened.
    cx.name_by_type(&mut row);
    cx.annotations(&row);
    cx.keep(row);
    Reading::Read
}

fn list_or_one<'a>(node: Node<'a>) -> impl Iterator<Item = Node<'a>> {
    let one = (node.kind() == chartproof_record::json::Kind::Object).then_some(node);
    one.into_iter().chain(node.items())
}

/// Links to the diagnoses of an encounter, with their use as the judgement; returns the conditions named.
fn diagnoses(cx: &mut Cx<'_, '_>, row: &mut crate::load::Row) -> Vec<crate::load::RefIx> {
    let mut named = Vec::new();
    for (i, item) in cx.node.get("diagnosis").into_iter().flat_map(Node::items).enumerate() {
        let usage = item.get("use").and_then(first).and_then(|n| cx.concept(n, "")).map(|c| Arc::clone(&c.label));
        let Some(condition) = item.get("condition") else { continue };
        let several = condition.kind() == chartproof_record::json::Kind::Array;
        for (j, node) in list_or_one(condition).enumerate() {
            let at =
                if several { format!("/diagnosis/{i}/condition/{j}") } else { format!("/diagnosis/{i}/condition") };
            let known = row.link_refs.len();
            cx.link(row, LinkKind::Reason, node, &at, usage.clone());
            named.extend(row.link_refs.iter().skip(known).map(|(_, target)| *target));
        }
    }
    named
}

/// Places the patient was in during the encounter, when there was more than one.
fn transfers(cx: &mut Cx<'_, '_>, encounter: &crate::load::Row) {
    let Some(list) = cx.node.get("location") else { return };
    if list.items().count() < 2 {
        return;
    }
    for (i, item) in list.items().enumerate() {
        let Some(place) = item.get("location") else { continue };
        let concept = cx.display_or_reference(place, &format!("/location/{i}/location"));
        let mut row = cx.row(Kind::Transfer, concept);
        row.occurrence.pointer = cx.text(&format!("/location/{i}"));
        row.encounter = encounter.encounter;
        row.concept_ref = cx.reference(place);
        row.occurrence.standing = encounter.occurrence.standing;
        row.occurrence.standing_reason = encounter.occurrence.standing_reason.clone();
        if let Some(word @ ("planned" | "reserved")) = string(item, "status").as_deref() {
            row.occurrence.standing = Standing::Void;
            row.occurrence.standing_reason = cx.reason(word, &format!("/location/{i}/status"));
        }
        if let Some(period) = item.get("period") {
            let at = format!("/location/{i}/period");
            cx.period_of(&mut row.occurrence.times, TimeRole::Occurred, TimeRole::OccurredEnd, period, &at);
        }
        cx.keep(row);
    }
}

pub(super) fn episode(cx: &mut Cx<'_, '_>) -> Reading {
    let concept = cx.concept_at("type");
    let mut row = cx.row(Kind::Episode, concept);
    let standing = cx.status("status", EPISODE_STATUS);
    (row.occurrence.standing, row.occurrence.standing_reason) = cx.modified(standing);
    let mut times = Vec::new();
    cx.period(&mut times, TimeRole::Occurred, TimeRole::OccurredEnd, "period");
    row.occurrence.times = times;
    diagnoses(cx, &mut row);
    cx.name_by_type(&mut row);
    cx.keep(row);
    Reading::Read
}

impl Cx<'_, '_> {
    /// Shows a row without a name by its resource type.
    pub(super) fn name_by_type(&mut self, row: &mut crate::load::Row) {
        if row.occurrence.concept.label.is_empty() {
            row.occurrence.concept = self.concept_at("resourceType").unwrap_or_default();
        }
    }

    /// A reference to this very resource.
    pub(super) fn itself(&mut self) -> crate::load::RefIx {
        let draft = self.draft;
        let target_type = Arc::clone(&self.load.drafts[draft as usize].resource_type);
        let text = self.text("");
        self.load.reference(crate::load::Reference { target: Target::Direct(draft), text, target_type, base: None })
    }
}
