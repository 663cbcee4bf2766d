//! A query in one plain sentence.

use chartproof_evidence::query::{
    Basis, Count, Counting, Direction, Edge, Measure, Op, Quantifier, Query, Relation, RelationKind, ScopeLevel,
    Selector, Slot, SlotKind, SlotState, ValueCondition, Want, Window,
};

use crate::grammar::span_text;

/// What will be checked, in one sentence.
pub fn describe(query: &Query) -> String {
    let scope = match (query.scope.level, &query.scope.reference) {
        (ScopeLevel::Encounter, None) => "within one encounter",
        (ScopeLevel::Encounter, Some(_)) => "within the encounter named",
        (ScopeLevel::Episode, None) => "within one episode of care",
        (ScopeLevel::Episode, Some(_)) => "within the episode named",
        (ScopeLevel::Patient, _) => "anywhere in the record",
    };
    let parts: Vec<String> = query.relations.iter().map(|r| describe_relation(query, r)).collect();
    let claim = if parts.is_empty() {
        let slots: Vec<String> = query.slots.iter().map(describe_slot).collect();
        slots.join(" and ")
    } else {
        parts.join(", and ")
    };
    let opening = match query.want {
        Want::Verify => "Checks whether",
        Want::Find => "Finds what the record says of this:",
    };
    let quantifier = match query.quantifier {
        Quantifier::Some => String::new(),
        Quantifier::First => ", for the first case".into(),
        Quantifier::Last => ", for the last case".into(),
        Quantifier::Every => ", in every case".into(),
        Quantifier::None => ", in no case".into(),
        Quantifier::AtLeast { n } => format!(", in at least {n} cases"),
    };
    format!("{opening} {claim}, {scope}{quantifier}.")
}

/// One relation in words.
pub fn describe_relation(query: &Query, relation: &Relation) -> String {
    let named = |id: &str| query.slots.iter().find(|s| s.id == id).map_or_else(|| id.to_owned(), describe_slot);
    let subject = named(&relation.subject);
    let object = relation.object.as_deref().map(named).unwrap_or_default();
    let window = relation.window.as_ref().map(|w| window_text(w, relation.kind)).unwrap_or_default();
    let verb = match relation.kind {
        RelationKind::Documented => {
            let slot = query.slots.iter().find(|s| s.id == relation.subject);
            return match slot.map(|s| s.count) {
                Some(Count::None) => format!("the record shows {subject}"),
                _ => format!("the record holds {subject}"),
            };
        }
        RelationKind::Before => "comes before",
        RelationKind::After => "comes after",
        RelationKind::Overlaps => "shares time with",
        RelationKind::During => "lies within the time of",
        RelationKind::SameEncounter => "is in the same encounter as",
        RelationKind::AdverseEventOf => "is attributed in the record to the following, as its adverse event:",
        RelationKind::AttributedTo => "is attributed in the record to",
        RelationKind::ReasonFor if object.starts_with("an event") => {
            return format!("a reason is recorded for {subject}");
        }
        RelationKind::ReasonFor => "is recorded as done for",
        RelationKind::Rises => "rises after",
        RelationKind::Falls => "falls after",
        RelationKind::Unchanged => "does not change after",
        RelationKind::Persists => "goes on after",
        RelationKind::Recurs => "comes back after",
        RelationKind::Resolves => "is resolved after",
    };
    format!("{subject} {verb} {object}{window}")
}

fn window_text(window: &Window, kind: RelationKind) -> String {
    let way = if kind == RelationKind::Before { "earlier" } else { "later" };
    let counting = match window.counting {
        Counting::Elapsed => "",
        Counting::Calendar => " (calendar days)",
        Counting::Hospital => " (hospital days, day 1 is the day of admission)",
    };
    let zero = |s: &chartproof_evidence::query::Span| s.amount.parse::<f64>().is_ok_and(|n| n == 0.0);
    let from = window.from.as_ref().filter(|s| !zero(s));
    let text = match (from, &window.to) {
        (None, None) => return String::new(),
        (None, Some(to)) if window.to_exclusive => format!("less than {} {way}", span_text(to)),
        (None, Some(to)) => format!("at most {} {way}", span_text(to)),
        (Some(from), None) if window.from_exclusive => format!("more than {} {way}", span_text(from)),
        (Some(from), None) => format!("at least {} {way}", span_text(from)),
        (Some(from), Some(to)) if from == to => format!("{} {way}", span_text(to)),
        (Some(from), Some(to)) => format!("between {} and {} {way}", span_text(from), span_text(to)),
    };
    format!(" ({text}{counting})")
        .replace(") (", "; ")
        .replace("(calendar", "calendar")
        .replace("(hospital", "hospital")
        .replace("))", ")")
}

/// One slot in words.
pub fn describe_slot(slot: &Slot) -> String {
    let names: Vec<&str> = slot
        .concept
        .any_of
        .iter()
        .map(|t| if t.text.is_empty() { t.codes.first().map_or("", |c| c.code.as_str()) } else { t.text.as_str() })
        .collect();
    let mut name = if names.is_empty() { "an event not named".to_owned() } else { names.join(" or ") };
    if slot.concept.any_of.iter().any(|t| t.class) {
        name = format!("any {name}");
    }
    if !slot.concept.except.is_empty() {
        let except: Vec<&str> = slot.concept.except.iter().map(|t| t.text.as_str()).collect();
        name = format!("{name} other than {}", except.join(" or "));
    }
    if slot.state == SlotState::Present {
        name = format!("{name}, still present,");
    }
    if slot.kind == SlotKind::Allergy {
        name = format!("allergy to {name}");
    }
    if let Some(value) = &slot.value {
        name = with_value(&name, value);
    }
    let q = &slot.qualifiers;
    for (lead, part) in [
        ("", &q.dose),
        ("", &q.route),
        ("at the site ", &q.site),
        ("in the ", &q.location),
        ("not in the ", &q.not_location),
    ] {
        if let Some(part) = part {
            name = format!("{name} {lead}{part}");
        }
    }
    name = match slot.kind {
        SlotKind::Given => format!("{name} given"),
        SlotKind::Order => format!("{name} ordered"),
        SlotKind::Exposure => format!("exposure to {name}"),
        _ => name,
    };
    let edge = slot.edge.and_then(|e| {
        Some(match e {
            Edge::Start => "the start of",
            Edge::End => "the end of",
            Edge::First => "the first of",
            Edge::Last => "the last of",
            Edge::Onset => "the onset of",
            Edge::Resolved => "the resolution of",
            Edge::Peak => "the highest",
            Edge::Low => "the lowest",
            Edge::DoseUp => "a dose increase of",
            Edge::DoseDown => "a dose reduction of",
            Edge::Hold => "the holding of",
            Edge::Restart => "the restart of",
            Edge::Admission | Edge::Discharge => return None,
        })
    });
    if let Some(edge) = edge {
        name = format!("{edge} {name}");
    }
    match &slot.selector {
        Selector::Some => {}
        Selector::First => name = format!("the first {name}"),
        Selector::Last => name = format!("the last {name}"),
        Selector::Nth { n } => name = format!("{name} number {n}"),
        Selector::Occurrence { id } => name = format!("{name} ({id})"),
        Selector::At { time } => name = format!("{name} at {}", time.trim_start_matches('T')),
    }
    match slot.count {
        Count::Some => {}
        Count::None => name = format!("no {name}"),
        Count::AtLeast { n } => name = format!("at least {n} of {name}"),
    }
    if slot.distinct_from.is_some() {
        name = format!("another {name}");
    }
    if slot.basis == Basis::Documented {
        name = format!("{name} (as documented)");
    }
    let s = &slot.source;
    for (lead, list) in [
        ("by ", &s.author_roles),
        ("not by ", &s.except_author_roles),
        ("in ", &s.note_types),
        ("outside ", &s.except_note_types),
        ("in the section ", &s.sections),
    ] {
        if !list.is_empty() {
            name = format!("{name}, {lead}{}", list.join(" or "));
        }
    }
    name
}

fn with_value(name: &str, value: &ValueCondition) -> String {
    let op = |op: &Op| match op {
        Op::Lt => "below",
        Op::Le => "at most",
        Op::Eq => "of",
        Op::Ge => "at least",
        Op::Gt => "above",
    };
    match value {
        ValueCondition::Compare { op: o, number, unit } => {
            let unit = unit.as_deref().map(|u| format!(" {u}")).unwrap_or_default();
            format!("{name} {} {number}{unit}", op(o))
        }
        ValueCondition::Coded { text } => format!("{text} {name}"),
        ValueCondition::Flag { high } => {
            format!("{} {name} (by the row's own range)", if *high { "high" } else { "low" })
        }
        ValueCondition::Duration { op: o, amount } => {
            let op = if *o == Op::Eq { "exactly" } else { op(o) };
            format!("{name} lasting {op} {}", span_text(amount))
        }
        ValueCondition::Change { direction, amount, measure, unit, within, .. } => {
            let way = match direction {
                Direction::Up => "a rise of",
                Direction::Down => "a fall of",
                Direction::Flat => "no change of",
            };
            let by = amount.as_deref().map(|a| match measure {
                Measure::Ratio => format!(" to at least {a} times"),
                Measure::Percent => format!(" by at least {a} %"),
                _ => format!(" by at least {a}{}", unit.as_deref().map(|u| format!(" {u}")).unwrap_or_default()),
            });
            let within = within.as_ref().map(|w| format!(" within {}", span_text(w))).unwrap_or_default();
            format!("{way} {name}{}{within}", by.unwrap_or_default())
        }
    }
}
