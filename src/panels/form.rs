//! The question as an editable form: events, relations between them, scope.

use chartproof_evidence::query::{
    Op, Query, Relation, RelationKind, Slot, Span, SpanUnit, Term, ValueCondition, Window,
};
use leptos::prelude::*;

use super::choice;
use crate::dom::{El, el, of_class};
use crate::messages as m;
use crate::state::Room;

/// The panel; nothing without a request. It is drawn anew when its fields change, not when their values do.
pub(super) fn panel(room: Room) -> Option<El> {
    room.drawn.track();
    let request = room.request.get_untracked()?;
    let queries: Vec<El> = request.queries.iter().enumerate().map(|(q, query)| query_view(room, q, query)).collect();
    let wanted = room.edited.get_untracked()
        || room.reading.get_untracked().is_some_and(|r| r.blocked() || !r.not_executable.is_empty());
    let edited = of_class("span", "hint")
        .attr("role", "status")
        .live_text(move || if room.edited.get() { m::FORM_EDITED.to_owned() } else { String::new() });
    let form = el("form")
        .on("submit", move |event| {
            event.prevent_default();
            room.verify_form();
        })
        .add(queries)
        .add(
            of_class("div", "row")
                .add(of_class("button", "primary").attr("type", "submit").add(m::CHECK_FORM))
                .add(edited),
        );
    let out = of_class("details", "form small").add(el("summary").add(m::FORM_TITLE)).add(form);
    Some(if wanted { out.attr("open", "") } else { out })
}

/// A labelled select over a table of values.
fn choose<T: Clone + PartialEq + 'static>(
    label: &'static str,
    table: &'static [(T, &'static str)],
    now: Option<&T>,
    set: impl Fn(T) + 'static,
) -> El {
    let options =
        table.iter().enumerate().map(|(n, (value, words))| choice(&n.to_string(), words, Some(value) == now)).collect();
    picked(label, options, move |value| {
        if let Some((value, _)) = value.parse::<usize>().ok().and_then(|n| table.get(n)) {
            set(value.clone());
        }
    })
}

/// A labelled select.
fn picked(label: &str, options: Vec<El>, set: impl Fn(String) + 'static) -> El {
    of_class("label", "pick")
        .add(el("span").add(label))
        .add(el("select").on("change", move |event| set(event_target_value(&event))).add(options))
}

/// A labelled field.
fn entry(label: &str, class: &str, now: &str, set: impl Fn(String) + 'static) -> El {
    of_class("label", class).add(el("span").add(label)).add(
        el("input")
            .attr("type", "text")
            .attr("autocomplete", "off")
            .attr("value", now)
            .on("change", move |event| set(event_target_value(&event))),
    )
}

/// A button that changes the form.
fn changer(label: &str, act: impl Fn() + 'static) -> El {
    of_class("button", "quiet").attr("type", "button").on("click", move |_| act()).add(label)
}

/// A part of the form under its legend.
fn part(legend: &str, fields: El) -> El {
    of_class("fieldset", "part").add(el("legend").add(legend)).add(fields)
}

fn query_view(room: Room, q: usize, query: &Query) -> El {
    let edit = move |draw: bool, change: &dyn Fn(&mut Query)| {
        room.edit(draw, |request| {
            if let Some(query) = request.queries.get_mut(q) {
                change(query);
            }
        });
    };
    let names: Vec<(String, String)> =
        query.slots.iter().enumerate().map(|(n, slot)| (slot.id.clone(), m::slot(n, &concept(slot)))).collect();
    let slots: Vec<El> = query.slots.iter().enumerate().map(|(n, slot)| slot_view(room, q, n, slot)).collect();
    let relations: Vec<El> =
        query.relations.iter().enumerate().map(|(n, relation)| relation_view(room, q, n, relation, &names)).collect();
    let add_slot = move || {
        edit(true, &|query: &mut Query| {
            let free = (0..).map(|n: usize| format!("e{n}")).find(|id| query.slots.iter().all(|s| s.id != *id));
            let mut slot = Slot { id: free.unwrap_or_default(), ..Slot::default() };
            slot.concept.any_of.push(Term::default());
            query.slots.push(slot);
        });
    };
    let add_relation = move || {
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
    let scope = choose(m::SCOPE, &m::SCOPES, Some(&query.scope.level), move |level| {
        edit(false, &|query: &mut Query| {
            query.scope.level = level;
            query.scope.reference = None;
            query.scope.assumed = false;
        });
    });
    of_class("fieldset", "query")
        .add(of_class("legend", "spoken").add(m::query_legend(q)))
        .add(slots)
        .add(relations)
        .add(
            of_class("div", "fields")
                .add(scope)
                .add(changer(m::ADD_EVENT, add_slot))
                .add(changer(m::ADD_RELATION, add_relation)),
        )
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

fn slot_view(room: Room, q: usize, n: usize, slot: &Slot) -> El {
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
        Some(ValueCondition::Compare { op, number, unit }) => vec![
            choose(m::COMPARED, &m::OPS, Some(op), move |new| {
                edit(false, &|slot: &mut Slot| {
                    if let Some(ValueCondition::Compare { op, .. }) = &mut slot.value {
                        *op = new;
                    }
                });
            }),
            entry(m::NUMBER, "pick narrow", number, move |new| {
                edit(false, &|slot: &mut Slot| {
                    if let Some(ValueCondition::Compare { number, .. }) = &mut slot.value {
                        new.trim().clone_into(number);
                    }
                });
            }),
            entry(m::UNIT, "pick narrow", unit.as_deref().unwrap_or_default(), move |new| {
                edit(false, &|slot: &mut Slot| {
                    if let Some(ValueCondition::Compare { unit, .. }) = &mut slot.value {
                        *unit = Some(new.trim().to_owned()).filter(|u| !u.is_empty());
                    }
                });
            }),
        ],
        Some(ValueCondition::Coded { text }) => vec![entry(m::RESULT, "pick", text, move |new| {
            edit(false, &|slot: &mut Slot| slot.value = Some(ValueCondition::Coded { text: new.trim().to_owned() }));
        })],
        _ => Vec::new(),
    };
    let conditions: &[_] =
        if condition == m::Condition::Other { &m::CONDITIONS } else { &m::CONDITIONS[..m::CONDITIONS.len() - 1] };
    let remove = (n > 0).then(|| {
        changer(m::REMOVE, move || {
            room.edit(true, |request| {
                if let Some(query) = request.queries.get_mut(q)
                    && n < query.slots.len()
                {
                    let gone = query.slots.remove(n).id;
                    query.relations.retain(|r| r.subject != gone && r.object.as_deref() != Some(&gone));
                }
            });
        })
        .attr("aria-label", &m::remove_event(n))
    });
    let kind = choose(m::KIND, &m::SLOT_KINDS, Some(&slot.kind), move |kind| {
        edit(false, &|slot: &mut Slot| slot.kind = kind);
    });
    let state = choose(m::WHEN, &m::SLOT_STATES, Some(&slot.state), move |state| {
        edit(false, &|slot: &mut Slot| slot.state = state);
    });
    let fields = of_class("div", "fields")
        .add(entry(m::CONCEPT, "pick wide", &concept(slot), set_concept))
        .add(kind)
        .add(state)
        .add(choose(m::VALUE, conditions, Some(&condition), set_condition))
        .add(detail)
        .add(remove);
    part(&m::event_legend(n), fields)
}

fn relation_view(room: Room, q: usize, n: usize, relation: &Relation, names: &[(String, String)]) -> El {
    let edit = move |draw: bool, change: &dyn Fn(&mut Relation)| {
        room.edit(draw, |request| {
            if let Some(relation) = request.queries.get_mut(q).and_then(|query| query.relations.get_mut(n)) {
                change(relation);
            }
        });
    };
    let slots = |now: Option<&str>, none: bool| -> Vec<El> {
        let none = none.then(|| choice("", m::NO_SECOND, now.is_none()));
        none.into_iter().chain(names.iter().map(|(id, name)| choice(id, name, now == Some(id)))).collect()
    };
    let subject = picked(m::SUBJECT, slots(Some(&relation.subject), false), move |id| {
        edit(false, &|r: &mut Relation| r.subject.clone_from(&id));
    });
    let kind = choose(m::RELATION, &m::RELATIONS, Some(&relation.kind), move |kind| {
        edit(true, &|r: &mut Relation| {
            r.kind = kind;
            if kind == RelationKind::Documented {
                r.object = None;
                r.window = None;
            }
        });
    });
    let object = (relation.kind != RelationKind::Documented).then(|| {
        picked(m::OBJECT, slots(relation.object.as_deref(), true), move |id| {
            let id = Some(id).filter(|id| !id.is_empty());
            edit(false, &|r: &mut Relation| r.object.clone_from(&id));
        })
    });
    let timed = matches!(
        relation.kind,
        RelationKind::Before
            | RelationKind::After
            | RelationKind::Rises
            | RelationKind::Falls
            | RelationKind::Unchanged
    ) || relation.window.is_some();
    let window = timed.then(|| {
        let ends = relation.window.as_ref();
        let from = if ends.is_some_and(|w| w.from_exclusive) { m::MORE_THAN } else { m::AT_LEAST };
        let to = if ends.is_some_and(|w| w.to_exclusive) { m::LESS_THAN } else { m::AT_MOST };
        let mut fields = bound(room, q, n, from, ends.and_then(|w| w.from.as_ref()), false);
        fields.extend(bound(room, q, n, to, ends.and_then(|w| w.to.as_ref()), true));
        fields
    });
    let remove = changer(m::REMOVE, move || {
        room.edit(true, |request| {
            if let Some(query) = request.queries.get_mut(q)
                && n < query.relations.len()
            {
                query.relations.remove(n);
            }
        });
    })
    .attr("aria-label", &m::remove_relation(n));
    let fields = of_class("div", "fields").add(subject).add(kind).add(object).add(window).add(remove);
    part(&m::relation_legend(n), fields)
}

/// One end of a window: an amount and its unit; no amount is an open end.
fn bound(room: Room, q: usize, n: usize, label: &'static str, now: Option<&Span>, upper: bool) -> Vec<El> {
    let amount = RwSignal::new(now.map(|s| s.amount.clone()).unwrap_or_default());
    let unit = RwSignal::new(now.map_or(SpanUnit::Hours, |s| s.unit));
    let store = move || {
        let amount = amount.get_untracked();
        let span = (!amount.is_empty()).then(|| Span { amount, unit: unit.get_untracked() });
        room.edit(false, |request| {
            let Some(relation) = request.queries.get_mut(q).and_then(|query| query.relations.get_mut(n)) else {
                return;
            };
            let window = relation.window.get_or_insert(Window::default());
            *(if upper { &mut window.to } else { &mut window.from }) = span;
            if window.from.is_none() && window.to.is_none() {
                relation.window = None;
            }
        });
    };
    vec![
        entry(label, "pick narrow", &amount.get_untracked(), move |text| {
            amount.set(text.trim().to_owned());
            store();
        }),
        choose(m::SPAN_UNIT, &m::SPAN_UNITS, Some(&unit.get_untracked()), move |new| {
            unit.set(new);
            store();
        }),
    ]
}
