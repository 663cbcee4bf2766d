//! Days of the calendar from milliseconds of the wall clock.

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

/// Reads milliseconds (proleptic Gregorian calendar, eras of 400 years).
pub(crate) fn civil(ms: i64) -> Civil {
    let days = ms.div_euclid(DAY);
    let rest = ms.rem_euclid(DAY);
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    Civil {
        year: year_of_era + era * 400 + i64::from(month <= 2),
        month,
        day: of_year - (153 * from_march + 2) / 5 + 1,
        hour: rest / HOUR,
        minute: rest % HOUR / MINUTE,
    }
}

/// Milliseconds of the first moment of a month.
pub(crate) fn month_start(year: i64, month: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * (if month > 2 { month - 3 } else { month + 9 }) + 2) / 5;
    let days = of_era * 365 + of_era / 4 - of_era / 100 + of_year;
    (era * 146_097 + days - 719_468) * DAY
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
