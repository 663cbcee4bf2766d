//! Order in time, from recorded times alone. A time that is only an upper bound decides only what it can decide.

use chartproof_evidence::Fact;
use chartproof_evidence::query::{RelationKind, Window};
use chartproof_record::{ClinicalTime, Granularity, Order, Stamp, TimeRole};

use crate::assessment::TimeVerdict;

/// When an event was.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum When {
    /// At this recorded time.
    At(ClinicalTime),
    /// At this time or before it: only its entry or documentation is recorded, or its true start lies elsewhere.
    NotAfter(ClinicalTime),
}

impl When {
    /// The recorded time.
    pub(crate) fn time(&self) -> &ClinicalTime {
        match self {
            Self::At(time) | Self::NotAfter(time) => time,
        }
    }
}

/// An event in time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Timed {
    /// Its points: several for doses and values, one for anything else.
    pub(crate) points: Vec<When>,
    /// Its end, when it has an extent.
    pub(crate) end: Option<ClinicalTime>,
    /// When it was first written down.
    pub(crate) documented: Option<ClinicalTime>,
    /// Each statement: when it was written, and the time of the event that it records itself.
    pub(crate) statements: Vec<(ClinicalTime, Option<When>)>,
    /// It was there on arrival.
    pub(crate) on_admission: bool,
    /// It began inside the stay, after arrival.
    pub(crate) in_stay: bool,
}

const OCCURRED: [TimeRole; 6] =
    [TimeRole::Onset, TimeRole::Given, TimeRole::Collected, TimeRole::Occurred, TimeRole::Ordered, TimeRole::Dispensed];

/// The recorded time of the event itself, never of its entry.
pub(crate) fn occurred_stamp(fact: &Fact) -> Option<&Stamp> {
    OCCURRED.iter().find_map(|role| fact.times.iter().find(|t| t.role == *role))
}

/// The same without its role.
pub(crate) fn occurred(fact: &Fact) -> Option<&ClinicalTime> {
    occurred_stamp(fact).map(|s| &s.at)
}

/// The end of the event's extent.
pub(crate) fn ended(fact: &Fact) -> Option<&ClinicalTime> {
    [TimeRole::Abated, TimeRole::GivenEnd, TimeRole::OccurredEnd]
        .iter()
        .find_map(|role| fact.times.iter().find(|t| t.role == *role))
        .map(|s| &s.at)
}

/// The time it was written down.
pub(crate) fn documented(fact: &Fact) -> Option<&ClinicalTime> {
    [TimeRole::Documented, TimeRole::Recorded, TimeRole::Resulted]
        .iter()
        .find_map(|role| fact.times.iter().find(|t| t.role == *role))
        .map(|s| &s.at)
}

/// Three-valued order of two points, upper bounds respected.
pub(crate) fn order(a: &When, b: &When) -> Order {
    match (a, b) {
        (When::At(a), When::At(b)) => a.order(b),
        (When::NotAfter(a), When::At(b)) if a.order(b) == Order::Before => Order::Before,
        (When::At(a), When::NotAfter(b)) if a.order(b) == Order::After => Order::After,
        _ => Order::Unknown,
    }
}

/// Whether the subject's time agrees with a relation to the object. `documented` reads the subject's documentation
/// as its time.
pub(crate) fn verdict(
    kind: RelationKind,
    window: Option<&Window>,
    subject: &Timed,
    object: &Timed,
    documented: bool,
) -> TimeVerdict {
    match kind {
        RelationKind::Before | RelationKind::After => match window {
            Some(window) => windowed(kind, window, subject, object),
            None => ordered(kind, subject, object, documented),
        },
        RelationKind::During => any(&subject.points, |p| inside(p, object)),
        RelationKind::Overlaps => overlaps(subject, object),
        _ => TimeVerdict::NotApplicable,
    }
}

/// Compatible if any point is, incompatible if all are, else unknown.
fn any(points: &[When], test: impl Fn(&When) -> TimeVerdict) -> TimeVerdict {
    let mut out = None;
    for verdict in points.iter().map(test) {
        out = match (out, verdict) {
            (_, TimeVerdict::Compatible) => return TimeVerdict::Compatible,
            (None | Some(TimeVerdict::Incompatible), TimeVerdict::Incompatible) => Some(TimeVerdict::Incompatible),
            _ => Some(TimeVerdict::Unknown),
        };
    }
    out.unwrap_or(TimeVerdict::Unknown)
}

fn ordered(kind: RelationKind, subject: &Timed, object: &Timed, documented: bool) -> TimeVerdict {
    let Some(start) = object.points.first() else { return TimeVerdict::Unknown };
    let wanted = if kind == RelationKind::After { Order::After } else { Order::Before };
    let read = |order: Order| match order {
        Order::Unknown | Order::Same => TimeVerdict::Unknown,
        order if order == wanted => TimeVerdict::Compatible,
        _ => TimeVerdict::Incompatible,
    };
    let by_event = || {
        if subject.on_admission && object.in_stay && !subject.points.iter().any(|p| matches!(p, When::At(_))) {
            return read(Order::Before);
        }
        any(&subject.points, |p| read(order(p, start)))
    };
    if documented && !subject.statements.is_empty() {
        // What is asked is when it was written down. A statement that itself dates the event before the object does
        // not document an event after it, however late it was entered.
        let dated_before = |own: &Option<When>| {
            kind == RelationKind::After
                && own.as_ref().is_some_and(|own| matches!(own, When::At(_)) && order(own, start) == Order::Before)
        };
        let standing = subject.statements.iter().filter(|(_, own)| !dated_before(own)).map(|(written, _)| written);
        let Some(written) = standing.min_by_key(|w| w.sort_key()) else { return TimeVerdict::Incompatible };
        // Where the granularity of the writing does not decide, the event's own time does, since nothing is written
        // down before it happens.
        let by_writing = read(order(&When::At(written.clone()), start));
        return if by_writing == TimeVerdict::Unknown && kind == RelationKind::After {
            match by_event() {
                TimeVerdict::Compatible => TimeVerdict::Compatible,
                _ => TimeVerdict::Unknown,
            }
        } else {
            by_writing
        };
    }
    by_event()
}

/// The distance in the relation's direction must lie in the window.
fn windowed(kind: RelationKind, window: &Window, subject: &Timed, object: &Timed) -> TimeVerdict {
    let from = window.from.as_ref().and_then(chartproof_evidence::query::Span::millis).unwrap_or(0);
    let to = window.to.as_ref().and_then(chartproof_evidence::query::Span::millis);
    let (from, to) = match to {
        Some(to) => (from.abs().min(to.abs()), Some(from.abs().max(to.abs()))),
        None => (from.abs(), None),
    };
    // Times are whole milliseconds: an end that does not count lies one inside.
    let from = if window.from_exclusive { from.saturating_add(1) } else { from };
    let to = to.map(|to| if window.to_exclusive { to.saturating_sub(1) } else { to });
    any(&subject.points, |s| {
        any(&object.points, |o| {
            let (later, earlier) = if kind == RelationKind::After { (s, o) } else { (o, s) };
            distance(later, earlier, from, to)
        })
    })
}

fn distance(later: &When, earlier: &When, from: i64, to: Option<i64>) -> TimeVerdict {
    let (When::At(later), When::At(earlier)) = (later, earlier) else {
        // A bound can only rule out.
        return match order(later, earlier) {
            Order::Before => TimeVerdict::Incompatible,
            _ => TimeVerdict::Unknown,
        };
    };
    let fine = later.granularity >= Granularity::Minute && earlier.granularity >= Granularity::Minute;
    let (least, most) = if fine {
        // At minute granularity the recorded times are taken at their word: 09:00 to 09:00 two days on is 48 h.
        let ((a, _), (b, _)) = later.on_one_clock(earlier);
        (a - b, a - b)
    } else {
        let (least, most) = later.elapsed_since(earlier);
        (least + 1, most - 1)
    };
    if least >= from && to.is_none_or(|to| most <= to) && (least > 0 || fine) && least >= 0 {
        TimeVerdict::Compatible
    } else if most < from.max(0) || to.is_some_and(|to| least > to) {
        TimeVerdict::Incompatible
    } else {
        TimeVerdict::Unknown
    }
}

/// Whether a point lies in the object's extent.
fn inside(point: &When, object: &Timed) -> TimeVerdict {
    let Some(start) = object.points.first() else { return TimeVerdict::Unknown };
    let last = object.points.last().map(When::time);
    let Some(end) = object.end.as_ref().or(last.filter(|_| object.points.len() > 1)) else {
        // Without an end only what lies before the start is decided.
        return match order(point, start) {
            Order::Before => TimeVerdict::Incompatible,
            Order::Same => TimeVerdict::Compatible,
            _ => TimeVerdict::Unknown,
        };
    };
    let after_start = order(point, start);
    let before_end = order(point, &When::At(end.clone()));
    match (after_start, before_end) {
        (Order::Before, _) | (_, Order::After) => TimeVerdict::Incompatible,
        (Order::After | Order::Same, Order::Before | Order::Same) => TimeVerdict::Compatible,
        _ => TimeVerdict::Unknown,
    }
}

fn overlaps(a: &Timed, b: &Timed) -> TimeVerdict {
    let (Some(start_a), Some(start_b)) = (a.points.first(), b.points.first()) else { return TimeVerdict::Unknown };
    let end_of = |t: &Timed| t.end.clone().or_else(|| t.points.last().map(|p| p.time().clone()));
    let (Some(end_a), Some(end_b)) = (end_of(a), end_of(b)) else { return TimeVerdict::Unknown };
    let a_before_end_b = order(start_a, &When::At(end_b));
    let b_before_end_a = order(start_b, &When::At(end_a));
    match (a_before_end_b, b_before_end_a) {
        (Order::After, _) | (_, Order::After) => TimeVerdict::Incompatible,
        (Order::Before | Order::Same, Order::Before | Order::Same) => TimeVerdict::Compatible,
        _ => TimeVerdict::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chartproof_evidence::query::{Span, SpanUnit};

    fn at(text: &str) -> When {
        When::At(ClinicalTime::parse_iso(text).expect(text))
    }

    fn timed(points: &[When]) -> Timed {
        Timed { points: points.to_vec(), ..Timed::default() }
    }

    #[test]
    fn a_bound_decides_only_what_it_can() {
        let bound = |text: &str| When::NotAfter(ClinicalTime::parse_iso(text).expect(text));
        for (a, b, expected) in [
            (bound("2024-03-02"), at("2024-03-05"), Order::Before),
            (bound("2024-03-08"), at("2024-03-05"), Order::Unknown),
            (at("2024-03-08"), bound("2024-03-05"), Order::After),
            (at("2024-03-02"), bound("2024-03-05"), Order::Unknown),
            (bound("2024-03-02"), bound("2024-03-05"), Order::Unknown),
        ] {
            assert_eq!(order(&a, &b), expected, "{a:?} {b:?}");
        }
    }

    #[test]
    fn windows_are_three_valued() {
        let window = |to: &str| Window {
            from: None,
            to: Some(Span { amount: to.to_owned(), unit: SpanUnit::Hours }),
            ..Window::default()
        };
        for (subject, object, to, expected) in [
            ("2024-03-04T09:00", "2024-03-02T09:00", "48", TimeVerdict::Compatible),
            ("2024-03-04T09:01", "2024-03-02T09:00", "48", TimeVerdict::Incompatible),
            ("2024-03-04", "2024-03-02T09:00", "48", TimeVerdict::Unknown),
            ("2024-03-03", "2024-03-02T09:00", "48", TimeVerdict::Compatible),
            ("2024-03-02", "2024-03-02T09:00", "48", TimeVerdict::Unknown),
            ("2024-03-01", "2024-03-02T09:00", "48", TimeVerdict::Incompatible),
            ("2024-03-06", "2024-03-02T09:00", "48", TimeVerdict::Incompatible),
            ("2024", "2024-03-02T09:00", "48", TimeVerdict::Unknown),
        ] {
            let found =
                verdict(RelationKind::After, Some(&window(to)), &timed(&[at(subject)]), &timed(&[at(object)]), false);
            assert_eq!(found, expected, "{subject} within {to} h of {object}");
        }
    }

    #[test]
    fn an_open_end_does_not_count() {
        let hours = |n: &str| Some(Span { amount: n.to_owned(), unit: SpanUnit::Hours });
        let more = Window { from: hours("48"), from_exclusive: true, ..Window::default() };
        let less = Window { to: hours("48"), to_exclusive: true, ..Window::default() };
        let least = Window { from: hours("48"), ..Window::default() };
        for (subject, window, expected) in [
            ("2024-03-04T09:00", &more, TimeVerdict::Incompatible),
            ("2024-03-04T09:01", &more, TimeVerdict::Compatible),
            ("2024-03-04T09:00", &less, TimeVerdict::Incompatible),
            ("2024-03-04T08:59", &less, TimeVerdict::Compatible),
            ("2024-03-04T09:00", &least, TimeVerdict::Compatible),
            ("2024-03-06", &more, TimeVerdict::Compatible),
            ("2024-03-04", &more, TimeVerdict::Unknown),
        ] {
            let object = timed(&[at("2024-03-02T09:00")]);
            let found = verdict(RelationKind::After, Some(window), &timed(&[at(subject)]), &object, false);
            assert_eq!(found, expected, "{subject} {window:?}");
        }
    }

    #[test]
    fn any_dose_may_be_the_one() {
        let doses = timed(&[at("2024-03-01T09:00"), at("2024-03-03T09:00")]);
        let event = timed(&[at("2024-03-02T09:00")]);
        assert_eq!(verdict(RelationKind::After, None, &doses, &event, false), TimeVerdict::Compatible);
        assert_eq!(verdict(RelationKind::Before, None, &doses, &event, false), TimeVerdict::Compatible);
        assert_eq!(verdict(RelationKind::During, None, &event, &doses, false), TimeVerdict::Compatible);
    }
}
