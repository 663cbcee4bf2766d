//! From clauses to a request: kinds, scope and the assumptions that are shown.

use chartproof_evidence::query::{
    Assumption, ConceptSpec, Count, Direction, Edge, Join, Measure, Parsed, Quantifier, Query, Relation, RelationKind,
    Request, SCHEMA_VERSION, Scope, ScopeLevel, Selector, Slot, SlotKind, SlotState, Unresolved, ValueCondition,
};
use chartproof_terms::{TermKind, normalise, units};

use crate::grammar::{Clause, Draft, Link, Reading, measures, want};
use crate::lexicon::Cue;

pub(crate) fn build(reading: Reading) -> Parsed {
    let Reading { clauses, mut unresolved, mut assumptions } = reading;
    let mut queries = Vec::new();
    let mut join = Join::All;
    let several = clauses.len() > 1;
    for clause in clauses {
        let alternatives = clause.both_orders || !clause.readings.is_empty();
        if alternatives && !several {
            join = Join::Alternatives;
        }
        for variant in variants(clause) {
            let at = queries.len();
            queries.push(query(variant, at, &mut assumptions, &mut unresolved));
        }
    }
    // The same thing is said once for all queries.
    let mut seen: Vec<Assumption> = Vec::new();
    for assumption in assumptions {
        if !seen.contains(&assumption) {
            seen.push(assumption);
        }
    }
    unresolved.sort_by_key(|u| (u.start, u.end));
    unresolved.dedup();
    Parsed {
        query: Some(Request { version: SCHEMA_VERSION, queries, join }),
        unresolved,
        assumptions: seen,
        refusal: None,
        parser: crate::PARSER.to_owned(),
    }
}

/// A clause with lists or readings becomes several claims.
fn variants(mut clause: Clause) -> Vec<Clause> {
    let others = std::mem::take(&mut clause.others);
    let readings = std::mem::take(&mut clause.readings);
    let both = std::mem::take(&mut clause.both_orders);
    let mut out = vec![clause.clone()];
    for (base, mut draft) in others.into_iter().chain(readings) {
        let mut variant = clause.clone();
        variant.notes.clear();
        if let Some(slot) = variant.slots.get_mut(base) {
            inherit(&mut draft, slot);
            let drug = matches!(draft.kind, Some(TermKind::Drug | TermKind::DrugClass));
            for link in variant.links.iter_mut().filter(|l| l.object == base) {
                link.kind = match link.kind {
                    RelationKind::AdverseEventOf if !drug => RelationKind::AttributedTo,
                    kind => kind,
                };
            }
            *slot = draft;
        }
        out.push(variant);
    }
    if both {
        let mut after = clause;
        after.notes.clear();
        for link in &mut after.links {
            if link.kind == RelationKind::Before {
                link.kind = RelationKind::After;
            }
        }
        out.push(after);
    }
    out
}

/// "was X and Y documented": the verb holds for both.
fn inherit(draft: &mut Draft, from: &Draft) {
    if draft.verb.is_none() {
        draft.verb = from.verb;
        draft.basis = from.basis;
        if draft.slot_kind == SlotKind::Any
            && matches!(draft.kind, Some(TermKind::Drug | TermKind::DrugClass) | None)
            && matches!(from.kind, Some(TermKind::Drug | TermKind::DrugClass) | None)
        {
            draft.slot_kind = from.slot_kind;
        }
        draft.edge = draft.edge.or(from.edge);
    }
    if from.count == Count::None {
        draft.count = Count::None;
    }
}

fn query(mut clause: Clause, at: usize, assumptions: &mut Vec<Assumption>, unresolved: &mut Vec<Unresolved>) -> Query {
    let mut say = |field: String, text: String| assumptions.push(Assumption { field, text });
    let place = |ix: usize| format!("queries/{at}/slots/{ix}");
    if clause.why {
        // The reason is an event that is not known yet.
        let object = clause.slots.len();
        clause.slots.push(Draft::default());
        clause.links.push(Link { kind: RelationKind::ReasonFor, subject: 0, object, window: None });
    }
    trends(&mut clause, unresolved);
    let mut relations: Vec<Relation> = clause
        .links
        .iter()
        .map(|l| Relation {
            kind: l.kind,
            subject: id(l.subject),
            object: Some(id(l.object)),
            window: l.window.clone(),
        })
        .collect();
    if relations.is_empty() {
        relations.push(Relation { kind: RelationKind::Documented, subject: id(0), object: None, window: None });
    }
    let scope = scope(&clause);
    for (ix, field, text) in &clause.notes {
        let field = match ix {
            Some(ix) if field.is_empty() => place(*ix),
            Some(ix) => format!("{}/{field}", place(*ix)),
            None => format!("queries/{at}"),
        };
        say(field, text.clone());
    }
    let slots: Vec<Slot> = clause
        .slots
        .iter()
        .enumerate()
        .map(|(ix, draft)| {
            words(draft, &place(ix), &mut say);
            slot(draft, ix)
        })
        .collect();
    for (ix, slot) in slots.iter().enumerate() {
        if slot.kind == SlotKind::Exposure {
            say(
                format!("{}/kind", place(ix)),
                format!(
                    "{} is read as exposure: a dose given stands highest, an order counts and is shown",
                    name(slot)
                ),
            );
        }
        if let Some(ValueCondition::Compare { unit: None, .. }) = &slot.value
            && let Some(unit) = units::usual_unit(&slot.concept.any_of[0].text).filter(|u| !u.is_empty())
        {
            say(format!("{}/value/unit", place(ix)), format!("no unit is stated; {unit}, the usual one, is meant"));
        }
    }
    if scope.assumed {
        let text = match scope.level {
            ScopeLevel::Encounter => "the question names no scope; one encounter (the outermost stay) is meant",
            ScopeLevel::Episode => "the question names no scope; one episode of care is meant",
            ScopeLevel::Patient => "the question names no scope; the whole record of the patient is meant",
        };
        say(format!("queries/{at}/scope"), text.to_owned());
    }
    Query {
        want: want(&clause),
        slots,
        relations,
        scope,
        quantifier: if clause.every { Quantifier::Every } else { Quantifier::Some },
    }
}

/// A measurement that rises after something is a relation; with an amount, or alone, it is a condition on its value.
fn trends(clause: &mut Clause, unresolved: &mut Vec<Unresolved>) {
    for ix in 0..clause.slots.len() {
        let Some(direction) = clause.slots[ix].trend else {
            course(clause, ix, unresolved);
            continue;
        };
        let relation = match direction {
            Direction::Up => RelationKind::Rises,
            Direction::Down => RelationKind::Falls,
            Direction::Flat => RelationKind::Unchanged,
        };
        let mut related = false;
        if clause.slots[ix].value.is_none() {
            for link in &mut clause.links {
                if link.kind == RelationKind::After && link.subject == ix {
                    link.kind = relation;
                    related = true;
                } else if link.kind == RelationKind::Before && link.object == ix {
                    // "X then a rise of Y"
                    link.kind = relation;
                    std::mem::swap(&mut link.subject, &mut link.object);
                    related = true;
                }
            }
        }
        let slot = &mut clause.slots[ix];
        if !related && slot.value.is_none() {
            slot.value = Some(ValueCondition::Change {
                direction,
                amount: None,
                measure: Measure::Absolute,
                unit: None,
                reference: None,
                within: None,
            });
        }
        let anchored = clause.links.iter().any(|l| l.subject == ix && l.kind == RelationKind::After);
        if let Some(ValueCondition::Change { reference: reference @ None, amount: Some(_), .. }) =
            &mut clause.slots[ix].value
            && anchored
        {
            *reference = Some("last_before_anchor".into());
        }
    }
}

fn course(clause: &mut Clause, ix: usize, unresolved: &mut Vec<Unresolved>) {
    let Some(kind) = clause.slots[ix].course else { return };
    let mut related = false;
    for link in &mut clause.links {
        if link.kind == RelationKind::After && link.subject == ix {
            link.kind = kind;
            related = true;
        }
    }
    if related {
        return;
    }
    let slot = &mut clause.slots[ix];
    // "does it persist", "does it continue": it is there still. "It persisted" without a time says less.
    let still = slot.course_said.as_ref().is_some_and(|s| !s.text.to_lowercase().ends_with("ed"));
    if kind == RelationKind::Persists && still && !measures(slot.kind) && !slot.encounter {
        slot.present = true;
        slot.course = None;
        return;
    }
    if kind == RelationKind::Resolves && !measures(slot.kind) && slot.edge.is_none() {
        slot.edge = Some(Edge::Resolved);
    } else if let Some(said) = slot.course_said.take() {
        slot.course = None;
        unresolved.push(said);
    }
}

fn scope(clause: &Clause) -> Scope {
    let level = match clause.scope {
        Some(Cue::Encounter) => Some(ScopeLevel::Encounter),
        Some(Cue::Episode) => Some(ScopeLevel::Episode),
        Some(Cue::Patient | Cue::Ever) => Some(ScopeLevel::Patient),
        _ => None,
    };
    if let Some(level) = level {
        return Scope { level, reference: None, assumed: false };
    }
    let slot = |i: usize| &clause.slots[i];
    let state = |d: &Draft| measures(d.kind) || d.value.is_some();
    let chosen =
        clause.slots.iter().any(|s| matches!(s.selector, Selector::First | Selector::Last | Selector::Nth { .. }));
    let long = clause.slots.iter().any(|s| {
        s.historical
            || s.course.is_some()
            || s.slot_kind == SlotKind::Encounter && s.edge.is_none()
            || s.edge == Some(Edge::Restart)
    });
    // A value before a start; any disease before a drug.
    let baseline = clause.links.iter().any(|l| {
        l.kind == RelationKind::Before
            && l.window.is_none()
            && slot(l.object).edge == Some(Edge::Start)
            && state(slot(l.subject))
    });
    let prior = clause.any
        && clause.links.iter().any(|l| {
            l.kind == RelationKind::Before
                && l.window.is_none()
                && matches!(slot(l.subject).kind, Some(TermKind::Condition))
                && matches!(slot(l.object).kind, Some(TermKind::Drug | TermKind::DrugClass))
        });
    let related = !clause.links.is_empty() && !clause.why;
    let level = if !related || chosen || long || baseline || prior || clause.again {
        ScopeLevel::Patient
    } else {
        ScopeLevel::Encounter
    };
    Scope { level, reference: None, assumed: true }
}

/// The kind of event a concept of that kind is asked for as; a bare drug name means exposure.
pub fn slot_kind(kind: TermKind) -> SlotKind {
    match kind {
        TermKind::Condition => SlotKind::Condition,
        TermKind::Finding => SlotKind::Finding,
        TermKind::Drug | TermKind::DrugClass => SlotKind::Exposure,
        TermKind::Lab => SlotKind::Lab,
        TermKind::Vital => SlotKind::Vital,
        TermKind::Culture => SlotKind::Culture,
        TermKind::Procedure => SlotKind::Procedure,
        TermKind::Device => SlotKind::Device,
    }
}

fn slot(draft: &Draft, ix: usize) -> Slot {
    let kind = match (draft.slot_kind, draft.kind) {
        (SlotKind::Any, Some(kind)) => slot_kind(kind),
        (kind, _) => kind,
    };
    Slot {
        id: id(ix),
        concept: ConceptSpec { any_of: draft.terms.clone(), except: draft.except.clone() },
        kind,
        basis: draft.basis,
        edge: draft.edge,
        selector: draft.selector.clone(),
        value: draft.value.clone(),
        qualifiers: draft.qualifiers.clone(),
        source: draft.source.clone(),
        distinct_from: draft.distinct_from.map(id),
        same_as: draft.same_as.map(id),
        count: draft.count,
        state: if draft.present { SlotState::Present } else { SlotState::Any },
    }
}

fn id(ix: usize) -> String {
    format!("e{ix}")
}

fn name(slot: &Slot) -> &str {
    slot.concept.any_of.first().map_or("it", |t| t.text.as_str())
}

/// Says how the typed words were read, when they were not the name itself.
fn words(draft: &Draft, place: &str, say: &mut impl FnMut(String, String)) {
    if draft.typed.is_empty() || draft.encounter || draft.terms.is_empty() {
        return;
    }
    let names: Vec<&str> = draft.terms.iter().map(|t| t.text.as_str()).collect();
    let names = names.join(" or ");
    if draft.kind.is_none() {
        say(
            format!("{place}/concept"),
            format!("'{names}' is in no table; it is looked for in the record's own words"),
        );
    } else if normalise(&draft.typed) != normalise(&names) {
        say(format!("{place}/concept"), format!("read '{}' as {names}", draft.typed));
    }
}
