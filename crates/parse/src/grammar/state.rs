//! What is said of an event beside its name: that it is there still, that it is another one, on which side.

use super::*;

impl Reader {
    /// A name as the record writes it.
    pub(super) fn label(&mut self) {
        let Some(text) = self.tokens[self.at].label.clone() else { return self.leave(1, NOT_READ) };
        self.clause.framed = true;
        let typed = self.slice(self.at, self.at + 1);
        match lookup(&text) {
            Some(entry) => {
                let class = entry.kind == TermKind::DrugClass;
                let terms = vec![Term { text: entry.canonical.to_owned(), class, codes: Vec::new() }];
                self.add(Draft { terms, kind: Some(entry.kind), typed: text, ..Draft::default() }, 1);
            }
            None => {
                let terms = vec![Term { text, ..Term::default() }];
                self.add(Draft { terms, typed, ..Draft::default() }, 1);
            }
        }
    }

    pub(super) fn cue_at(&self, at: usize) -> Option<Cue> {
        lexicon::cue(&self.tokens, at).map(|c| c.0)
    }

    /// Whether "still" can be said of it.
    fn lasts(draft: &Draft) -> bool {
        !draft.encounter && !measures(draft.kind) && draft.kind != Some(TermKind::Culture)
    }

    /// "active", "ongoing", "still".
    pub(super) fn now(&mut self, len: usize) {
        let at = self.at;
        let expects = self.clause.is_empty() || self.pending.is_some() || self.coordinate.is_some();
        if expects {
            if self.now.is_some_and(|n| self.cue_at(n) == Some(Cue::Now)) {
                return self.pass(len);
            }
            self.now = Some(at);
            return self.take(len);
        }
        if self.orphan || self.other_last {
            return self.leave(len, NARROWS);
        }
        self.take(len);
        self.clause.framed = true;
        match self.last() {
            Some(slot) if Self::lasts(slot) => slot.present = true,
            _ => self.leave_at(&[at], NARROWS),
        }
    }

    /// "has AKI", "does she have AKI" speak of the present; "has AKI developed", "did she have AKI" do not.
    pub(super) fn have(&mut self, len: usize) {
        let at = self.at;
        let anew = self.coordinate.is_some_and(|(c, _)| c == Cue::And) && !self.clause.is_empty();
        self.pass(len);
        if anew {
            self.end_list();
            self.close();
        }
        if !(self.clause.is_empty() || self.pending.is_some()) || !self.speaks_of_now(at) {
            return;
        }
        if self.now.is_none() {
            self.now = Some(at);
        }
    }

    fn speaks_of_now(&self, at: usize) -> bool {
        let end = (at..self.tokens.len())
            .find(|i| matches!(self.tokens[*i].mark(), Some('?' | ';' | '!')))
            .unwrap_or(self.tokens.len());
        let mut start = at;
        while start > 0 && !matches!(self.tokens[start - 1].mark(), Some('?' | ';' | '!' | '.' | ',')) {
            start -= 1;
        }
        let before = &self.tokens[start..at];
        let cues = |from: usize| (from..end).filter_map(|i| self.cue_at(i));
        if before
            .iter()
            .any(|t| matches!(t.low.as_str(), "did" | "didnt" | "could" | "would" | "should" | "will" | "had"))
        {
            return false;
        }
        let recorded = |c: Cue| {
            matches!(
                c,
                Cue::Documented
                    | Cue::Given
                    | Cue::Ordered
                    | Cue::Started
                    | Cue::Stopped
                    | Cue::Held
                    | Cue::Restarted
                    | Cue::History
                    | Cue::Evidence
                    | Cue::Ever
                    | Cue::Never
            )
        };
        if before.iter().any(|t| matches!(t.low.as_str(), "does" | "do" | "doesnt" | "dont")) {
            return !cues(at + 1).any(recorded);
        }
        // The word after it, past adverbs.
        let mut next = at + 1;
        while next < end
            && matches!(
                self.tokens[next].low.as_str(),
                "not" | "also" | "just" | "already" | "since" | "recently" | "now"
            )
        {
            next += 1;
        }
        let participle = |c: Cue| {
            recorded(c)
                || matches!(
                    c,
                    Cue::Aux
                        | Cue::Present
                        | Cue::Resolve
                        | Cue::Recur
                        | Cue::Rise
                        | Cue::Fall
                        | Cue::Flat
                        | Cue::Double
                        | Cue::Triple
                        | Cue::DoseUp
                        | Cue::DoseDown
                        | Cue::Admission
                        | Cue::Discharge
                        | Cue::RuledOut
                        | Cue::Causes
                        | Cue::Persist
                        | Cue::Before
                )
        };
        let subject = before.iter().any(|t| t.kind == Kind::Word);
        if subject {
            // "she has been given", "the patient has AKI"
            let gone = self.tokens.get(next).is_none_or(|t| matches!(t.low.as_str(), "been" | "had"));
            return !gone
                && !self.cue_at(next).is_some_and(|c| participle(c) && c != Cue::Evidence && c != Cue::Before)
                && !cues(at + 1).any(recorded);
        }
        let had =
            self.tokens[next.min(self.tokens.len())..end].iter().any(|t| matches!(t.low.as_str(), "been" | "had"));
        !had && !cues(next).any(participle)
    }

    /// "left", "on the right".
    pub(super) fn side(&mut self, len: usize) {
        let at = self.at;
        let said = self.phrase(len);
        // "..., right?" asks for agreement.
        let ends = self.peek(len).is_none_or(|t| matches!(t.mark(), Some('?' | '.' | '!')));
        if said == "right" && ends && !self.clause.is_empty() && self.pending.is_none() {
            return self.pass(len);
        }
        let site = match &said {
            s if s.contains("left") => "left",
            s if s.contains("right") => "right",
            _ => "bilateral",
        };
        let bodily = |d: &Draft| {
            !d.encounter && !measures(d.kind) && !matches!(d.kind, Some(TermKind::Drug | TermKind::DrugClass))
        };
        let expects = self.clause.is_empty() || self.pending.is_some() || self.coordinate.is_some();
        if expects && self.side.is_none() {
            self.side = Some((site.to_owned(), at));
            return self.take(len);
        }
        match self.last() {
            Some(slot) if bodily(slot) && slot.qualifiers.site.is_none() && !expects => {
                slot.qualifiers.site = Some(site.to_owned());
                self.take(len);
            }
            _ => self.leave(len, NARROWS),
        }
    }

    /// Moves state, side and "another" onto the event that follows them.
    pub(super) fn dress_state(&mut self, draft: &mut Draft) {
        if let Some(at) = self.now.take() {
            let strict = self.cue_at(at) == Some(Cue::Now);
            let drug = matches!(draft.kind, Some(TermKind::Drug | TermKind::DrugClass | TermKind::Procedure));
            if strict && Self::lasts(draft) {
                draft.present = true;
            } else if strict {
                self.leave_at(&[at], NARROWS);
            } else {
                // "has a creatinine above 2", "have vancomycin" state nothing that lasts.
                draft.present = Self::lasts(draft) && !drug;
            }
        }
        if let Some((site, at)) = self.side.take() {
            let drug = matches!(draft.kind, Some(TermKind::Drug | TermKind::DrugClass));
            if measures(draft.kind) || drug || draft.encounter {
                self.leave_at(&[at], NARROWS);
            } else {
                draft.qualifiers.site = Some(site);
            }
        }
        if let Some(at) = self.another.take() {
            match self.clause.slots.iter().position(|s| s.terms == draft.terms) {
                Some(of) => draft.distinct_from = Some(of),
                None => self.leave_at(&[at], "which other one is not said in a way this grammar reads"),
            }
        }
    }

    /// "already" adds nothing to "before"; elsewhere it means a time that is not said.
    pub(super) fn settle_already(&mut self) {
        let neutral = self.clause.links.iter().any(|l| l.kind == RelationKind::Before);
        for at in std::mem::take(&mut self.already) {
            if let Some(fate) = self.fate.get_mut(at) {
                *fate = Fate::Left { why: NARROWS, blocking: !neutral };
            }
        }
    }
}
