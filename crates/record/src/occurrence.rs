//! Occurrences: one event as it happened or was documented once.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::time::{ClinicalTime, Stamp, TimeRole};

/// Index of a patient in [`crate::Record::patients`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PatientIx(pub u32);
/// Index of an encounter in [`crate::Record::encounters`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct EncounterIx(pub u32);
/// Index of a stay in [`crate::Record::stays`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct StayIx(pub u32);
/// Index of a source in [`crate::Record::sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SourceIx(pub u32);
/// Index of an occurrence in [`crate::Record::occurrences`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct OccurrenceIx(pub u32);
/// Index of a note in [`crate::Record::notes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NoteIx(pub u32);

/// Identity of an occurrence: its source key, `#`, and the pointer of its row inside that source
/// (`Observation/bp1#/component/0`; the pointer is empty for the whole resource).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct OccurrenceId(pub Arc<str>);

impl OccurrenceId {
    /// The id of the row at `pointer` of the source `key`.
    pub fn new(key: &str, pointer: &str) -> Self {
        Self(format!("{key}#{pointer}").into())
    }
}

impl std::fmt::Display for OccurrenceId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// What kind of event an occurrence is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A diagnosis or problem.
    Condition,
    /// A symptom, sign or assessment finding.
    Finding,
    /// A medication was ordered.
    MedicationOrder,
    /// A medication was handed over.
    MedicationDispense,
    /// A dose was given.
    MedicationGiven,
    /// The patient is said to take a medication (home list, statement).
    MedicationStatement,
    /// A laboratory result; a drug's serum level is one too.
    Lab,
    /// A vital sign.
    Vital,
    /// A microbiology result.
    Culture,
    /// A procedure.
    Procedure,
    /// Use of a device.
    Device,
    /// An allergy or intolerance.
    Allergy,
    /// A recorded adverse event.
    AdverseEvent,
    /// An immunisation.
    Immunization,
    /// An encounter.
    Encounter,
    /// An episode of care.
    Episode,
    /// A change of location inside an encounter.
    Transfer,
    /// A diagnostic report or its conclusion.
    Report,
    /// A request for a service or test.
    ServiceOrder,
    /// A specimen.
    Specimen,
    /// An event stated in a note.
    NoteMention,
}

/// Whether an occurrence speaks for its event, against it, or not at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// The event is stated.
    Affirmed,
    /// The event is stated not to be: not done, refuted, negated, ruled out. Counter-evidence, never support.
    Negative,
    /// Provisional, differential, suspected, probable.
    Uncertain,
    /// Entered in error, draft, or not an event (planned, cancelled, on hold): shown, never evidence.
    Void,
}

/// Why a standing is what it is: the deciding code and where it was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StandingReason {
    /// The recorded word, such as `entered-in-error` or `not-done`.
    pub word: Arc<str>,
    /// Pointer relative to the source, such as `/status`.
    pub pointer: Arc<str>,
}

/// One code as recorded.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Coding {
    /// The code system as recorded (URI or OID); empty when absent.
    pub system: Arc<str>,
    /// The code; empty when absent.
    pub code: Arc<str>,
    /// The recorded display.
    pub display: Option<Arc<str>>,
}

/// A coded or textual concept as recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Concept {
    /// All codes as recorded.
    pub codings: Vec<Coding>,
    /// The recorded text.
    pub text: Option<Arc<str>>,
    /// What a person is shown: text, else the first display, else the first code; empty when there is nothing.
    pub label: Arc<str>,
    /// Pointer of the label's value relative to the source, such as `/code/text`; cite this.
    pub label_pointer: Arc<str>,
    /// The source that `label_pointer` leads into, when that is not the row's own (an order that names a
    /// `Medication` resource). An index: replace it by the source's key before digesting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<SourceIx>,
}

/// `<`, `<=`, `>`, `>=` before a measured value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Comparator {
    /// Below.
    #[serde(rename = "<")]
    Below,
    /// At most.
    #[serde(rename = "<=")]
    AtMost,
    /// At least.
    #[serde(rename = ">=")]
    AtLeast,
    /// Above.
    #[serde(rename = ">")]
    Above,
}

/// A number with its recorded decimal text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quantity {
    /// The decimal text as recorded (`1.0` stays `1.0`).
    pub text: Arc<str>,
    /// The same as a finite number.
    pub number: f64,
    /// A recorded comparator: the true value is below or above.
    pub comparator: Option<Comparator>,
    /// The recorded unit (display or code).
    pub unit: Option<Arc<str>>,
}

/// What was measured or found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "type")]
pub enum Value {
    /// A number.
    Quantity {
        /// The number.
        quantity: Quantity,
        /// Pointer of its decimal text.
        pointer: Arc<str>,
    },
    /// A code.
    Coded {
        /// The concept; its `label_pointer` is the citation.
        concept: Arc<Concept>,
    },
    /// A text.
    Text {
        /// The text as recorded.
        text: Arc<str>,
        /// Its pointer.
        pointer: Arc<str>,
    },
    /// A truth value.
    Truth {
        /// The value.
        value: bool,
        /// Its pointer.
        pointer: Arc<str>,
    },
}

impl Value {
    /// The quantity, when it is one.
    pub fn quantity(&self) -> Option<&Quantity> {
        match self {
            Self::Quantity { quantity, .. } => Some(quantity),
            _ => None,
        }
    }

    /// The pointer to cite.
    pub fn pointer(&self) -> &str {
        match self {
            Self::Quantity { pointer, .. } | Self::Text { pointer, .. } | Self::Truth { pointer, .. } => pointer,
            Self::Coded { concept } => &concept.label_pointer,
        }
    }

    /// The value as shown, decimal text kept.
    pub fn display(&self) -> String {
        match self {
            Self::Quantity { quantity, .. } => {
                let sign = match quantity.comparator {
                    None => "",
                    Some(Comparator::Below) => "<",
                    Some(Comparator::AtMost) => "<=",
                    Some(Comparator::AtLeast) => ">=",
                    Some(Comparator::Above) => ">",
                };
                let unit = quantity.unit.as_deref().map(|u| format!(" {u}")).unwrap_or_default();
                format!("{sign}{}{unit}", quantity.text)
            }
            Self::Coded { concept } => concept.label.to_string(),
            Self::Text { text, .. } => text.to_string(),
            Self::Truth { value, .. } => value.to_string(),
        }
    }
}

/// A row's own reference range.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ReferenceRange {
    /// Lower limit.
    pub low: Option<f64>,
    /// Upper limit.
    pub high: Option<f64>,
    /// The range as recorded in words, or `low - high`.
    pub text: Arc<str>,
}

/// How an occurrence belongs to an encounter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "how", content = "encounter")]
pub enum Binding {
    /// The row names it.
    Recorded(EncounterIx),
    /// The row names none; its time lies inside exactly one outermost encounter, at sub-day granularity.
    Inferred(EncounterIx),
    /// Not known. A state of its own, never a guess.
    Unknown,
}

impl Binding {
    /// The encounter, recorded or inferred.
    pub fn encounter(self) -> Option<EncounterIx> {
        match self {
            Self::Recorded(ix) | Self::Inferred(ix) => Some(ix),
            Self::Unknown => None,
        }
    }
}

/// Whether a condition is active, resolved and so on, as recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClinicalStatus {
    /// Active now.
    Active,
    /// Came back.
    Recurrence,
    /// Resolved: supports "had", refutes "has".
    Resolved,
    /// Inactive or in remission.
    Inactive,
}

/// What a link between two rows was recorded as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkKind {
    /// Order, dispense, administration; order, specimen, result, report; part-of. A graph edge without a label.
    RecordedRef,
    /// A reason: evidence, never an edge.
    Reason,
    /// Due to, complication of: evidence, never an edge.
    DueTo,
    /// A suspected cause of an adverse event: evidence, never an edge.
    Suspect,
    /// The basis the author gave for the row, such as the findings behind a diagnosis: evidence, never an edge.
    Basis,
    /// What the row led to: the condition an adverse event resulted in, a procedure's complication. Evidence,
    /// never an edge.
    Outcome,
}

/// A recorded link to another row, or to a concept where no row is named.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Link {
    /// What it was recorded as.
    pub kind: LinkKind,
    /// The target source, when it is in the load.
    pub target: Option<SourceIx>,
    /// The concept named instead of, or beside, a row.
    pub concept: Option<Arc<Concept>>,
    /// The recorded judgement of the link, such as a causality assessment; empty when none.
    pub judgement: Arc<str>,
    /// Pointer relative to the source, such as `/suspectEntity/0/instance/reference`.
    pub pointer: Arc<str>,
}

/// Qualifiers of a row that most rows lack.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Detail {
    /// Route of administration as recorded.
    pub route: Option<Arc<str>>,
    /// Dose as recorded, with its unit.
    pub dose: Option<Arc<str>>,
    /// Body site as recorded.
    pub site: Option<Arc<str>>,
    /// Specimen type as recorded.
    pub specimen: Option<Arc<str>>,
    /// Role of the author or performer as recorded.
    pub author: Option<Arc<str>>,
    /// Category as recorded, such as `encounter-diagnosis`.
    pub category: Option<Arc<str>>,
    /// Whether present on admission, with the pointer it was read from.
    pub on_admission: Option<(bool, Arc<str>)>,
    /// Active, resolved and so on, with its pointer.
    pub clinical_status: Option<(ClinicalStatus, Arc<str>)>,
    /// The laboratory's own reading of a result, such as `H` or `Abnormal`.
    pub interpretation: Option<Arc<Concept>>,
    /// For an encounter: where the patient came from (such as a transfer from another hospital).
    pub admit_source: Option<Arc<Concept>>,
}

/// One event as it happened or was documented once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Occurrence {
    /// Identity: source key and pointer.
    pub id: OccurrenceId,
    /// Whose it is.
    pub patient: PatientIx,
    /// Where it is recorded.
    pub source: SourceIx,
    /// Pointer of the row inside the source; empty for the whole resource.
    pub pointer: Arc<str>,
    /// What kind of event.
    pub kind: Kind,
    /// What it is.
    pub concept: Arc<Concept>,
    /// What was measured.
    pub value: Option<Value>,
    /// The row's reference range.
    pub reference_range: Option<Box<ReferenceRange>>,
    /// Whether it speaks for its event.
    pub standing: Standing,
    /// Why, when it is not simply affirmed.
    pub standing_reason: Option<Box<StandingReason>>,
    /// Its encounter.
    pub encounter: Binding,
    /// All recorded times.
    pub times: Vec<Stamp>,
    /// Qualifiers.
    pub detail: Option<Box<Detail>>,
    /// Recorded links.
    pub links: Vec<Link>,
}

impl Occurrence {
    /// The recorded time of one role.
    pub fn time(&self, role: TimeRole) -> Option<&Stamp> {
        self.times.iter().find(|stamp| stamp.role == role)
    }

    /// The time at which the event itself was: onset, given, collected, occurred, ordered (for an order), dispensed.
    /// Never an entry or documentation time; `None` when only those are recorded.
    pub fn occurred(&self) -> Option<&Stamp> {
        const PREFERENCE: [TimeRole; 6] = [
            TimeRole::Onset,
            TimeRole::Given,
            TimeRole::Collected,
            TimeRole::Occurred,
            TimeRole::Ordered,
            TimeRole::Dispensed,
        ];
        PREFERENCE.iter().find_map(|role| self.time(*role))
    }

    /// The end of the event's extent, when recorded.
    pub fn ended(&self) -> Option<&Stamp> {
        [TimeRole::Abated, TimeRole::GivenEnd, TimeRole::OccurredEnd].iter().find_map(|role| self.time(*role))
    }

    /// The time it was written down: documented, recorded, resulted, ordered.
    pub fn documented(&self) -> Option<&Stamp> {
        [TimeRole::Documented, TimeRole::Recorded, TimeRole::Resulted].iter().find_map(|role| self.time(*role))
    }

    /// The best single time for ordering a list: occurrence time, else documentation time.
    pub fn listed_at(&self) -> Option<&ClinicalTime> {
        self.occurred().or_else(|| self.documented()).map(|stamp| &stamp.at)
    }

    /// The shown name.
    pub fn label(&self) -> &str {
        &self.concept.label
    }
}
