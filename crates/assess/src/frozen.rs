//! Everything that was chosen once: weights, thresholds, which component applies to which relation, and the
//! version that names the tables the assessor uses.

use std::sync::OnceLock;

use chartproof_evidence::query::{RelationKind, ValueCondition};
use chartproof_record::sha256_hex;

use crate::assessment::Axes;

/// `alpha_tim`, `alpha_num`, `alpha_jdg` of Eq. 6.
pub const WEIGHTS: [f64; 3] = [0.45, 0.22, 0.33];

/// `tau+` and `tau-` of Eq. 7.
///
/// With the components at 0, 1/2 or 1 and the weights normalised over those that apply, a relation in time with
/// both events affirmed but an unknown order reaches at most 0.42, and one whose order is known at least 0.58: any
/// threshold between separates them. 0.5 was taken before any corpus was scored and has not been changed since.
pub const THRESHOLDS: Axes = Axes { support: 0.5, refute: 0.5 };

/// What a component is to a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// Without it nothing is supported.
    Required,
    /// It counts where there is something to measure.
    Applicable,
    /// It does not count.
    Unused,
}

/// The row of the component table for a relation: time, number, judgement.
pub(crate) fn components(kind: RelationKind, conditioned: bool) -> [Use; 3] {
    let number = if conditioned { Use::Required } else { Use::Unused };
    match kind {
        RelationKind::Before | RelationKind::After | RelationKind::Overlaps | RelationKind::During => {
            [Use::Required, number, Use::Applicable]
        }
        RelationKind::SameEncounter | RelationKind::Documented => [Use::Unused, number, Use::Required],
        RelationKind::AdverseEventOf | RelationKind::AttributedTo | RelationKind::ReasonFor => {
            [Use::Applicable, number, Use::Required]
        }
        RelationKind::Rises | RelationKind::Falls | RelationKind::Unchanged => {
            [Use::Applicable, Use::Required, Use::Applicable]
        }
        RelationKind::Persists | RelationKind::Recurs | RelationKind::Resolves => {
            [Use::Required, Use::Applicable, Use::Required]
        }
    }
}

/// Whether a value condition is one on a number or a coded result.
pub(crate) fn is_conditioned(value: Option<&ValueCondition>) -> bool {
    value.is_some()
}

/// Version of the assessor: its own number and a digest of the tables that it uses.
pub fn version() -> &'static str {
    static VERSION: OnceLock<String> = OnceLock::new();
    VERSION.get_or_init(|| {
        use std::fmt::Write as _;
        let mut tables = String::new();
        for d in chartproof_terms::definitions::definitions() {
            let _ = write!(
                tables,
                "{}|{}|{}|{}|{:?}|{:?};",
                d.event, d.analyte, d.rule, d.unit, d.threshold, d.within_hours
            );
        }
        for entry in chartproof_terms::entries() {
            let _ = write!(tables, "{}:", entry.canonical);
            for word in entry.words() {
                let _ = write!(tables, "{word}|");
            }
        }
        let _ = write!(tables, "lexicon {}", chartproof_notes::LEXICON_VERSION);
        format!("assess 1 tables {}", &sha256_hex(tables.as_bytes())[..12])
    })
}
