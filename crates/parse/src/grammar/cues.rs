//! What each word of the grammar does.

use super::*;

impl Reader {
    pub(super) fn act(&mut self, cue: Cue, len: usize) {
        use Cue as C;
        let at: Vec<usize> = (self.at..self.at + len).collect();
        let relation = |kind, swap| Some((kind, swap));
        let read = match cue {
            C::Before => relation(RelationKind::Before, false),
            C::After => relation(RelationKind::After, false),
            C::During => relation(RelationKind::During, false),
            C::CausedBy => relation(RelationKind::AttributedTo, false),
            C::EffectOf => relation(RelationKind::AdverseEventOf, false),
            C::Causes => relation(RelationKind::AttributedTo, true),
            C::Treated => relation(RelationKind::ReasonFor, true),
            _ => None,
        };
        if let Some((kind, swap)) = read {
            return self.relation_cue(cue, kind, swap, len, at);
        }
        match cue {
            C::Stop | C::Chat => self.pass(len),
            C::Aux => {
                let anew = self.coordinate.is_some_and(|(c, _)| c == C::And) && !self.clause.is_empty();
                self.pass(len);
                if anew {
                    self.end_list();
                    self.close();
                }
            }
            C::Documented
            | C::Given
            | C::Ordered
            | C::Started
            | C::Stopped
            | C::Held
            | C::Restarted
            | C::DoseUp
            | C::DoseDown
            | C::Present => self.verb(cue, len),
            C::Evidence => {
                self.clause.framed = true;
                self.take(len);
            }
            C::Allergy => {
                self.allergy = Some(self.at);
                self.clause.framed = true;
                self.take(len);
            }
            C::History => {
                self.historical = true;
                self.clause.framed = true;
                self.take(len);
            }
            C::RuledOut => {
                self.take(len);
                match self.last().filter(|s| s.count == Count::Some) {
                    Some(slot) => {
                        slot.count = Count::None;
                        slot.basis = Basis::Documented;
                        self.clause.framed = true;
                    }
                    None => self.leave_at(&at, NOT_READ),
                }
            }
            C::Then => {
                self.take(len);
                if self.cue(0).is_some_and(|(c, _)| c == C::Aux) || self.clause.is_empty() {
                    return;
                }
                self.end_list();
                self.relation(RelationKind::Before, None, false, at);
                if let Some(pending) = &mut self.pending {
                    pending.chain = true;
                }
            }
            C::Induced => {
                let glued = self.peek(0).is_some_and(|t| t.glued);
                if glued && self.head.is_some() && self.pending.is_none() {
                    self.take(len);
                    self.relation(RelationKind::AdverseEventOf, None, true, at);
                    if let Some(pending) = &mut self.pending {
                        pending.chain = true;
                    }
                } else {
                    self.leave(len, NOT_READ);
                }
            }
            C::From => {
                let number = |n: usize| self.peek(n).is_some_and(|t| t.number().is_some());
                if number(len) {
                    let more = if self.peek(len + 1).is_some_and(|t| t.is("to")) && number(len + 2) { 3 } else { 1 };
                    self.trend_open = None;
                    self.leave(len + more, NARROWS);
                } else if self.head.is_some() && self.pending.is_none() && self.event_ahead(len) {
                    self.take(len);
                    self.relation(RelationKind::AdverseEventOf, None, false, at);
                } else {
                    self.leave(len, NOT_READ);
                }
            }
            C::For => self.for_cue(len, at),
            C::On => self.on_cue(len, at),
            C::With => {
                if self.clause.is_empty() && self.front.is_none() {
                    self.take(len);
                } else {
                    self.leave(len, NO_RELATION);
                }
            }
            C::Without if self.no.is_some() => self.leave(len, NARROWS),
            C::Without => {
                self.take(len);
                if let Some(head) = self.head.filter(|_| self.pending.is_none()) {
                    let drug = takes_doses(&self.clause.slots[head]);
                    let event = matches!(self.concept_ahead(0), Some(TermKind::Condition | TermKind::Finding));
                    if self.peek(0).is_some_and(|t| matches!(t.low.as_str(), "prior" | "previous" | "preceding")) {
                        self.take(1);
                        self.relation(RelationKind::Before, None, true, at.clone());
                    } else if drug && event {
                        // "given without reaction": none after it.
                        self.relation(RelationKind::After, None, true, at.clone());
                    } else {
                        self.relation(RelationKind::SameEncounter, None, false, at.clone());
                    }
                }
                self.no = at.first().copied();
            }
            C::In => self.in_cue(len),
            C::By => self.by_cue(len),
            C::Rise | C::Fall | C::Flat => self.trend(cue, len),
            C::Double | C::Triple => {
                let amount = if cue == C::Double { "2" } else { "3" };
                self.take(len);
                if self.measurable() && self.clause.slots.last().is_some_and(|s| s.value.is_none() && s.trend.is_none())
                {
                    if let Some(slot) = self.last() {
                        slot.trend = Some(Direction::Up);
                        slot.value = Some(ValueCondition::Change {
                            direction: Direction::Up,
                            amount: Some(amount.into()),
                            measure: Measure::Ratio,
                            unit: None,
                            reference: None,
                            within: None,
                        });
                    }
                    self.clause.framed = true;
                } else {
                    self.leave_at(&at, MISFIT);
                }
            }
            C::Resolve | C::Recur | C::Persist => self.course(cue, len, at),
            C::Within => self.within(len),
            C::Above => self.comparison(Op::Gt, len, false),
            C::Below => self.comparison(Op::Lt, len, false),
            C::AtLeast => self.comparison(Op::Ge, len, false),
            C::AtMost => self.comparison(Op::Le, len, false),
            C::High | C::Low => self.state(ValueCondition::Flag { high: cue == C::High }, len),
            C::Positive | C::Negative | C::Normal | C::Abnormal => {
                let text = match cue {
                    C::Positive => "positive",
                    C::Negative => "negative",
                    C::Normal => "normal",
                    _ => "abnormal",
                };
                self.state(ValueCondition::Coded { text: text.into() }, len);
            }
            C::Encounter | C::Patient | C::Episode => {
                let other = self.clause.scope.is_some_and(|s| s != cue && (s, cue) != (C::Ever, C::Patient));
                if other {
                    return self.leave(len, "another scope is stated already");
                }
                self.take(len);
                self.clause.scope = Some(cue);
            }
            C::Ever => {
                if matches!(self.clause.scope, Some(C::Encounter | C::Episode)) {
                    return self.leave(len, "another scope is stated already");
                }
                self.take(len);
                if self.clause.scope.is_none() {
                    self.clause.scope = Some(C::Ever);
                }
            }
            C::No | C::Not | C::Never if self.no.is_some() => self.leave(len, NARROWS),
            C::No => {
                self.no = Some(self.at);
                self.take(len);
            }
            C::Not | C::Never => self.not(cue, len),
            C::First | C::Last => {
                if let Some((_, _, more)) = self.length(len) {
                    return self.leave(len + more, DATE);
                }
                if self.selector.is_some() {
                    return self.leave(len, NARROWS);
                }
                let selector = if cue == C::First { Selector::First } else { Selector::Last };
                self.selector = Some((selector, self.at));
                self.take(len);
            }
            C::Every => {
                self.clause.every = true;
                self.take(len);
            }
            C::Any => {
                self.clause.any = true;
                self.take(len);
            }
            C::Another => {
                self.another = Some(self.at);
                self.take(len);
            }
            C::Now => self.now(len),
            C::Have => self.have(len),
            C::Already => {
                self.already.push(self.at);
                self.take(len);
            }
            C::Side => self.side(len),
            C::Again => {
                self.clause.again = true;
                self.again(len, at);
            }
            C::When => self.when(len, at),
            C::FindWhen | C::FindWhat => {
                self.take(len);
                self.clause.find = true;
            }
            C::FindWhy => {
                self.take(len);
                self.clause.find = true;
                self.clause.why = true;
                self.clause.framed = true;
            }
            C::HowLong => self.how_long(len, at),
            C::HowMany => {
                self.take(len);
                self.clause.find = true;
                self.clause.framed = true;
            }
            C::And | C::Or => self.conjunction(cue, len, at),
            C::OperatingRoom => self.place(0, false),
            C::Straight => {
                let lasts =
                    self.clause.slots.last().is_some_and(|s| matches!(s.value, Some(ValueCondition::Duration { .. })));
                if lasts {
                    self.take(len);
                } else {
                    self.leave(len, NARROWS);
                }
            }
            C::EachOther => self.leave(len, NO_RELATION),
            C::Recheck => self.recheck(len),
            C::Level => {
                let drug = self.clause.slots.last().is_some_and(|s| s.kind == Some(TermKind::Drug));
                if self.measurable() || self.clause.is_empty() {
                    self.take(len);
                } else if drug && self.pending.is_none() {
                    self.take(len);
                    if let Some(mut slot) = self.clause.slots.pop() {
                        self.set_value(
                            &mut slot,
                            ValueCondition::Compare { op: Op::Eq, number: String::new(), unit: None },
                        );
                        slot.value = None;
                        self.clause.slots.push(slot);
                    }
                } else {
                    let of = self.clause.slots.iter().rposition(|s| s.kind == Some(TermKind::Drug));
                    match of.filter(|_| self.pending.is_some()) {
                        Some(of) => {
                            let name = self.clause.slots[of].terms[0].text.clone();
                            let level = format!("{name} level");
                            let text = lookup(&level).map_or(level, |e| e.canonical.to_owned());
                            let typed = self.slice(self.at, self.at + len);
                            let terms = vec![Term { text: text.clone(), ..Term::default() }];
                            let ix = self.clause.slots.len();
                            self.clause.notes.push((Some(ix), "concept", format!("read '{typed}' as {text}")));
                            self.add(Draft { terms, kind: Some(TermKind::Lab), typed: text, ..Draft::default() }, len);
                        }
                        None => self.leave(len, NOT_READ),
                    }
                }
            }
            C::Visit => {
                let typed = self.slice(self.at, self.at + len);
                let text = typed.to_lowercase().trim_end_matches('s').to_owned();
                let draft = Draft {
                    terms: vec![Term { text, ..Term::default() }],
                    slot_kind: SlotKind::Encounter,
                    encounter: true,
                    typed,
                    ..Draft::default()
                };
                self.clause.framed = true;
                self.add(draft, len);
            }
            C::Admission | C::Discharge => {
                if self.pending.is_some() {
                    let draft = stay_edge(if cue == C::Admission { Edge::Admission } else { Edge::Discharge });
                    self.add(draft, len);
                } else {
                    self.leave(len, NO_RELATION);
                }
            }
            C::OnAdmission => {
                if self.head.is_none() || self.pending.is_some() {
                    return self.leave(len, NOT_READ);
                }
                let day = Span { amount: "1".into(), unit: SpanUnit::Days };
                let window = Window {
                    from: Some(day.clone()),
                    to: Some(day),
                    counting: Counting::Hospital,
                    ..Window::default()
                };
                let ix = self.last_ix();
                self.clause.notes.push((ix, "", "on admission is read as hospital day 1".into()));
                self.take(len);
                self.relation(RelationKind::After, Some(window), false, at);
                self.add(stay_edge(Edge::Admission), 0);
            }
            C::PostOp => {
                if self.head.is_none() || self.pending.is_some() {
                    return self.leave(len, NOT_READ);
                }
                self.take(len);
                let trend = self.trend_open;
                self.relation(RelationKind::After, None, false, at);
                let terms = vec![Term { text: "surgery".into(), ..Term::default() }];
                let draft = Draft {
                    terms,
                    kind: Some(TermKind::Procedure),
                    edge: Some(Edge::End),
                    typed: "surgery".into(),
                    ..Draft::default()
                };
                self.add(draft, 0);
                self.trend_open = trend;
            }
            C::Qualifier => {
                self.leave(len, NARROWS);
                if matches!(cue, C::Qualifier) && at.len() == 2 && self.tokens[at[0]].is("if") {
                    // The rest hangs on it.
                    while self.peek(0).is_some_and(|t| !matches!(t.mark(), Some('?' | '.' | ';'))) {
                        self.leave(1, NARROWS);
                    }
                }
            }
            C::Except => self.except(len),
            C::Past => match self.length(len).map(|l| l.2).or_else(|| self.span_unit(len).map(|u| u.2)) {
                Some(more) => self.leave(len + more, DATE),
                None => self.leave(len, NARROWS),
            },
            C::Route => {
                let route = lexicon::route(&self.phrase(len)).to_owned();
                let at = self.at;
                self.take(len);
                let given = self.clause.slots.last().is_some_and(takes_doses) && self.pending.is_none();
                let taken = if given {
                    self.clause.slots.last().is_some_and(|s| s.qualifiers.route.is_some())
                } else {
                    self.route.is_some()
                };
                match self.clause.slots.last_mut() {
                    _ if taken => self.leave_at(&[at], NARROWS),
                    Some(slot) if given => slot.qualifiers.route = Some(route),
                    _ => self.route = Some((route, at)),
                }
            }
            C::Before | C::After | C::During | C::CausedBy | C::EffectOf | C::Causes | C::Treated => {}
        }
    }
}
