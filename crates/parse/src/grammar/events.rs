//! Events: concepts of the table, unknown names, and where a clause puts them.

use super::*;

impl Reader {
    pub(super) fn event(&mut self, entry: &'static Entry, len: usize) {
        let from = self.at;
        let typed = self.slice(from, from + len);
        let after = self.cue(len);
        // The head of a longer name that the table does not hold: "sepsis alert" is not sepsis.
        let noun_follows = self.peek(len).is_some_and(|t| {
            t.kind == Kind::Word
                && after.is_none()
                && self.concept(len).is_none()
                && self.nounish(from + len)
                && !verbish(&t.low)
                && !matches!(t.low.as_str(), "episode" | "episodes" | "event" | "events")
        });
        if noun_follows {
            match entry.kind {
                TermKind::Condition
                | TermKind::Finding
                | TermKind::Procedure
                | TermKind::Device
                | TermKind::Culture => {
                    let mut total = len;
                    while total < len + 3
                        && self.peek(total).is_some()
                        && self.nounish(from + total)
                        && self.cue(total).is_none()
                    {
                        total += 1;
                    }
                    let text = self.slice(from, from + total);
                    return self.free_text(text, total);
                }
                _ => {}
            }
        }
        let mut entry = entry;
        let mut total = len;
        let noun =
            self.peek(len).is_some_and(|t| matches!(t.low.as_str(), "episode" | "episodes" | "event" | "events"));
        if noun && matches!(entry.kind, TermKind::Condition | TermKind::Finding) {
            total += 1;
        }
        // "vancomycin therapy" is vancomycin, "penicillin allergy" is not penicillin.
        if matches!(entry.kind, TermKind::Drug | TermKind::DrugClass) {
            let tail = self.peek(len).map(|t| t.low.as_str());
            if matches!(
                tail,
                Some("administration" | "therapy" | "treatment" | "exposure" | "use" | "infusion" | "dose" | "doses")
            ) {
                total += 1;
            } else if matches!(tail, Some("allergy")) {
                self.allergy = Some(from + len);
                total += 1;
            }
        }
        // "digoxin level"
        if matches!(entry.kind, TermKind::Drug)
            && let Some((Cue::Level, more)) = after
        {
            total += more;
            if let Some(level) = lookup(&format!("{} level", entry.canonical)) {
                entry = level;
            } else {
                let draft = Draft {
                    terms: vec![Term { text: format!("{} level", entry.canonical), ..Term::default() }],
                    kind: Some(TermKind::Lab),
                    typed: self.slice(from, from + total),
                    ..Draft::default()
                };
                return self.add(draft, total);
            }
        }
        let draft = Draft {
            terms: vec![Term {
                text: entry.canonical.to_owned(),
                class: entry.kind == TermKind::DrugClass,
                codes: Vec::new(),
            }],
            kind: Some(entry.kind),
            typed,
            ..Draft::default()
        };
        self.add(draft, total);
    }

    pub(super) fn slice(&self, from: usize, to: usize) -> String {
        match (self.tokens.get(from), self.tokens.get(to.wrapping_sub(1))) {
            (Some(a), Some(b)) => self.chars[a.start..b.end].iter().collect(),
            _ => String::new(),
        }
    }

    /// Whether a token may be part of the name of an event.
    pub(super) fn nounish(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|t| {
            t.kind == Kind::Word
                && t.label.is_none()
                && self.fate[at] == Fate::Open
                && t.low.chars().any(char::is_alphabetic)
                && t.low.chars().count() >= 2
                && !NOT_NOUN.split(' ').any(|w| w == t.low)
        })
    }

    /// Words that neither the table nor the grammar knows.
    pub(super) fn unknown(&mut self) {
        let from = self.at;
        if self.tokens[from].is("to") && self.front.as_ref().is_some_and(|f| f.1.is_some()) {
            return self.take(1);
        }
        if self.tokens[from].is("at") && self.time_of_day() {
            return;
        }
        if self.tokens[from].is("between") {
            // "between 2 and 3", "between X and Y"
            let number = |n: usize| self.peek(n).is_some_and(|t| t.number().is_some());
            if number(1) && self.peek(2).is_some_and(|t| t.is("and")) && number(3) {
                return self.leave(4, "a range is not read by this grammar");
            }
            if self.head.is_some() && self.pending.is_none() && self.event_ahead(1) {
                self.take(1);
                self.relation(RelationKind::After, None, false, vec![from]);
                self.between = true;
                return;
            }
        }
        if let Some(n) = lexicon::number_word(&self.tokens[from].low).filter(|_| self.concept(1).is_some()) {
            self.count = Some((n, from));
            return self.take(1);
        }
        let mut len = 0;
        while len < 6
            && self.peek(len).is_some_and(|t| t.kind == Kind::Word)
            && self.nounish(from + len)
            && self.cue(len).is_none()
            && self.concept(len).is_none()
        {
            len += 1;
        }
        if len == 0 {
            return self.leave(1, NOT_READ);
        }
        // Before a concept the words belong to its name.
        if let Some((entry, more)) = self.concept(len)
            && self.cue(len).is_none_or(|(_, l)| l < more)
        {
            return match entry.kind {
                TermKind::Condition | TermKind::Finding | TermKind::Procedure | TermKind::Device
                    if self.expects_event() && !self.names(from, from + len) =>
                {
                    let text = self.slice(from, from + len + more);
                    self.free_text(text, len + more)
                }
                _ => self.leave(len, NOT_READ),
            };
        }
        // "latex allergy"
        if self.peek(len).is_some_and(|t| t.is("allergy") || t.is("allergies")) && self.expects_event() {
            self.allergy = Some(from + len);
            self.clause.framed = true;
            let text = self.slice(from, from + len);
            return self.free_text(text, len + 1);
        }
        let long = (from..from + len).any(|i| self.tokens[i].low.chars().count() >= 3);
        if self.expects_event() && long && !self.names(from, from + len) {
            let text = self.slice(from, from + len);
            self.free_text(text, len);
        } else {
            self.leave(len, NOT_READ);
        }
    }

    /// Two words with capitals look like a person.
    pub(super) fn names(&self, from: usize, to: usize) -> bool {
        let capital = |t: &Token| {
            t.raw.starts_with(char::is_uppercase) && t.raw.chars().skip(1).any(char::is_lowercase) && t.start > 0
        };
        let first = |t: &Token| t.raw.starts_with(char::is_uppercase) && t.raw.chars().skip(1).any(char::is_lowercase);
        (from..to).any(|i| capital(&self.tokens[i])) || (to - from >= 2 && (from..to).all(|i| first(&self.tokens[i])))
    }

    pub(super) fn expects_event(&self) -> bool {
        self.clause.slots.is_empty()
            || self.pending.is_some()
            || self.front.as_ref().is_some_and(|f| f.1.is_some())
            || self.coordinate.is_some()
    }

    pub(super) fn free_text(&mut self, text: String, len: usize) {
        let draft =
            Draft { terms: vec![Term { text: text.clone(), ..Term::default() }], typed: text, ..Draft::default() };
        self.add(draft, len);
    }

    /// Puts a slot where the clause expects one.
    pub(super) fn add(&mut self, mut draft: Draft, len: usize) {
        let from = self.at;
        self.take(len);
        let mut mine = self.waiting();
        mine.extend(from..from + len);
        draft.place = from..from + len;
        self.unframed(&draft);
        self.orphan = false;
        self.other_last = false;
        self.dress(&mut draft);
        let ix = self.clause.slots.len();
        if ix >= MAX_SLOTS {
            return self.leave_at(&mine, "more events than one question may hold");
        }
        if let Some((n, at)) = self.count.take() {
            if draft.count == Count::None {
                self.leave_at(&[at], NARROWS);
            } else {
                draft.count = Count::AtLeast { n };
            }
        }
        if let Some(pending) = self.pending.take() {
            self.end_list();
            let Some(head) = self.head else {
                // A relation before its clause.
                self.clause.slots.push(draft);
                self.head = Some(ix);
                self.front = Some((pending, Some(ix)));
                return;
            };
            self.repeat_of(&mut draft);
            self.clause.slots.push(draft);
            self.link(pending, head, ix);
            return;
        }
        if let Some((pending, None)) = &self.front {
            // "from X to Y": X stands first.
            self.front = Some((pending.clone(), Some(ix)));
            self.clause.slots.push(draft);
            self.head = Some(ix);
            return;
        }
        if let Some((pending, Some(object))) = self.front.take() {
            self.repeat_of(&mut draft);
            self.clause.slots.push(draft);
            self.link(pending, ix, object);
            self.head = Some(ix);
            return;
        }
        if let Some((cue, at)) = self.coordinate.take()
            && ix > 0
        {
            let slash = self.tokens[at].mark() == Some('/');
            if cue == Cue::Or {
                mine.push(at);
            }
            return self.coordinated(cue, slash, draft, &mine);
        }
        if ix == 0 {
            self.clause.slots.push(draft);
            self.head = Some(0);
            return;
        }
        self.orphan = true;
        self.leave_at(&mine, NO_RELATION);
    }

    /// Tokens of what was said before an event, for the case that it finds no place.
    pub(super) fn waiting(&self) -> Vec<usize> {
        let mut at: Vec<usize> = self.verbs.iter().filter(|v| v.0 != Cue::Present).map(|v| v.1).collect();
        at.extend(self.no);
        at.extend(self.allergy);
        at.extend(self.another);
        at.extend(self.side.as_ref().map(|d| d.1));
        at.extend(self.now.filter(|at| self.cue_at(*at) == Some(Cue::Now)));
        at.extend(self.direction.as_ref().map(|d| d.1));
        at.extend(self.flag.as_ref().map(|d| d.1));
        at.extend(self.selector.as_ref().map(|d| d.1));
        at.extend(self.count.as_ref().map(|d| d.1));
        at.extend(self.route.as_ref().map(|d| d.1));
        at.extend(self.dose.iter().flat_map(|d| d.1.iter().copied()));
        at
    }

    /// "some word of vancomycin": an unknown phrase without a frame gives way to a known event.
    pub(super) fn unframed(&mut self, draft: &Draft) {
        let vague = |s: &Draft| s.kind.is_none() && !s.encounter && s.verb.is_none();
        if draft.kind.is_none()
            || self.clause.framed
            || !self.clause.links.is_empty()
            || self.pending.is_some()
            || self.coordinate.is_some()
            || self.front.is_some()
            || self.clause.slots.is_empty()
            || !self.clause.slots.iter().all(vague)
        {
            return;
        }
        for slot in std::mem::take(&mut self.clause.slots) {
            let at: Vec<usize> = slot.place.collect();
            self.leave_at(&at, NOT_READ);
        }
        self.head = None;
    }

    /// Moves what was said before the event onto it.
    pub(super) fn dress(&mut self, draft: &mut Draft) {
        draft.historical = std::mem::take(&mut self.historical);
        self.dress_state(draft);
        for (verb, at) in std::mem::take(&mut self.verbs) {
            self.apply_verb(draft, verb, &[at]);
        }
        if let Some(at) = self.allergy.take() {
            if takes_doses(draft) && draft.slot_kind == SlotKind::Any {
                draft.slot_kind = SlotKind::Allergy;
            } else {
                self.leave_at(&[at], MISFIT);
            }
        }
        if self.no.take().is_some() {
            draft.count = Count::None;
        }
        if let Some((direction, at)) = self.direction.take() {
            if measures(draft.kind) || draft.kind.is_none() {
                draft.trend = Some(direction);
                self.trend_open = Some(self.clause.slots.len());
            } else {
                self.leave_at(&[at], MISFIT);
            }
        }
        if let Some((value, at)) = self.flag.take() {
            if draft.trend.is_none() && (measures(draft.kind) || matches!(value, ValueCondition::Coded { .. })) {
                self.set_value(draft, value);
            } else {
                self.leave_at(&[at], NARROWS);
            }
        }
        if let Some((selector, _)) = self.selector.take() {
            draft.selector = selector;
        }
        if let Some((route, at)) = self.route.take() {
            if takes_doses(draft) {
                draft.qualifiers.route = Some(route);
            } else {
                self.leave_at(&[at], NARROWS);
            }
        }
        if let Some((dose, at)) = self.dose.take() {
            if takes_doses(draft) {
                draft.qualifiers.dose = Some(dose);
            } else {
                self.leave_at(&at, MISFIT);
            }
        }
    }

    pub(super) fn set_value(&mut self, draft: &mut Draft, value: ValueCondition) {
        let first = draft.terms.first().map(|t| t.text.clone());
        if matches!(value, ValueCondition::Coded { .. })
            && first.as_deref() == Some("clostridioides difficile infection")
        {
            draft.terms = vec![Term { text: "clostridioides difficile test".into(), ..Term::default() }];
            draft.kind = Some(TermKind::Lab);
        }
        if matches!(value, ValueCondition::Compare { .. })
            && draft.kind == Some(TermKind::Drug)
            && let Some(name) = first
        {
            let level = format!("{name} level");
            let text = lookup(&level).map_or(level, |e| e.canonical.to_owned());
            draft.terms = vec![Term { text, ..Term::default() }];
            draft.kind = Some(TermKind::Lab);
        }
        draft.value = Some(value);
    }

    /// The same concept twice means two occurrences.
    pub(super) fn repeat_of(&self, draft: &mut Draft) {
        if draft.distinct_from.is_none() && !draft.encounter {
            draft.distinct_from = self.clause.slots.iter().position(|s| s.terms == draft.terms);
        }
    }

    pub(super) fn link(&mut self, pending: Pending, head: usize, new: usize) {
        let window = pending.window.or_else(|| self.window.take().map(|(w, _)| w));
        let (subject, object) = if pending.swap { (new, head) } else { (head, new) };
        let drug = |i: usize| matches!(self.clause.slots[i].kind, Some(TermKind::Drug | TermKind::DrugClass));
        let kind = match pending.kind {
            // "from X": a drug's adverse event, else an attribution.
            RelationKind::AdverseEventOf if !drug(object) => RelationKind::AttributedTo,
            RelationKind::AttributedTo
                if matches!(
                    self.clause.slots[subject].edge,
                    Some(Edge::End | Edge::Hold | Edge::DoseDown | Edge::DoseUp | Edge::Start)
                ) =>
            {
                RelationKind::ReasonFor
            }
            kind => kind,
        };
        self.clause.links.push(Link { kind, subject, object, window });
        if pending.chain {
            self.head = Some(new);
        }
        self.clause.framed = true;
    }

    pub(super) fn coordinated(&mut self, cue: Cue, slash: bool, mut draft: Draft, mine: &[usize]) {
        let base = self.clause.slots.len() - 1;
        self.clause.framed |= draft.verb.is_some();
        let object = self.clause.links.last().filter(|l| l.object == base).map(|l| l.kind);
        let causes =
            matches!(object, Some(RelationKind::AttributedTo | RelationKind::AdverseEventOf | RelationKind::ReasonFor));
        let like = similar(&self.clause.slots[base], &draft);
        let plain = Draft { terms: Vec::new(), kind: None, typed: String::new(), place: 0..0, ..draft.clone() }
            == Draft::default();
        if cue == Cue::Or && causes && !slash {
            self.clause.readings.push((base, draft));
        } else if cue == Cue::Or {
            let reading = self.clause.readings.last_mut().filter(|r| r.0 == base).map(|r| &mut r.1);
            let slot = match reading {
                Some(reading) if similar(reading, &draft) && plain => reading,
                _ if like && plain => &mut self.clause.slots[base],
                _ => return self.leave_at(mine, NO_RELATION),
            };
            slot.terms.append(&mut draft.terms);
            slot.typed = format!("{} or {}", slot.typed, draft.typed);
        } else if self.clause.links.is_empty() || (like && takes_doses(&draft) && object.is_some() && plain) {
            if self.clause.others.len() >= MAX_SLOTS {
                return self.leave_at(mine, NO_RELATION);
            }
            let text = format!("'{}' is asked as a claim of its own, because 'and' states no order", draft.typed);
            self.clause.notes.push((None, "", text));
            self.clause.others.push((base, draft));
            self.other_last = true;
        } else {
            // Another event beside a relation: both are asked for, without an order.
            let Some(head) = self.head else { return self.leave_at(mine, NO_RELATION) };
            let new = self.clause.slots.len();
            let text = "'and' states no order; the same encounter is asked for".to_owned();
            self.clause.notes.push((Some(new), "", text));
            self.clause.slots.push(draft);
            self.clause.links.push(Link {
                kind: RelationKind::SameEncounter,
                subject: head,
                object: new,
                window: None,
            });
        }
    }
}
