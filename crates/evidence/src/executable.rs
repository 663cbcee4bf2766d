//! What can be run today: a field that no step executes yet is refused by name, never ignored.

use crate::query::{
    Count, Counting, Edge, Join, Quantifier, Query, RelationKind, Request, SCHEMA_VERSION, ScopeLevel, Selector,
    SlotKind, ValueCondition, Want,
};

/// A part of a request that cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct NotExecutable {
    /// Pointer into the request, such as `queries/0/slots/1/selector`.
    pub field: String,
    /// Why.
    pub why: String,
}

/// Checks that a request is well-formed and that every field it uses is executed.
///
/// # Errors
/// All parts that are not, each with its place.
pub fn executable(request: &Request) -> Result<(), Vec<NotExecutable>> {
    let mut faults = Vec::new();
    let mut fault = |field: String, why: &str| faults.push(NotExecutable { field, why: why.to_owned() });
    if request.version != SCHEMA_VERSION {
        fault("version".into(), "this build reads schema version 1");
    }
    if request.queries.is_empty() {
        fault("queries".into(), "at least one query is needed");
    }
    if request.join != Join::All {
        fault("join".into(), "readings side by side are not run yet");
    }
    for (n, query) in request.queries.iter().enumerate() {
        check_query(query, &format!("queries/{n}"), &mut fault);
    }
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

fn check_query(query: &Query, at: &str, fault: &mut impl FnMut(String, &str)) {
    if query.want != Want::Verify {
        fault(format!("{at}/want"), "find is not run yet; ask for a verdict");
    }
    if query.quantifier != Quantifier::Some {
        fault(format!("{at}/quantifier"), "only the quantifier some is run yet");
    }
    if query.scope.level == ScopeLevel::Patient && query.scope.reference.is_some() {
        fault(format!("{at}/scope/ref"), "the patient scope takes no reference");
    }
    if query.slots.is_empty() {
        fault(format!("{at}/slots"), "at least one event is needed");
    }
    let known = |id: &str| query.slots.iter().any(|s| s.id == id);
    for (i, slot) in query.slots.iter().enumerate() {
        let at = format!("{at}/slots/{i}");
        if query.slots[..i].iter().any(|s| s.id == slot.id) || slot.id.is_empty() {
            fault(format!("{at}/id"), "slot ids must be unique and not empty");
        }
        if slot.concept.any_of.is_empty() {
            fault(format!("{at}/concept"), "hidden events are not searched yet; name the event");
        }
        if slot
            .concept
            .any_of
            .iter()
            .chain(&slot.concept.except)
            .any(|t| t.text.trim().is_empty() && t.codes.is_empty())
        {
            fault(format!("{at}/concept"), "a term needs words or codes");
        }
        if slot.edge.is_some_and(|e| !matches!(e, Edge::Start | Edge::Onset)) {
            fault(format!("{at}/edge"), "only the start or onset of an event is run yet");
        }
        if slot.selector != Selector::Some {
            fault(format!("{at}/selector"), "only any occurrence can be selected yet");
        }
        match &slot.value {
            None | Some(ValueCondition::Coded { .. } | ValueCondition::Flag { .. }) => {}
            Some(ValueCondition::Compare { number, .. }) => {
                if !number.parse::<f64>().is_ok_and(f64::is_finite) {
                    fault(format!("{at}/value/number"), "not a decimal number");
                }
            }
            Some(ValueCondition::Duration { .. } | ValueCondition::Change { .. }) => {
                fault(format!("{at}/value"), "durations and changes as conditions are not run yet");
            }
        }
        if slot.qualifiers != crate::query::Qualifiers::default() {
            fault(format!("{at}/qualifiers"), "route, dose, site and location are not run yet");
        }
        if slot.source != crate::query::SourceFilter::default() {
            fault(format!("{at}/source"), "limits on sources are not run yet");
        }
        if slot.same_as.is_some() {
            fault(format!("{at}/same_as"), "same_as is not run yet");
        }
        if slot.distinct_from.as_deref().is_some_and(|d| !known(d) || d == slot.id) {
            fault(format!("{at}/distinct_from"), "names no other slot");
        }
        if slot.count != Count::Some {
            fault(format!("{at}/count"), "absence and counts are not run yet");
        }
        if matches!(slot.kind, SlotKind::Encounter | SlotKind::Note) {
            fault(format!("{at}/kind"), "encounters and notes as events are not run yet");
        }
    }
    if query.relations.is_empty() {
        fault(format!("{at}/relations"), "at least one relation is needed, such as documented");
    }
    for (i, relation) in query.relations.iter().enumerate() {
        let at = format!("{at}/relations/{i}");
        if !known(&relation.subject) {
            fault(format!("{at}/subject"), "names no slot");
        }
        match &relation.object {
            Some(object) if !known(object) || *object == relation.subject => {
                fault(format!("{at}/object"), "names no other slot");
            }
            None if !matches!(relation.kind, RelationKind::Documented) => {
                fault(format!("{at}/object"), "this relation needs a second event");
            }
            Some(_) if relation.kind == RelationKind::Documented => {
                fault(format!("{at}/object"), "documented takes no second event");
            }
            _ => {}
        }
        if matches!(relation.kind, RelationKind::Persists | RelationKind::Recurs | RelationKind::Resolves) {
            fault(format!("{at}/kind"), "persists, recurs and resolves are not run yet");
        }
        if let Some(window) = &relation.window {
            if window.counting == Counting::Hospital {
                fault(format!("{at}/window/counting"), "hospital days are not run yet");
            }
            if window.counting == Counting::Calendar {
                fault(format!("{at}/window/counting"), "calendar days are not run yet");
            }
            for (name, span) in [("from", &window.from), ("to", &window.to)] {
                if span.as_ref().is_some_and(|s| s.millis().is_none()) {
                    fault(format!("{at}/window/{name}"), "not a decimal amount");
                }
            }
            if !matches!(
                relation.kind,
                RelationKind::Before
                    | RelationKind::After
                    | RelationKind::Rises
                    | RelationKind::Falls
                    | RelationKind::Unchanged
            ) {
                fault(format!("{at}/window"), "a window is run with before, after, rises, falls and unchanged only");
            }
        }
    }
}
