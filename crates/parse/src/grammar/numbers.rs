//! Numbers: comparisons, amounts, doses, lengths and times of day.

use super::*;

impl Reader {
    pub(super) fn span_unit(&self, ahead: usize) -> Option<(SpanUnit, Counting, usize)> {
        let word = |n: usize| self.peek(n).filter(|t| t.kind == Kind::Word).map(|t| t.low.as_str());
        let (skip, counting) = match word(ahead) {
            Some("calendar") => (1, Counting::Calendar),
            Some("hospital") => (1, Counting::Hospital),
            _ => (0, Counting::Elapsed),
        };
        let unit = match word(ahead + skip)? {
            "minute" | "minutes" | "min" | "mins" => SpanUnit::Minutes,
            "hour" | "hours" | "hr" | "hrs" | "h" => SpanUnit::Hours,
            "day" | "days" | "d" => SpanUnit::Days,
            "week" | "weeks" | "wk" | "wks" => SpanUnit::Weeks,
            "month" | "months" | "mo" | "mos" => SpanUnit::Months,
            "year" | "years" | "yr" | "yrs" => SpanUnit::Years,
            _ => return None,
        };
        Some((unit, counting, skip + 1))
    }

    /// A length of time: "48 hours", "an hour", "two calendar days".
    pub(super) fn length(&self, ahead: usize) -> Option<(Span, Counting, usize)> {
        let mut at = ahead;
        if self.peek(at).is_some_and(|t| t.is("the")) {
            at += 1;
        }
        if self.peek(at).is_some_and(|t| t.is("first") || t.is("next")) {
            at += 1;
        }
        let token = self.peek(at)?;
        let amount = match &token.kind {
            Kind::Number(n) => n.clone(),
            Kind::Word if matches!(token.low.as_str(), "a" | "an") => "1".to_owned(),
            Kind::Word => lexicon::number_word(&token.low)?.to_string(),
            _ => return None,
        };
        let (unit, counting, len) = self.span_unit(at + 1)?;
        Some((Span { amount, unit }, counting, at + 1 + len - ahead))
    }

    /// A laboratory unit.
    pub(super) fn unit(&self, ahead: usize) -> Option<(&'static str, usize)> {
        let first = self.peek(ahead)?;
        let starts =
            first.kind == Kind::Word || matches!(first.kind, Kind::Mark('%' | '/')) || first.number() == Some("10");
        if !starts {
            return None;
        }
        let mut best = None;
        for len in 1..=7 {
            if self.peek(ahead + len - 1).is_none() || (len > 1 && !self.tokens[self.at + ahead + len - 1].glued) {
                break;
            }
            let text = self.slice(self.at + ahead, self.at + ahead + len);
            // The words of units that are also words of the language need their neighbour.
            if matches!(text.as_str(), "in" | "f" | "c" | "l" | "1") && !first.glued {
                continue;
            }
            if let Some(unit) = units::canonical_unit(&text)
                && !unit.is_empty()
            {
                best = Some((unit, len));
            }
        }
        best
    }

    pub(super) fn dose_unit(&self, ahead: usize) -> bool {
        self.peek(ahead).is_some_and(|t| {
            matches!(
                t.low.as_str(),
                "mg" | "mcg"
                    | "ug"
                    | "g"
                    | "gm"
                    | "gram"
                    | "grams"
                    | "unit"
                    | "units"
                    | "meq"
                    | "ml"
                    | "iu"
                    | "tablets"
                    | "tabs"
                    | "puffs"
            )
        })
    }

    /// `op` is at the reader's place and takes `len` tokens; `sign` when it was a sign and not words.
    pub(super) fn comparison(&mut self, op: Op, len: usize, sign: bool) {
        let from = self.at;
        if self.orphan {
            let number = usize::from(self.peek(len).is_some_and(|t| t.number().is_some()));
            return self.leave(len + number, NO_RELATION);
        }
        // "at least 2 episodes"
        if op == Op::Ge
            && let Some(n) = self.peek(len).and_then(Token::number).and_then(|n| n.parse::<u32>().ok())
            && self.concept(len + 1).is_some()
        {
            self.count = Some((n, from));
            return self.take(len + 1);
        }
        if let Some((span, counting, more)) = self.length(len) {
            let total = len + more;
            // "more than 2 days after"
            let ahead = self.cue(total);
            let lasting = from > 0 && self.tokens[from - 1].is("for");
            if let Some((cue @ (Cue::After | Cue::Before), l)) = ahead.filter(|_| !lasting)
                && self.concept(total).is_none_or(|(_, c)| c <= l)
            {
                let (from, to) = match op {
                    Op::Gt | Op::Ge => (Some(span), None),
                    Op::Eq => (Some(span.clone()), Some(span)),
                    _ => (Some(zero(&span)), Some(span)),
                };
                self.take(total);
                let at: Vec<usize> = (self.at - total..self.at + l).collect();
                self.take(l);
                let kind = if cue == Cue::After { RelationKind::After } else { RelationKind::Before };
                let window = Window { from, to, from_exclusive: op == Op::Gt, to_exclusive: op == Op::Lt, counting };
                return self.relation(kind, Some(window), false, at);
            }
            // "less than 48 hours of", "..., more than 48 hours later": the relation said already.
            let of = self.peek(total).is_some_and(|t| matches!(t.low.as_str(), "of" | "from"));
            if of && matches!(op, Op::Lt | Op::Le) && self.head.is_some() && self.event_ahead(total + 1) {
                let window = Window {
                    from: Some(zero(&span)),
                    to: Some(span.clone()),
                    to_exclusive: op == Op::Lt,
                    counting,
                    ..Window::default()
                };
                let ix = self.last_ix();
                let text = format!("within {} of is read as up to {} after", span_text(&span), span_text(&span));
                self.clause.notes.push((ix, "", text));
                let at: Vec<usize> = (self.at..self.at + total + 1).collect();
                self.take(total + 1);
                return self.relation(RelationKind::After, Some(window), false, at);
            }
            if self.peek(total).is_some_and(|t| matches!(t.low.as_str(), "later" | "afterwards" | "earlier" | "apart"))
            {
                return self.leave(total + 1, NARROWS);
            }
            let trending = self.clause.slots.last().is_some_and(|s| s.trend.is_some());
            if let Some(slot) = self.clause.slots.last_mut()
                && self.pending.is_none()
                && !trending
                && !measures(slot.kind)
                && slot.value.is_none()
            {
                slot.value = Some(ValueCondition::Duration { op, amount: span });
                self.take(total);
                self.clause.framed = true;
                return;
            }
            if trending && matches!(op, Op::Gt | Op::Lt | Op::Le) && !sign {
                // "rise over 48 hours", "rise in under 48 hours"
                let window = Window {
                    from: Some(zero(&span)),
                    to: Some(span),
                    to_exclusive: op == Op::Lt,
                    counting,
                    ..Window::default()
                };
                let at = (from..from + total).collect();
                self.take(total);
                return self.trailing(window, at);
            }
            return self.leave(total, NOT_READ);
        }
        let Some(number) = self.peek(len).and_then(Token::number).map(str::to_owned) else {
            return self.leave(len, NOT_READ);
        };
        let unit = self.unit(len + 1);
        let total = len + 1 + unit.map_or(0, |u| u.1);
        if unit.is_none() && self.dose_unit(len + 1) && self.clause.slots.last().is_some_and(takes_doses) {
            return self.leave(total + 1, "a condition on the dose is not read by this grammar");
        }
        // "drop > 2", "rise of at least 0.3": an amount. "rise above 6": a value.
        if let Some(ix) = self.trend_open
            && self.pending.is_none()
            && (sign
                || matches!(op, Op::Ge | Op::Le | Op::Eq)
                || self.at > 0 && matches!(self.tokens[self.at - 1].low.as_str(), "of" | "by"))
        {
            self.take(total);
            return self.amount(ix, from, number, unit.map(|u| u.0));
        }
        let compare = ValueCondition::Compare { op, number, unit: unit.map(|u| u.0.to_owned()) };
        if self.other_last
            && let Some((_, other)) = self.clause.others.last_mut()
            && measures(other.kind)
            && other.value.is_none()
        {
            other.value = Some(compare);
            return self.take(total);
        }
        let fits =
            self.clause.slots.last().is_some_and(|s| {
                (measures(s.kind) || matches!(s.kind, Some(TermKind::Drug) | None)) && s.value.is_none()
            });
        if fits && self.pending.is_none() {
            let Some(mut slot) = self.clause.slots.pop() else { return };
            if slot.trend.take().is_some() {
                let ix = self.clause.slots.len();
                self.clause.notes.push((
                    Some(ix),
                    "value",
                    "a rise or fall past a number is read as a value past it".into(),
                ));
                self.trend_open = None;
            }
            self.set_value(&mut slot, compare);
            self.clause.slots.push(slot);
            self.take(total);
            self.clause.framed = true;
            return;
        }
        self.leave(total, NOT_READ);
    }

    pub(super) fn amount(&mut self, ix: usize, from: usize, number: String, unit: Option<&'static str>) {
        self.trend_open = None;
        // "2 or more" and "or greater" say at least, which an amount always is.
        for form in ["or more", "or greater", "or higher", "points or more", "points", "point"] {
            if let Some(len) = lexicon::matches(&self.tokens, self.at, form) {
                self.take(len);
                break;
            }
        }
        let placed: Vec<usize> = (from..self.at).collect();
        if self.clause.slots.get(ix).is_some_and(|s| s.value.is_some()) {
            return self.leave_at(&placed, NARROWS);
        }
        let Some(slot) = self.clause.slots.get_mut(ix) else { return };
        let direction = slot.trend.unwrap_or(Direction::Up);
        let percent = unit == Some("%") && slot.terms.first().is_none_or(|t| t.text != "hemoglobin a1c");
        slot.value = Some(ValueCondition::Change {
            direction,
            amount: Some(number),
            measure: if percent { Measure::Percent } else { Measure::Absolute },
            unit: unit.filter(|_| !percent).map(str::to_owned),
            reference: None,
            within: None,
        });
        self.clause.framed = true;
    }

    pub(super) fn number(&mut self) {
        let text = self.tokens[self.at].number().unwrap_or_default().to_owned();
        if self.orphan {
            return self.leave(1, NO_RELATION);
        }
        // "2 days after": an exact distance is not a window.
        if let Some((_, _, len)) = self.length(0) {
            if let Some((Cue::After | Cue::Before, _)) = self.cue(len) {
                return self.leave(len, "an exact distance in time is not read; write 'within' or 'more than'");
            }
            return self.leave(len, DATE);
        }
        // "2 or more", "2 or less" of a value.
        let unit = self.unit(1);
        let width = 1 + unit.map_or(0, |u| u.1);
        let suffix = [
            ("or more", Op::Ge),
            ("or greater", Op::Ge),
            ("or higher", Op::Ge),
            ("or above", Op::Ge),
            ("or less", Op::Le),
            ("or lower", Op::Le),
            ("or below", Op::Le),
            ("or fewer", Op::Le),
        ]
        .iter()
        .find_map(|(form, op)| lexicon::matches(&self.tokens, self.at + width, form).map(|l| (*op, l)));
        if let Some(ix) = self.trend_open
            && self.pending.is_none()
        {
            let from = self.at;
            self.take(width);
            return self.amount(ix, from, text, unit.map(|u| u.0));
        }
        let bare_lab = self.measurable() && self.clause.slots.last().is_some_and(|s| s.value.is_none());
        let count: Option<u32> = text.parse().ok().filter(|n| *n > 0 && *n < 100);
        if let Some(n) = count
            && !bare_lab
            && (self.concept(1).is_some() || self.cue(1).is_some_and(|c| c.0 == Cue::Visit))
        {
            self.count = Some((n, self.at));
            return self.take(1);
        }
        if self.dose_unit(1) && !bare_lab {
            let dose = format!("{text} {}", self.tokens[self.at + 1].low);
            let at = vec![self.at, self.at + 1];
            self.take(2);
            match self.clause.slots.last_mut() {
                Some(slot) if self.pending.is_none() && takes_doses(slot) => {
                    if slot.qualifiers.dose.is_some() {
                        return self.leave_at(&at, NARROWS);
                    }
                    slot.qualifiers.dose = Some(dose);
                }
                _ if self.dose.is_some() => self.leave_at(&at, NARROWS),
                _ => self.dose = Some((dose, at)),
            }
            return;
        }
        if bare_lab {
            let (op, more) = suffix.unwrap_or((Op::Eq, 0));
            let number = text;
            if let Some(slot) = self.last() {
                slot.value = Some(ValueCondition::Compare { op, number, unit: unit.map(|u| u.0.to_owned()) });
            }
            self.clause.framed = true;
            return self.take(width + more);
        }
        self.leave(1, NOT_READ);
    }

    pub(super) fn clock(&mut self) {
        let Kind::Clock(time) = self.tokens[self.at].kind.clone() else { return };
        self.at_time(time, 1);
    }

    /// "at 0800", "at 8 am", "at 14:30".
    pub(super) fn time_of_day(&mut self) -> bool {
        let Some(token) = self.peek(1) else { return false };
        let half = self.peek(2).filter(|t| t.is("am") || t.is("pm")).map(|t| t.is("pm"));
        let (time, len) = match &token.kind {
            Kind::Clock(time) => (time.clone(), 2 + usize::from(half.is_some())),
            Kind::Number(n) => match (n.parse::<u32>(), half) {
                (Ok(n), Some(pm)) if (1..=12).contains(&n) => {
                    (format!("{:02}:00", n % 12 + if pm { 12 } else { 0 }), 3)
                }
                (Ok(t), None) if n.len() == 4 && t / 100 < 24 && t % 100 < 60 => {
                    (format!("{:02}:{:02}", t / 100, t % 100), 2)
                }
                _ => return false,
            },
            _ => return false,
        };
        if half.is_some() && matches!(token.kind, Kind::Clock(_)) {
            return false;
        }
        self.at_time(time, len);
        true
    }

    pub(super) fn at_time(&mut self, time: String, len: usize) {
        let ix = self.last_ix();
        match self.last() {
            Some(slot) if slot.selector == Selector::Some => {
                slot.selector = Selector::At { time: format!("T{time}") };
                self.clause.notes.push((ix, "selector", format!("at {time} of any day, because no day is named")));
                self.take(len);
            }
            _ => self.leave(len, DATE),
        }
    }
}
