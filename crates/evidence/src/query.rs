//! The verification query `c = (E, R, phi)` as a public, versioned schema (Task formulation of the paper).
//!
//! The schema says more than is executed today: [`crate::executable`] refuses by name what no step runs yet.

use serde::{Deserialize, Serialize};

/// Version of this schema; a request of another version is refused.
pub const SCHEMA_VERSION: u32 = 1;

/// What is asked: one or more queries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// [`SCHEMA_VERSION`].
    pub version: u32,
    /// The queries, at least one.
    pub queries: Vec<Query>,
    /// How several queries belong together.
    #[serde(default, skip_serializing_if = "is_default")]
    pub join: Join,
}

/// How several queries belong together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Join {
    /// Separate claims, each answered.
    #[default]
    All,
    /// Readings side by side.
    Alternatives,
}

/// One claim.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Query {
    /// A verdict or a finding.
    #[serde(default, skip_serializing_if = "is_default")]
    pub want: Want,
    /// `E`: the event slots, in the order of the chain.
    pub slots: Vec<Slot>,
    /// `R`: the relations between slots, in the order of the chain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub relations: Vec<Relation>,
    /// `phi`: the clinical scope.
    pub scope: Scope,
    /// Over the tuples of occurrences that fill the slots.
    #[serde(default, skip_serializing_if = "is_default")]
    pub quantifier: Quantifier,
}

/// A verdict or a finding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Want {
    /// A verdict.
    #[default]
    Verify,
    /// Cited values, times, intervals or lists; no verdict.
    Find,
}

/// An event to be found in the record.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slot {
    /// Name of the slot, `e0`, `e1`, ...
    pub id: String,
    /// What the event is. Empty `any_of` is a hidden intermediate: only its kind is known.
    #[serde(default, skip_serializing_if = "is_default")]
    pub concept: ConceptSpec,
    /// Its kind.
    #[serde(default, skip_serializing_if = "is_default")]
    pub kind: SlotKind,
    /// Whether the question is about the event itself or about its being written down.
    #[serde(default, skip_serializing_if = "is_default")]
    pub basis: Basis,
    /// Which point of the event the relations refer to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edge: Option<Edge>,
    /// Which of the occurrences.
    #[serde(default, skip_serializing_if = "is_default")]
    pub selector: Selector,
    /// A condition on its value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<ValueCondition>,
    /// Route, dose, site, location.
    #[serde(default, skip_serializing_if = "is_default")]
    pub qualifiers: Qualifiers,
    /// Which sources may speak.
    #[serde(default, skip_serializing_if = "is_default")]
    pub source: SourceFilter,
    /// Another slot whose occurrence must be a different one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distinct_from: Option<String>,
    /// Another slot whose concept this one repeats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_as: Option<String>,
    /// How many: some occurrence, none (absence, with coverage), or at least n.
    #[serde(default, skip_serializing_if = "is_default")]
    pub count: Count,
    /// Whether the event must be there still.
    #[serde(default, skip_serializing_if = "is_default")]
    pub state: SlotState,
}

/// Whether an event is asked about as it is, or as it was at any time.
///
/// The time that counts as now is the end of the scope: the end of the stay for an encounter or an episode, the last
/// recorded time for the whole record. With `present`, an event that has ended by then (`resolved`, `inactive` or
/// `remission`, an abatement, a text that says so) refutes the slot, however well its occurrence is documented; one
/// that nothing ends supports it; a history of it does neither. "Had", "was" and "ever" leave the state open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SlotState {
    /// At any time: what is over counts.
    #[default]
    Any,
    /// Still there: what is over refutes.
    Present,
}

/// Concepts of a slot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConceptSpec {
    /// Any of these.
    pub any_of: Vec<Term>,
    /// But none of these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub except: Vec<Term>,
}

/// A concept as asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// The words, such as `acute kidney injury`.
    pub text: String,
    /// Whether a class is meant (`opioid`), not one concept.
    #[serde(default, skip_serializing_if = "is_default")]
    pub class: bool,
    /// Codes, when given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub codes: Vec<TermCode>,
}

/// A code of a term.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TermCode {
    /// Code system URI.
    pub system: String,
    /// Code.
    pub code: String,
}

/// Kind of event a slot asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SlotKind {
    /// Not stated.
    #[default]
    Any,
    /// A diagnosis or problem.
    Condition,
    /// A symptom, sign or finding.
    Finding,
    /// A medication order.
    Order,
    /// A dose given; an order alone does not satisfy it.
    Given,
    /// Exposure: the best rung on record (given, infusion, serum level, note "received", dispensed, order).
    Exposure,
    /// A laboratory value.
    Lab,
    /// A vital sign.
    Vital,
    /// A microbiology result.
    Culture,
    /// A procedure.
    Procedure,
    /// Use of a device.
    Device,
    /// An allergy.
    Allergy,
    /// An adverse event.
    AdverseEvent,
    /// An encounter.
    Encounter,
    /// A note.
    Note,
}

/// Whether the event itself or its documentation is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// The event: order is read from occurrence times (onset, given, collected).
    #[default]
    Occurred,
    /// Its documentation: the first affirmed statement counts as the event; a known onset still can refute.
    Documented,
}

/// A point of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Edge {
    /// It starts.
    Start,
    /// It ends.
    End,
    /// Its first occurrence.
    First,
    /// Its last occurrence.
    Last,
    /// A condition begins.
    Onset,
    /// A condition is resolved.
    Resolved,
    /// Its highest value.
    Peak,
    /// Its lowest value.
    Low,
    /// The dose is raised.
    DoseUp,
    /// The dose is lowered.
    DoseDown,
    /// It is held.
    Hold,
    /// It is started again.
    Restart,
    /// The encounter begins.
    Admission,
    /// The encounter ends.
    Discharge,
}

/// Which occurrence.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "type", deny_unknown_fields)]
pub enum Selector {
    /// Any.
    #[default]
    Some,
    /// The first.
    First,
    /// The last.
    Last,
    /// The n-th, from 1.
    Nth {
        /// Which.
        n: u32,
    },
    /// A given one.
    Occurrence {
        /// Occurrence id.
        id: String,
    },
    /// The one at a time.
    At {
        /// Recorded or stated time (ISO 8601, any granularity).
        time: String,
    },
}

/// Comparison operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Op {
    /// Below.
    #[serde(rename = "<")]
    Lt,
    /// At most.
    #[serde(rename = "<=")]
    Le,
    /// Equal.
    #[serde(rename = "=")]
    Eq,
    /// At least.
    #[serde(rename = ">=")]
    Ge,
    /// Above.
    #[serde(rename = ">")]
    Gt,
}

/// A condition on a value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "type", deny_unknown_fields)]
pub enum ValueCondition {
    /// A comparison with a number.
    Compare {
        /// Operator.
        op: Op,
        /// Decimal text.
        number: String,
        /// Unit as stated; `None` means the usual unit of the analyte, which is shown.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        unit: Option<String>,
    },
    /// A coded result, such as `positive`.
    Coded {
        /// The result as asked for.
        text: String,
    },
    /// High or low against the row's own range.
    Flag {
        /// `true` above, `false` below.
        high: bool,
    },
    /// Duration of an interval.
    Duration {
        /// Operator.
        op: Op,
        /// The duration.
        amount: Span,
    },
    /// A change against a reference value.
    Change {
        /// Which way.
        direction: Direction,
        /// How much, as decimal text; `None` for any named rule.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        amount: Option<String>,
        /// What the amount is.
        #[serde(default, skip_serializing_if = "is_default")]
        measure: Measure,
        /// Unit of an absolute amount.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        unit: Option<String>,
        /// Named reference rule, such as `last_before`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reference: Option<String>,
        /// Time within which.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        within: Option<Span>,
    },
}

/// Direction of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Up.
    Up,
    /// Down.
    Down,
    /// Neither.
    Flat,
}

/// What the amount of a change is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// A difference.
    #[default]
    Absolute,
    /// A ratio.
    Ratio,
    /// Percent.
    Percent,
    /// A trend.
    Trend,
}

/// A length of time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Span {
    /// Decimal text.
    pub amount: String,
    /// Unit.
    pub unit: SpanUnit,
}

/// Unit of a length of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SpanUnit {
    /// Minutes.
    Minutes,
    /// Hours.
    Hours,
    /// Days.
    Days,
    /// Weeks.
    Weeks,
    /// Months (calendar).
    Months,
    /// Years (calendar).
    Years,
}

impl Span {
    /// Milliseconds; months count 30.44 and years 365.25 days. `None` when the amount is not a finite number.
    pub fn millis(&self) -> Option<i64> {
        let amount: f64 = self.amount.parse().ok().filter(|a: &f64| a.is_finite() && a.abs() < 1e9)?;
        let unit = match self.unit {
            SpanUnit::Minutes => 60_000.0,
            SpanUnit::Hours => 3_600_000.0,
            SpanUnit::Days => 86_400_000.0,
            SpanUnit::Weeks => 604_800_000.0,
            SpanUnit::Months => 2_630_016_000.0,
            SpanUnit::Years => 31_557_600_000.0,
        };
        Some((amount * unit) as i64)
    }
}

/// Qualifiers of a slot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Qualifiers {
    /// Route, such as `intravenous`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub route: Option<String>,
    /// Dose as stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dose: Option<String>,
    /// Body site.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
    /// Location it took place in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// Location it did not take place in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_location: Option<String>,
}

/// Which sources may speak for a slot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceFilter {
    /// Only these author roles.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub author_roles: Vec<String>,
    /// Not these author roles.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub except_author_roles: Vec<String>,
    /// Only these note types.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub note_types: Vec<String>,
    /// Not these note types.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub except_note_types: Vec<String>,
    /// Only these sections.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<String>,
    /// Certainty policy: `certain` (default) or `any`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certainty: Option<String>,
}

/// How many occurrences of a slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "type", deny_unknown_fields)]
pub enum Count {
    /// One.
    #[default]
    Some,
    /// None: absence, answered only with coverage.
    None,
    /// At least n.
    AtLeast {
        /// How many.
        n: u32,
    },
}

/// A relation of a slot to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Relation {
    /// Which relation.
    pub kind: RelationKind,
    /// The slot that is before, after, during, due to ...
    pub subject: String,
    /// ... this slot; `None` for `documented`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<String>,
    /// Elapsed time of the subject from the object's edge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<Window>,
}

/// Relations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RelationKind {
    /// The subject is earlier than the object.
    Before,
    /// The subject is later than the object.
    After,
    /// They share time.
    Overlaps,
    /// The subject lies inside the object's extent.
    During,
    /// Both lie in one outermost stay.
    SameEncounter,
    /// The subject is stated in the record.
    Documented,
    /// The subject is an adverse event of the object, as attributed in the record.
    AdverseEventOf,
    /// The subject is attributed in the record to the object.
    AttributedTo,
    /// The object is the reason for the subject.
    ReasonFor,
    /// The subject's value rises after the object.
    Rises,
    /// The subject's value falls after the object.
    Falls,
    /// The subject's value does not change after the object.
    Unchanged,
    /// The subject goes on after the object.
    Persists,
    /// The subject comes back after the object.
    Recurs,
    /// The subject is resolved after the object.
    Resolves,
}

/// A window `[from, to]` of the subject's time minus the object's edge; each end belongs to it unless it is said to be
/// exclusive ("more than 48 hours" does not hold at 48 hours).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Window {
    /// Least distance; `None` is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Span>,
    /// Greatest distance; `None` is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Span>,
    /// The distance `from` itself does not count.
    #[serde(default, skip_serializing_if = "is_default")]
    pub from_exclusive: bool,
    /// The distance `to` itself does not count.
    #[serde(default, skip_serializing_if = "is_default")]
    pub to_exclusive: bool,
    /// How time is counted.
    #[serde(default, skip_serializing_if = "is_default")]
    pub counting: Counting,
}

/// How time is counted in a window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Counting {
    /// Elapsed time.
    #[default]
    Elapsed,
    /// Calendar days.
    Calendar,
    /// Hospital days; day 1 is the day of admission.
    Hospital,
}

/// `phi`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scope {
    /// Encounter (the outermost stay), episode of care, or the whole record.
    pub level: ScopeLevel,
    /// One given encounter or episode, by source key.
    #[serde(default, rename = "ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// Whether the question said so, or it is a default (shown and editable).
    #[serde(default, skip_serializing_if = "is_default")]
    pub assumed: bool,
}

/// Level of a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScopeLevel {
    /// One outermost stay.
    Encounter,
    /// One episode of care.
    Episode,
    /// The whole record of the patient.
    Patient,
}

/// Quantifier over tuples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "type", deny_unknown_fields)]
pub enum Quantifier {
    /// Some tuple.
    #[default]
    Some,
    /// The first tuple.
    First,
    /// The last tuple.
    Last,
    /// Every tuple.
    Every,
    /// No tuple.
    None,
    /// At least n tuples.
    AtLeast {
        /// How many.
        n: u32,
    },
}

/// What a parser makes of a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parsed {
    /// The request; `None` when the parser refuses.
    pub query: Option<Request>,
    /// Parts of the question that the parse does not hold.
    pub unresolved: Vec<Unresolved>,
    /// What was assumed, to be shown.
    pub assumptions: Vec<Assumption>,
    /// Why nothing can be run, when the parser refuses.
    pub refusal: Option<String>,
    /// Which parser, with its version.
    pub parser: String,
}

/// A part of a question that was not understood.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unresolved {
    /// The words.
    pub text: String,
    /// First code point in the question.
    pub start: usize,
    /// Code point after the last.
    pub end: usize,
    /// Whether it could change the answer: then nothing runs until the user agrees.
    pub blocking: bool,
    /// Why.
    pub why: String,
}

/// Something the parser filled in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assumption {
    /// Field of the query, such as `queries/0/scope`.
    pub field: String,
    /// In words.
    pub text: String,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
