//! The timeline: rows of the record on lanes by kind, thinned where a lane is too full to be read.

use chartproof_engine::wire::TimelineRow;

use super::axis::Axis;
use super::order;

/// A lane with more marks than this is drawn as counts.
const MOST_MARKS: usize = 160;
/// Bins of such a lane.
const BINS: usize = 120;
/// Rows that bands of stays are packed into.
const BAND_ROWS: usize = 3;

/// Lanes in the order they are drawn.
const ORDER: [&str; 18] = [
    "note",
    "condition",
    "finding",
    "allergy",
    "adverse_event",
    "medication_order",
    "medication_statement",
    "medication_dispense",
    "medication_given",
    "lab",
    "vital",
    "culture",
    "procedure",
    "device",
    "immunization",
    "report",
    "transfer",
    "service_order",
];

/// A stay or encounter as a band.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Band {
    pub(crate) row: usize,
    /// Which of the rows.
    pub(crate) index: usize,
    /// Percent.
    pub(crate) at: f64,
    pub(crate) width: f64,
}

/// A mark on a lane: one row, or several that fall together.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Mark {
    /// Which of the rows; the first of several.
    pub(crate) index: usize,
    pub(crate) count: usize,
    /// Percent.
    pub(crate) at: f64,
    pub(crate) width: f64,
}

/// A lane.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Lane {
    pub(crate) kind: String,
    /// Whether marks stand for counts.
    pub(crate) counted: bool,
    /// The largest count.
    pub(crate) most: usize,
    /// In time order.
    pub(crate) marks: Vec<Mark>,
}

/// The timeline, laid out.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Lanes {
    pub(crate) bands: Vec<Band>,
    pub(crate) band_rows: usize,
    pub(crate) lanes: Vec<Lane>,
    /// Rows without a time.
    pub(crate) undated: usize,
}

/// A row on its lane: which, where it begins and how wide it is.
type Placed = (usize, f64, f64);

/// Lays rows out on an axis.
pub(crate) fn lay_out(rows: &[TimelineRow], axis: Axis) -> Lanes {
    let mut out = Lanes::default();
    let mut kinds: Vec<(&str, Vec<Placed>)> = Vec::new();
    let mut ends: [f64; BAND_ROWS] = [-1.0; BAND_ROWS];
    for (index, row) in rows.iter().enumerate() {
        let Some(bounds) = row.bounds else {
            out.undated += 1;
            continue;
        };
        if !axis.touches(bounds) {
            continue;
        }
        let at = axis.at(bounds.0);
        let width = axis.at(bounds.1) - at;
        if row.lane == "encounter" || row.lane == "episode" {
            let band = ends.iter().position(|end| *end <= at).unwrap_or(BAND_ROWS - 1);
            ends[band] = ends[band].max(at + width);
            out.band_rows = out.band_rows.max(band + 1);
            out.bands.push(Band { row: band, index, at, width });
        } else {
            match kinds.iter_mut().find(|(kind, _)| *kind == row.lane) {
                Some((_, marks)) => marks.push((index, at, width)),
                None => kinds.push((&row.lane, vec![(index, at, width)])),
            }
        }
    }
    let place = |kind: &str| ORDER.iter().position(|k| *k == kind).unwrap_or(ORDER.len());
    for i in order(kinds.iter().map(|(kind, _)| (place(kind) as i64, 0))) {
        let (kind, marks) = &kinds[i];
        out.lanes.push(lane(kind, marks));
    }
    out
}

fn lane(kind: &str, marks: &[Placed]) -> Lane {
    let counted = marks.len() > MOST_MARKS;
    let mut out = Lane { kind: kind.to_owned(), counted, most: 1, marks: Vec::new() };
    if !counted {
        out.marks = marks.iter().map(|&(index, at, width)| Mark { index, count: 1, at, width }).collect();
        return out;
    }
    let width = 100.0 / BINS as f64;
    let mut bins: Vec<Option<Mark>> = vec![None; BINS];
    for &(index, at, _) in marks {
        let bin = ((at / width) as usize).min(BINS - 1);
        let mark = bins[bin].get_or_insert(Mark { index, count: 0, at: bin as f64 * width, width });
        mark.count += 1;
        out.most = out.most.max(mark.count);
    }
    out.marks = bins.into_iter().flatten().collect();
    out
}
