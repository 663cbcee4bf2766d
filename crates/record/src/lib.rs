//! What a record is: occurrences, source contexts, clinical time, provenance and diagnostics.
//!
//! No clock, randomness, I/O, threads or hash order: the same content gives the same record on every machine.
#![forbid(unsafe_code)]

mod citation;
pub mod civil;
mod diagnostic;
mod encounter;
pub mod json;
mod note;
mod occurrence;
mod offsets;
mod order;
mod source;
mod time;

pub use citation::{Citation, CitationError, Locator, Quoter, Rereader, decode, decode_base64};
pub use diagnostic::{Code, Diagnostic, Severity};
pub use encounter::{Encounter, EncounterClass, JOIN_GAP_MS, Stay, assign_stays, infer};
pub use note::{Decode, Note};
pub use occurrence::{
    Binding, ClinicalStatus, Coding, Comparator, Concept, Detail, EncounterIx, Kind, Link, LinkKind, NoteIx,
    Occurrence, OccurrenceId, OccurrenceIx, PatientIx, Quantity, ReferenceRange, SourceIx, Standing, StandingReason,
    StayIx, Value,
};
pub use offsets::{CodePointIndex, byte_of_code_point, code_point_of_byte, code_point_slice, utf16_of_code_point};
pub use order::InOrder;
pub use source::{Container, Place, Source, SourceFile, sha256_hex};
pub use time::{ClinicalTime, Granularity, Order, Stamp, TimeRole};

use std::sync::Arc;

/// A patient of a load.
#[derive(Clone, Debug)]
pub struct Patient {
    /// Source key, such as `Patient/7`; also the key of a patient that rows name but the load does not hold.
    pub key: Arc<str>,
    /// The patient resource, when it is in the load.
    pub source: Option<SourceIx>,
}

/// Everything one load holds. Built by a reader in canonical order: patients, sources by key; encounters,
/// occurrences and notes by patient, then id. Indices are stable for equal content in any order of arrival.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// Files as opened.
    pub files: Vec<SourceFile>,
    /// Rows and resources, sorted by key.
    pub sources: Vec<Source>,
    /// Patients, sorted by key.
    pub patients: Vec<Patient>,
    /// Encounters, sorted by patient and key.
    pub encounters: Vec<Encounter>,
    /// Outermost stays, sorted by patient, start and key.
    pub stays: Vec<Stay>,
    /// Occurrences, sorted by patient and id.
    pub occurrences: Vec<Occurrence>,
    /// Notes, sorted by patient, source key and pointer.
    pub notes: Vec<Note>,
    /// What the readers had to say.
    pub diagnostics: Vec<Diagnostic>,
}

impl Record {
    /// The stay an encounter binding leads to.
    pub fn stay_of(&self, binding: Binding) -> Option<StayIx> {
        binding.encounter().and_then(|ix| self.encounters.get(ix.0 as usize)).map(|e| e.stay)
    }

    /// Diagnostics that say the record is known to be incomplete.
    pub fn incompleteness(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|d| match d.code {
            Code::IncompleteRecord | Code::Truncated | Code::Malformed => true,
            // A picture, or another form of a text that was read, is told apart by its severity.
            Code::UnreadAttachment => d.severity > Severity::Info,
            _ => false,
        })
    }
}
