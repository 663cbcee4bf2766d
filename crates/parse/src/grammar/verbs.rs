//! Verbs: what is said to have been done with an event.

use super::*;

impl Reader {
    pub(super) fn verb(&mut self, cue: Cue, len: usize) {
        if self.orphan {
            return self.leave(len, NO_RELATION);
        }
        let at: Vec<usize> = (self.at..self.at + len).collect();
        self.take(len);
        let waits = self.pending.is_some() || self.coordinate.is_some() || self.clause.slots.is_empty();
        if waits {
            // "... when stopped": the drug spoken of.
            let ends = self.at >= self.tokens.len()
                || matches!(self.tokens[self.at].kind, Kind::Mark('?' | '.' | ',' | ';' | '!'))
                || self.cue(0).is_some_and(|(c, _)| matches!(c, Cue::And | Cue::Within | Cue::Encounter));
            if edge_of(cue).is_some() && ends && self.pending.is_some() && self.repeat_with_edge(cue) {
                return;
            }
            self.verbs.push((cue, at[0]));
            return;
        }
        let mut draft = match self.clause.slots.pop() {
            Some(draft) => draft,
            None => return,
        };
        self.apply_verb(&mut draft, cue, &at);
        self.clause.slots.push(draft);
    }

    pub(super) fn repeat_with_edge(&mut self, cue: Cue) -> bool {
        let drug = |s: &Draft| matches!(s.kind, Some(TermKind::Drug | TermKind::DrugClass | TermKind::Device));
        let Some(of) = self.clause.slots.iter().rposition(drug) else { return false };
        let source = &self.clause.slots[of];
        let draft = Draft {
            terms: source.terms.clone(),
            kind: source.kind,
            edge: edge_of(cue),
            same_as: Some(of),
            verb: Some(cue),
            typed: source.typed.clone(),
            ..Draft::default()
        };
        let Some(pending) = self.pending.take() else { return false };
        let Some(head) = self.head else { return false };
        let new = self.clause.slots.len();
        self.clause.slots.push(draft);
        self.link(pending, head, new);
        true
    }

    pub(super) fn apply_verb(&mut self, draft: &mut Draft, verb: Cue, at: &[usize]) {
        let drug = matches!(draft.kind, Some(TermKind::Drug | TermKind::DrugClass) | None);
        let thing = matches!(draft.kind, Some(TermKind::Procedure | TermKind::Device | TermKind::Culture));
        // Two verbs that cannot both be kept: the second is listed.
        let rung = |v: Cue| matches!(v, Cue::Given | Cue::Ordered);
        let clash = draft.verb.is_some_and(|v| v != verb && rung(v) && rung(verb))
            || edge_of(verb).is_some() && draft.edge.is_some_and(|e| Some(e) != edge_of(verb));
        if clash {
            return self.leave_at(at, NARROWS);
        }
        match verb {
            Cue::Documented => draft.basis = Basis::Documented,
            Cue::Given | Cue::Ordered if draft.slot_kind == SlotKind::Allergy => self.leave_at(at, MISFIT),
            Cue::Given if drug || thing => {
                if drug {
                    draft.slot_kind = SlotKind::Given;
                }
            }
            Cue::Ordered if drug || thing || measures(draft.kind) => draft.slot_kind = SlotKind::Order,
            Cue::Given | Cue::Ordered if measures(draft.kind) => {}
            Cue::Started | Cue::Stopped | Cue::Held | Cue::Restarted | Cue::DoseUp | Cue::DoseDown => {
                let condition = matches!(draft.kind, Some(TermKind::Condition | TermKind::Finding));
                draft.edge = match (verb, condition) {
                    (Cue::Started, true) => Some(Edge::Onset),
                    (Cue::Stopped, true) => Some(Edge::Resolved),
                    _ => edge_of(verb),
                };
            }
            Cue::Present => {}
            // "was AKI given": the verb says what the event cannot be.
            _ => self.leave_at(at, MISFIT),
        }
        if verb != Cue::Present && !(verb == Cue::Documented && draft.verb.is_some()) {
            draft.verb = Some(verb);
        }
        if verb != Cue::Present {
            self.clause.framed = true;
        }
    }
}
