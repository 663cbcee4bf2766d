//! `BindDedup`: matches become groups (the events a tuple is made of) and candidates (evidence items before
//! admission), each statement once however often it was pasted.

use chartproof_record::InOrder as _;
use std::collections::{BTreeMap, BTreeSet};

use chartproof_evidence::query::{Query, SlotKind};
use chartproof_evidence::{
    BindingRole, Candidate, Context, ContextKind, Copy, Fact, Item, Known, Mention, ScopeStatus, SlotBinding, fact,
};
use chartproof_record::{Citation, Kind, OccurrenceIx, Quoter, Record, Standing, StayIx, TimeRole};
use chartproof_terms::{expand, matches_label};

use crate::anchors::{RowMatch, SlotMatches};
use crate::context::ContextStore;

/// Longest gap inside one course of a drug, in milliseconds (72 h).
const COURSE_GAP_MS: i64 = 72 * 3_600_000;
/// Most rows that one course or trajectory item lists; the first and the last are always among them.
const ROWS_MAX: usize = 200;
/// Statements of at least this many words are taken for copies when they are the same.
const COPY_WORDS: usize = 5;

/// What a group holds: one piece of evidence each.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Member {
    /// One row.
    Row(OccurrenceIx),
    /// Administrations of one course.
    Course(Vec<OccurrenceIx>),
    /// Values of one analyte.
    Trajectory(Vec<OccurrenceIx>),
    /// Values that define the slot's event, beside its statements.
    Numbers(Vec<OccurrenceIx>),
    /// A row in whose presence those values do not speak.
    Exclusion(OccurrenceIx),
    /// A sentence, by index in the store, with the places of its copies.
    Span(usize, Vec<usize>),
}

/// One event of a slot: what is stated of it inside one stay.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// Index of the slot.
    pub slot: usize,
    /// Its stay; `None` when unknown.
    pub stay: Option<StayIx>,
    /// Its evidence.
    pub members: Vec<Member>,
}

impl Group {
    /// A row that stands for the group in the graph.
    pub(crate) fn representative(&self) -> Option<OccurrenceIx> {
        self.members.iter().find_map(|m| match m {
            Member::Row(row) => Some(*row),
            Member::Course(rows) | Member::Trajectory(rows) => rows.first().copied(),
            Member::Numbers(_) | Member::Exclusion(_) | Member::Span(..) => None,
        })
    }
}

/// Groups of all slots, in slot, stay and time order.
pub(crate) fn groups(record: &Record, store: &ContextStore, query: &Query, matches: &[SlotMatches]) -> Vec<Group> {
    let mut out = Vec::new();
    for (slot, found) in matches.iter().enumerate() {
        let mut by_stay: BTreeMap<Option<StayIx>, Vec<Member>> = BTreeMap::new();
        let mut loose: BTreeMap<Option<StayIx>, Vec<OccurrenceIx>> = BTreeMap::new();
        let kind = query.slots[slot].kind;
        for RowMatch { row, .. } in &found.rows {
            let stay = record.stay_of(record.occurrences[row.0 as usize].encounter);
            loose.entry(stay).or_default().push(*row);
        }
        for (stay, rows) in loose {
            by_stay.entry(stay).or_default().extend(row_members(record, kind, rows));
        }
        for (sentence, copies) in statements(record, store, found) {
            let stay = record.stay_of(record.notes[store.sentences[sentence].note.0 as usize].encounter);
            let places =
                copies.iter().map(|c| record.stay_of(record.notes[store.sentences[*c].note.0 as usize].encounter));
            let mut stays: Vec<Option<StayIx>> = std::iter::once(stay).chain(places).collect();
            stays.order();
            stays.dedup();
            for stay in stays {
                by_stay.entry(stay).or_default().push(Member::Span(sentence, copies.clone()));
            }
        }
        let mut numbers: BTreeMap<Option<StayIx>, Vec<OccurrenceIx>> = BTreeMap::new();
        for row in &found.numbers {
            numbers.entry(record.stay_of(record.occurrences[row.0 as usize].encounter)).or_default().push(*row);
        }
        for (stay, rows) in numbers {
            let rows = in_time_order(record, rows);
            by_stay.entry(stay).or_default().push(Member::Numbers(rows));
        }
        if !found.numbers.is_empty() {
            for row in &found.exclusions {
                let stay = record.stay_of(record.occurrences[row.0 as usize].encounter);
                by_stay.entry(stay).or_default().push(Member::Exclusion(*row));
            }
        }
        out.extend(by_stay.into_iter().flat_map(|(stay, members)| split(slot, stay, kind, members)));
    }
    out
}

/// Courses of a drug are groups of their own (with the statements of the stay); anything else is one group a stay.
fn split(slot: usize, stay: Option<StayIx>, kind: SlotKind, members: Vec<Member>) -> Vec<Group> {
    if !matches!(kind, SlotKind::Given | SlotKind::Exposure) {
        return vec![Group { slot, stay, members }];
    }
    let (courses, rest): (Vec<Member>, Vec<Member>) = members.into_iter().partition(|m| matches!(m, Member::Course(_)));
    if courses.is_empty() {
        return vec![Group { slot, stay, members: rest }];
    }
    courses
        .into_iter()
        .map(|course| Group { slot, stay, members: std::iter::once(course).chain(rest.iter().cloned()).collect() })
        .collect()
}

fn in_time_order(record: &Record, mut rows: Vec<OccurrenceIx>) -> Vec<OccurrenceIx> {
    rows.order_by_key(|ix| {
        let o = &record.occurrences[ix.0 as usize];
        (o.listed_at().map_or(i64::MAX, |t| t.sort_key().0), *ix)
    });
    rows
}

fn row_members(record: &Record, kind: SlotKind, rows: Vec<OccurrenceIx>) -> Vec<Member> {
    let row = |ix: &OccurrenceIx| &record.occurrences[ix.0 as usize];
    let exposure = matches!(kind, SlotKind::Given | SlotKind::Exposure);
    let is_dose =
        |ix: &OccurrenceIx| exposure && row(ix).kind == Kind::MedicationGiven && row(ix).standing == Standing::Affirmed;
    let is_number = |ix: &OccurrenceIx| {
        !exposure
            && matches!(row(ix).kind, Kind::Lab | Kind::Vital | Kind::Culture | Kind::Finding)
            && row(ix).standing == Standing::Affirmed
            && row(ix).value.as_ref().and_then(|v| v.quantity()).is_some()
    };
    let (doses, rest): (Vec<_>, Vec<_>) = rows.into_iter().partition(is_dose);
    let (numbers, rest): (Vec<_>, Vec<_>) = rest.into_iter().partition(is_number);
    let mut out: Vec<Member> = Vec::new();
    let mut course: Vec<OccurrenceIx> = Vec::new();
    for dose in in_time_order(record, doses) {
        let gap = course.last().is_some_and(|before| {
            let end = row(before).ended().or_else(|| row(before).occurred());
            match (end, row(&dose).occurred()) {
                (Some(a), Some(b)) => b.at.elapsed_since(&a.at).0 > COURSE_GAP_MS,
                _ => false,
            }
        });
        if gap {
            out.push(Member::Course(std::mem::take(&mut course)));
        }
        course.push(dose);
    }
    if !course.is_empty() {
        out.push(Member::Course(course));
    }
    if !numbers.is_empty() {
        out.push(Member::Trajectory(in_time_order(record, numbers)));
    }
    out.extend(rest.into_iter().map(Member::Row));
    out
}

/// Sentences with a mention, each with its copies: the earliest written one is cited.
fn statements(record: &Record, store: &ContextStore, found: &SlotMatches) -> Vec<(usize, Vec<usize>)> {
    let mut sentences: Vec<usize> = found.mentions.iter().filter_map(|m| store.sentence_at(m.note, m.start)).collect();
    sentences.order();
    sentences.dedup();
    let written = |sentence: usize| {
        let note = &record.notes[store.sentences[sentence].note.0 as usize];
        let time = note.times.iter().find(|t| t.role == TimeRole::Documented).or_else(|| note.times.first());
        (time.map_or(i64::MAX, |t| t.at.sort_key().0), sentence)
    };
    let mut by_text: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for sentence in sentences {
        let text = chartproof_terms::normalise(store.text(record, sentence));
        let key = if text.split(' ').count() >= COPY_WORDS { text } else { format!("{text}\u{0}{sentence}") };
        by_text.entry(key).or_default().push(sentence);
    }
    let mut out: Vec<(usize, Vec<usize>)> = by_text
        .into_values()
        .map(|mut same| {
            same.order_by_key(|s| written(*s));
            let first = same.remove(0);
            // A sentence told twice in one note is no copy of the note.
            (first, same)
        })
        .collect();
    out.order();
    out
}

/// Makes candidates of groups.
#[derive(Debug)]
pub(crate) struct Binder<'a> {
    /// The record.
    pub record: &'a Record,
    /// Its occurrences by id and source.
    pub known: &'a Known,
    /// Its context store.
    pub store: &'a ContextStore,
    /// The query.
    pub query: &'a Query,
    /// The matches of its slots.
    pub matches: &'a [SlotMatches],
    /// Makes the citations.
    pub(crate) quoter: Quoter<'a>,
}

impl Binder<'_> {
    /// The candidates of groups, each member once: the statements of a stay stand in the group of every course, and
    /// a statement that was copied in the group of every stay. `bound` holds those of earlier calls.
    pub(crate) fn candidates<'g>(
        &mut self,
        groups: impl Iterator<Item = &'g Group>,
        bound: &mut BTreeSet<(usize, Member)>,
    ) -> Vec<Candidate> {
        groups
            .flat_map(|g| g.members.iter().map(move |m| (g.slot, m)))
            .filter(|(slot, member)| bound.insert((*slot, (*member).clone())))
            .filter_map(|(slot, member)| self.candidate(slot, member))
            .collect()
    }

    /// Rows of other patients that match a slot: the contract excludes them, with the reason.
    pub(crate) fn other_patients(&mut self) -> Vec<Candidate> {
        let mut out = Vec::new();
        for (slot, found) in self.matches.iter().enumerate() {
            out.extend(found.other_patients.iter().filter_map(|m| self.candidate(slot, &Member::Row(m.row))));
        }
        out
    }

    fn candidate(&mut self, slot: usize, member: &Member) -> Option<Candidate> {
        let item = match member {
            Member::Row(row) => self.rows(slot, std::slice::from_ref(row), ContextKind::Row, BindingRole::Statement),
            Member::Course(rows) => self.rows(slot, rows, ContextKind::Course, BindingRole::Statement),
            Member::Trajectory(rows) => self.rows(slot, rows, ContextKind::Trajectory, BindingRole::Statement),
            Member::Numbers(rows) => self.rows(slot, rows, ContextKind::Trajectory, BindingRole::Numbers),
            Member::Exclusion(row) => {
                self.rows(slot, std::slice::from_ref(row), ContextKind::Row, BindingRole::Exclusion)
            }
            Member::Span(sentence, copies) => self.span(*sentence, copies)?,
        };
        Some(Candidate { item })
    }

    fn slot_id(&self, slot: usize) -> String {
        self.query.slots[slot].id.clone()
    }

    fn rows(&mut self, slot: usize, rows: &[OccurrenceIx], kind: ContextKind, role: BindingRole) -> Item {
        let listed: Vec<OccurrenceIx> = if rows.len() > ROWS_MAX {
            rows[..ROWS_MAX - 1].iter().chain(rows.last()).copied().collect()
        } else {
            rows.to_vec()
        };
        let slots_of = |row: Option<OccurrenceIx>, label: Option<&str>| self.slots_of(row, label);
        let facts: Vec<Fact> = listed.iter().map(|ix| fact::of_row(self.record, self.known, *ix, &slots_of)).collect();
        let mut citations = Vec::new();
        for (n, ix) in listed.iter().enumerate() {
            let whole = kind == ContextKind::Row || n == 0 || n + 1 == listed.len();
            self.cite_row(*ix, whole, &mut citations);
        }
        let matched = match role {
            BindingRole::Numbers => "defining values".to_owned(),
            BindingRole::Exclusion => "named by the definition as an exclusion".to_owned(),
            BindingRole::Statement => self.matches[slot]
                .rows
                .iter()
                .chain(&self.matches[slot].other_patients)
                .find(|m| m.row == rows[0])
                .map_or_else(String::new, |m| m.matched.clone()),
        };
        let text = render(kind, &facts, rows.len());
        Item {
            id: String::new(),
            patient: self.patient_of(rows[0]),
            bindings: vec![SlotBinding { slot: self.slot_id(slot), facts: (0..facts.len()).collect(), matched, role }],
            facts,
            context: Context { kind, text, note_type: None, section: None, mentions: Vec::new(), copies: Vec::new() },
            citations,
            scope: ScopeStatus::Unknown,
        }
    }

    fn patient_of(&self, row: OccurrenceIx) -> String {
        let patient = self.record.occurrences[row.0 as usize].patient;
        self.record.patients[patient.0 as usize].key.to_string()
    }

    /// Slots that a link's target is bound to, by row or by name.
    fn slots_of(&self, row: Option<OccurrenceIx>, label: Option<&str>) -> Vec<String> {
        let mut out = Vec::new();
        for (slot, found) in self.matches.iter().enumerate() {
            let by_row = row.is_some_and(|row| found.rows.iter().any(|m| m.row == row));
            let by_name = label.is_some_and(|label| {
                let terms = &self.query.slots[slot].concept.any_of;
                terms.iter().any(|t| matches_label(&expand(&t.text), label).is_some())
            });
            if by_row || by_name {
                out.push(self.slot_id(slot));
            }
        }
        out
    }

    fn cite_row(&mut self, ix: OccurrenceIx, whole: bool, out: &mut Vec<Citation>) {
        let o = &self.record.occurrences[ix.0 as usize];
        let before = out.len();
        let mut cite = |source, pointer: &str| {
            if let Ok(citation) = self.quoter.cite(source, pointer, &[], None)
                && !out.iter().any(|c: &Citation| c.source == citation.source && c.pointer == citation.pointer)
            {
                out.push(citation);
            }
        };
        let detail = o.detail.as_deref();
        if whole {
            cite(o.concept.source.unwrap_or(o.source), &o.concept.label_pointer);
        }
        if let Some(value) = &o.value {
            cite(o.source, value.pointer());
        }
        if let Some(stamp) = o.occurred().or_else(|| o.documented()) {
            cite(stamp.source.unwrap_or(o.source), &stamp.pointer);
        }
        if whole {
            for stamp in &o.times {
                cite(stamp.source.unwrap_or(o.source), &stamp.pointer);
            }
            if let Some(reason) = &o.standing_reason {
                cite(o.source, &reason.pointer);
            }
            if let Some((_, pointer)) = detail.and_then(|d| d.on_admission.as_ref()) {
                cite(o.source, pointer);
            }
            if let Some((_, pointer)) = detail.and_then(|d| d.clinical_status.as_ref()) {
                cite(o.source, pointer);
            }
            for link in o.links.iter().filter(|l| l.kind != chartproof_record::LinkKind::RecordedRef) {
                cite(o.source, &link.pointer);
            }
        }
        if out.len() == before {
            // A row without any of these is still cited by what makes it a row.
            out.extend(self.quoter.cite(o.source, "/resourceType", &[], None).ok());
        }
    }

    /// A sentence with the mentions of all slots in it.
    fn span(&mut self, sentence: usize, copies: &[usize]) -> Option<Item> {
        let place = &self.store.sentences[sentence];
        let note = &self.record.notes[place.note.0 as usize];
        let text = self.store.text(self.record, sentence);
        let mut facts: Vec<Fact> = Vec::new();
        let mut mentions = Vec::new();
        let mut bindings = Vec::new();
        for (slot, found) in self.matches.iter().enumerate() {
            let mut bound = Vec::new();
            let mut words: Vec<&str> = Vec::new();
            let here = |m: &&crate::anchors::MentionMatch| {
                m.note == place.note && m.start >= place.start && m.end <= place.end
            };
            for mention in found.mentions.iter().filter(here) {
                let label = self.store.slice(self.record, mention.note, mention.start, mention.end);
                let fact = fact::of_mention(self.record, place.note, mention.start, mention.end, label);
                let at = facts.iter().position(|f| f.id == fact.id).unwrap_or_else(|| {
                    facts.push(fact);
                    mentions.push(Mention {
                        fact: facts.len() - 1,
                        start: mention.start - place.start,
                        end: mention.end - place.start,
                    });
                    facts.len() - 1
                });
                bound.push(at);
                words.push(&mention.words);
            }
            if !bound.is_empty() {
                words.dedup();
                bindings.push(SlotBinding {
                    slot: self.slot_id(slot),
                    facts: bound,
                    matched: format!("words {}", words.join(", ")),
                    role: BindingRole::Statement,
                });
            }
        }
        if facts.is_empty() {
            return None;
        }
        let quoted = self.quoter.cite(note.source, &note.pointer, &note.decode, Some((place.start, place.end))).ok();
        let mut citations: Vec<Citation> = quoted.into_iter().collect();
        for stamp in note.times.iter().filter(|t| t.role == TimeRole::Documented) {
            citations.extend(self.quoter.cite(stamp.source.unwrap_or(note.source), &stamp.pointer, &[], None).ok());
        }
        let patient = self.record.patients[note.patient.0 as usize].key.to_string();
        let note_type = (!note.note_type.label.is_empty()).then(|| note.note_type.label.to_string());
        let context = Context {
            kind: ContextKind::Span,
            text: text.to_owned(),
            note_type,
            section: place.section.clone(),
            mentions,
            copies: copies.iter().map(|c| self.copy_of(*c)).collect(),
        };
        Some(Item { id: String::new(), patient, bindings, facts, context, citations, scope: ScopeStatus::Unknown })
    }

    fn copy_of(&self, sentence: usize) -> Copy {
        let place = &self.store.sentences[sentence];
        let note = &self.record.notes[place.note.0 as usize];
        let key = &self.record.sources[note.source.0 as usize].key;
        let stay = self.record.stay_of(note.encounter).map(|s| self.record.stays[s.0 as usize].key.to_string());
        let documented = note.times.iter().find(|t| t.role == TimeRole::Documented).map(|t| t.at.text.to_string());
        Copy { id: format!("{key}#{}@{}-{}", note.pointer, place.start, place.end), stay, documented }
    }
}

/// The row or rows in words.
fn render(kind: ContextKind, facts: &[Fact], count: usize) -> String {
    let one = |f: &Fact| {
        let value = f.value.as_ref().map(|v| format!(" {}", v.display())).unwrap_or_default();
        format!("{}{value}", f.label)
    };
    let (Some(first), Some(last)) = (facts.first(), facts.last()) else { return String::new() };
    match kind {
        ContextKind::Course if count > 1 => format!("{}, {count} doses", first.label),
        ContextKind::Trajectory if count > 1 => {
            let value = |f: &Fact| f.value.as_ref().map(|v| v.display()).unwrap_or_default();
            format!("{}: {} to {}, {count} values", first.label, value(first), value(last))
        }
        _ => {
            let word = first.standing_word.as_deref().map(|w| format!(" ({w})")).unwrap_or_default();
            format!("{}{word}", one(first))
        }
    }
}
