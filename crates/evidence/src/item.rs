//! Evidence items `z = (E, C, T, Pi)` (Eq. 4): occurrences bound to their contexts, times and citations.

use chartproof_record::{Binding, Citation, ClinicalStatus, Kind, LinkKind, Stamp, Standing, Value};
use serde::{Deserialize, Serialize};

/// One occurrence as evidence shows it: plain data, in the record's own words, without rank or score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    /// Occurrence id; for a statement in a note `source#pointer@start-end` (code points in the note).
    pub id: String,
    /// Kind of event.
    pub kind: Kind,
    /// Shown name as recorded.
    pub label: String,
    /// Codes as recorded: system and code.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub codes: Vec<(String, String)>,
    /// Standing of the row; a note's own standing for a statement in it.
    pub standing: Standing,
    /// The recorded word that decided the standing, when not simply affirmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standing_word: Option<String>,
    /// Value as recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// Low limit of the row's own range, as recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    /// High limit of the row's own range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
    /// Recorded times with role and granularity (`T`).
    pub times: Vec<Stamp>,
    /// Key of the outermost stay, when known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stay: Option<String>,
    /// Whether the encounter is recorded, inferred from the time, or unknown.
    pub encounter: EncounterHow,
    /// Keys of the episodes of care of that encounter.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub episodes: Vec<String>,
    /// Present on admission, as recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_admission: Option<bool>,
    /// Active, resolved and so on, as recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clinical_status: Option<ClinicalStatus>,
    /// Why the recorded start is only the latest possible one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_bound: Option<StartBound>,
    /// Author role or name as recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// Recorded reason, due-to and suspect links.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<FactLink>,
}

/// Why the recorded start of an exposure is not its true start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StartBound {
    /// The patient came from another hospital, where it may have begun.
    TransferredIn,
    /// A home medication.
    HomeMedication,
}

/// How a fact belongs to an encounter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EncounterHow {
    /// The row names it.
    Recorded,
    /// Inferred from its time.
    Inferred,
    /// Not known.
    Unknown,
}

impl EncounterHow {
    /// From a record's binding.
    pub fn of(binding: Binding) -> Self {
        match binding {
            Binding::Recorded(_) => Self::Recorded,
            Binding::Inferred(_) => Self::Inferred,
            Binding::Unknown => Self::Unknown,
        }
    }
}

/// A recorded reason, due-to or suspect link of a fact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FactLink {
    /// What it was recorded as (never a plain reference).
    pub kind: LinkKind,
    /// Source key of the target row, when it is in the record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Name of the target as recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Slots that the target is bound to, by row or by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slots: Vec<String>,
    /// Recorded judgement, such as `unlikely`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub judgement: String,
}

/// A slot that an item speaks about, and through which of its facts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SlotBinding {
    /// Slot id.
    pub slot: String,
    /// Indices into [`Item::facts`].
    pub facts: Vec<usize>,
    /// How the concept was matched, such as `code`, `label`, `synonym: AKI`.
    pub matched: String,
    /// What the item is to the slot.
    pub role: BindingRole,
}

/// What an item is to a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BindingRole {
    /// It states the event, or its absence.
    Statement,
    /// It holds the numbers by which the event is defined (creatinine for acute kidney injury).
    Numbers,
    /// It states something in whose presence those numbers do not speak (dialysis).
    Exclusion,
}

/// Where an item's facts come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContextKind {
    /// A structured row.
    Row,
    /// Several rows of one course of a drug or device.
    Course,
    /// A span of a note.
    Span,
    /// A numerical trajectory.
    Trajectory,
}

/// The source context `C` of an item.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Context {
    /// Its kind.
    pub kind: ContextKind,
    /// The sentence of a span, exactly as cited; for rows a rendering in words.
    pub text: String,
    /// Note type, for a span.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note_type: Option<String>,
    /// Section, for a span.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// Mentions in `text`: fact index, first and last code point.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mentions: Vec<Mention>,
    /// Copies of the same text elsewhere: one piece of evidence, each with its own encounter.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub copies: Vec<Copy>,
}

/// A mention of a slot's concept in a sentence.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Mention {
    /// Index into [`Item::facts`].
    pub fact: usize,
    /// First code point in [`Context::text`].
    pub start: usize,
    /// Code point after the last.
    pub end: usize,
}

/// A copy of a statement.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Copy {
    /// Fact id of the copy.
    pub id: String,
    /// Its stay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stay: Option<String>,
    /// When it was written, as recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub documented: Option<String>,
}

/// Scope of an item against the query (`A_scope`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScopeStatus {
    /// Inside.
    Valid,
    /// Cannot be told: retained, but cannot by itself establish support or refutation.
    Unknown,
    /// Outside: excluded.
    Invalid,
}

/// A piece of evidence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// Digest of its content: the same content has the same id in every bundle.
    pub id: String,
    /// Source key of the patient.
    pub patient: String,
    /// Slots it speaks about.
    pub bindings: Vec<SlotBinding>,
    /// Occurrences, in time order (`E`, `T`).
    pub facts: Vec<Fact>,
    /// Where they come from (`C`).
    pub context: Context,
    /// What grounds it (`Pi`); at least one.
    pub citations: Vec<Citation>,
    /// Scope against the query.
    pub scope: ScopeStatus,
}

impl Item {
    /// The binding to a slot.
    pub fn binding(&self, slot: &str) -> Option<&SlotBinding> {
        self.bindings.iter().find(|b| b.slot == slot)
    }

    /// The one stay of all its facts; `None` when unknown or several.
    pub fn stay(&self) -> Option<&str> {
        let first = self.facts.first()?.stay.as_deref()?;
        self.facts.iter().all(|f| f.stay.as_deref() == Some(first)).then_some(first)
    }
}

/// What discovery hands to the contract: an item before admission, with the patient it was found under.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The item; its `id` and `scope` are set by the contract.
    pub item: Item,
}
