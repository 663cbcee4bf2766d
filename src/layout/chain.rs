//! The chain: each event of the question on a row of one time axis, and what lies between them.

use chartproof_assess::ChainEvent;

use super::axis::Axis;
use super::civil::{DAY, HOUR, MINUTE};

/// Events with a time, on an axis.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chain {
    pub(crate) axis: Axis,
    /// Percent, start and width, one entry per event; `None` without a time.
    pub(crate) spans: Vec<Option<(f64, f64)>>,
}

/// Lays a chain out; `None` when no event has a time.
pub(crate) fn lay_out(events: &[ChainEvent]) -> Option<Chain> {
    let axis = Axis::around(events.iter().filter_map(|e| e.bounds))?;
    let spans =
        events.iter().map(|e| e.bounds.map(|(from, to)| (axis.at(from), axis.at(to) - axis.at(from)))).collect();
    Some(Chain { axis, spans })
}

/// How long after `first` the other comes, least and most; `None` when the order is open.
pub(crate) fn gap(first: (i64, i64), second: (i64, i64)) -> Option<(i64, i64)> {
    let least = second.0.checked_sub(first.1)?;
    let most = second.1.checked_sub(first.0)?;
    (least >= 0 && most < 400 * 366 * DAY).then_some((least, most))
}

/// `2 d 4 h`; rounded to what can be read.
pub(crate) fn length(ms: i64) -> String {
    let mut out = String::new();
    let mut put = |amount: i64, unit: &str| {
        if amount > 0 {
            if !out.is_empty() {
                out.push(' ');
            }
            out.push_str(&amount.to_string());
            out.push('\u{a0}');
            out.push_str(unit);
        }
    };
    if ms >= 60 * DAY {
        put(ms / DAY, "d");
    } else if ms >= DAY {
        put(ms / DAY, "d");
        put(ms % DAY / HOUR, "h");
    } else {
        put(ms / HOUR, "h");
        put(ms % HOUR / MINUTE, "min");
    }
    if out.is_empty() {
        out.push_str("0\u{a0}min");
    }
    out
}
