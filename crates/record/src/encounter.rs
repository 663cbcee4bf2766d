//! Encounters, the outermost stays they form, and the inference of an encounter from a time.

use crate::InOrder as _;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::occurrence::{EncounterIx, PatientIx, SourceIx, StayIx};
use crate::time::{ClinicalTime, Order, Stamp};

/// Class of an encounter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EncounterClass {
    /// Admitted to hospital.
    Inpatient,
    /// Emergency department.
    Emergency,
    /// Observation status.
    Observation,
    /// Outpatient or office.
    Ambulatory,
    /// At home.
    Home,
    /// By phone or video.
    Virtual,
    /// Recorded otherwise or not at all.
    Other,
}

impl EncounterClass {
    /// Whether the patient stays in an institution during it.
    pub fn is_institutional(self) -> bool {
        matches!(self, Self::Inpatient | Self::Emergency | Self::Observation)
    }
}

/// An encounter as recorded.
#[derive(Clone, Debug)]
pub struct Encounter {
    /// Source key, such as `Encounter/7`.
    pub key: Arc<str>,
    /// Where it is recorded.
    pub source: SourceIx,
    /// Whose it is.
    pub patient: PatientIx,
    /// Class.
    pub class: EncounterClass,
    /// Class or type as shown.
    pub label: Arc<str>,
    /// Recorded status, such as `finished` or `in-progress`.
    pub status: Arc<str>,
    /// Start.
    pub start: Option<Stamp>,
    /// End.
    pub end: Option<Stamp>,
    /// The encounter it is part of.
    pub part_of: Option<EncounterIx>,
    /// Keys of the episodes of care it belongs to.
    pub episodes: Vec<Arc<str>>,
    /// The outermost stay it belongs to (set by [`assign_stays`]).
    pub stay: StayIx,
}

/// An outermost contiguous stay: what "one encounter" means.
#[derive(Clone, Debug)]
pub struct Stay {
    /// Source key of its first encounter in time order: the stay's stable name.
    pub key: Arc<str>,
    /// Whose it is.
    pub patient: PatientIx,
    /// Its encounters in time order.
    pub encounters: Vec<EncounterIx>,
    /// Earliest recorded start.
    pub start: Option<ClinicalTime>,
    /// Latest recorded end; `None` when a member has no end.
    pub end: Option<ClinicalTime>,
}

/// Longest gap between an emergency or observation encounter and what follows it, in milliseconds (one hour).
pub const JOIN_GAP_MS: i64 = 3_600_000;

fn within(inner: &Encounter, outer: &Encounter) -> bool {
    let (Some(from), Some(to)) = (&inner.start, &inner.end) else { return false };
    let (Some(start), Some(end)) = (&outer.start, &outer.end) else { return false };
    let times = [from, to, start, end];
    times.iter().all(|t| t.at.is_sub_day())
        && from.at.order(&start.at) != Order::Before
        && from.at.elapsed_since(&start.at).1 > 0
        && to.at.order(&end.at) != Order::After
        && from.at.order(&end.at) == Order::Before
}

fn follows_at_once(first: &Encounter, second: &Encounter) -> bool {
    let (Some(end), Some(start)) = (&first.end, &second.start) else { return false };
    if !end.at.is_sub_day() || !start.at.is_sub_day() {
        return false;
    }
    let begins_inside = first.start.as_ref().is_some_and(|s| start.at.order(&s.at) != Order::Before);
    let (least, _) = start.at.elapsed_since(&end.at);
    begins_inside && least < JOIN_GAP_MS
}

/// Groups encounters into outermost stays: by part-of, by lying inside an institutional encounter, and by an
/// emergency or observation encounter that another institutional one follows within [`JOIN_GAP_MS`].
///
/// `encounters` must be in their final order; sets [`Encounter::stay`] and returns the stays, sorted by patient,
/// start and key.
pub fn assign_stays(encounters: &mut [Encounter]) -> Vec<Stay> {
    let n = encounters.len();
    let mut parent: Vec<usize> = (0..n).collect();
    fn root(parent: &mut [usize], mut i: usize) -> usize {
        while parent[i] != i {
            parent[i] = parent[parent[i]];
            i = parent[i];
        }
        i
    }
    let mut join = |a: usize, b: usize| {
        let (a, b) = (root(&mut parent, a), root(&mut parent, b));
        parent[a.max(b)] = a.min(b);
    };
    for (i, encounter) in encounters.iter().enumerate() {
        if let Some(outer) = encounter.part_of
            && (outer.0 as usize) < n
        {
            join(i, outer.0 as usize);
        }
    }
    // Only institutional encounters can hold or join others: compare each of them with its patient's encounters.
    let mut by_patient: std::collections::BTreeMap<PatientIx, Vec<usize>> = std::collections::BTreeMap::new();
    for (i, encounter) in encounters.iter().enumerate() {
        by_patient.entry(encounter.patient).or_default().push(i);
    }
    for members in by_patient.values() {
        for &i in members.iter().filter(|i| encounters[**i].class.is_institutional()) {
            for &j in members.iter().filter(|j| **j != i) {
                let (outer, inner) = (&encounters[i], &encounters[j]);
                let short = matches!(outer.class, EncounterClass::Emergency | EncounterClass::Observation);
                if within(inner, outer) || (short && inner.class.is_institutional() && follows_at_once(outer, inner)) {
                    join(i, j);
                }
            }
        }
    }
    let mut groups: std::collections::BTreeMap<usize, Vec<usize>> = std::collections::BTreeMap::new();
    for i in 0..n {
        groups.entry(root(&mut parent, i)).or_default().push(i);
    }
    let start_key = |i: &usize| {
        (encounters[*i].start.as_ref().map_or(i64::MAX, |s| s.at.sort_key().0), Arc::clone(&encounters[*i].key))
    };
    let mut stays: Vec<Stay> = groups
        .into_values()
        .map(|mut members| {
            members.order_by_key(start_key);
            let starts = members.iter().filter_map(|i| encounters[*i].start.as_ref());
            let ends = members.iter().filter_map(|i| encounters[*i].end.as_ref());
            let open = members.iter().any(|i| encounters[*i].end.is_none());
            Stay {
                key: Arc::clone(&encounters[members[0]].key),
                patient: encounters[members[0]].patient,
                start: starts.min_by_key(|s| s.at.sort_key()).map(|s| s.at.clone()),
                end: ends.max_by_key(|s| s.at.sort_key().1).filter(|_| !open).map(|s| s.at.clone()),
                encounters: members.iter().map(|i| EncounterIx(*i as u32)).collect(),
            }
        })
        .collect();
    stays.order_by(|a, b| {
        let key = |s: &Stay| (s.patient, s.start.as_ref().map_or(i64::MAX, |t| t.sort_key().0));
        key(a).cmp(&key(b)).then_with(|| a.key.cmp(&b.key))
    });
    for (ix, stay) in stays.iter().enumerate() {
        for member in &stay.encounters {
            encounters[member.0 as usize].stay = StayIx(ix as u32);
        }
    }
    stays
}

/// The encounter that a time lies in, when it is certain: sub-day granularity, and inside exactly one stay whose
/// limits are recorded at sub-day granularity. Returns the first encounter of that stay.
pub fn infer(time: &ClinicalTime, patient: PatientIx, stays: &[Stay]) -> Option<EncounterIx> {
    if !time.is_sub_day() {
        return None;
    }
    let mut found = None;
    for stay in stays.iter().filter(|s| s.patient == patient) {
        let Some(start) = &stay.start else { continue };
        // A stay that may hold the time without being certain of it makes the answer unknown.
        if time.order(start) == Order::Before {
            continue;
        }
        let Some(end) = &stay.end else { return None };
        if time.order(end) == Order::After {
            continue;
        }
        let certain = start.is_sub_day()
            && end.is_sub_day()
            && matches!(time.order(start), Order::After | Order::Same)
            && matches!(time.order(end), Order::Before | Order::Same);
        if !certain || found.is_some() {
            return None;
        }
        found = stay.encounters.first().copied();
    }
    found
}
