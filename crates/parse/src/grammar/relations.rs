//! Relations between events, windows, sources, places.

use super::*;

impl Reader {
    pub(super) fn relation(&mut self, kind: RelationKind, window: Option<Window>, swap: bool, mut at: Vec<usize>) {
        self.trend_open = None;
        self.orphan = false;
        if let Some(earlier) = self.pending.take() {
            // Two relations in a row: the later one is read, the earlier listed.
            self.leave_at(&earlier.at, NO_RELATION);
        }
        let window = match (window, self.window.take()) {
            (Some(window), Some((_, earlier))) => {
                self.leave_at(&earlier, NO_RELATION);
                Some(window)
            }
            (window, Some((waiting, said))) => {
                at.extend(said);
                window.or(Some(waiting))
            }
            (window, None) => window,
        };
        self.pending = Some(Pending { kind, window, swap, chain: false, at });
    }

    pub(super) fn phrase(&self, len: usize) -> String {
        let words: Vec<&str> = (self.at..self.at + len).map(|i| self.tokens[i].low.as_str()).collect();
        words.join(" ")
    }

    pub(super) fn relation_cue(&mut self, cue: Cue, kind: RelationKind, swap: bool, len: usize, at: Vec<usize>) {
        // "before or after": two readings.
        if cue == Cue::Before
            && let Some((Cue::Or, one)) = self.cue(len)
            && let Some((Cue::After, two)) = self.cue(len + one)
        {
            let at = (self.at..self.at + len + one + two).collect();
            self.clause.both_orders = true;
            self.take(len + one + two);
            return self.relation(RelationKind::Before, None, false, at);
        }
        // "after day 3": hospital days.
        let day = if self.peek(len).is_some_and(|t| t.is("hospital")) { len + 1 } else { len };
        if cue == Cue::After
            && self.peek(day).is_some_and(|t| t.is("day") || t.is("hd"))
            && let Some(n) = self.peek(day + 1).and_then(Token::number).and_then(|n| n.parse::<u32>().ok())
            && n < 10_000
            && self.head.is_some()
        {
            let from = Span { amount: (n + 1).to_string(), unit: SpanUnit::Days };
            let ix = self.last_ix();
            self.clause.notes.push((ix, "", format!("after day {n} is read as from hospital day {} on", n + 1)));
            self.take(day + 2);
            self.relation(
                RelationKind::After,
                Some(Window { from: Some(from), counting: Counting::Hospital, ..Window::default() }),
                false,
                at,
            );
            return self.add(stay_edge(Edge::Admission), 0);
        }
        self.take(len);
        self.end_list();
        if self.head.is_none() && matches!(cue, Cue::Causes | Cue::EffectOf | Cue::CausedBy | Cue::Treated) {
            return self.leave_at(&at, NO_RELATION);
        }
        self.relation(kind, None, swap, at);
        if self.head.is_none() {
            // Before its clause: kept until the event comes.
            return;
        }
        if swap && let Some(pending) = &mut self.pending {
            pending.chain = true;
        }
    }

    /// Whether an event (perhaps after an article) begins there.
    pub(super) fn event_ahead(&self, mut ahead: usize) -> bool {
        for _ in 0..3 {
            if self.concept(ahead).is_some() {
                return true;
            }
            match self.cue(ahead) {
                Some((Cue::Stop | Cue::Any | Cue::Route | Cue::First | Cue::Last, len)) => ahead += len,
                _ => break,
            }
        }
        self.peek(ahead).is_some_and(|t| t.label.is_some())
            || self.concept(ahead).is_some()
            || (self.cue(ahead).is_none() && self.nounish(self.at + ahead))
    }

    pub(super) fn concept_ahead(&self, mut ahead: usize) -> Option<TermKind> {
        for _ in 0..3 {
            if let Some((entry, _)) = self.concept(ahead) {
                return Some(entry.kind);
            }
            match self.cue(ahead) {
                Some((Cue::Stop | Cue::Any | Cue::Route, len)) => ahead += len,
                _ => return None,
            }
        }
        self.concept(ahead).map(|(entry, _)| entry.kind)
    }

    pub(super) fn for_cue(&mut self, len: usize, at: Vec<usize>) {
        // "for more than 96 hours", "for 4 days"
        if let Some((Cue::Above | Cue::Below | Cue::AtLeast | Cue::AtMost, l)) = self.cue(len)
            && self.length(len + l).is_some()
        {
            return self.take(len);
        }
        if matches!(self.peek(len).map(|t| &t.kind), Some(Kind::Op(_))) {
            return self.take(len);
        }
        if let Some((span, _, more)) = self.length(len) {
            let free = self.clause.slots.last().is_some_and(|s| s.value.is_none()) && self.pending.is_none();
            if free {
                let ix = self.last_ix();
                self.clause.notes.push((ix, "value", "'for' a length of time is read as at least that long".into()));
                if let Some(slot) = self.last() {
                    slot.value = Some(ValueCondition::Duration { op: Op::Ge, amount: span });
                }
                self.clause.framed = true;
                return self.take(len + more);
            }
            return self.leave(len + more, NOT_READ);
        }
        let drug = self.clause.slots.last().is_some_and(|s| {
            matches!(s.kind, Some(TermKind::Drug | TermKind::DrugClass | TermKind::Procedure | TermKind::Device))
                || s.slot_kind == SlotKind::Given
        });
        if drug && self.pending.is_none() && self.event_ahead(len) {
            self.take(len);
            return self.relation(RelationKind::ReasonFor, None, false, at);
        }
        if self.clause.is_empty() && self.clause.framed {
            return self.take(len);
        }
        self.leave(len, NOT_READ);
    }

    pub(super) fn on_cue(&mut self, len: usize, at: Vec<usize>) {
        let next = self.concept_ahead(len);
        if self.clause.is_empty() && self.pending.is_none() {
            return self.take(len);
        }
        if self.pending.is_some() {
            return self.take(len);
        }
        match next {
            Some(TermKind::Drug | TermKind::DrugClass | TermKind::Device | TermKind::Procedure) => {
                self.take(len);
                self.end_list();
                self.relation(RelationKind::During, None, false, at);
            }
            _ => self.leave(len, NO_RELATION),
        }
    }

    pub(super) fn in_cue(&mut self, len: usize) {
        // "in 5 min", "in the first 24 hours"
        if self.length(len).is_some() {
            return self.within(len);
        }
        if matches!(self.peek(len).map(|t| &t.kind), Some(Kind::Op(_))) {
            return self.take(len);
        }
        if let Some(note) = self.note_type(len) {
            return self.source(note, len, false);
        }
        let article = usize::from(self.peek(len).is_some_and(|t| t.is("the")));
        if let Some((Cue::OperatingRoom, _)) = self.cue(len + article) {
            return self.place(len + article, false);
        }
        self.take(len);
    }

    /// "the discharge summary", "a nursing note": the kind of note, and how many tokens.
    pub(super) fn note_type(&self, ahead: usize) -> Option<(String, usize)> {
        let mut words = Vec::new();
        let mut at = ahead;
        while at < ahead + 6 {
            let token = self.peek(at)?;
            if token.kind != Kind::Word {
                return None;
            }
            match token.low.as_str() {
                "the" | "a" | "an" | "any" | "in" | "her" | "his" if words.is_empty() => {}
                "note" | "notes" => {
                    words.push("note");
                    return (words.len() > 1).then(|| (words.join(" "), at + 1 - ahead));
                }
                "summary" | "consult" | "consultation" | "consults" | "report" => {
                    words.push(if token.low.starts_with("consult") { "consult" } else { token.low.as_str() });
                    let more = usize::from(self.peek(at + 1).is_some_and(|t| t.is("note") || t.is("notes")));
                    return (words.len() > 1).then(|| (words.join(" "), at + 1 + more - ahead));
                }
                word => words.push(word),
            }
            at += 1;
        }
        None
    }

    pub(super) fn source(&mut self, note: (String, usize), len: usize, except: bool) {
        let total = len + note.1;
        match self.last() {
            Some(slot) if except => {
                slot.source.except_note_types.push(note.0);
                self.take(total);
            }
            Some(slot) => {
                slot.source.note_types.push(note.0);
                self.take(total);
            }
            None => self.leave(total, NARROWS),
        }
    }

    pub(super) fn except(&mut self, len: usize) {
        if let Some(note) = self.note_type(len) {
            return self.source(note, len, true);
        }
        // "opioids other than tramadol"
        let any = self.clause.slots.last().is_some_and(|s| s.kind.is_some()) && self.pending.is_none();
        if let Some((entry, more)) = self.concept(len).filter(|_| any) {
            let term =
                Term { text: entry.canonical.into(), class: entry.kind == TermKind::DrugClass, codes: Vec::new() };
            if let Some(slot) = self.last() {
                slot.except.push(term);
            }
            return self.take(len + more);
        }
        self.leave(len, NARROWS);
    }

    pub(super) fn by_cue(&mut self, len: usize) {
        let mut at = len;
        while self.peek(at).is_some_and(|t| matches!(t.low.as_str(), "a" | "an" | "the" | "any")) {
            at += 1;
        }
        // "by 2 g/dL" after a rise or fall.
        if self.trend_open.is_some()
            && (self.peek(at).is_some_and(|t| t.number().is_some() || matches!(t.kind, Kind::Op(_)))
                || self.cue(at).is_some_and(|c| matches!(c.0, Cue::AtLeast | Cue::Above)))
        {
            return self.take(len);
        }
        let role = self.peek(at).and_then(|t| {
            Some(match t.low.trim_end_matches('s') {
                "physician" | "doctor" | "md" | "provider" => "physician",
                "nurse" | "rn" | "nursing" => "nurse",
                "pharmacist" | "pharmacy" | "pharmd" => "pharmacist",
                "dietitian" | "dietician" | "nutritionist" => "dietitian",
                "surgeon" | "surgery" => "surgeon",
                "radiologist" | "radiology" => "radiologist",
                "cardiologist" | "cardiology" => "cardiologist",
                "neurologist" | "neurology" => "neurologist",
                "resident" => "resident",
                _ => return None,
            })
        });
        match (role, self.last()) {
            (Some(role), Some(slot)) => {
                slot.source.author_roles.push(role.to_owned());
                self.take(at + 1);
            }
            _ => self.leave(len, NOT_READ),
        }
    }

    pub(super) fn trend(&mut self, cue: Cue, len: usize) {
        let direction = match cue {
            Cue::Rise => Direction::Up,
            Cue::Fall => Direction::Down,
            _ => Direction::Flat,
        };
        let from = self.at;
        let of = usize::from(self.peek(len).is_some_and(|t| t.is("in") || t.is("of")));
        let ahead = self.concept_ahead(len + of).filter(|k| measures(Some(*k)));
        let names_next =
            of == 1 && ahead.is_some() || self.clause.is_empty() || (self.pending.is_some() && ahead.is_some());
        if names_next {
            if self.direction.is_some() {
                return self.leave(len, NARROWS);
            }
            self.take(len + of);
            self.direction = Some((direction, from));
            return;
        }
        let free = self.clause.slots.last().is_some_and(|s| {
            (measures(s.kind) || s.kind.is_none()) && s.trend.is_none() && s.course.is_none() && s.value.is_none()
        });
        if free && self.pending.is_none() {
            let negated = self.no.take().is_some();
            let ix = self.clause.slots.len() - 1;
            if let Some(slot) = self.last() {
                slot.trend = Some(if negated { Direction::Flat } else { direction });
            }
            if negated {
                self.clause.notes.push((Some(ix), "value", "'not' a rise or fall is read as no change".into()));
            }
            self.clause.framed = true;
            self.take(len);
            self.trend_open = Some(ix);
        } else {
            self.leave(len, MISFIT);
        }
    }

    pub(super) fn course(&mut self, cue: Cue, len: usize, at: Vec<usize>) {
        let kind = match cue {
            Cue::Resolve => RelationKind::Resolves,
            Cue::Recur => RelationKind::Recurs,
            _ => RelationKind::Persists,
        };
        self.take(len);
        // "... and recovered": the measurement spoken of, again.
        if self.coordinate.is_some_and(|(c, _)| c == Cue::And)
            && let Some(of) = self.head
            && measures(self.clause.slots[of].kind)
            && self.clause.slots.len() < MAX_SLOTS
        {
            self.end_list();
            let source = &self.clause.slots[of];
            let draft = Draft {
                terms: source.terms.clone(),
                kind: source.kind,
                same_as: Some(of),
                distinct_from: Some(of),
                course: Some(kind),
                typed: source.typed.clone(),
                ..Draft::default()
            };
            let new = self.clause.slots.len();
            self.clause.notes.push((Some(new), "value", "recovery is read as a return to the normal range".into()));
            self.clause.slots.push(draft);
            let pending = Pending { kind: RelationKind::Before, window: None, swap: false, chain: true, at };
            self.link(pending, of, new);
            return;
        }
        let said = self.span_of(&at);
        match self.last().filter(|s| s.course.is_none() && s.trend.is_none()) {
            Some(slot) => {
                slot.course_said = said;
                slot.course = Some(kind);
                self.clause.framed = true;
            }
            None => self.leave_at(&at, NO_RELATION),
        }
    }

    pub(super) fn span_of(&self, at: &[usize]) -> Option<Unresolved> {
        let (first, last) = (self.tokens.get(*at.first()?)?, self.tokens.get(*at.last()?)?);
        let text = self.chars.get(first.start..last.end)?.iter().collect();
        Some(Unresolved { text, start: first.start, end: last.end, blocking: true, why: NO_RELATION.to_owned() })
    }

    pub(super) fn within(&mut self, len: usize) {
        let Some((span, counting, more)) = self.length(len) else {
            // "within less than 48 hours of"
            if let Some((Cue::Below | Cue::AtMost, l)) = self.cue(len)
                && self.length(len + l).is_some()
            {
                return self.take(len);
            }
            // "within" an event is during it.
            let at = (self.at..self.at + len).collect();
            if self.head.is_some() && self.event_ahead(len) && self.tokens[self.at].low != "in" {
                self.take(len);
                return self.relation(RelationKind::During, None, false, at);
            }
            return self.leave(len, NOT_READ);
        };
        let from = self.at;
        let total = len + more;
        let window = Window { from: Some(zero(&span)), to: Some(span.clone()), counting, ..Window::default() };
        self.take(total);
        let mut at: Vec<usize> = (from..from + total).collect();
        let plain_of = self.peek(0).is_some_and(|t| matches!(t.low.as_str(), "of" | "from"));
        if let Some((Cue::EachOther, l)) = self.cue(1).filter(|_| plain_of) {
            return self.each_other(window, l + 1, &at);
        }
        match self.cue(0) {
            Some((cue @ (Cue::After | Cue::Before), l)) => {
                at.extend(self.at..self.at + l);
                self.take(l);
                let kind = if cue == Cue::After { RelationKind::After } else { RelationKind::Before };
                self.end_list();
                self.relation(kind, Some(window), false, at);
            }
            _ if plain_of => {
                at.push(self.at);
                self.take(1);
                self.end_list();
                let ix = self.last_ix();
                self.clause.notes.push((
                    ix,
                    "",
                    format!("within {} of is read as up to {} after", span_text(&span), span_text(&span)),
                ));
                self.relation(RelationKind::After, Some(window), false, at);
            }
            _ => self.trailing(window, at),
        }
    }

    /// A window without its relation.
    pub(super) fn trailing(&mut self, window: Window, at: Vec<usize>) {
        let last = self.clause.slots.len().wrapping_sub(1);
        if self.pending.is_none() {
            if let Some(link) = self.clause.links.iter_mut().rev().find(|l| l.subject == last || l.object == last)
                && link.window.is_none()
                && !matches!(
                    link.kind,
                    RelationKind::AttributedTo | RelationKind::AdverseEventOf | RelationKind::ReasonFor
                )
            {
                link.window = Some(window);
                return;
            }
            if let Some(slot) = self.clause.slots.last_mut()
                && let Some(direction) = slot.trend
            {
                let within = window.to;
                match &mut slot.value {
                    Some(ValueCondition::Change { within: w, .. }) => *w = within,
                    _ => {
                        slot.value = Some(ValueCondition::Change {
                            direction,
                            amount: None,
                            measure: Measure::Absolute,
                            unit: None,
                            reference: None,
                            within,
                        });
                    }
                }
                return;
            }
        }
        if let Some((_, earlier)) = self.window.replace((window, at)) {
            self.leave_at(&earlier, NO_RELATION);
        }
    }

    pub(super) fn each_other(&mut self, window: Window, len: usize, at: &[usize]) {
        let Some(ix) = self.last_ix().filter(|_| self.clause.slots.len() < MAX_SLOTS) else {
            return self.leave_at(at, NO_RELATION);
        };
        let slot = &mut self.clause.slots[ix];
        if !matches!(slot.count, Count::Some | Count::AtLeast { n: 2 }) {
            self.leave_at(at, NO_RELATION);
            return self.leave(len, NO_RELATION);
        }
        slot.count = Count::Some;
        let mut second = slot.clone();
        second.distinct_from = Some(ix);
        self.clause.slots.push(second);
        let pending =
            Pending { kind: RelationKind::After, window: Some(window), swap: true, chain: false, at: Vec::new() };
        self.link(pending, ix, ix + 1);
        self.take(len);
    }

    pub(super) fn state(&mut self, value: ValueCondition, len: usize) {
        if self.orphan {
            return self.leave(len, NO_RELATION);
        }
        let at = self.at;
        let waits = self.pending.is_some() || self.clause.is_empty() || self.coordinate.is_some();
        let next = self.concept_ahead(len);
        if self.flag.is_some() {
            return self.leave(len, NARROWS);
        }
        if waits && next.is_some() {
            self.flag = Some((value, at));
            return self.take(len);
        }
        // "then pos after day 3": the test spoken of, again.
        if self.pending.as_ref().is_some_and(|p| p.chain)
            && let Some(of) =
                self.clause.slots.iter().rposition(|s| matches!(s.value, Some(ValueCondition::Coded { .. })))
        {
            let source = &self.clause.slots[of];
            let draft = Draft {
                terms: source.terms.clone(),
                kind: source.kind,
                value: Some(value),
                distinct_from: Some(of),
                same_as: Some(of),
                typed: source.typed.clone(),
                ..Draft::default()
            };
            return self.add(draft, len);
        }
        let coded = matches!(value, ValueCondition::Coded { .. });
        let negative = matches!(&value, ValueCondition::Coded { text } if text == "negative");
        let fits = self.pending.is_none()
            && self.clause.slots.last().is_some_and(|s| {
                s.value.is_none()
                    && s.trend.is_none()
                    && (measures(s.kind)
                        || s.kind == Some(TermKind::Culture)
                        || coded
                            && (s.terms[0].text == "clostridioides difficile infection"
                                || s.kind == Some(TermKind::Procedure)))
            });
        if fits && let Some(mut slot) = self.clause.slots.pop() {
            if self.no.take().is_some() {
                slot.count = Count::None;
            }
            self.set_value(&mut slot, value);
            self.clause.slots.push(slot);
            self.clause.framed = true;
            return self.take(len);
        }
        let empty_negative = negative && self.clause.is_empty();
        if empty_negative && self.peek(len).is_some() {
            self.no = Some(at);
            return self.take(len);
        }
        self.leave(len, NARROWS);
    }

    pub(super) fn not(&mut self, cue: Cue, len: usize) {
        let article = usize::from(self.peek(len + 1).is_some_and(|t| t.is("the")));
        if self.peek(len).is_some_and(|t| t.is("in"))
            && let Some((Cue::OperatingRoom, _)) = self.cue(len + 1 + article)
        {
            return self.place(len + 1 + article, true);
        }
        if cue == Cue::Never && self.clause.scope.is_none() {
            self.clause.scope = Some(Cue::Ever);
        }
        let at = self.at;
        // "not" before a verb speaks of the event before it, else of the one to come.
        let next = self.cue(len).map(|c| c.0);
        if matches!(next, Some(Cue::Rise | Cue::Fall)) {
            self.take(len);
            self.no = Some(at);
            return;
        }
        let aux_only = !self.clause.is_empty() && self.pending.is_none();
        if aux_only && matches!(next, Some(Cue::Documented | Cue::Given | Cue::Ordered | Cue::Present | Cue::Started)) {
            if self.clause.slots.last().is_some_and(|s| s.count != Count::Some) {
                return self.leave(len, NARROWS);
            }
            if let Some(slot) = self.last() {
                slot.count = Count::None;
            }
            return self.take(len);
        }
        if self.clause.is_empty() || self.pending.is_some() {
            self.no = Some(at);
            return self.take(len);
        }
        self.leave(len, NARROWS);
    }

    pub(super) fn place(&mut self, before: usize, not: bool) {
        let Some((Cue::OperatingRoom, more)) = self.cue(before) else { return self.leave(before.max(1), NARROWS) };
        let words: Vec<&str> =
            (self.at + before..self.at + before + more).map(|i| self.tokens[i].low.as_str()).collect();
        let place = lexicon::location(&words.join(" "));
        let total = before + more;
        let happens = |s: &Draft| !s.encounter && !measures(s.kind);
        if before == 0 || self.clause.is_empty() {
            return self.leave(total, NARROWS);
        }
        if not {
            for slot in self.clause.slots.iter_mut().filter(|s| happens(s)) {
                slot.qualifiers.not_location = Some(place.clone());
            }
        } else if let Some(slot) = self.last() {
            if slot.qualifiers.location.is_some() {
                return self.leave(total, NARROWS);
            }
            slot.qualifiers.location = Some(place);
        }
        self.take(total);
    }

    pub(super) fn again(&mut self, len: usize, at: Vec<usize>) {
        self.take(len);
        let Some(of) = self.last_ix().filter(|_| self.pending.is_none() && self.clause.slots.len() < MAX_SLOTS) else {
            return self.leave_at(&at, NO_RELATION);
        };
        let mut second = self.clause.slots[of].clone();
        second.distinct_from = Some(of);
        second.same_as = Some(of);
        let new = self.clause.slots.len();
        self.clause.slots.push(second);
        let pending = Pending { kind: RelationKind::Before, window: None, swap: false, chain: true, at };
        self.link(pending, of, new);
    }

    pub(super) fn when(&mut self, len: usize, at: Vec<usize>) {
        let clinical = self.tokens[self.at].is("when");
        let next = self.cue(len).map(|c| c.0);
        self.take(len);
        if self.head.is_none() || self.pending.is_some() {
            if !clinical || self.pending.is_some() {
                self.leave_at(&at, NOT_READ);
            }
            return;
        }
        match next {
            Some(Cue::Stopped | Cue::Held | Cue::Restarted | Cue::Started) if clinical => {
                self.relation(RelationKind::After, None, false, at);
            }
            _ if clinical && self.event_ahead(0) => {
                // "foley in when culture turned positive": they share time.
                self.end_list();
                let lasts = self
                    .clause
                    .slots
                    .last()
                    .is_some_and(|s| matches!(s.kind, Some(TermKind::Device | TermKind::Procedure)));
                if lasts {
                    self.relation(RelationKind::During, None, true, at);
                } else {
                    self.relation(RelationKind::Overlaps, None, false, at);
                }
            }
            _ => self.leave_at(&at, NARROWS),
        }
    }

    pub(super) fn how_long(&mut self, len: usize, at: Vec<usize>) {
        let form = self.phrase(len);
        if !self.clause.is_empty() {
            self.close();
        }
        self.take(len);
        self.clause.find = true;
        self.clause.framed = true;
        if form.ends_with("from") || form.ends_with("between") {
            // "from X to Y", "between X and Y": Y after X.
            let kind = RelationKind::After;
            self.front = Some((Pending { kind, window: None, swap: false, chain: false, at }, None));
        } else {
            // "how long after X was Y"
            let kind = if form.ends_with("before") { RelationKind::Before } else { RelationKind::After };
            self.relation(kind, None, false, at);
        }
    }

    /// A list that goes no further: an "or" that led nowhere is listed.
    pub(super) fn end_list(&mut self) {
        if let Some((Cue::Or, at)) = self.coordinate.take() {
            self.leave_at(&[at], NO_RELATION);
        }
    }

    pub(super) fn conjunction(&mut self, cue: Cue, len: usize, at: Vec<usize>) {
        // "due to X or from Y": the same cause word again.
        if self.clause.is_empty() {
            return if cue == Cue::Or { self.leave(len, NO_RELATION) } else { self.pass(len) };
        }
        self.take(len);
        if self.pending.is_some() || self.orphan {
            if cue == Cue::Or {
                self.leave_at(&at, NO_RELATION);
            }
            return;
        }
        if cue == Cue::And && std::mem::take(&mut self.between) {
            return self.relation(RelationKind::Before, None, false, at);
        }
        if cue == Cue::Or
            && let Some((Cue::From | Cue::CausedBy, more)) = self.cue(0)
            && self
                .clause
                .links
                .last()
                .is_some_and(|l| matches!(l.kind, RelationKind::AdverseEventOf | RelationKind::AttributedTo))
        {
            self.take(more);
        }
        if self.front.as_ref().is_some_and(|f| f.1.is_some()) && cue == Cue::And {
            return;
        }
        self.end_list();
        self.coordinate = at.first().map(|a| (cue, *a));
    }

    pub(super) fn recheck(&mut self, len: usize) {
        let lab = self.clause.slots.iter().rposition(|s| measures(s.kind));
        let Some(of) = lab.filter(|_| self.clause.slots.len() < MAX_SLOTS) else { return self.leave(len, NARROWS) };
        let source = &self.clause.slots[of];
        let mut draft = Draft {
            terms: source.terms.clone(),
            kind: source.kind,
            distinct_from: Some(of),
            same_as: Some(of),
            typed: source.typed.clone(),
            ..Draft::default()
        };
        let at = (self.at..self.at + len).collect();
        self.take(len);
        self.dress(&mut draft);
        if let Some(pending) = self.pending.take() {
            self.leave_at(&pending.at, NO_RELATION);
        }
        self.end_list();
        let new = self.clause.slots.len();
        self.clause.slots.push(draft);
        let pending = Pending { kind: RelationKind::After, window: None, swap: true, chain: false, at };
        self.link(pending, of, new);
    }
}
