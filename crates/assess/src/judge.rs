//! One relation of one tuple: components, axes, reasons (Eq. 6), each reason with the items it rests on.

use chartproof_evidence::query::{Basis, Query, Relation, RelationKind, Slot, SlotKind, SlotState};
use chartproof_evidence::{ContextKind, Item};
use chartproof_notes::{Certainty, Cue, relation_cues};
use chartproof_record::InOrder as _;
use chartproof_record::{LinkKind, Order};

use crate::assessment::{Axes, Components, Failure, Polarity, Reason, TimeVerdict, Transition, Verdict};
use crate::episode::Episode;
use crate::frozen::{self, THRESHOLDS, Use, WEIGHTS};
use crate::numeric;
use crate::stance::{self, Reading, Rung, Stance};
use crate::timing::{self, Timed, When};

/// What a judgement works on.
pub(crate) struct Case<'b, 'a> {
    /// The query.
    pub(crate) query: &'b Query,
    /// One episode for each slot.
    pub(crate) episodes: &'b [&'b Episode<'a>],
}

/// Parts under way.
#[derive(Default)]
struct Parts {
    tim: Option<f64>,
    num: Option<f64>,
    support: f64,
    refute: f64,
    reasons: Vec<Reason>,
    failure: Option<Failure>,
}

impl Parts {
    fn say(&mut self, code: &str, polarity: Polarity, text: String, items: Vec<String>, trigger: Option<String>) {
        let mut items = items;
        items.order();
        items.dedup();
        self.reasons.push(Reason { code: code.to_owned(), text, polarity, items, trigger });
    }

    fn fail(&mut self, failure: Failure) {
        self.failure.get_or_insert(failure);
    }
}

fn ids(readings: &[&Reading<'_>]) -> Vec<String> {
    readings.iter().map(|r| r.item.id.clone()).collect()
}

fn first_trigger(readings: &[&Reading<'_>]) -> Option<String> {
    readings.iter().find_map(|r| r.trigger.clone())
}

/// The verdict of two axes (Eq. 7).
pub(crate) fn verdict(axes: Axes) -> Verdict {
    match (axes.support >= THRESHOLDS.support, axes.refute >= THRESHOLDS.refute) {
        (true, false) => Verdict::Supported,
        (true, true) => Verdict::Conflicting,
        (false, true) => Verdict::Refuted,
        (false, false) => Verdict::Insufficient,
    }
}

impl Case<'_, '_> {
    fn slot_ix(&self, id: &str) -> Option<usize> {
        self.query.slots.iter().position(|s| s.id == id)
    }

    /// Assesses one relation.
    pub(crate) fn transition(&self, at: usize, relation: &Relation) -> Transition {
        let mut parts = Parts::default();
        let subject = self.slot_ix(&relation.subject);
        let object = relation.object.as_deref().and_then(|o| self.slot_ix(o));
        let conditioned =
            [subject, object].into_iter().flatten().any(|s| frozen::is_conditioned(self.query.slots[s].value.as_ref()));
        let mut v_tim = TimeVerdict::NotApplicable;
        if let Some(subject) = subject {
            match relation.kind {
                RelationKind::Documented => self.documented(subject, &mut parts),
                RelationKind::SameEncounter => self.same_encounter(subject, object, &mut parts),
                RelationKind::Before | RelationKind::After | RelationKind::During | RelationKind::Overlaps => {
                    v_tim = self.in_time(relation, subject, object, &mut parts);
                }
                RelationKind::AdverseEventOf | RelationKind::AttributedTo | RelationKind::ReasonFor => {
                    v_tim = self.attributed(relation, subject, object, &mut parts);
                }
                RelationKind::Rises | RelationKind::Falls | RelationKind::Unchanged => {
                    v_tim = self.changes(relation, subject, object, &mut parts);
                }
                RelationKind::Persists | RelationKind::Recurs | RelationKind::Resolves => {
                    parts.fail(Failure::MissingRelationEvidence);
                }
            }
            if conditioned && parts.num.is_none() {
                parts.num = Some(self.condition_met(&[Some(subject), object]));
            }
        }
        finish(at, relation.kind, conditioned, v_tim, parts)
    }

    /// 1 when every conditioned slot has a value that meets its condition.
    fn condition_met(&self, slots: &[Option<usize>]) -> f64 {
        let met = slots.iter().flatten().all(|s| {
            let slot = &self.query.slots[*s];
            slot.value.is_none() || !self.episodes[*s].of(slot, Stance::Affirm).is_empty()
        });
        if met { 1.0 } else { 0.0 }
    }

    /// Whether the event of a slot is affirmed and whether it stands denied. Adds the reasons; returns 1, 0.5
    /// (suspected), or 0 for the affirmation.
    fn event(&self, slot_ix: usize, parts: &mut Parts) -> f64 {
        let slot = &self.query.slots[slot_ix];
        let episode = self.episodes[slot_ix];
        let name = &slot_name(slot);
        let denied = episode.of(slot, Stance::Deny);
        let affirmed = still_there(slot, episode.of(slot, Stance::Affirm), &denied);
        let suspected = episode.of(slot, Stance::Suspect);
        let mut value = 0.0;
        if !affirmed.is_empty() {
            value = 1.0;
            let rung = if stance::is_exposure(slot) { format!(" ({})", episode.rung().word()) } else { String::new() };
            let text = format!("{name} is stated{rung}");
            parts.say("affirmed", Polarity::Supports, text, ids(&affirmed), None);
        } else if slot.basis == Basis::Occurred && episode.by_numbers() {
            value = 1.0;
            if let Some(numbers) = &episode.numbers {
                let text = format!("{name} is not stated; by its numbers it occurred: {}", numbers.shown);
                parts.say("criteria_met", Polarity::Supports, text, numbers.items.clone(), None);
            }
        } else if !suspected.is_empty() {
            value = 0.5;
            parts.fail(Failure::UncertainOnly);
            let trigger = first_trigger(&suspected);
            parts.say("suspected", Polarity::Neutral, format!("{name} is only suspected"), ids(&suspected), trigger);
        } else if slot.kind == SlotKind::Given && episode.readings.iter().any(|r| r.stance == Stance::Affirm) {
            parts.fail(Failure::LowerRungOnly);
            let lower: Vec<&Reading<'_>> = episode.readings.iter().filter(|r| r.stance == Stance::Affirm).collect();
            let text = format!("{name} is {}, not given", episode.rung().word());
            parts.say("lower_rung", Polarity::Neutral, text, ids(&lower), None);
        } else if denied.is_empty() {
            parts.fail(Failure::MissingEvent);
        }
        self.denied(slot_ix, &affirmed, &denied, &suspected, parts);
        value
    }

    /// Denials that nothing reconciles with the statements for the event.
    fn denied(
        &self,
        slot_ix: usize,
        affirmed: &[&Reading<'_>],
        denied: &[&Reading<'_>],
        suspected: &[&Reading<'_>],
        parts: &mut Parts,
    ) {
        let slot = &self.query.slots[slot_ix];
        let name = &slot_name(slot);
        if denied.is_empty() {
            return;
        }
        // A dose not given or a value out of the condition stands beside others that were or are.
        let beside = stance::is_exposure(slot) || slot.value.is_some();
        let unreconciled: Vec<&Reading<'_>> = denied
            .iter()
            .copied()
            .filter(|d| {
                if beside {
                    // A note that denies what only weaker sources tell contradicts them; a charted dose stands.
                    let told = d.item.context.kind == ContextKind::Span && slot.value.is_none();
                    return affirmed.is_empty() || (told && affirmed.iter().all(|a| a.rung < Rung::Given));
                }
                // A denial from before the first statement does not contradict it, nor one from after its end.
                affirmed.is_empty() || !(affirmed.iter().all(|a| earlier(d, a)) || after_its_end(d, affirmed))
            })
            .collect();
        // Suspected, and not ruled out later: a denial from before the suspicion settles nothing.
        let open = affirmed.is_empty()
            && !suspected.is_empty()
            && suspected.iter().any(|s| unreconciled.iter().all(|d| earlier(d, s)));
        if unreconciled.is_empty() || open {
            let text = match (beside, slot.value.is_some()) {
                (true, false) => format!("{name}: a dose not given stands beside what was given"),
                (_, true) => format!("{name}: other values do not meet the condition"),
                _ => format!("{name} is denied for another time than it is stated for"),
            };
            parts.say("denied_before", Polarity::Neutral, text, ids(denied), first_trigger(denied));
            return;
        }
        parts.refute = 1.0;
        let (code, text) = match (affirmed.is_empty(), slot.value.is_some(), beside) {
            (true, true, _) => ("value_not_met", format!("{name}: no value meets the condition")),
            (true, false, true) => ("not_given", format!("{name} is recorded as not given")),
            (true, false, false) => ("denied", format!("{name} is denied")),
            (false, ..) => ("denied_too", format!("{name} is stated and denied, and nothing reconciles the two")),
        };
        parts.say(code, Polarity::Refutes, text, ids(&unreconciled), first_trigger(&unreconciled));
    }

    fn documented(&self, subject: usize, parts: &mut Parts) {
        let slot = &self.query.slots[subject];
        parts.support = self.event(subject, parts);
        let past: Vec<&Reading<'_>> = self.episodes[subject].of(slot, Stance::Past);
        if !past.is_empty() && parts.support < 1.0 {
            let name = slot_name(slot);
            if self.query.scope.level == chartproof_evidence::query::ScopeLevel::Patient {
                parts.support = 1.0;
                parts.failure = None;
                let text = format!("{name} is stated as history");
                parts.say("history", Polarity::Supports, text, ids(&past), first_trigger(&past));
            } else {
                let text = format!("{name} is stated only as history, which does not support this encounter");
                parts.say("history_only", Polarity::Neutral, text, ids(&past), first_trigger(&past));
            }
        }
    }

    fn same_encounter(&self, subject: usize, object: Option<usize>, parts: &mut Parts) {
        let mut least = self.event(subject, parts);
        let Some(object) = object else { return };
        least = least.min(self.event(object, parts));
        let (a, b) = (self.episodes[subject], self.episodes[object]);
        let items: Vec<String> = a.readings.iter().chain(&b.readings).map(|r| r.item.id.clone()).collect();
        match (a.stay, b.stay) {
            (Some(one), Some(other)) if one == other => {
                parts.support = least;
                parts.say("same_encounter", Polarity::Supports, format!("both in {one}"), items, None);
            }
            (Some(one), Some(other)) => {
                parts.support = 0.0;
                parts.refute = parts.refute.max(least);
                parts.say("other_encounter", Polarity::Refutes, format!("one in {one}, one in {other}"), items, None);
            }
            _ => {
                parts.support = 0.0;
                parts.fail(Failure::ScopeUnknown);
            }
        }
    }

    /// The timed subject and object. Two slots that must be filled by different occurrences share no point.
    fn timed(&self, subject: usize, object: usize) -> (Timed, Timed) {
        let (s, o) = (&self.query.slots[subject], &self.query.slots[object]);
        (self.episodes[subject].timed(s), self.episodes[object].timed(o))
    }

    fn in_time(&self, relation: &Relation, subject: usize, object: Option<usize>, parts: &mut Parts) -> TimeVerdict {
        let Some(object) = object else { return TimeVerdict::Unknown };
        let affirmed = self.event(subject, parts).min(self.event(object, parts));
        parts.support = affirmed;
        parts.tim = Some(0.0);
        if affirmed < 1.0 {
            return TimeVerdict::Unknown;
        }
        let (s, o) = (&self.query.slots[subject], &self.query.slots[object]);
        let (at_s, mut at_o) = self.timed(subject, object);
        let distinct =
            s.distinct_from.as_deref() == Some(o.id.as_str()) || o.distinct_from.as_deref() == Some(s.id.as_str());
        if distinct
            && relation.kind == RelationKind::Before
            && std::ptr::eq(self.episodes[subject], self.episodes[object])
        {
            // Any earlier occurrence before any later one of the same course.
            at_o.points.reverse();
        }
        let documented = s.basis == Basis::Documented;
        let v_tim = timing::verdict(relation.kind, relation.window.as_ref(), &at_s, &at_o, documented);
        let items = || {
            let dated = [(subject, s), (object, o)].map(|(ix, slot)| self.dating_items(ix, slot));
            dated.concat()
        };
        let shown = |t: &Timed, documented: bool| {
            let written = t.documented.as_ref().filter(|_| documented).map(|d| format!("documented {}", d.display()));
            written
                .or_else(|| {
                    t.points.first().map(|p| match p {
                        When::At(at) => at.display(),
                        When::NotAfter(at) => format!("at {} or before", at.display()),
                    })
                })
                .unwrap_or_else(|| "no recorded time".to_owned())
        };
        let text = format!("{}: {}; {}: {}", slot_name(s), shown(&at_s, documented), slot_name(o), shown(&at_o, false));
        match v_tim {
            TimeVerdict::Compatible => {
                parts.tim = Some(1.0);
                parts.say("order_compatible", Polarity::Supports, text, items(), None);
            }
            TimeVerdict::Incompatible => {
                parts.refute = 1.0;
                parts.say("order_incompatible", Polarity::Refutes, text, items(), None);
            }
            _ => {
                parts.say("order_unknown", Polarity::Neutral, text, items(), None);
            }
        }
        let told = self.told_order(relation, subject, object, parts);
        let v_tim = if v_tim == TimeVerdict::Unknown { told } else { v_tim };
        self.onset_before(relation, subject, object, &at_s, &at_o, parts);
        if parts.tim == Some(0.0) {
            parts.fail(Failure::MissingTime);
            if parts.refute == 0.0 {
                return TimeVerdict::Unknown;
            }
        }
        v_tim
    }

    fn dating_items(&self, slot_ix: usize, slot: &Slot) -> Vec<String> {
        let episode = self.episodes[slot_ix];
        match episode.dated_by(slot) {
            Some((reading, _)) => vec![reading.item.id.clone()],
            None => episode.numbers.as_ref().map(|n| n.items.clone()).unwrap_or_default(),
        }
    }

    /// An explicit order cue in a sentence that names both; what the cues say together.
    fn told_order(&self, relation: &Relation, subject: usize, object: usize, parts: &mut Parts) -> TimeVerdict {
        let mut out = TimeVerdict::Unknown;
        if relation.window.is_some() || !matches!(relation.kind, RelationKind::Before | RelationKind::After) {
            return out;
        }
        let wanted = if relation.kind == RelationKind::After { Cue::After } else { Cue::Before };
        let mut told: Vec<(String, String, bool)> = Vec::new();
        self.sentences(subject, object, |item, a, b| {
            for cue in relation_cues(&item.context.text, a, b) {
                if cue.certainty == Certainty::Certain && matches!(cue.kind, Cue::Before | Cue::After) {
                    told.push((item.id.clone(), words(item, cue.start, cue.end), cue.kind == wanted));
                }
            }
        });
        for (item, cue, agrees) in told {
            if agrees {
                parts.tim = Some(1.0);
                out = TimeVerdict::Compatible;
                parts.say(
                    "told_order",
                    Polarity::Supports,
                    format!("the order is told: \"{cue}\""),
                    vec![item],
                    Some(cue),
                );
            } else {
                parts.refute = 1.0;
                if out == TimeVerdict::Unknown {
                    out = TimeVerdict::Incompatible;
                }
                let text = format!("the other order is told: \"{cue}\"");
                parts.say("told_other_order", Polarity::Refutes, text, vec![item], Some(cue));
            }
        }
        out
    }

    /// Present on arrival, or a known onset before, speaks against an onset after an exposure in the stay, even
    /// where what is asked is when it was written down.
    fn onset_before(
        &self,
        relation: &Relation,
        subject: usize,
        object: usize,
        at_s: &Timed,
        at_o: &Timed,
        parts: &mut Parts,
    ) {
        if relation.kind != RelationKind::After {
            return;
        }
        let s = &self.query.slots[subject];
        let name = slot_name(s);
        let arrived: Vec<&Reading<'_>> =
            self.episodes[subject].readings.iter().filter(|r| r.on_admission && r.stance == Stance::Affirm).collect();
        let same = self.episodes[subject].stay.is_some() && self.episodes[subject].stay == self.episodes[object].stay;
        if !arrived.is_empty() && at_o.in_stay && same {
            parts.refute = 1.0;
            let text = format!("{name} was there on arrival");
            parts.say("on_arrival", Polarity::Refutes, text, ids(&arrived), first_trigger(&arrived));
        }
        let (Some(point), Some(start)) = (at_s.points.first(), at_o.points.first()) else { return };
        if s.basis == Basis::Documented
            && parts.tim == Some(1.0)
            && matches!(point, When::At(_))
            && timing::order(point, start) == Order::Before
            && !matches!(s.kind, SlotKind::Lab | SlotKind::Vital)
        {
            parts.refute = 1.0;
            let text = format!("{name} began {}, before", point.time().display());
            parts.say("onset_before", Polarity::Refutes, text, self.dating_items(subject, s), None);
        }
    }

    /// Calls `found` for each sentence that affirms both slots, with the places of the two mentions.
    fn sentences(&self, subject: usize, object: usize, mut found: impl FnMut(&Item, (usize, usize), (usize, usize))) {
        let (s, o) = (&self.query.slots[subject], &self.query.slots[object]);
        let mut seen: Vec<&str> = Vec::new();
        for reading in &self.episodes[subject].readings {
            let item = reading.item;
            if item.context.kind != ContextKind::Span || seen.contains(&item.id.as_str()) {
                continue;
            }
            // What is told of a denied, suspected or someone else's event is not told of this one.
            let past = self.query.scope.level == chartproof_evidence::query::ScopeLevel::Patient;
            if reading.stance != Stance::Affirm && !(past && reading.stance == Stance::Past) {
                continue;
            }
            seen.push(&item.id);
            let (Some(for_s), Some(for_o)) = (item.binding(&s.id), item.binding(&o.id)) else { continue };
            for a in &for_s.facts {
                for b in for_o.facts.iter().filter(|b| *b != a) {
                    let place =
                        |fact: usize| item.context.mentions.iter().find(|m| m.fact == fact).map(|m| (m.start, m.end));
                    if let (Some(a), Some(b)) = (place(*a), place(*b)) {
                        found(item, a, b);
                    }
                }
            }
        }
    }

    fn attributed(&self, relation: &Relation, subject: usize, object: Option<usize>, parts: &mut Parts) -> TimeVerdict {
        let Some(object) = object else { return TimeVerdict::Unknown };
        let (s, o) = (&self.query.slots[subject], &self.query.slots[object]);
        let mut affirmed = self.event(subject, parts);
        // That the event itself is stated and denied says nothing of its cause; an event denied has none.
        if affirmed >= 1.0 {
            parts.refute = 0.0;
        }
        let exposure = {
            let mut own = Parts::default();
            let value = self.event(object, &mut own);
            if value < 1.0 {
                parts.refute = parts.refute.max(own.refute);
            }
            parts.reasons.append(&mut own.reasons);
            if value < 1.0 {
                parts.failure = parts.failure.or(own.failure);
            }
            value
        };
        let mut stated: Vec<(String, String)> = Vec::new();
        let mut against: Vec<(String, String)> = Vec::new();
        let mut unsure: Vec<(String, String)> = Vec::new();
        self.sentences(subject, object, |item, a, b| {
            for cue in relation_cues(&item.context.text, a, b) {
                let told = (item.id.clone(), words(item, cue.start, cue.end));
                match (cue.kind, cue.certainty) {
                    (Cue::AttributedTo, Certainty::Certain) => stated.push(told),
                    (Cue::AttributedTo, Certainty::Uncertain) => unsure.push(told),
                    (Cue::NotAttributedTo, _) => against.push(told),
                    _ => {}
                }
            }
        });
        let wanted: &[LinkKind] = match relation.kind {
            RelationKind::ReasonFor => &[LinkKind::Reason],
            _ => &[LinkKind::DueTo, LinkKind::Suspect],
        };
        for reading in self.episodes[subject].readings.iter().filter(|r| r.stance == Stance::Affirm) {
            for link in reading.fact.links.iter().filter(|l| wanted.contains(&l.kind) && l.slots.contains(&o.id)) {
                let told = (reading.item.id.clone(), link_words(link));
                match judgement(&link.judgement) {
                    Some(true) | None => stated.push(told),
                    Some(false) => against.push(told),
                }
            }
        }
        for (item, words) in &stated {
            let text = format!("attributed in the record: {words}");
            parts.say("attributed", Polarity::Supports, text, vec![item.clone()], Some(words.clone()));
        }
        for (item, words) in &against {
            let text = format!("the record says otherwise: {words}");
            parts.say("not_attributed", Polarity::Refutes, text, vec![item.clone()], Some(words.clone()));
        }
        for (item, words) in &unsure {
            let text = format!("only possibly: {words}");
            parts.say("possibly_attributed", Polarity::Neutral, text, vec![item.clone()], Some(words.clone()));
        }
        if !stated.is_empty() {
            // A statement that one is due to the other states both.
            affirmed = affirmed.max(if parts.refute > 0.0 { affirmed } else { 1.0 });
            parts.support = affirmed;
            parts.failure = None;
        }
        if !against.is_empty() {
            parts.refute = 1.0;
        }
        let (at_s, at_o) = self.timed(subject, object);
        let order = RelationKind::After;
        let v_tim = match relation.kind {
            RelationKind::ReasonFor => TimeVerdict::NotApplicable,
            _ => timing::verdict(order, None, &at_s, &at_o, false),
        };
        let dated = || [self.dating_items(subject, s), self.dating_items(object, o)].concat();
        match v_tim {
            TimeVerdict::Compatible => {
                parts.tim = Some(1.0);
                let text = format!("{} is recorded after {}", slot_name(s), slot_name(o));
                parts.say(
                    "order_compatible",
                    if stated.is_empty() { Polarity::Neutral } else { Polarity::Supports },
                    text,
                    dated(),
                    None,
                );
            }
            TimeVerdict::Incompatible => {
                parts.refute = 1.0;
                let text = format!("{} is recorded before {}", slot_name(s), slot_name(o));
                parts.say("order_incompatible", Polarity::Refutes, text, dated(), None);
            }
            _ => {}
        }
        if stated.is_empty() {
            parts.support = 0.0;
            let both = affirmed >= 1.0 && exposure >= 1.0;
            if both || !unsure.is_empty() {
                parts.failure = Some(match v_tim {
                    _ if !unsure.is_empty() => Failure::UncertainOnly,
                    TimeVerdict::Compatible => Failure::TemporalOnly,
                    _ => Failure::MissingRelationEvidence,
                });
            }
        }
        v_tim
    }

    fn changes(&self, relation: &Relation, subject: usize, object: Option<usize>, parts: &mut Parts) -> TimeVerdict {
        let Some(object) = object else { return TimeVerdict::Unknown };
        let (s, o) = (&self.query.slots[subject], &self.query.slots[object]);
        parts.num = Some(0.0);
        if self.event(object, parts) < 1.0 {
            return TimeVerdict::Unknown;
        }
        let at_o = self.episodes[object].timed(o);
        let Some(When::At(anchor)) = at_o.points.first() else {
            parts.fail(Failure::MissingTime);
            return TimeVerdict::Unknown;
        };
        let millis = |span: &Option<chartproof_evidence::query::Span>| {
            span.as_ref().and_then(chartproof_evidence::query::Span::millis)
        };
        let within = relation.window.as_ref().map_or((None, None), |w| (millis(&w.from), millis(&w.to)));
        let facts = self.episodes[subject]
            .readings
            .iter()
            .filter(|r| !matches!(r.stance, Stance::Silent) && r.item.context.kind != ContextKind::Span)
            .map(|r| (r.item, r.fact));
        let change = numeric::change(s, relation.kind, facts, anchor, within);
        match change.met {
            Some(true) => {
                parts.num = Some(1.0);
                parts.tim = Some(1.0);
                parts.support = 1.0;
                parts.failure = None;
                parts.say("trajectory", Polarity::Supports, change.shown, change.items, None);
                TimeVerdict::Compatible
            }
            Some(false) => {
                parts.refute = 1.0;
                parts.say("trajectory_contrary", Polarity::Refutes, change.shown, change.items, None);
                TimeVerdict::Compatible
            }
            None => {
                let missing = if change.before && change.after { Failure::MissingTime } else { Failure::MissingEvent };
                parts.fail(missing);
                parts.say("no_trajectory", Polarity::Neutral, change.shown, change.items, None);
                TimeVerdict::Unknown
            }
        }
    }
}

/// Whether a recorded causality judgement speaks for the link; `None` when there is none.
fn judgement(text: &str) -> Option<bool> {
    let text = text.to_lowercase();
    if text.is_empty() {
        return None;
    }
    let against = ["unlikely", "unrelated", "not related", "not-related", "notrelated", "excluded"];
    Some(!against.iter().any(|w| text.contains(w)))
}

fn link_words(link: &chartproof_evidence::FactLink) -> String {
    let kind = match link.kind {
        LinkKind::Reason => "reason",
        LinkKind::DueTo => "due to",
        LinkKind::Suspect => "suspected cause",
        LinkKind::Basis => "basis",
        LinkKind::Outcome => "outcome",
        LinkKind::RecordedRef => "reference",
    };
    let target = link.label.as_deref().or(link.target.as_deref()).unwrap_or("");
    let judgement = if link.judgement.is_empty() { String::new() } else { format!(" ({})", link.judgement) };
    format!("{kind} {target}{judgement}")
}

fn words(item: &Item, start: usize, end: usize) -> String {
    item.context.text.chars().skip(start).take(end.saturating_sub(start)).collect()
}

/// Whether `a` was certainly written down (or took place) before `b`.
fn earlier(a: &Reading<'_>, b: &Reading<'_>) -> bool {
    let time = |r: &Reading<'_>| {
        let note = r.item.context.kind == ContextKind::Span;
        let own = if note {
            timing::documented(r.fact)
        } else {
            timing::occurred(r.fact).or_else(|| timing::documented(r.fact))
        };
        own.cloned()
    };
    match (time(a), time(b)) {
        (Some(a), Some(b)) => a.order(&b) == Order::Before,
        _ => false,
    }
}

/// Whether `denial` was certainly written after the recorded end of the event.
fn after_its_end(denial: &Reading<'_>, affirmed: &[&Reading<'_>]) -> bool {
    let Some(written) = timing::documented(denial.fact).or_else(|| timing::occurred(denial.fact)) else { return false };
    affirmed.iter().filter_map(|a| timing::ended(a.fact)).any(|end| written.order(end) == Order::After)
}

/// Where the event must be there still, a statement from before it was over does not say that it is.
fn still_there<'r, 'a>(
    slot: &Slot,
    affirmed: Vec<&'r Reading<'a>>,
    denied: &[&'r Reading<'a>],
) -> Vec<&'r Reading<'a>> {
    let ends: Vec<_> = denied.iter().filter(|d| d.over).collect();
    if slot.state != SlotState::Present || ends.is_empty() {
        return affirmed;
    }
    let again = |a: &&Reading<'a>| {
        let began = timing::occurred(a.fact).or_else(|| timing::documented(a.fact));
        ends.iter().all(|e| {
            let end = timing::ended(e.fact).or_else(|| timing::documented(e.fact));
            began.zip(end).is_some_and(|(began, end)| began.order(end) == Order::After)
        })
    };
    affirmed.into_iter().filter(again).collect()
}

/// The name of a slot's event.
pub(crate) fn slot_name(slot: &Slot) -> String {
    slot.concept.any_of.iter().map(|t| t.text.as_str()).collect::<Vec<_>>().join(" or ")
}

/// Eq. 6 with weights normalised over the components that apply; a required component at zero gives no support.
fn finish(at: usize, kind: RelationKind, conditioned: bool, v_tim: TimeVerdict, parts: Parts) -> Transition {
    let table = frozen::components(kind, conditioned);
    let values = [parts.tim, parts.num, Some(parts.support)];
    let mut sum = 0.0;
    let mut weights = 0.0;
    let mut missing = false;
    for ((component, value), weight) in table.iter().zip(values).zip(WEIGHTS) {
        match (component, value) {
            (Use::Unused, _) | (Use::Applicable, None) => {}
            (Use::Required, None) => missing = true,
            (Use::Required, Some(value)) if value <= 0.0 => missing = true,
            (_, Some(value)) => {
                sum += weight * value;
                weights += weight;
            }
        }
    }
    let support = if missing || weights == 0.0 { 0.0 } else { sum / weights };
    // An event that is not affirmed carries no relation, however well the rest fits.
    let support = if parts.support < 1.0 && support >= THRESHOLDS.support && kind != RelationKind::Documented {
        support * parts.support
    } else if parts.support < 1.0 && kind == RelationKind::Documented {
        // Suspected alone stays below the threshold.
        support.min(0.33)
    } else {
        support
    };
    let axes = Axes { support, refute: parts.refute };
    let verdict = verdict(axes);
    Transition {
        relation: at,
        verdict,
        axes,
        components: Components {
            tim: parts.tim.filter(|_| table[0] != Use::Unused),
            num: parts.num.filter(|_| table[1] != Use::Unused),
            jdg_support: parts.support,
            jdg_refute: parts.refute,
        },
        v_tim,
        failure: (verdict == Verdict::Insufficient).then_some(parts.failure).flatten(),
        reasons: parts.reasons,
    }
}
