//! Days of the calendar from milliseconds of the wall clock.

use chartproof_record::civil::{days_of, of_days};

pub(crate) const MINUTE: i64 = 60_000;
pub(crate) const HOUR: i64 = 60 * MINUTE;
pub(crate) const DAY: i64 = 24 * HOUR;

const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// A point of the wall clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Civil {
    pub(crate) year: i64,
    /// From 1.
    pub(crate) month: i64,
    pub(crate) day: i64,
    pub(crate) hour: i64,
    pub(crate) minute: i64,
}

/// Reads milliseconds.
pub(crate) fn civil(ms: i64) -> Civil {
    let (year, month, day) = of_days(ms.div_euclid(DAY));
    let rest = ms.rem_euclid(DAY);
    Civil { year, month, day, hour: rest / HOUR, minute: rest % HOUR / MINUTE }
}

/// Milliseconds of the first moment of a month, from 1; of the first day of all when there is no such month.
pub(crate) fn month_start(year: i64, month: i64) -> i64 {
    let number = |n: i64| i32::try_from(n).ok();
    number(year).zip(number(month)).and_then(|(y, m)| days_of(y, m, 1)).unwrap_or_default() * DAY
}

/// `12 Mar`.
pub(crate) fn day_label(at: Civil) -> String {
    let mut out = at.day.to_string();
    out.push(' ');
    out.push_str(month_name(at.month));
    out
}

/// `Mar 2024`.
pub(crate) fn month_label(at: Civil) -> String {
    let mut out = month_name(at.month).to_owned();
    out.push(' ');
    out.push_str(&at.year.to_string());
    out
}

/// `06:00`.
pub(crate) fn clock_label(at: Civil) -> String {
    let mut out = String::new();
    for (part, separator) in [(at.hour, ":"), (at.minute, "")] {
        if part < 10 {
            out.push('0');
        }
        out.push_str(&part.to_string());
        out.push_str(separator);
    }
    out
}

fn month_name(month: i64) -> &'static str {
    MONTHS[(month - 1).clamp(0, 11) as usize]
}
