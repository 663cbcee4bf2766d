//! The admissibility contract (Eq. 5): patient AND binding AND source AND scope != invalid.

use chartproof_record::InOrder as _;
use std::collections::{BTreeMap, BTreeSet};

use chartproof_record::{Record, Rereader, Standing};

use crate::bundle::{Bundle, Coverage, Excluded, ExclusionReason, SlotCoverage, digest_of};
use crate::item::{BindingRole, Candidate, Item, ScopeStatus};
use crate::known::Known;
use crate::query::{Query, ScopeLevel};

/// Everything freezing needs beside the candidates.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    /// The record.
    pub record: &'a Record,
    /// Ids of its occurrences and notes, for the binding check.
    pub known: &'a Known,
    /// The query.
    pub query: &'a Query,
    /// Source key of the target patient.
    pub patient: &'a str,
    /// Version of the assessor the bundle is for.
    pub assessor: &'a str,
}

/// Items that were examined: those whose patient, binding and source hold, and those whose do not. Scope is decided
/// for all of them together, when they are frozen.
#[derive(Clone, Debug, Default)]
pub struct Examined {
    sound: Vec<Item>,
    excluded: Vec<Excluded>,
}

impl Examined {
    /// Examines candidates, once each however often the bundle is frozen.
    pub fn add(&mut self, target: Target<'_>, candidates: Vec<Candidate>) {
        let mut rereader = Rereader::default();
        for Candidate { mut item } in candidates {
            item.id = String::new();
            item.scope = ScopeStatus::Unknown;
            item.id = format!("z{}", &digest_of(&item)[..16]);
            match first_fault(target, &item, &mut rereader) {
                Some((reason, detail)) => self.excluded.push(Excluded { reason, detail, item }),
                None => self.sound.push(item),
            }
        }
    }
}

/// Freezes the bundle of what is inside the scope; what is not admitted is returned with its reason.
///
/// `coverage` says what the record holds, by counting: nothing of how it was searched.
pub fn freeze(target: Target<'_>, examined: &Examined, mut coverage: Coverage) -> (Bundle, Vec<Excluded>) {
    let Examined { sound, mut excluded } = examined.clone();
    let scope = ScopeRule::of(target.record, target.query, &sound);
    let mut admitted = Vec::new();
    for mut item in sound {
        item.scope = scope.status(&item);
        if item.scope == ScopeStatus::Invalid {
            let detail = scope.why(&item);
            excluded.push(Excluded { reason: ExclusionReason::OtherEncounter, detail, item });
        } else {
            admitted.push(item);
        }
    }
    // One item can come by several ways.
    admitted.order_by(|a: &Item, b: &Item| a.id.cmp(&b.id));
    admitted.dedup_by(|a, b| a.id == b.id);
    excluded.order_by(|a, b| (a.reason, &a.item.id).cmp(&(b.reason, &b.item.id)));
    excluded.dedup_by(|a, b| a.item.id == b.item.id);
    coverage.slots = slot_coverage(target.query, &coverage.slots, &admitted, &excluded);
    (Bundle::new(target.assessor, target.patient, target.query.clone(), admitted, coverage), excluded)
}

fn slot_coverage(
    query: &Query,
    matched: &[SlotCoverage],
    admitted: &[Item],
    excluded: &[Excluded],
) -> Vec<SlotCoverage> {
    let count = |item: &Item, slot: &str| {
        item.binding(slot).filter(|b| b.role == BindingRole::Statement).map_or(0, |b| b.facts.len())
    };
    query
        .slots
        .iter()
        .map(|slot| {
            let mut reasons: BTreeMap<ExclusionReason, usize> = BTreeMap::new();
            for e in excluded {
                let n = count(&e.item, &slot.id);
                if n > 0 {
                    *reasons.entry(e.reason).or_default() += n;
                }
            }
            SlotCoverage {
                slot: slot.id.clone(),
                matched: matched.iter().find(|m| m.slot == slot.id).map_or(0, |m| m.matched),
                admitted: admitted.iter().map(|i| count(i, &slot.id)).sum(),
                excluded: reasons.into_iter().collect(),
            }
        })
        .collect()
}

/// Patient, binding and source of one item; the first that fails.
fn first_fault(target: Target<'_>, item: &Item, rereader: &mut Rereader) -> Option<(ExclusionReason, String)> {
    let fault = |reason, detail: &str| Some((reason, detail.to_owned()));
    if item.patient != target.patient {
        return fault(ExclusionReason::OtherPatient, "belongs to another patient");
    }
    if item.facts.is_empty() || item.bindings.iter().all(|b| b.facts.is_empty()) {
        return fault(ExclusionReason::Unbound, "binds no occurrence");
    }
    for fact in &item.facts {
        match target.known.patient_of(target.record, &fact.id) {
            None => return fault(ExclusionReason::Unbound, "names an occurrence the record does not hold"),
            Some(patient) if patient != target.patient => {
                return fault(ExclusionReason::OtherPatient, "one of its occurrences belongs to another patient");
            }
            Some(_) => {}
        }
    }
    let in_range = |b: &crate::SlotBinding| b.facts.iter().all(|f| *f < item.facts.len());
    if !item.bindings.iter().all(in_range) || !item.context.mentions.iter().all(|m| m.fact < item.facts.len()) {
        return fault(ExclusionReason::Unbound, "refers to an occurrence it does not hold");
    }
    if let Some(void) = item.facts.iter().find(|f| f.standing == Standing::Void) {
        let word = void.standing_word.as_deref().unwrap_or("void");
        return Some((ExclusionReason::Void, format!("recorded as {word}")));
    }
    if item.citations.is_empty() {
        return fault(ExclusionReason::NoSource, "has no citation");
    }
    for citation in &item.citations {
        let file =
            target.record.files.iter().find(|f| f.sha256 == citation.locator.sha256 && f.name == citation.locator.file);
        if file.is_none_or(|f| rereader.reread(citation, f).is_err()) {
            return fault(ExclusionReason::NoSource, "a citation does not re-read to its quote");
        }
    }
    None
}

/// `A_scope`, with the joint rule: where the scope is one encounter and none is named, the encounters that hold
/// every event are the scope; where none does, those of the first event that has any.
#[derive(Debug)]
enum ScopeRule {
    Everything,
    Stays { wanted: BTreeSet<String>, named: bool },
    Episodes { wanted: BTreeSet<String> },
}

impl ScopeRule {
    fn of(record: &Record, query: &Query, items: &[Item]) -> Self {
        match (query.scope.level, &query.scope.reference) {
            (ScopeLevel::Patient, _) => Self::Everything,
            (ScopeLevel::Encounter, Some(key)) => {
                Self::Stays { wanted: BTreeSet::from([stay_of(record, key)]), named: true }
            }
            (ScopeLevel::Episode, Some(key)) => Self::Episodes { wanted: BTreeSet::from([key.clone()]) },
            (ScopeLevel::Encounter, None) => {
                let places = |slot: &str, role| places(items, slot, role, |f, out| out.extend(f.stay.clone()));
                Self::Stays { wanted: joint(query, places), named: false }
            }
            (ScopeLevel::Episode, None) => {
                let places =
                    |slot: &str, role| places(items, slot, role, |f, out| out.extend(f.episodes.iter().cloned()));
                Self::Episodes { wanted: joint(query, places) }
            }
        }
    }

    fn status(&self, item: &Item) -> ScopeStatus {
        match self {
            Self::Everything => ScopeStatus::Valid,
            Self::Stays { wanted, .. } => {
                let copies = item.context.copies.iter().filter_map(|c| c.stay.as_ref());
                status(item.facts.iter().filter_map(|f| f.stay.as_ref()).chain(copies), wanted)
            }
            Self::Episodes { wanted } => status(item.facts.iter().flat_map(|f| &f.episodes), wanted),
        }
    }

    fn why(&self, item: &Item) -> String {
        let own = item.stay().unwrap_or("other encounters");
        match self {
            Self::Stays { wanted, named: true } => {
                format!("recorded in {own}, the question asks for {}", wanted.iter().next().map_or("", |s| s))
            }
            Self::Stays { .. } => format!("recorded in {own}, not in an encounter that holds the other events"),
            _ => "recorded in another episode of care".to_owned(),
        }
    }
}

/// Key of the outermost stay of a named encounter, which may be any part of it.
fn stay_of(record: &Record, key: &str) -> String {
    let encounter = record.encounters.iter().find(|e| *e.key == *key);
    let stay = encounter.and_then(|e| record.stays.get(e.stay.0 as usize));
    stay.map_or_else(|| key.to_owned(), |s| s.key.to_string())
}

/// Valid when a place is wanted, unknown when there is none, invalid otherwise.
fn status<'a>(places: impl Iterator<Item = &'a String>, wanted: &BTreeSet<String>) -> ScopeStatus {
    let mut status = ScopeStatus::Unknown;
    for place in places {
        if wanted.is_empty() || wanted.contains(place) {
            return ScopeStatus::Valid;
        }
        status = ScopeStatus::Invalid;
    }
    status
}

fn places(
    items: &[Item],
    slot: &str,
    role: BindingRole,
    take: impl Fn(&crate::Fact, &mut BTreeSet<String>),
) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    for item in items {
        let Some(binding) = item.binding(slot).filter(|b| b.role == role) else { continue };
        for fact in binding.facts.iter().filter_map(|f| item.facts.get(*f)) {
            take(fact, &mut out);
        }
        out.extend(item.context.copies.iter().filter_map(|c| c.stay.clone()));
    }
    out
}

/// The places that hold every slot: by statements; else with defining numbers counted for those that have no
/// statement anywhere; else the places of the first slot that has any.
fn joint(query: &Query, places: impl Fn(&str, BindingRole) -> BTreeSet<String>) -> BTreeSet<String> {
    let common = |by_slot: &[BTreeSet<String>]| {
        let mut all = by_slot.first().cloned().unwrap_or_default();
        for places in by_slot.iter().skip(1) {
            all = all.intersection(places).cloned().collect();
        }
        all
    };
    let stated: Vec<BTreeSet<String>> = query.slots.iter().map(|s| places(&s.id, BindingRole::Statement)).collect();
    let all = common(&stated);
    if !all.is_empty() {
        return all;
    }
    let mut any = stated.clone();
    for (slot, places_of) in query.slots.iter().zip(&mut any) {
        if places_of.is_empty() {
            *places_of = places(&slot.id, BindingRole::Numbers);
        }
    }
    let all = common(&any);
    if all.is_empty() { any.into_iter().find(|p| !p.is_empty()).unwrap_or_default() } else { all }
}
