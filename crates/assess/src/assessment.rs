//! What an assessment says: plain data, ready to be shown and exported.

use chartproof_evidence::{ScopeStatus, Truncated};
use chartproof_record::Citation;
use serde::{Deserialize, Serialize};

/// Verdict (Eq. 7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Support reaches its threshold, refutation does not.
    Supported,
    /// Both reach theirs, on one tuple.
    Conflicting,
    /// Refutation reaches its threshold, support does not.
    Refuted,
    /// Neither does.
    Insufficient,
}

/// The two independent axes, each in `[0, 1]`: strengths, not probabilities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Axes {
    /// `S+`
    pub support: f64,
    /// `S-`
    pub refute: f64,
}

/// The parts of the axes (Eq. 6); `None` where a part does not apply to the relation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Components {
    /// Temporal compatibility.
    pub tim: Option<f64>,
    /// Numerical evidence.
    pub num: Option<f64>,
    /// Statements, coded rows, links and trajectories for the relation.
    pub jdg_support: f64,
    /// The same against it.
    pub jdg_refute: f64,
}

/// Whether the recorded times agree with the relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TimeVerdict {
    /// They agree.
    Compatible,
    /// They contradict it.
    Incompatible,
    /// They do not decide.
    Unknown,
    /// The relation does not depend on time.
    NotApplicable,
}

/// For or against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Polarity {
    /// It speaks for the relation.
    Supports,
    /// It speaks against it.
    Refutes,
    /// Relevant, without deciding either way.
    Neutral,
}

/// Named failures, a closed list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Failure {
    /// An event of the question is not in the record.
    MissingEvent,
    /// The events are there; nothing states their relation.
    MissingRelationEvidence,
    /// The recorded times do not decide.
    MissingTime,
    /// A source does not resolve.
    MissingProvenance,
    /// The encounter of the evidence is not known.
    ScopeUnknown,
    /// Evidence exists only in other encounters.
    OnlyOtherScope,
    /// Evidence exists only in other patients.
    OnlyOtherPatient,
    /// The order in time fits, no statement or link attributes one to the other.
    TemporalOnly,
    /// The event is only suspected.
    UncertainOnly,
    /// Only a weaker kind of exposure is recorded (ordered, not given).
    LowerRungOnly,
    /// The record is known to be incomplete, so nothing is concluded from absence.
    IncompleteRecord,
    /// A limit was reached.
    Budget,
}

/// Why a tuple was judged as it was: one line with what it rests on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reason {
    /// A stable code, such as `order_compatible`, `negated_later`, `recorded_link`.
    pub code: String,
    /// In words.
    pub text: String,
    /// For or against.
    pub polarity: Polarity,
    /// Items it rests on; a supporting or refuting reason has at least one.
    pub items: Vec<String>,
    /// The cue in a text that decided, when one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trigger: Option<String>,
}

/// One candidate filling of the slots, assessed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TupleAssessment {
    /// Verdict.
    pub verdict: Verdict,
    /// Axes.
    pub axes: Axes,
    /// Parts of the axes.
    pub components: Components,
    /// Order in time.
    pub v_tim: TimeVerdict,
    /// Occurrence ids by slot, in slot order.
    pub occurrences: Vec<Vec<String>>,
    /// Stay that holds it; `None` when unknown or several.
    pub encounter: Option<String>,
    /// Scope of the tuple.
    pub scope: ScopeStatus,
    /// Why.
    pub reasons: Vec<Reason>,
    /// Named failure, when insufficient.
    pub failure: Option<Failure>,
    /// One entry per relation.
    pub transitions: Vec<Transition>,
}

/// One relation of a tuple, assessed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Transition {
    /// Index into the query's relations.
    pub relation: usize,
    /// Verdict of the transition.
    pub verdict: Verdict,
    /// Axes.
    pub axes: Axes,
    /// Parts of the axes.
    pub components: Components,
    /// Order in time.
    pub v_tim: TimeVerdict,
    /// Named failure, when insufficient.
    pub failure: Option<Failure>,
    /// Why.
    pub reasons: Vec<Reason>,
}

/// Whether an event was documented, or occurred by its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stated {
    /// Yes.
    Yes,
    /// No: stated absent, or the numbers do not meet the criteria.
    No,
    /// Nothing states it either way.
    NotStated,
    /// No numeric definition, or not the numbers for it.
    NotAssessable,
}

/// The documented and occurred lines of one slot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EventLine {
    /// Slot id.
    pub slot: String,
    /// Name of the event.
    pub label: String,
    /// Documented: `yes`, `no`, `not_stated`.
    pub documented: Stated,
    /// By whom and when, in words.
    pub documented_text: String,
    /// Items behind it.
    pub documented_items: Vec<String>,
    /// Occurred by numeric criteria: `yes`, `no`, `not_assessable`.
    pub occurred: Stated,
    /// Which criteria, which reference rule, which values, in words.
    pub occurred_text: String,
    /// Items behind it.
    pub occurred_items: Vec<String>,
}

/// A point of the chain on a time axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChainEvent {
    /// Slot id.
    pub slot: String,
    /// Name.
    pub label: String,
    /// Value, when it has one.
    pub value: Option<String>,
    /// Start as shown.
    pub time: Option<String>,
    /// Earliest and latest millisecond of the wall clock at which it may have begun, for drawing.
    pub bounds: Option<(i64, i64)>,
    /// What the time is the time of, such as `onset` or `given`.
    pub time_role: Option<String>,
    /// Items behind it.
    pub items: Vec<String>,
}

/// A piece of evidence as shown in the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EvidenceLine {
    /// Item id.
    pub id: String,
    /// For or against, as the deciding tuple uses it.
    pub polarity: Polarity,
    /// Scope status.
    pub scope: ScopeStatus,
    /// Slots it speaks about.
    pub slots: Vec<String>,
    /// Occurrence ids.
    pub occurrences: Vec<String>,
    /// What it says, in the record's words.
    pub text: String,
    /// Kind of context: `row`, `course`, `span`, `trajectory`.
    pub context: String,
    /// Times as shown, each with its role.
    pub times: Vec<(String, String)>,
    /// Where it was written: note type, author, section.
    pub origin: Option<String>,
    /// How many copies elsewhere.
    pub copies: usize,
    /// Citations; never empty.
    pub citations: Vec<Citation>,
}

/// The assessment of a bundle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Assessment {
    /// Verdict.
    pub verdict: Verdict,
    /// Axes of the deciding tuple.
    pub axes: Axes,
    /// Threshold of each axis.
    pub thresholds: Axes,
    /// Parts of the axes of the deciding tuple.
    pub components: Components,
    /// Order in time of the deciding tuple.
    pub v_tim: TimeVerdict,
    /// All tuples, the deciding one first.
    pub tuples: Vec<TupleAssessment>,
    /// The documented and occurred lines, one per slot that is an event with either.
    pub events: Vec<EventLine>,
    /// `documented` of the event asked about (the subject of the last relation).
    pub documented: Stated,
    /// `occurred` of the same event.
    pub occurred: Stated,
    /// The chain of the deciding tuple, in slot order.
    pub chain: Vec<ChainEvent>,
    /// Admitted evidence.
    pub evidence: Vec<EvidenceLine>,
    /// Named failure, when insufficient.
    pub failure: Option<Failure>,
    /// What was missing, in words; names the coverage.
    pub failure_text: Option<String>,
    /// What evidence would settle or flip it.
    pub settle: Vec<String>,
    /// The limit that was reached, if any.
    pub truncated: Option<Truncated>,
    /// Version of the assessor.
    pub assessor: String,
    /// Digest of the bundle.
    pub bundle_digest: String,
}
