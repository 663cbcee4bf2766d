//! Episodes: what is stated of one slot's event inside one stay (a course of a drug, a run of values).

use chartproof_record::InOrder as _;
use std::collections::BTreeMap;

use chartproof_evidence::query::{Basis, Slot, SlotKind, ValueCondition};
use chartproof_evidence::{BindingRole, Bundle, ContextKind, Item, StartBound};
use chartproof_record::{ClinicalTime, Kind, Order, TimeRole};

use crate::numeric::{self, ByNumbers};
use crate::stance::{self, Reading, Rung, Stance};
use crate::timing::{self, Timed, When};

/// An episode of a slot's event.
#[derive(Clone, Debug)]
pub(crate) struct Episode<'a> {
    /// Its stay; `None` when unknown.
    pub(crate) stay: Option<&'a str>,
    /// What its facts say.
    pub(crate) readings: Vec<Reading<'a>>,
    /// What its defining numbers say.
    pub(crate) numbers: Option<ByNumbers>,
    /// Only a recorded link of another slot's row names it.
    pub(crate) named: bool,
}

/// The episodes of a slot, by stay.
pub(crate) fn episodes<'a>(bundle: &'a Bundle, slot_ix: usize) -> Vec<Episode<'a>> {
    let query = bundle.query();
    let slot = &query.slots[slot_ix];
    let mut by_stay: BTreeMap<Option<&'a str>, Vec<Reading<'a>>> = BTreeMap::new();
    let mut numbers: BTreeMap<Option<&'a str>, Vec<&'a Item>> = BTreeMap::new();
    for item in bundle.items() {
        let Some(binding) = item.binding(&slot.id) else { continue };
        if binding.role != BindingRole::Statement {
            numbers.entry(item.stay()).or_default().push(item);
            continue;
        }
        for fact in &binding.facts {
            let reading = stance::read(slot, item, *fact);
            let own = reading.fact.stay.as_deref();
            by_stay.entry(own).or_default().push(reading.clone());
            let mut copied: Vec<&'a str> = item.context.copies.iter().filter_map(|c| c.stay.as_deref()).collect();
            copied.order();
            copied.dedup();
            for stay in copied.into_iter().filter(|s| Some(*s) != own) {
                by_stay.entry(Some(stay)).or_default().push(reading.clone());
            }
        }
    }
    // An exclusion without a known stay (a problem list) holds for every stay.
    let everywhere = numbers.get(&None).cloned().unwrap_or_default();
    let mut out = Vec::new();
    let stays: Vec<Option<&'a str>> = by_stay.keys().chain(numbers.keys()).copied().collect();
    let mut seen: Vec<Option<&'a str>> = Vec::new();
    for stay in stays {
        if seen.contains(&stay) {
            continue;
        }
        seen.push(stay);
        let readings = by_stay.remove(&stay).unwrap_or_default();
        let mut items = numbers.get(&stay).cloned().unwrap_or_default();
        if stay.is_some() {
            items.extend(
                everywhere.iter().filter(|i| i.binding(&slot.id).is_some_and(|b| b.role == BindingRole::Exclusion)),
            );
        }
        let by_numbers = (!items.is_empty()).then(|| numeric::by_numbers(slot, &items));
        out.extend(split(slot, stay, readings, by_numbers));
    }
    out
}

/// Courses are episodes of their own; so are runs of values that meet a condition.
fn split<'a>(
    slot: &Slot,
    stay: Option<&'a str>,
    readings: Vec<Reading<'a>>,
    numbers: Option<ByNumbers>,
) -> Vec<Episode<'a>> {
    let whole = |readings, numbers| Episode { stay, readings, numbers, named: false };
    if stance::is_exposure(slot) {
        let (courses, rest): (Vec<_>, Vec<_>) =
            readings.into_iter().partition(|r| r.item.context.kind == ContextKind::Course);
        let mut by_item: BTreeMap<&str, Vec<Reading<'a>>> = BTreeMap::new();
        for reading in courses {
            by_item.entry(&reading.item.id).or_default().push(reading);
        }
        if by_item.is_empty() {
            return vec![whole(rest, numbers)];
        }
        return by_item
            .into_values()
            .map(|course| whole(course.into_iter().chain(rest.iter().cloned()).collect(), None))
            .collect();
    }
    let conditioned = matches!(slot.value, Some(ValueCondition::Compare { .. } | ValueCondition::Flag { .. }));
    if conditioned && readings.iter().any(|r| r.stance == Stance::Affirm) {
        return runs(readings).into_iter().map(|run| whole(run, None)).collect();
    }
    if slot.value.is_none() && !has_many_points(slot) {
        return events(readings).into_iter().map(|event| whole(event, numbers.clone())).collect();
    }
    vec![whole(readings, numbers)]
}

/// The events among the statements of one stay. Rows that date the event themselves at times that certainly differ
/// are different events; so is a row without any time, which may be another one. Statements in words belong to the
/// latest event that had begun when they were written; denials stand beside every event.
fn events(readings: Vec<Reading<'_>>) -> Vec<Vec<Reading<'_>>> {
    let is_row = |r: &Reading<'_>| r.stance == Stance::Affirm && r.item.context.kind != ContextKind::Span;
    // Where there are problem rows they tell the events apart; an adverse event row then is a statement about one.
    let problem = |r: &Reading<'_>| r.fact.kind == Kind::Condition && timing::occurred(r.fact).is_some();
    let problems = readings.iter().any(|r| is_row(r) && problem(r));
    let (mut dated, rest): (Vec<_>, Vec<_>) = readings
        .into_iter()
        .partition(|r| is_row(r) && timing::occurred(r.fact).is_some() && (!problems || problem(r)));
    let (untimed, rest): (Vec<_>, Vec<_>) = rest
        .into_iter()
        .partition(|r| is_row(r) && timing::occurred(r.fact).is_none() && timing::documented(r.fact).is_none());
    let start = |r: &Reading<'_>| timing::occurred(r.fact).map_or((i64::MAX, i64::MAX), ClinicalTime::sort_key);
    dated.order_by(|a, b| start(a).cmp(&start(b)).then_with(|| a.fact.id.cmp(&b.fact.id)));
    let mut out: Vec<Vec<Reading<'_>>> = Vec::new();
    for row in dated {
        let first = out.last().and_then(|event| timing::occurred(event[0].fact));
        let later = first.zip(timing::occurred(row.fact)).is_none_or(|(a, b)| b.order(a) == Order::After);
        match out.last_mut().filter(|_| !later) {
            Some(event) => event.push(row),
            None => out.push(vec![row]),
        }
    }
    let begun = out.len();
    if begun == 0 {
        return vec![rest.into_iter().chain(untimed).collect()];
    }
    for reading in rest {
        if matches!(reading.stance, Stance::Affirm | Stance::Suspect) {
            let written = timing::documented(reading.fact).or_else(|| timing::occurred(reading.fact));
            let had_begun = |event: &Vec<Reading<'_>>| {
                let first = timing::occurred(event[0].fact);
                first.zip(written).is_none_or(|(first, written)| first.order(written) != Order::After)
            };
            let at = (0..begun).rev().find(|at| had_begun(&out[*at])).unwrap_or(0);
            out[at].push(reading);
        } else {
            for event in &mut out[..begun] {
                event.push(reading.clone());
            }
        }
    }
    out.extend(untimed.into_iter().map(|row| vec![row]));
    out
}

/// Maximal runs, in time, of values that meet the condition; those that do not meet it stand beside none.
fn runs(mut readings: Vec<Reading<'_>>) -> Vec<Vec<Reading<'_>>> {
    readings.order_by(|a, b| {
        let key = |r: &Reading<'_>| timing::occurred(r.fact).map_or(i64::MAX, |t| t.sort_key().0);
        key(a).cmp(&key(b)).then_with(|| a.fact.id.cmp(&b.fact.id))
    });
    let mut out: Vec<Vec<Reading<'_>>> = Vec::new();
    let mut open = false;
    for reading in readings {
        match (reading.stance, open) {
            (Stance::Affirm, true) => {
                if let Some(run) = out.last_mut() {
                    run.push(reading);
                }
            }
            (Stance::Affirm, false) => {
                out.push(vec![reading]);
                open = true;
            }
            (Stance::Deny, _) => open = false,
            _ => {}
        }
    }
    out
}

impl<'a> Episode<'a> {
    /// Readings of one stance that are strong enough for the slot.
    pub(crate) fn of(&self, slot: &Slot, stance: Stance) -> Vec<&Reading<'a>> {
        let enough = |r: &&Reading<'a>| {
            r.stance == stance && (stance != Stance::Affirm || slot.kind != SlotKind::Given || r.rung >= Rung::Told)
        };
        self.readings.iter().filter(enough).collect()
    }

    /// The strongest rung that is affirmed.
    pub(crate) fn rung(&self) -> Rung {
        self.readings.iter().filter(|r| r.stance == Stance::Affirm).map(|r| r.rung).max().unwrap_or(Rung::None)
    }

    /// Whether its defining numbers say yes.
    pub(crate) fn by_numbers(&self) -> bool {
        self.numbers.as_ref().is_some_and(|n| n.occurred == crate::assessment::Stated::Yes)
    }

    /// When it was, from the readings that affirm it.
    pub(crate) fn timed(&self, slot: &Slot) -> Timed {
        let affirmed = self.of(slot, Stance::Affirm);
        let top = affirmed.iter().map(|r| r.rung).max().unwrap_or(Rung::None);
        let exposure = stance::is_exposure(slot);
        let mut points: Vec<When> = Vec::new();
        let mut end: Option<ClinicalTime> = None;
        let mut written: Option<ClinicalTime> = None;
        let mut statements: Vec<(ClinicalTime, Option<When>)> = Vec::new();
        for reading in &affirmed {
            // An exposure is timed by its strongest rung: an order's time is not an administration's.
            if exposure && reading.rung < top {
                continue;
            }
            let fact = reading.fact;
            if let Some(at) = timing::occurred(fact) {
                points.push(match fact.start_bound {
                    Some(StartBound::TransferredIn) if exposure && points.is_empty() => When::NotAfter(at.clone()),
                    Some(StartBound::HomeMedication) => When::NotAfter(at.clone()),
                    _ => When::At(at.clone()),
                });
            } else if let Some(at) = timing::documented(fact) {
                points.push(When::NotAfter(at.clone()));
            }
            let until = timing::ended(fact);
            if let Some(until) = until.filter(|u| end.as_ref().is_none_or(|e| u.sort_key().1 > e.sort_key().1)) {
                end = Some(until.clone());
            }
            let noted = timing::documented(fact).or_else(|| timing::occurred(fact));
            if let Some(noted) = noted {
                let own = timing::occurred(fact).map(|t| When::At(t.clone()));
                statements.push((noted.clone(), own));
            }
            if let Some(noted) = noted.filter(|n| written.as_ref().is_none_or(|w| n.sort_key() < w.sort_key())) {
                written = Some(noted.clone());
            }
        }
        if slot.basis == Basis::Occurred
            && !points.iter().any(|p| matches!(p, When::At(_)))
            && let Some(at) = self.numbers.as_ref().and_then(|n| n.at.clone())
        {
            points.push(When::At(at));
        }
        points.order_by_key(|p| p.time().sort_key());
        if !has_many_points(slot) {
            points = single(points);
        }
        if let (Some(end_at), Some(last)) = (&end, points.last())
            && exposure
            && last.time().sort_key() > end_at.sort_key()
        {
            end = Some(last.time().clone());
        }
        Timed {
            points,
            end,
            documented: written,
            statements,
            on_admission: self.readings.iter().any(|r| r.on_admission && r.stance == Stance::Affirm),
            in_stay: exposure
                && affirmed.iter().any(|r| {
                    matches!(r.fact.kind, Kind::MedicationGiven | Kind::MedicationOrder) && r.fact.start_bound.is_none()
                })
                || affirmed.iter().any(|r| r.fact.kind == Kind::Procedure && r.fact.start_bound.is_none()),
        }
    }

    /// The fact that dates it, for the chain.
    pub(crate) fn dated_by(&self, slot: &Slot) -> Option<(&Reading<'a>, Option<(TimeRole, ClinicalTime)>)> {
        let affirmed = self.of(slot, Stance::Affirm);
        let top = affirmed.iter().map(|r| r.rung).max().unwrap_or(Rung::None);
        let exposure = stance::is_exposure(slot);
        let candidates = affirmed.iter().filter(|r| !exposure || r.rung == top);
        let stamp = |r: &&&Reading<'a>| {
            timing::occurred_stamp(r.fact)
                .or_else(|| r.fact.times.iter().find(|t| matches!(t.role, TimeRole::Documented | TimeRole::Recorded)))
                .map(|s| (s.role, s.at.clone()))
        };
        let key = |r: &&&Reading<'a>| {
            let at = stamp(r);
            (timing::occurred(r.fact).is_none(), at.map_or(i64::MAX, |(_, t)| t.sort_key().0), r.fact.id.clone())
        };
        let first = candidates.min_by_key(key)?;
        Some((first, stamp(&first)))
    }
}

/// Doses, values and procedures happen again and again; a condition begins once in an episode.
fn has_many_points(slot: &Slot) -> bool {
    matches!(
        slot.kind,
        SlotKind::Given
            | SlotKind::Exposure
            | SlotKind::Order
            | SlotKind::Lab
            | SlotKind::Vital
            | SlotKind::Culture
            | SlotKind::Procedure
            | SlotKind::Device
    )
}

/// The beginning of a condition: its earliest recorded onset, unless it was written down before that.
fn single(points: Vec<When>) -> Vec<When> {
    let onset = points.iter().find(|p| matches!(p, When::At(_))).cloned();
    let bound = points.iter().find(|p| matches!(p, When::NotAfter(_))).cloned();
    match (onset, bound) {
        (Some(onset), Some(bound)) if timing::order(&bound, &onset) == Order::Before => vec![bound],
        (Some(onset), _) => vec![onset],
        (None, bound) => bound.into_iter().collect(),
    }
}
