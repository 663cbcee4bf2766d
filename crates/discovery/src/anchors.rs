//! `Anchors`: all occurrences and statements of the record that a slot's concept matches. Enumerated from the
//! index, so that what a verdict rests on does not depend on the search.

use chartproof_record::InOrder as _;
use std::collections::BTreeMap;

use chartproof_evidence::query::{ConceptSpec, Query, Slot, SlotKind, ValueCondition};
use chartproof_record::{Concept, Kind, NoteIx, OccurrenceIx, PatientIx, Record, Standing};
use chartproof_terms::{Expansion, definitions, expand, matches_code, matches_label, read_label};

use crate::context::{ContextStore, TextReader};

/// A row that matches a slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowMatch {
    /// The row.
    pub row: OccurrenceIx,
    /// How its concept was matched, in words.
    pub matched: String,
}

/// A statement that matches a slot.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MentionMatch {
    /// The note.
    pub note: NoteIx,
    /// First code point in the note.
    pub start: usize,
    /// Code point after the last.
    pub end: usize,
    /// The words that were looked for.
    pub words: String,
}

/// Everything that matches one slot.
#[derive(Clone, Debug, Default)]
pub struct SlotMatches {
    /// Slot id.
    pub slot: String,
    /// Rows of the patient, in record order.
    pub rows: Vec<RowMatch>,
    /// Statements in notes of the patient.
    pub mentions: Vec<MentionMatch>,
    /// Rows with the numbers by which the event is defined.
    pub numbers: Vec<OccurrenceIx>,
    /// Rows in whose presence those numbers do not speak.
    pub exclusions: Vec<OccurrenceIx>,
    /// Rows of other patients, for the list of what was excluded.
    pub other_patients: Vec<RowMatch>,
}

/// Rows of other patients that are listed for one slot.
const OTHER_PATIENTS_MAX: usize = 6;

/// The expansions of a slot's terms: wanted and excepted.
struct Wanted {
    any_of: Vec<Expansion>,
    except: Vec<Expansion>,
    codes: Vec<(String, String)>,
}

impl Wanted {
    fn of(concept: &ConceptSpec) -> Self {
        let expansions = |terms: &[chartproof_evidence::query::Term]| {
            terms.iter().filter(|t| !t.text.trim().is_empty()).map(|t| expand(&t.text)).collect()
        };
        let codes = concept.any_of.iter().flat_map(|t| &t.codes).map(|c| (c.system.clone(), c.code.clone()));
        Self { any_of: expansions(&concept.any_of), except: expansions(&concept.except), codes: codes.collect() }
    }

    fn matches(&self, concept: &Concept) -> Option<String> {
        let coded = |e: &Expansion| {
            concept.codings.iter().find(|c| matches_code(e, &c.system, &c.code)).map(|c| format!("code {}", c.code))
        };
        let labelled = |e: &Expansion| {
            let displays = concept.codings.iter().filter_map(|c| c.display.as_deref());
            [&*concept.label]
                .into_iter()
                .chain(concept.text.as_deref())
                .chain(displays)
                .find_map(|text| read_label(e, text).map(|_| format!("name of {}", e.canonical)))
        };
        if self.except.iter().any(|e| coded(e).or_else(|| labelled(e)).is_some()) {
            return None;
        }
        let given = concept.codings.iter().find(|c| self.codes.iter().any(|(s, k)| *s == *c.system && *k == *c.code));
        given
            .map(|c| format!("code {}", c.code))
            .or_else(|| self.any_of.iter().find_map(|e| coded(e).or_else(|| labelled(e))))
    }
}

/// Whether a row of that kind can fill a slot of that kind.
pub(crate) fn kind_fits(slot: SlotKind, row: Kind) -> bool {
    use Kind as K;
    match slot {
        SlotKind::Any => !matches!(
            row,
            K::Allergy | K::Encounter | K::Episode | K::Transfer | K::Specimen | K::ServiceOrder | K::NoteMention
        ),
        SlotKind::Condition => matches!(row, K::Condition | K::AdverseEvent | K::Finding),
        SlotKind::Finding => matches!(row, K::Finding | K::Condition | K::Vital | K::AdverseEvent),
        SlotKind::Order => matches!(row, K::MedicationOrder | K::ServiceOrder),
        SlotKind::Given | SlotKind::Exposure => matches!(
            row,
            K::MedicationGiven
                | K::MedicationOrder
                | K::MedicationDispense
                | K::MedicationStatement
                | K::Immunization
                | K::Lab
                | K::Procedure
        ),
        SlotKind::Lab => matches!(row, K::Lab | K::Culture),
        SlotKind::Vital => matches!(row, K::Vital | K::Finding),
        SlotKind::Culture => matches!(row, K::Culture | K::Lab | K::Report),
        SlotKind::Procedure => matches!(row, K::Procedure | K::Report),
        SlotKind::Device => matches!(row, K::Device | K::Procedure),
        SlotKind::Allergy => row == K::Allergy,
        SlotKind::AdverseEvent => matches!(row, K::AdverseEvent | K::Condition),
        SlotKind::Encounter => row == K::Encounter,
        SlotKind::Note => false,
    }
}

/// All matches of all slots.
pub(crate) fn anchors(
    record: &Record,
    store: &ContextStore,
    reader: &dyn TextReader,
    query: &Query,
    patient: PatientIx,
) -> Vec<SlotMatches> {
    let wanted: Vec<Wanted> = query.slots.iter().map(|s| Wanted::of(&s.concept)).collect();
    let mut out: Vec<SlotMatches> = query
        .slots
        .iter()
        .zip(&wanted)
        .map(|(slot, wanted)| {
            let (numbers, exclusions) = numbers(record, store, slot, patient);
            SlotMatches { slot: slot.id.clone(), numbers, exclusions, ..rows(record, store, slot, wanted, patient) }
        })
        .collect();
    mentions(record, store, reader, &wanted, patient, &mut out);
    out
}

fn rows(record: &Record, store: &ContextStore, slot: &Slot, wanted: &Wanted, patient: PatientIx) -> SlotMatches {
    let kind = slot.kind;
    let mut out = SlotMatches::default();
    for (concept, members) in &store.concepts {
        let Some(matched) = wanted.matches(concept) else { continue };
        for row in members {
            let occurrence = &record.occurrences[row.0 as usize];
            if !kind_fits(kind, occurrence.kind) || !can_state(slot, kind, occurrence) {
                continue;
            }
            let found = RowMatch { row: *row, matched: matched.clone() };
            if occurrence.patient == patient {
                out.rows.push(found);
            } else if out.other_patients.len() < OTHER_PATIENTS_MAX && occurrence.standing != Standing::Void {
                out.other_patients.push(found);
            }
        }
    }
    out.rows.order_by_key(|m| m.row);
    out.rows.dedup_by_key(|m| m.row);
    out.other_patients.order_by_key(|m| m.row);
    out
}

/// A laboratory row fills an exposure only as a measured level; a value condition needs a value.
fn can_state(slot: &Slot, kind: SlotKind, occurrence: &chartproof_record::Occurrence) -> bool {
    let level = occurrence.kind == Kind::Lab && matches!(kind, SlotKind::Exposure | SlotKind::Given);
    if level {
        return occurrence.value.as_ref().and_then(|v| v.quantity()).is_some_and(|q| q.number > 0.0);
    }
    let needs_value = matches!(slot.value, Some(ValueCondition::Compare { .. } | ValueCondition::Flag { .. }));
    !needs_value || occurrence.value.is_some() || occurrence.standing == Standing::Void
}

/// Rows of the analytes that define the slot's event, and rows in whose presence they do not speak.
fn numbers(
    record: &Record,
    store: &ContextStore,
    slot: &Slot,
    patient: PatientIx,
) -> (Vec<OccurrenceIx>, Vec<OccurrenceIx>) {
    if !matches!(slot.kind, SlotKind::Condition | SlotKind::Finding | SlotKind::AdverseEvent) {
        return (Vec::new(), Vec::new());
    }
    let mut analytes: Vec<&str> = Vec::new();
    let mut exclusions: Vec<&str> = Vec::new();
    for term in &slot.concept.any_of {
        for definition in definitions::definition_for(&expand(&term.text).canonical) {
            analytes.push(definition.analyte);
            exclusions.extend(definition.exclusions);
        }
    }
    let measured = |row: &OccurrenceIx| {
        let o = &record.occurrences[row.0 as usize];
        matches!(o.kind, Kind::Lab | Kind::Vital)
            && o.standing == Standing::Affirmed
            && o.value.as_ref().and_then(|v| v.quantity()).is_some()
            && o.occurred().is_some()
    };
    let stated = |row: &OccurrenceIx| {
        let o = &record.occurrences[row.0 as usize];
        matches!(o.kind, Kind::Condition | Kind::Procedure | Kind::Device) && o.standing == Standing::Affirmed
    };
    (rows_named(record, store, &analytes, patient, &measured), rows_named(record, store, &exclusions, patient, &stated))
}

/// Rows of the patient whose concept is one of those named.
fn rows_named(
    record: &Record,
    store: &ContextStore,
    names: &[&str],
    patient: PatientIx,
    usable: &dyn Fn(&OccurrenceIx) -> bool,
) -> Vec<OccurrenceIx> {
    let mut out = Vec::new();
    for expansion in names.iter().map(|n| expand(n)) {
        for (concept, members) in &store.concepts {
            let displays = concept.codings.iter().filter_map(|c| c.display.as_deref());
            let matches = concept.codings.iter().any(|c| matches_code(&expansion, &c.system, &c.code))
                || [&*concept.label].into_iter().chain(displays).any(|l| matches_label(&expansion, l).is_some());
            if matches {
                let own = |row: &OccurrenceIx| record.occurrences[row.0 as usize].patient == patient;
                out.extend(members.iter().copied().filter(|row| own(row) && usable(row)));
            }
        }
    }
    out.order();
    out.dedup();
    out
}

/// A short abbreviation is one only in capitals: "OR", not "or"; "MI", not "mi".
fn is_short(phrase: &str) -> bool {
    phrase.chars().count() <= 3 && phrase.chars().all(char::is_alphabetic)
}

fn mentions(
    record: &Record,
    store: &ContextStore,
    reader: &dyn TextReader,
    wanted: &[Wanted],
    patient: PatientIx,
    out: &mut [SlotMatches],
) {
    // One pass over each note for the words of all slots.
    let mut owners: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (slot, wanted) in wanted.iter().enumerate() {
        let words = wanted.any_of.iter().flat_map(|e| e.words.iter().chain(&e.members));
        let member_words =
            wanted.any_of.iter().flat_map(|e| e.members.iter().flat_map(|m| expand(m).words)).collect::<Vec<_>>();
        for word in words.chain(&member_words).filter(|w| !w.trim().is_empty()) {
            let slots = owners.entry(word.clone()).or_default();
            if !slots.contains(&slot) {
                slots.push(slot);
            }
        }
    }
    let phrases: Vec<&str> = owners.keys().map(String::as_str).collect();
    let slots_of: Vec<&Vec<usize>> = owners.values().collect();
    for (ix, note) in record.notes.iter().enumerate().filter(|(_, n)| n.patient == patient) {
        for (start, end, phrase) in reader.mentions(&note.text, &phrases) {
            let Some(slots) = slots_of.get(phrase) else { continue };
            let spelled = || store.slice(record, NoteIx(ix as u32), start, end);
            if is_short(phrases[phrase]) && spelled().chars().any(char::is_lowercase) {
                continue;
            }
            for slot in *slots {
                out[*slot].mentions.push(MentionMatch {
                    note: NoteIx(ix as u32),
                    start,
                    end,
                    words: phrases[phrase].to_owned(),
                });
            }
        }
    }
    for (matches, wanted) in out.iter_mut().zip(wanted) {
        let excepted: Vec<&str> = wanted.except.iter().flat_map(|e| e.words.iter().map(String::as_str)).collect();
        matches.mentions.order();
        // Of mentions that lie inside one another the longest stays.
        let mut kept: Vec<MentionMatch> = Vec::new();
        for mention in matches.mentions.drain(..) {
            if excepted.contains(&mention.words.as_str()) {
                continue;
            }
            match kept.last_mut() {
                Some(last) if last.note == mention.note && mention.start < last.end => {
                    if mention.end - mention.start > last.end - last.start {
                        *last = mention;
                    }
                }
                _ => kept.push(mention),
            }
        }
        matches.mentions = kept;
    }
}
