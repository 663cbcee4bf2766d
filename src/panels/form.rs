//! The question as an editable form: events, relations between them, scope.

use chartproof_evidence::query::{Op, Query, Relation, RelationKind, Slot, Span, SpanUnit, Term, ValueCondition, Window};
use leptos::prelude::*;

use crate::messages as m;
use crate::state::Room;

/// The panel.
pub(super) fn panel(room: Room) -> AnyView {
    view! {
        {move || {
            room.drawn.track();
            let request = room.request.get_untracked()?;
            let queries: Vec<AnyView> =
                request.queries.iter().enumerate().map(|(q, query)| query_view(room, q, query)).collect();
            let wanted = room.edited.get_untracked()
                || room.reading.get_untracked().is_some_and(|r| r.blocked() || !r.not_executable.is_empty());
            Some(
                view! {
                    <details class="form small" open=wanted>
                        <summary>{m::FORM_TITLE}</summary>
                        <form
                            on:submit=move |event| {
                                event.prevent_default();
                                room.verify_form();
                            }
                        >
                            {queries}
                            <div class="row">
                                <button class="primary" type="submit">{m::CHECK_FORM}</button>
                                <span class="hint" role="status">
                                    {move || room.edited.get().then_some(m::FORM_EDITED)}
                                </span>
                            </div>
                        </form>
                    </details>
                }
                .into_any(),
            )
        }}
    }
    .into_any()
}

/// A labelled select over a table of values.
fn choose<T: Clone + PartialEq + 'static>(
    label: &'static str,
    table: &'static [(T, &'static str)],
    now: Option<&T>,
    set: impl Fn(T) + 'static,
) -> AnyView {
    let options: Vec<AnyView> = table
        .iter()
        .enumerate()
        .map(|(n, (value, words))| {
            view! { <option value=n.to_string() selected=Some(value) == now>{*words}</option> }.into_any()
        })
        .collect();
    let change = move |event| {
        if let Some((value, _)) = event_target_value(&event).parse::<usize>().ok().and_then(|n| table.get(n)) {
            set(value.clone());
        }
    };
    view! { <label class="pick"><span>{label}</span><select on:change=change>{options}</select></label> }.into_any()
}

fn entry(label: &'static str, class: &'static str, now: String, set: impl Fn(String) + 'static) -> AnyView {
    view! {
        <label class=class>
            <span>{label}</span>
            <input type="text" autocomplete="off" value=now on:change=move |event| set(event_target_value(&event)) />
        </label>
    }
    .into_any()
}

fn query_view(room: Room, q: usize, query: &Query) -> AnyView {
    let edit = move |draw: bool, change: &dyn Fn(&mut Query)| {
        room.edit(draw, |request| {
            if let Some(query) = request.queries.get_mut(q) {
                change(query);
            }
        });
    };
    let names: Vec<(String, String)> =
        query.slots.iter().enumerate().map(|(n, slot)| (slot.id.clone(), m::slot(n, &concept(slot)))).collect();
    let slots: Vec<AnyView> = query.slots.iter().enumerate().map(|(n, slot)| slot_view(room, q, n, slot)).collect();
    let relations: Vec<AnyView> =
        query.relations.iter().enumerate().map(|(n, relation)| relation_view(room, q, n, relation, &names)).collect();
    let add_slot = move |_| {
        edit(true, &|query: &mut Query| {
            let free = (0..).map(|n: usize| format!("e{n}")).find(|id| query.slots.iter().all(|s| s.id != *id));
            let mut slot = Slot { id: free.unwrap_or_default(), ..Slot::default() };
            slot.concept.any_of.push(Term::default());
            query.slots.push(slot);
        });
    };
    let add_relation = move |_| {
        edit(true, &|query: &mut Query| {
            let id = |n: usize| query.slots.get(n).map(|s| s.id.clone());
            let last = query.slots.len().saturating_sub(1);
            let relation = Relation {
                kind: RelationKind::After,
                subject: id(last).unwrap_or_default(),
                object: last.checked_sub(1).and_then(id),
                window: None,
            };
            query.relations.push(relation);
        });
    };
    let scope = query.scope.level;
    view! {
        <fieldset class="query">
            <legend class="spoken">{m::query_legend(q)}</legend>
            {slots}
            {relations}
            <div class="fields">
                {choose(m::SCOPE, &m::SCOPES, Some(&scope), move |level| edit(false, &|query: &mut Query| {
                    query.scope.level = level;
                    query.scope.reference = None;
                    query.scope.assumed = false;
                }))}
                <button class="quiet" type="button" on:click=add_slot>{m::ADD_EVENT}</button>
                <button class="quiet" type="button" on:click=add_relation>{m::ADD_RELATION}</button>
            </div>
        </fieldset>
    }
    .into_any()
}

fn concept(slot: &Slot) -> String {
    let mut out = String::new();
    for term in &slot.concept.any_of {
        if !out.is_empty() {
            out.push_str(m::OR);
        }
        if term.text.is_empty() {
            out.push_str(term.codes.first().map_or("", |c| &c.code));
        } else {
            out.push_str(&term.text);
        }
    }
    out
}

/// Which kind of value condition is chosen.
fn condition_of(value: Option<&ValueCondition>) -> m::Condition {
    match value {
        None => m::Condition::None,
        Some(ValueCondition::Compare { .. }) => m::Condition::Compare,
        Some(ValueCondition::Coded { .. }) => m::Condition::Coded,
        Some(ValueCondition::Flag { high: true }) => m::Condition::High,
        Some(ValueCondition::Flag { high: false }) => m::Condition::Low,
        Some(ValueCondition::Duration { .. } | ValueCondition::Change { .. }) => m::Condition::Other,
    }
}

fn slot_view(room: Room, q: usize, n: usize, slot: &Slot) -> AnyView {
    let edit = move |draw: bool, change: &dyn Fn(&mut Slot)| {
        room.edit(draw, |request| {
            if let Some(slot) = request.queries.get_mut(q).and_then(|query| query.slots.get_mut(n)) {
                change(slot);
            }
        });
    };
    let set_concept = move |text: String| {
        edit(false, &|slot: &mut Slot| {
            slot.concept.any_of =
                text.split(m::OR).map(|t| Term { text: t.trim().to_owned(), ..Term::default() }).collect();
        });
    };
    let condition = condition_of(slot.value.as_ref());
    let set_condition = move |condition: m::Condition| {
        edit(true, &|slot: &mut Slot| {
            slot.value = match condition {
                m::Condition::None => None,
                m::Condition::Compare => {
                    Some(ValueCondition::Compare { op: Op::Ge, number: String::new(), unit: None })
                }
                m::Condition::Coded => Some(ValueCondition::Coded { text: String::new() }),
                m::Condition::High => Some(ValueCondition::Flag { high: true }),
                m::Condition::Low => Some(ValueCondition::Flag { high: false }),
                m::Condition::Other => slot.value.take(),
            };
        });
    };
    let detail = match &slot.value {
        Some(ValueCondition::Compare { op, number, unit }) => view! {
            {choose(m::COMPARED, &m::OPS, Some(op), move |new| edit(false, &|slot: &mut Slot| {
                if let Some(ValueCondition::Compare { op, .. }) = &mut slot.value {
                    *op = new;
                }
            }))}
            {entry(m::NUMBER, "pick narrow", number.clone(), move |new| edit(false, &|slot: &mut Slot| {
                if let Some(ValueCondition::Compare { number, .. }) = &mut slot.value {
                    new.trim().clone_into(number);
                }
            }))}
            {entry(m::UNIT, "pick narrow", unit.clone().unwrap_or_default(), move |new| edit(false, &|slot: &mut Slot| {
                if let Some(ValueCondition::Compare { unit, .. }) = &mut slot.value {
                    *unit = Some(new.trim().to_owned()).filter(|u| !u.is_empty());
                }
            }))}
        }
        .into_any(),
        Some(ValueCondition::Coded { text }) => entry(m::RESULT, "pick", text.clone(), move |new| {
            edit(false, &|slot: &mut Slot| slot.value = Some(ValueCondition::Coded { text: new.trim().to_owned() }));
        }),
        _ => ().into_any(),
    };
    let others = if condition == m::Condition::Other { &m::CONDITIONS[..] } else { &m::CONDITIONS[..m::CONDITIONS.len() - 1] };
    let removable = n > 0;
    view! {
        <fieldset class="part">
            <legend>{m::event_legend(n)}</legend>
            <div class="fields">
                {entry(m::CONCEPT, "pick wide", concept(slot), set_concept)}
                {choose(m::KIND, &m::SLOT_KINDS, Some(&slot.kind), move |kind| edit(false, &|slot: &mut Slot| slot.kind = kind))}
                {choose(m::VALUE, others, Some(&condition), set_condition)}
                {detail}
                {removable.then(|| view! {
                    <button class="quiet" type="button" aria-label=m::remove_event(n) on:click=move |_| room.edit(true, |request| {
                        if let Some(query) = request.queries.get_mut(q) && n < query.slots.len() {
                            let gone = query.slots.remove(n).id;
                            query.relations.retain(|r| r.subject != gone && r.object.as_deref() != Some(&gone));
                        }
                    })>{m::REMOVE}</button>
                })}
            </div>
        </fieldset>
    }
    .into_any()
}

fn relation_view(room: Room, q: usize, n: usize, relation: &Relation, names: &[(String, String)]) -> AnyView {
    let edit = move |draw: bool, change: &dyn Fn(&mut Relation)| {
        room.edit(draw, |request| {
            if let Some(relation) = request.queries.get_mut(q).and_then(|query| query.relations.get_mut(n)) {
                change(relation);
            }
        });
    };
    let slots = |now: Option<&str>, none: bool| {
        let mut options: Vec<AnyView> = names
            .iter()
            .map(|(id, name)| {
                view! { <option value=id.clone() selected=now == Some(id)>{name.clone()}</option> }.into_any()
            })
            .collect();
        if none {
            options.insert(0, view! { <option value="" selected=now.is_none()>{m::NO_SECOND}</option> }.into_any());
        }
        options
    };
    let needs_object = relation.kind != RelationKind::Documented;
    let window = relation.window.clone().unwrap_or(Window { from: None, to: None, counting: Default::default() });
    let timed = matches!(
        relation.kind,
        RelationKind::Before | RelationKind::After | RelationKind::Rises | RelationKind::Falls | RelationKind::Unchanged
    ) || relation.window.is_some();
    view! {
        <fieldset class="part">
            <legend>{m::relation_legend(n)}</legend>
            <div class="fields">
                <label class="pick"><span>{m::SUBJECT}</span>
                    <select on:change=move |event| {
                        let id = event_target_value(&event);
                        edit(false, &|r: &mut Relation| r.subject.clone_from(&id));
                    }>{slots(Some(&relation.subject), false)}</select>
                </label>
                {choose(m::RELATION, &m::RELATIONS, Some(&relation.kind), move |kind| edit(true, &|r: &mut Relation| {
                    r.kind = kind;
                    if kind == RelationKind::Documented {
                        r.object = None;
                        r.window = None;
                    }
                }))}
                {needs_object.then(|| view! {
                    <label class="pick"><span>{m::OBJECT}</span>
                        <select on:change=move |event| {
                            let id = Some(event_target_value(&event)).filter(|id| !id.is_empty());
                            edit(false, &|r: &mut Relation| r.object.clone_from(&id));
                        }>{slots(relation.object.as_deref(), true)}</select>
                    </label>
                })}
                {timed.then(|| view! {
                    {bound(room, q, n, m::AT_LEAST, window.from.as_ref(), false)}
                    {bound(room, q, n, m::AT_MOST, window.to.as_ref(), true)}
                })}
                <button class="quiet" type="button" aria-label=m::remove_relation(n) on:click=move |_| room.edit(true, |request| {
                    if let Some(query) = request.queries.get_mut(q) && n < query.relations.len() {
                        query.relations.remove(n);
                    }
                })>{m::REMOVE}</button>
            </div>
        </fieldset>
    }
    .into_any()
}

/// One end of a window: an amount and its unit; no amount is an open end.
fn bound(room: Room, q: usize, n: usize, label: &'static str, now: Option<&Span>, upper: bool) -> AnyView {
    let amount = RwSignal::new(now.map(|s| s.amount.clone()).unwrap_or_default());
    let unit = RwSignal::new(now.map_or(SpanUnit::Hours, |s| s.unit));
    let store = move || {
        let amount = amount.get_untracked();
        let span = (!amount.is_empty()).then(|| Span { amount, unit: unit.get_untracked() });
        room.edit(false, |request| {
            let Some(relation) = request.queries.get_mut(q).and_then(|query| query.relations.get_mut(n)) else { return };
            let window =
                relation.window.get_or_insert(Window { from: None, to: None, counting: Default::default() });
            *(if upper { &mut window.to } else { &mut window.from }) = span;
            if window.from.is_none() && window.to.is_none() {
                relation.window = None;
            }
        });
    };
    view! {
        {entry(label, "pick narrow", amount.get_untracked(), move |text| {
            amount.set(text.trim().to_owned());
            store();
        })}
        {choose(m::SPAN_UNIT, &m::SPAN_UNITS, Some(&unit.get_untracked()), move |new| {
            unit.set(new);
            store();
        })}
    }
    .into_any()
}
