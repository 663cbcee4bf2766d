//! A time axis in percent of its width.

use super::civil::{DAY, HOUR, MINUTE, civil, clock_label, day_label, month_label, month_start};

/// From 1800 to 2400: bounds outside are open ends.
const SANE: std::ops::Range<i64> = -5_364_662_400_000..13_569_465_600_000;

/// A stretch of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Axis {
    pub(crate) from: i64,
    pub(crate) to: i64,
}

/// A mark on the axis.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tick {
    /// Percent.
    pub(crate) at: f64,
    pub(crate) label: String,
}

enum Step {
    Millis(i64),
    Months(i64),
}

impl Axis {
    /// An axis around all bounds, with a little room; `None` when there are none.
    pub(crate) fn around(bounds: impl Iterator<Item = (i64, i64)>) -> Option<Self> {
        let mut found: Option<Self> = None;
        for (from, to) in bounds {
            for ms in [from, to] {
                if SANE.contains(&ms) {
                    let axis = found.get_or_insert(Self { from: ms, to: ms });
                    axis.from = axis.from.min(ms);
                    axis.to = axis.to.max(ms);
                }
            }
        }
        found.map(|axis| {
            let room = ((axis.to - axis.from) / 40).max(30 * MINUTE);
            Self { from: axis.from - room, to: axis.to + room }
        })
    }

    /// Place of a time in percent, kept inside.
    pub(crate) fn at(&self, ms: i64) -> f64 {
        let ms = ms.clamp(self.from, self.to);
        (ms - self.from) as f64 * 100.0 / (self.to - self.from).max(1) as f64
    }

    /// Whether a stretch of time is at least partly inside.
    pub(crate) fn touches(&self, (from, to): (i64, i64)) -> bool {
        from <= self.to && to >= self.from
    }

    /// At most about `most` marks at round times.
    pub(crate) fn ticks(&self, most: i64) -> Vec<Tick> {
        let span = self.to - self.from;
        let fits = |step: i64| span / step <= most;
        let step = [15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 4 * DAY, 7 * DAY, 14 * DAY]
            .into_iter()
            .find(|step| fits(*step))
            .map(Step::Millis)
            .or_else(|| [1, 2, 3, 6, 12, 24, 60, 120, 240].into_iter().find(|m| fits(m * 30 * DAY)).map(Step::Months))
            .unwrap_or(Step::Months(1_200));
        let mut ticks = Vec::new();
        match step {
            Step::Millis(step) => {
                // Weeks and the like count from a Monday.
                let anchor = if step > DAY { 4 * DAY } else { 0 };
                let mut ms = (self.from - anchor).div_euclid(step) * step + anchor + step;
                while ms <= self.to {
                    let at = civil(ms);
                    let midnight = at.hour == 0 && at.minute == 0;
                    let label = if midnight { day_label(at) } else { clock_label(at) };
                    ticks.push(Tick { at: self.at(ms), label });
                    ms += step;
                }
            }
            Step::Months(step) => {
                let first = civil(self.from);
                let mut month = (first.year * 12 + first.month - 1).div_euclid(step) * step;
                loop {
                    let ms = month_start(month.div_euclid(12), month.rem_euclid(12) + 1);
                    if ms > self.to {
                        break;
                    }
                    if ms >= self.from {
                        let at = civil(ms);
                        let label = if step >= 12 { at.year.to_string() } else { month_label(at) };
                        ticks.push(Tick { at: self.at(ms), label });
                    }
                    month += step;
                }
            }
        }
        ticks
    }

    /// The stretch in words: `12 Mar 2024 to 19 Mar 2024`.
    pub(crate) fn words(&self) -> (String, String) {
        let label = |ms| {
            let at = civil(ms);
            let mut out = day_label(at);
            out.push(' ');
            out.push_str(&at.year.to_string());
            out
        };
        (label(self.from), label(self.to))
    }
}
