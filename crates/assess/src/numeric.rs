//! Numbers: value conditions, changes against a reference, and numeric event definitions, each with what it shows.

use chartproof_evidence::query::{Op, RelationKind, Slot, ValueCondition};
use chartproof_evidence::{BindingRole, Fact, Item};
use chartproof_record::InOrder as _;
use chartproof_record::{ClinicalTime, Comparator, Quantity, Value};
use chartproof_terms::definitions::{Definition, Reference, Threshold, change_rule, definition_for};
use chartproof_terms::{expand, matches_code, matches_label, normalise, units};

use crate::assessment::Stated;

/// Rounding that decimal texts suffer in binary: 1.5 - 1.2 counts as 0.3.
const EPS: f64 = 1e-9;
const HOUR_MS: i64 = 3_600_000;

/// Outcome of a value condition on one fact.
#[derive(Clone, Debug)]
pub(crate) struct Check {
    /// `None` when it cannot be told.
    pub(crate) met: Option<bool>,
    /// The comparison in words, a conversion included.
    pub(crate) shown: Option<String>,
}

/// The name of the analyte a slot asks for.
pub(crate) fn analyte(slot: &Slot) -> String {
    slot.concept.any_of.first().map(|t| expand(&t.text).canonical).unwrap_or_default()
}

/// A number in a wanted unit: the number and the conversion in words. `None` when the units do not convert.
fn in_unit(analyte: &str, quantity: &Quantity, wanted: Option<&str>) -> Option<(f64, Option<String>)> {
    match (quantity.unit.as_deref(), wanted) {
        (_, None) => Some((quantity.number, None)),
        (None, Some(_)) => None,
        (Some(from), Some(to)) => {
            if from == to || units::canonical_unit(from).is_some_and(|u| Some(u) == units::canonical_unit(to)) {
                return Some((quantity.number, None));
            }
            units::convert(analyte, quantity.number, from, to).map(|c| (c.number, Some(c.shown)))
        }
    }
}

/// Checks a value condition.
pub(crate) fn check(slot: &Slot, condition: &ValueCondition, fact: &Fact) -> Check {
    let unknown = Check { met: None, shown: None };
    match condition {
        ValueCondition::Compare { op, number, unit } => {
            let Ok(limit) = number.parse::<f64>() else { return unknown };
            let Some(quantity) = fact.value.as_ref().and_then(Value::quantity) else { return unknown };
            let analyte = analyte(slot);
            // A bare number is in the usual unit of the analyte; where the table has none, in the row's own.
            let usual = units::usual_unit(&analyte).filter(|_| quantity.unit.is_some());
            let wanted = unit.as_deref().or(usual);
            let Some((value, conversion)) = in_unit(&analyte, quantity, wanted) else {
                let own = quantity.unit.as_deref().unwrap_or("no unit");
                return Check { met: None, shown: Some(format!("{own} does not convert to {}", wanted.unwrap_or(""))) };
            };
            let met = compare(value, quantity.comparator, *op, limit);
            let sign = match op {
                Op::Lt => "<",
                Op::Le => "<=",
                Op::Eq => "=",
                Op::Ge => ">=",
                Op::Gt => ">",
            };
            let outcome = match met {
                Some(true) => "meets",
                Some(false) => "does not meet",
                None => "does not decide",
            };
            let shown = conversion
                .unwrap_or_else(|| Value::Quantity { quantity: quantity.clone(), pointer: "".into() }.display());
            Check {
                met,
                shown: Some(format!(
                    "{shown} {outcome} {sign} {number}{}",
                    wanted.map(|u| format!(" {u}")).unwrap_or_default()
                )),
            }
        }
        ValueCondition::Coded { text } => coded(fact, text),
        ValueCondition::Flag { high } => {
            let Some(quantity) = fact.value.as_ref().and_then(Value::quantity) else { return unknown };
            let (limit, met) = if *high {
                (fact.high, fact.high.map(|h| quantity.number > h))
            } else {
                (fact.low, fact.low.map(|l| quantity.number < l))
            };
            let shown = limit.map(|l| format!("{} against the row's limit {l}", quantity.text));
            Check { met, shown }
        }
        ValueCondition::Duration { .. } | ValueCondition::Change { .. } => unknown,
    }
}

fn compare(value: f64, comparator: Option<Comparator>, op: Op, limit: f64) -> Option<bool> {
    let holds = |v: f64| match op {
        Op::Lt => v < limit - EPS,
        Op::Le => v <= limit + EPS,
        Op::Eq => (v - limit).abs() <= EPS,
        Op::Ge => v >= limit - EPS,
        Op::Gt => v > limit + EPS,
    };
    // A bounded value decides only when every value it allows agrees.
    match (comparator, op) {
        (None, _) => Some(holds(value)),
        (Some(Comparator::Below), Op::Lt) if value <= limit + EPS => Some(true),
        (Some(Comparator::Below), Op::Le) if value <= limit + EPS => Some(true),
        (Some(Comparator::AtMost), Op::Lt) if value < limit - EPS => Some(true),
        (Some(Comparator::AtMost), Op::Le) if value <= limit + EPS => Some(true),
        (Some(Comparator::Below), Op::Gt | Op::Ge | Op::Eq) if value <= limit + EPS => Some(false),
        (Some(Comparator::AtMost), Op::Gt) if value <= limit + EPS => Some(false),
        (Some(Comparator::AtMost), Op::Ge | Op::Eq) if value < limit - EPS => Some(false),
        (Some(Comparator::Above), Op::Gt | Op::Ge) if value >= limit - EPS => Some(true),
        (Some(Comparator::AtLeast), Op::Gt) if value > limit + EPS => Some(true),
        (Some(Comparator::AtLeast), Op::Ge) if value >= limit - EPS => Some(true),
        (Some(Comparator::Above), Op::Lt | Op::Le | Op::Eq) if value >= limit - EPS => Some(false),
        (Some(Comparator::AtLeast), Op::Lt) if value >= limit - EPS => Some(false),
        (Some(Comparator::AtLeast), Op::Le | Op::Eq) if value > limit + EPS => Some(false),
        _ => None,
    }
}

const POSITIVE: &[&str] = &["positive", "pos", "detected", "present", "reactive", "abnormal", "growth"];
const NEGATIVE: &[&str] =
    &["negative", "neg", "not detected", "undetected", "absent", "nonreactive", "non reactive", "no growth", "none"];

fn coded(fact: &Fact, wanted: &str) -> Check {
    let Some(value) = &fact.value else { return Check { met: None, shown: None } };
    if let Value::Quantity { .. } = value {
        return Check { met: None, shown: Some("a number, not a result in words".to_owned()) };
    }
    let shown = value.display();
    let found = normalise(&shown);
    let wanted = normalise(wanted);
    let is = |list: &[&str], text: &str| {
        list.iter().any(|w| text == normalise(w) || text.starts_with(&format!("{} ", normalise(w))))
    };
    let sign = |text: &str| {
        if is(NEGATIVE, text) {
            Some(false)
        } else if is(POSITIVE, text) {
            Some(true)
        } else {
            None
        }
    };
    let met = match (sign(&found), sign(&wanted)) {
        (Some(found), Some(wanted)) => Some(found == wanted),
        // An organism by name is growth; a result in other words decides only when it is the same.
        (None, Some(true)) if matches!(fact.kind, chartproof_record::Kind::Culture) && !found.is_empty() => Some(true),
        (None, Some(_)) => None,
        _ => Some(format!(" {found} ").contains(&format!(" {wanted} "))),
    };
    Check { met, shown: Some(shown) }
}

/// A value of a trajectory on one unit.
#[derive(Clone, Debug)]
pub(crate) struct Point<'a> {
    /// When it was collected.
    pub(crate) at: &'a ClinicalTime,
    /// In the common unit.
    pub(crate) number: f64,
    /// As recorded.
    pub(crate) text: String,
    /// Its item.
    pub(crate) item: &'a Item,
}

/// The values of one analyte among some facts, in time order, on one unit; bounded values are left out.
fn series<'a>(analyte: &str, facts: impl Iterator<Item = (&'a Item, &'a Fact)>, unit: Option<&str>) -> Vec<Point<'a>> {
    let mut out: Vec<Point<'a>> = Vec::new();
    let mut own_unit: Option<String> = unit.map(str::to_owned);
    let facts: Vec<(&'a Item, &'a Fact)> = facts.collect();
    let unit_of = |f: &'a Fact| f.value.as_ref().and_then(Value::quantity).and_then(|q| q.unit.as_deref());
    let any_unit = facts.iter().any(|(_, f)| unit_of(f).is_some());
    for (item, fact) in facts {
        let (Some(value), Some(at)) = (&fact.value, crate::timing::occurred(fact)) else { continue };
        let Some(quantity) = value.quantity().filter(|q| q.comparator.is_none()) else { continue };
        // A number without a unit cannot stand in a line with numbers that have one.
        if any_unit && quantity.unit.is_none() {
            continue;
        }
        if own_unit.is_none() {
            own_unit = quantity.unit.as_deref().map(str::to_owned);
        }
        let Some((number, _)) = in_unit(analyte, quantity, own_unit.as_deref().filter(|_| quantity.unit.is_some()))
        else {
            continue;
        };
        out.push(Point { at, number, text: value.display(), item });
    }
    out.order_by(|a, b| a.at.sort_key().cmp(&b.at.sort_key()).then(a.number.total_cmp(&b.number)));
    out
}

/// Outcome of a change relation.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    /// `None` when it cannot be told.
    pub(crate) met: Option<bool>,
    /// In words, with the rule and the values.
    pub(crate) shown: String,
    /// Items it rests on.
    pub(crate) items: Vec<String>,
    /// Whether there was a value before and one after.
    pub(crate) before: bool,
    /// Whether there was a value after.
    pub(crate) after: bool,
}

/// Whether a value rose, fell or stayed after a time; `within` bounds the time after it, in milliseconds.
pub(crate) fn change<'a>(
    slot: &Slot,
    kind: RelationKind,
    facts: impl Iterator<Item = (&'a Item, &'a Fact)>,
    anchor: &ClinicalTime,
    within: (Option<i64>, Option<i64>),
) -> Change {
    let analyte = analyte(slot);
    let rule = change_rule(&analyte);
    let points = series(&analyte, facts, rule.map(|r| r.unit));
    let before: Vec<&Point<'_>> = points.iter().filter(|p| p.at.elapsed_since(anchor).1 <= 1000).collect();
    let after: Vec<&Point<'_>> = points
        .iter()
        .filter(|p| {
            let (least, most) = p.at.elapsed_since(anchor);
            least >= 0 && within.0.is_none_or(|from| least >= from) && within.1.is_none_or(|to| most <= to + 60_000)
        })
        .collect();
    let mut items: Vec<String> = points.iter().map(|p| p.item.id.clone()).collect();
    items.order();
    items.dedup();
    let none = |shown: &str| Change {
        met: None,
        shown: shown.to_owned(),
        items: items.clone(),
        before: !before.is_empty(),
        after: !after.is_empty(),
    };
    let Some(reference) = before.last() else { return none("no value before it to compare with") };
    if after.is_empty() {
        return none("no value after it in the window");
    }
    let absolute = rule.map_or(0.0, |r| r.absolute);
    let fraction = rule.map_or(0.2, |r| r.fraction);
    let enough = |difference: f64| {
        difference > EPS && difference >= absolute - EPS && difference >= fraction * reference.number.abs() - EPS
    };
    let highest = after.iter().max_by(|a, b| a.number.total_cmp(&b.number)).copied();
    let lowest = after.iter().min_by(|a, b| a.number.total_cmp(&b.number)).copied();
    let (Some(highest), Some(lowest)) = (highest, lowest) else { return none("no value after it in the window") };
    let rose = enough(highest.number - reference.number);
    let fell = enough(reference.number - lowest.number);
    let met = match kind {
        RelationKind::Rises => rose,
        RelationKind::Falls => fell,
        _ => !rose && !fell,
    };
    let shown_rule = rule.map_or_else(
        || "a change of 20 %".to_owned(),
        |r| match (r.absolute > 0.0, r.fraction > 0.0) {
            (true, true) => format!("a change of {} {} and {} %", r.absolute, r.unit, r.fraction * 100.0),
            (false, _) => format!("a change of {} %", r.fraction * 100.0),
            _ => format!("a change of {} {}", r.absolute, r.unit),
        },
    );
    let extreme = if kind == RelationKind::Falls { lowest } else { highest };
    let shown = format!(
        "{} at {} before, {} at {} after, {} values after; rule {shown_rule} against the last value before",
        reference.text,
        reference.at.display(),
        extreme.text,
        extreme.at.display(),
        after.len()
    );
    Change { met: Some(met), shown, items, before: true, after: true }
}

/// What the numbers say of an event, by its published definitions.
#[derive(Clone, Debug)]
pub(crate) struct ByNumbers {
    /// Yes, no or not assessable.
    pub(crate) occurred: Stated,
    /// In words: rule, source, values.
    pub(crate) shown: String,
    /// Items behind it.
    pub(crate) items: Vec<String>,
    /// When the criteria were first met.
    pub(crate) at: Option<ClinicalTime>,
}

/// Applies the numeric definitions of a slot's event to the defining values among the items.
pub(crate) fn by_numbers(slot: &Slot, items: &[&Item]) -> ByNumbers {
    let mut out = ByNumbers { occurred: Stated::NotAssessable, shown: String::new(), items: Vec::new(), at: None };
    let names: Vec<String> = slot.concept.any_of.iter().map(|t| expand(&t.text).canonical).collect();
    let definitions: Vec<&Definition> = names.iter().flat_map(|n| definition_for(n)).collect();
    if definitions.is_empty() {
        out.shown = "no numeric definition of this event".to_owned();
        return out;
    }
    let bound = |role: BindingRole| items.iter().filter(move |i| i.binding(&slot.id).is_some_and(|b| b.role == role));
    if let Some(item) = bound(BindingRole::Exclusion).next() {
        out.shown = format!("{} is recorded: the numeric definition does not apply", item.context.text);
        out.items = vec![item.id.clone()];
        return out;
    }
    let mut weighed: Option<(String, Vec<String>)> = None;
    for definition in definitions {
        let expansion = expand(definition.analyte);
        let matches = |f: &Fact| {
            f.codes.iter().any(|(s, c)| matches_code(&expansion, s, c)) || matches_label(&expansion, &f.label).is_some()
        };
        let facts =
            bound(BindingRole::Numbers).flat_map(|i| i.facts.iter().map(move |f| (*i, f))).filter(|(_, f)| matches(f));
        let unit = Some(definition.unit).filter(|u| !u.is_empty());
        let facts: Vec<(&Item, &Fact)> = facts.collect();
        let points = series(definition.analyte, facts.iter().copied(), unit);
        if points.is_empty() {
            continue;
        }
        let own_limits = (facts.iter().find_map(|(_, f)| f.low), facts.iter().find_map(|(_, f)| f.high));
        let mut used: Vec<String> = points.iter().map(|p| p.item.id.clone()).collect();
        used.order();
        used.dedup();
        match met(definition, &points, own_limits) {
            Some(Some((reference, point))) => {
                let from = reference.map(|r| format!("{} at {} to ", r.text, r.at.display())).unwrap_or_default();
                let rule =
                    definition.references.first().map(|r| format!(", reference {}", r.name())).unwrap_or_default();
                let earlier = out.at.as_ref().is_none_or(|at| point.at.sort_key() < at.sort_key());
                if earlier {
                    out = ByNumbers {
                        occurred: Stated::Yes,
                        shown: format!(
                            "{from}{} at {} meets {} ({}){rule}",
                            point.text,
                            point.at.display(),
                            definition.rule,
                            definition.source
                        ),
                        items: used,
                        at: Some(point.at.clone()),
                    };
                }
            }
            Some(None) => {
                weighed.get_or_insert_with(|| {
                    let first = &points[0];
                    let last = &points[points.len() - 1];
                    let shown = format!(
                        "{} values of {} from {} to {} do not meet {} ({})",
                        points.len(),
                        definition.analyte,
                        first.at.display(),
                        last.at.display(),
                        definition.rule,
                        definition.source
                    );
                    (shown, used)
                });
            }
            None => {}
        }
    }
    if out.occurred != Stated::Yes {
        match weighed {
            Some((shown, items)) => {
                out = ByNumbers { occurred: Stated::No, shown, items, at: None };
            }
            None => out.shown = "no values to which its numeric definition applies".to_owned(),
        }
    }
    out
}

/// Outer `None`: too few values to tell; inner `None`: not met; else the reference and the first value that meets it.
#[expect(clippy::option_option, reason = "three outcomes, each with its own meaning")]
fn met<'p, 'a>(
    definition: &Definition,
    points: &'p [Point<'a>],
    own: (Option<f64>, Option<f64>),
) -> Option<Option<(Option<&'p Point<'a>>, &'p Point<'a>)>> {
    let single = |test: &dyn Fn(f64) -> bool| Some(points.iter().find(|p| test(p.number)).map(|p| (None, p)));
    let pair = |test: &dyn Fn(f64, f64) -> bool| {
        if points.len() < 2 {
            return None;
        }
        let within = definition.within_hours.map(|h| i64::from(h) * HOUR_MS);
        let first_only = definition.references.first() == Some(&Reference::FirstOfStay);
        for (n, point) in points.iter().enumerate() {
            let priors = if first_only { &points[..n.min(1)] } else { &points[..n] };
            let near = |p: &&Point<'_>| {
                within.is_none_or(|w| point.at.elapsed_since(p.at).0 + 1000 <= w)
                    && point.at.sort_key() != p.at.sort_key()
            };
            if let Some(reference) = priors.iter().filter(near).find(|p| test(p.number, point.number)) {
                return Some(Some((Some(reference), point)));
            }
        }
        Some(None)
    };
    match definition.threshold {
        Threshold::Above(limit) => single(&|v| v > limit + EPS),
        Threshold::AtLeast(limit) => single(&|v| v >= limit - EPS),
        Threshold::Below(limit) => single(&|v| v < limit - EPS),
        Threshold::AboveUpperLimit(times) => {
            let high = own.1?;
            single(&|v| v > high * times + EPS)
        }
        Threshold::BelowLowerLimit => {
            let low = own.0?;
            single(&|v| v < low - EPS)
        }
        Threshold::RiseBy(by) => pair(&|from, to| to - from >= by - EPS),
        Threshold::RiseTo(times) => pair(&|from, to| from > 0.0 && to >= from * times - EPS),
        Threshold::FallBy(by) => pair(&|from, to| from - to >= by - EPS),
        Threshold::FallFraction(fraction) => pair(&|from, to| from > 0.0 && from - to > from * fraction + EPS),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bounded_value_decides_only_what_it_bounds() {
        use Comparator as C;
        for (value, comparator, op, limit, expected) in [
            (5.5, None, Op::Gt, 5.5, Some(false)),
            (5.5, None, Op::Ge, 5.5, Some(true)),
            (1.5 - 1.2, None, Op::Ge, 0.3, Some(true)),
            (40.0, Some(C::Below), Op::Lt, 40.0, Some(true)),
            (40.0, Some(C::Below), Op::Lt, 30.0, None),
            (40.0, Some(C::Below), Op::Gt, 40.0, Some(false)),
            (40.0, Some(C::Below), Op::Gt, 30.0, None),
            (40.0, Some(C::AtMost), Op::Lt, 40.0, None),
            (40.0, Some(C::AtMost), Op::Ge, 40.0, None),
            (90.0, Some(C::Above), Op::Gt, 90.0, Some(true)),
            (90.0, Some(C::Above), Op::Gt, 95.0, None),
            (90.0, Some(C::AtLeast), Op::Lt, 90.0, Some(false)),
            (90.0, Some(C::AtLeast), Op::Le, 90.0, None),
        ] {
            assert_eq!(compare(value, comparator, op, limit), expected, "{comparator:?} {value} {op:?} {limit}");
        }
    }
}
