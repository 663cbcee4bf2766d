//! Look-up of a record's occurrences and notes by id and by source.

use chartproof_record::InOrder as _;
use std::collections::BTreeMap;

use chartproof_record::{NoteIx, OccurrenceIx, PatientIx, Record, SourceIx};

/// The occurrences and notes a record holds. Occurrences are found by binary search in the record's own order
/// (patient, then id).
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// First occurrence of each patient, and the end.
    ranges: Vec<(usize, usize)>,
    /// First occurrence of each source, sorted by source.
    by_source: Vec<(SourceIx, OccurrenceIx)>,
    /// Notes with their length in code points.
    notes: BTreeMap<String, (NoteIx, usize)>,
}

impl Known {
    /// Indexes a record.
    pub fn of(record: &Record) -> Self {
        let mut ranges = Vec::with_capacity(record.patients.len());
        for patient in 0..record.patients.len() as u32 {
            let start = record.occurrences.partition_point(|o| o.patient < PatientIx(patient));
            let end = record.occurrences.partition_point(|o| o.patient <= PatientIx(patient));
            ranges.push((start, end));
        }
        let mut by_source: Vec<(SourceIx, OccurrenceIx)> =
            record.occurrences.iter().enumerate().map(|(ix, o)| (o.source, OccurrenceIx(ix as u32))).collect();
        by_source.order();
        by_source.dedup_by_key(|(source, _)| *source);
        let notes = record.notes.iter().enumerate().map(|(ix, n)| {
            let key = &record.sources[n.source.0 as usize].key;
            (format!("{key}#{}", n.pointer), (NoteIx(ix as u32), n.text.chars().count()))
        });
        Self { ranges, by_source, notes: notes.collect() }
    }

    /// Occurrences of a patient, as an index range.
    pub fn of_patient(&self, patient: PatientIx) -> std::ops::Range<usize> {
        self.ranges.get(patient.0 as usize).map_or(0..0, |(start, end)| *start..*end)
    }

    /// The occurrence of that id.
    pub fn occurrence(&self, record: &Record, id: &str) -> Option<OccurrenceIx> {
        self.ranges.iter().find_map(|(start, end)| {
            let at = record.occurrences[*start..*end].binary_search_by(|o| (*o.id.0).cmp(id)).ok()?;
            Some(OccurrenceIx((start + at) as u32))
        })
    }

    /// The occurrence of a source as a whole, or its first row.
    pub fn of_source(&self, source: SourceIx) -> Option<OccurrenceIx> {
        let at = self.by_source.binary_search_by_key(&source, |(s, _)| *s).ok()?;
        self.by_source.get(at).map(|(_, ix)| *ix)
    }

    /// Source key of the patient a fact belongs to; `None` when the record does not hold the fact.
    pub(crate) fn patient_of<'r>(&self, record: &'r Record, fact: &str) -> Option<&'r str> {
        let patient = match self.occurrence(record, fact) {
            Some(ix) => record.occurrences[ix.0 as usize].patient,
            None => {
                let (note, span) = fact.rsplit_once('@')?;
                let (note, length) = self.notes.get(note)?;
                let (start, end) = span.split_once('-')?;
                let (start, end): (usize, usize) = (start.parse().ok()?, end.parse().ok()?);
                let note = &record.notes[note.0 as usize];
                if start > end || end > *length {
                    return None;
                }
                note.patient
            }
        };
        record.patients.get(patient.0 as usize).map(|p| &*p.key)
    }
}
