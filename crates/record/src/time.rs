//! Clinical time: an interval with a granularity, never an invented instant.
//!
//! A recorded `2024` is the whole calendar year, `2024-03` the whole month. Comparisons are three-valued.
//!
//! Clock rule. A time with an offset is an instant; one without is local, and local times of one load share one
//! clock. A local time against one with a non-zero offset is compared on the wall clock (the offset is the
//! record's own zone); against `Z`, where the wall clock of the site is unknown, the local interval is widened by
//! 14 hours on both sides.

use crate::civil::{days_of, of_days};
use serde::{Deserialize, Serialize};

use crate::occurrence::SourceIx;

/// How finely a time was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Granularity {
    /// A calendar year.
    Year,
    /// A calendar month.
    Month,
    /// A calendar day.
    Day,
    /// An hour.
    Hour,
    /// A minute.
    Minute,
    /// A second.
    Second,
    /// Finer than a second.
    Subsecond,
}

/// What a recorded time is the time *of*.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TimeRole {
    /// The event took place (start, when it has an extent).
    Occurred,
    /// The event's extent ended.
    OccurredEnd,
    /// A condition began.
    Onset,
    /// A condition ended.
    Abated,
    /// A specimen was collected or a measurement taken.
    Collected,
    /// A result became available.
    Resulted,
    /// An order was written.
    Ordered,
    /// A dose was given (start of an infusion).
    Given,
    /// An infusion ended.
    GivenEnd,
    /// A supply was handed over.
    Dispensed,
    /// The row was entered: an upper bound of when the event began, not its time.
    Recorded,
    /// A document was written.
    Documented,
}

/// Three-valued order of two clinical times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// Certainly earlier.
    Before,
    /// Certainly later.
    After,
    /// The very same recorded time at minute granularity or finer.
    Same,
    /// The recorded granularity does not decide.
    Unknown,
}

/// A half-open interval of wall-clock milliseconds, with the text it was read from.
///
/// `earliest` and `latest` count milliseconds since 1970-01-01T00:00 on the recorded wall clock;
/// `offset_min` is the recorded offset from UTC in minutes, `None` for a local time.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ClinicalTime {
    /// First millisecond the event may have happened at (wall clock).
    pub earliest: i64,
    /// First millisecond after the interval (wall clock).
    pub latest: i64,
    /// Granularity as recorded.
    pub granularity: Granularity,
    /// Offset from UTC in minutes, `None` when none was recorded.
    pub offset_min: Option<i16>,
    /// The recorded text, unchanged.
    pub text: Box<str>,
}

/// A clinical time with its role and the pointer it was read from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    /// What it is the time of.
    pub role: TimeRole,
    /// The interval.
    pub at: ClinicalTime,
    /// Pointer relative to the source, such as `/onsetDateTime`.
    pub pointer: Box<str>,
    /// The source that `pointer` leads into, when that is not the row's own (a result dated by its specimen). An
    /// index: replace it by the source's key before digesting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<SourceIx>,
}

impl Stamp {
    /// A time recorded in the row's own source.
    pub fn new(role: TimeRole, at: ClinicalTime, pointer: impl Into<Box<str>>) -> Self {
        Self { role, at, pointer: pointer.into(), source: None }
    }
}

const MINUTE_MS: i64 = 60_000;
const DAY_MS: i64 = 86_400_000;
const WIDEN_MS: i64 = 14 * 60 * MINUTE_MS;

fn digits(text: &str) -> Option<i32> {
    (!text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok())?
}

/// Offsets as met in the field: `Z`, `+00:00`, `-0500`, `-08`. Minutes east of UTC.
fn parse_offset(text: &str) -> Option<i16> {
    if text == "Z" || text == "z" {
        return Some(0);
    }
    let sign = match text.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let rest: String = text[1..].chars().filter(|c| *c != ':').collect();
    let (hours, minutes) = match rest.len() {
        2 => (digits(&rest)?, 0),
        4 => (digits(&rest[..2])?, digits(&rest[2..])?),
        _ => return None,
    };
    if hours > 14 || minutes > 59 {
        return None;
    }
    i16::try_from(sign * (hours * 60 + minutes)).ok()
}

impl ClinicalTime {
    /// Reads an ISO 8601 / FHIR date, dateTime or instant of any granularity: `2024`, `2024-03`, `2024-03-02`,
    /// `2024-03-02T09`, `…T09:05`, `…T09:05:30.25`, each time of day with or without an offset.
    ///
    /// Returns `None` when the text is not such a time (the caller reports it).
    pub fn parse_iso(text: &str) -> Option<Self> {
        let trimmed = text.trim();
        if !trimmed.is_ascii() {
            return None;
        }
        let (date_text, time_text) = match trimmed.find(['T', ' ']) {
            Some(at) => (&trimmed[..at], Some(&trimmed[at + 1..])),
            None => (trimmed, None),
        };
        let mut parts = date_text.split('-');
        let year = parts.next().filter(|y| y.len() == 4).and_then(digits)?;
        let month = parts.next().map(|m| if m.len() == 2 { digits(m) } else { None });
        let day = parts.next().map(|d| if d.len() == 2 { digits(d) } else { None });
        if parts.next().is_some() {
            return None;
        }
        let Some(month) = month else {
            let (start, end) = (days_of(year, 1, 1)?, days_of(year + 1, 1, 1)?);
            return time_text.is_none().then(|| Self::of_days(start, end, Granularity::Year, text));
        };
        let month = month?;
        let Some(day) = day else {
            let start = days_of(year, month, 1)?;
            let end = if month == 12 { days_of(year + 1, 1, 1)? } else { days_of(year, month + 1, 1)? };
            return time_text.is_none().then(|| Self::of_days(start, end, Granularity::Month, text));
        };
        let date = days_of(year, month, day?)?;
        let Some(time_text) = time_text else {
            return Some(Self::of_days(date, date + 1, Granularity::Day, text));
        };
        Self::with_clock(date, time_text, text)
    }

    fn of_days(start: i64, end: i64, granularity: Granularity, text: &str) -> Self {
        Self { earliest: start * DAY_MS, latest: end * DAY_MS, granularity, offset_min: None, text: text.into() }
    }

    fn with_clock(date: i64, clock: &str, text: &str) -> Option<Self> {
        let split = clock.find(['Z', 'z', '+', '-']).unwrap_or(clock.len());
        let (clock, offset) = clock.split_at(split);
        let offset_min = if offset.is_empty() { None } else { Some(parse_offset(offset)?) };
        let mut parts = clock.split(':');
        let hour = digits(parts.next()?)?;
        let minute = parts.next();
        let second = parts.next();
        if parts.next().is_some() || hour > 24 {
            return None;
        }
        let (whole, fraction) = match second {
            Some(s) => match s.split_once('.') {
                Some((whole, fraction)) => (Some(whole), Some(fraction)),
                None => (Some(s), None),
            },
            None => (None, None),
        };
        let minute_value = minute.map_or(Some(0), digits)?;
        // A leap second is kept on its minute.
        let second_value = whole.map_or(Some(0), digits)?.min(59);
        if minute_value > 59 || (hour == 24 && (minute_value > 0 || second_value > 0)) {
            return None;
        }
        let millis = match fraction {
            Some(f) => {
                digits(&f.chars().take(9).collect::<String>())?;
                let three: String = f.chars().chain("000".chars()).take(3).collect();
                i64::from(digits(&three)?)
            }
            None => 0,
        };
        let (granularity, width) = match (minute, whole, fraction) {
            (None, _, _) => (Granularity::Hour, 60 * MINUTE_MS),
            (_, None, _) => (Granularity::Minute, MINUTE_MS),
            (_, _, None) => (Granularity::Second, 1000),
            _ => (Granularity::Subsecond, 1),
        };
        let earliest = date * DAY_MS
            + i64::from(hour) * 60 * MINUTE_MS
            + i64::from(minute_value) * MINUTE_MS
            + i64::from(second_value) * 1000
            + millis;
        Some(Self { earliest, latest: earliest + width, granularity, offset_min, text: text.into() })
    }

    /// Whether the time of day is recorded.
    pub fn is_sub_day(&self) -> bool {
        self.granularity >= Granularity::Hour
    }

    /// Both intervals brought onto one clock (see the module's clock rule): `(self, other)` as `(earliest, latest)`.
    pub fn on_one_clock(&self, other: &Self) -> ((i64, i64), (i64, i64)) {
        let own = (self.earliest, self.latest);
        let their = (other.earliest, other.latest);
        let shift = |(a, b): (i64, i64), by: i64| (a - by, b - by);
        match (self.offset_min, other.offset_min) {
            (None, None) => (own, their),
            (Some(a), Some(b)) => (shift(own, i64::from(a) * MINUTE_MS), shift(their, i64::from(b) * MINUTE_MS)),
            (None, Some(0)) => ((own.0 - WIDEN_MS, own.1 + WIDEN_MS), their),
            (Some(0), None) => (own, (their.0 - WIDEN_MS, their.1 + WIDEN_MS)),
            (None, Some(_)) | (Some(_), None) => (own, their),
        }
    }

    /// Three-valued order of `self` relative to `other`.
    pub fn order(&self, other: &Self) -> Order {
        let (own, their) = self.on_one_clock(other);
        if own == their && self.granularity >= Granularity::Minute && other.granularity >= Granularity::Minute {
            Order::Same
        } else if own.1 <= their.0 {
            Order::Before
        } else if own.0 >= their.1 {
            Order::After
        } else {
            Order::Unknown
        }
    }

    /// Bounds of `self - other` in milliseconds: the true difference lies strictly inside `(min, max)`.
    pub fn elapsed_since(&self, other: &Self) -> (i64, i64) {
        let (own, their) = self.on_one_clock(other);
        (own.0 - their.1, own.1 - their.0)
    }

    /// Key for a total, deterministic listing order (not for clinical order): UTC-ish start, then end.
    pub fn sort_key(&self) -> (i64, i64) {
        let by = i64::from(self.offset_min.unwrap_or(0)) * MINUTE_MS;
        (self.earliest - by, self.latest - by)
    }

    /// The time as shown to a person, at its recorded granularity, such as `2024-03-02 09:05`.
    pub fn display(&self) -> String {
        let (year, month, day) = of_days(self.earliest.div_euclid(DAY_MS));
        let minutes = self.earliest.rem_euclid(DAY_MS) / MINUTE_MS;
        let (hour, minute) = (minutes / 60, minutes % 60);
        match self.granularity {
            Granularity::Year => format!("{year:04}"),
            Granularity::Month => format!("{year:04}-{month:02}"),
            Granularity::Day => format!("{year:04}-{month:02}-{day:02}"),
            Granularity::Hour => format!("{year:04}-{month:02}-{day:02} {hour:02}h"),
            _ => format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn order(a: &str, b: &str) -> Order {
        ClinicalTime::parse_iso(a).expect(a).order(&ClinicalTime::parse_iso(b).expect(b))
    }

    #[test]
    fn three_valued_order() {
        for (a, b, expected) in [
            ("2024", "2024-03-02", Order::Unknown),
            ("2023", "2024-03-02", Order::Before),
            ("2024-03", "2024-04", Order::Before),
            ("2024-03-02", "2024-03-02T09:00", Order::Unknown),
            ("2024-03-02T09:00", "2024-03-02T09:00", Order::Same),
            ("2024-03-02T09:00", "2024-03-02T09:00:30", Order::Unknown),
            ("2024-03-02T09:01", "2024-03-02T09:00", Order::After),
            // one instant in two zones
            ("2024-03-02T09:00:00-05:00", "2024-03-02T14:00:00Z", Order::Same),
            ("2024-03-02T09:00:00-0500", "2024-03-02T14:00:00+00", Order::Same),
            // a date against an offset time: the wall clock decides, except at Z
            ("2024-03-02", "2024-03-03T01:00:00-05:00", Order::Before),
            ("2024-03-02", "2024-03-03T01:00:00Z", Order::Unknown),
            ("2024-03-02", "2024-03-04T01:00:00Z", Order::Before),
        ] {
            assert_eq!(order(a, b), expected, "{a} against {b}");
        }
    }

    #[test]
    fn refuses_what_is_not_a_time() {
        for text in
            ["", "24", "2024-13", "2024-02-30", "2024-03-02T25:00", "2024-3-2", "yesterday", "2024T09", "２０２４"]
        {
            assert!(ClinicalTime::parse_iso(text).is_none(), "{text}");
        }
    }

    #[test]
    fn a_year_is_its_calendar_length() {
        let leap = ClinicalTime::parse_iso("2024").expect("a year");
        assert_eq!(leap.latest - leap.earliest, 366 * DAY_MS);
        assert_eq!(leap.display(), "2024");
        assert_eq!(ClinicalTime::parse_iso("1969-12-31T23:59:58.5").expect("a time").display(), "1969-12-31 23:59");
    }
}
