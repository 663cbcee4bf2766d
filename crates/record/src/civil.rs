//! The proleptic Gregorian calendar as day numbers.
//!
//! Why not a date library: the usual one adds 45 KB of compressed wasm for its error
//! texts alone; the calendar is two formulas (Howard Hinnant, "chrono-compatible low-level date algorithms"). That
//! library is the oracle of the tests.

const DAYS_BEFORE: [i64; 13] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365];

fn is_leap(year: i64) -> bool {
    year.rem_euclid(4) == 0 && (year.rem_euclid(100) != 0 || year.rem_euclid(400) == 0)
}

/// Days since 1970-01-01; `None` when there is no such date.
pub fn days_of(year: i32, month: i32, day: i32) -> Option<i64> {
    let year = i64::from(year);
    let at = usize::try_from(month).ok().filter(|m| (1..=12).contains(m))?;
    let leap_day = is_leap(year);
    let length = DAYS_BEFORE[at] - DAYS_BEFORE[at - 1] + i64::from(leap_day && at == 2);
    if !(1..=length).contains(&i64::from(day)) {
        return None;
    }
    let before = year - 1;
    let leap_days = before.div_euclid(4) - before.div_euclid(100) + before.div_euclid(400);
    let to_year = before * 365 + leap_days;
    let in_year = DAYS_BEFORE[at - 1] + i64::from(leap_day && at > 2) + i64::from(day) - 1;
    // 0001-01-01 is day -719162.
    Some(to_year + in_year - 719_162)
}

/// Year, month and day of a day number.
pub fn of_days(days: i64) -> (i64, i64, i64) {
    // Years begin in March, so that the leap day is the last.
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::{days_of, of_days};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn agrees_with_a_date_library(year in 0_i16..=9998, month in 0_i8..14, day in 0_i8..33) {
            let other = jiff::civil::Date::new(year, month, day).ok();
            let own = days_of(i32::from(year), i32::from(month), i32::from(day));
            prop_assert_eq!(own.is_some(), other.is_some());
            if let (Some(days), Some(date)) = (own, other) {
                let since = date.since(jiff::civil::date(1970, 1, 1)).expect("in range").get_days();
                prop_assert_eq!(days, i64::from(since));
                prop_assert_eq!(of_days(days), (i64::from(year), i64::from(month), i64::from(day)));
            }
        }
    }
}
