//! Algorithm 1: discovery, contract and assessment in turn, one depth a slice.

use chartproof_record::InOrder as _;
use std::collections::BTreeSet;

use chartproof_assess::{Assessment, Stated, THRESHOLDS, Verdict, assess};
use chartproof_discovery::{Feedback, Search, View};
use chartproof_evidence::contract::{Examined, Target, freeze};
use chartproof_evidence::query::{Query, SlotKind, Unresolved};
use chartproof_evidence::{Bundle, Coverage, SlotCoverage, TableCoverage};
use chartproof_record::{ClinicalTime, Kind, PatientIx, Standing};

use crate::answer;
use crate::loading::Loaded;
use crate::summary::kind_name;
use crate::text::NotesReader;
use crate::wire::{Answer, Progress, Stage, Verified};

/// A verification under way.
pub(crate) struct Verifying {
    queries: Vec<Query>,
    patient: PatientIx,
    unresolved: Vec<Unresolved>,
    running: Option<Running>,
    answers: Vec<Answer>,
    bundles: Vec<Bundle>,
}

struct Running {
    search: Search,
    examined: Examined,
}

/// What a slice came to.
pub(crate) enum Slice {
    /// It goes on.
    More(Progress),
    /// All queries are answered.
    Done(Box<Verified>, Vec<Bundle>),
}

impl Verifying {
    pub(crate) fn start(mut queries: Vec<Query>, patient: PatientIx, unresolved: Vec<Unresolved>) -> Self {
        queries.reverse();
        Self { queries, patient, unresolved, running: None, answers: Vec::new(), bundles: Vec::new() }
    }

    pub(crate) fn step(&mut self, loaded: &Loaded) -> Slice {
        let view = View {
            record: &loaded.record,
            known: &loaded.known,
            graph: &loaded.graph,
            store: &loaded.store,
            reader: &NotesReader,
        };
        let done = self.answers.len() as u64;
        let progress = |stage| Progress { stage, done, total: done + 1 };
        let Some(query) = self.queries.last() else {
            return Slice::Done(
                Box::new(Verified::Answered {
                    answers: std::mem::take(&mut self.answers),
                    unresolved: std::mem::take(&mut self.unresolved),
                }),
                std::mem::take(&mut self.bundles),
            );
        };
        let Some(running) = &mut self.running else {
            let search = Search::start(view, query, self.patient);
            self.running = Some(Running { search, examined: Examined::default() });
            return Slice::More(progress(Stage::Search));
        };
        let target = target(loaded, query, self.patient);
        running.examined.add(target, running.search.depth(view));
        let coverage = coverage(loaded, query, self.patient, &running.search);
        let (bundle, excluded) = freeze(target, &running.examined, coverage);
        let assessment = assess(&bundle);
        if running.search.feedback(&feedback(&assessment)) {
            return Slice::More(progress(Stage::Assess));
        }
        let answer = answer::answer(&bundle, assessment, &excluded, Some((&running.search, view)));
        self.answers.push(answer);
        self.bundles.push(bundle);
        self.running = None;
        self.queries.pop();
        Slice::More(progress(Stage::Assess))
    }
}

fn target<'a>(loaded: &'a Loaded, query: &'a Query, patient: PatientIx) -> Target<'a> {
    Target {
        record: &loaded.record,
        known: &loaded.known,
        query,
        patient: &loaded.record.patients[patient.0 as usize].key,
        assessor: chartproof_assess::version(),
    }
}

/// What the record holds on the query, by counting.
fn coverage(loaded: &Loaded, query: &Query, patient: PatientIx, search: &Search) -> Coverage {
    let completeness = search.completeness();
    let matched = search.matched().into_iter();
    Coverage {
        slots: matched
            .map(|(slot, matched)| SlotCoverage { slot, matched, admitted: 0, excluded: Vec::new() })
            .collect(),
        complete: completeness.is_ok(),
        truncated: completeness.err(),
        incomplete: incompleteness(loaded),
        tables: tables(loaded, query, patient),
    }
}

fn incompleteness(loaded: &Loaded) -> Vec<String> {
    let mut out: Vec<String> = loaded.record.incompleteness().map(|d| d.message.clone()).collect();
    if !loaded.refused.is_empty() {
        out.push(format!("{} files were not read", loaded.refused.len()));
    }
    out.order();
    out.dedup();
    out
}

/// Kinds of rows a slot could have been found in.
fn tables_of(kind: SlotKind) -> &'static [Kind] {
    match kind {
        SlotKind::Given => &[Kind::MedicationGiven],
        SlotKind::Exposure => {
            &[Kind::MedicationGiven, Kind::MedicationOrder, Kind::MedicationDispense, Kind::MedicationStatement]
        }
        SlotKind::Order => &[Kind::MedicationOrder, Kind::ServiceOrder],
        SlotKind::Lab => &[Kind::Lab],
        SlotKind::Vital => &[Kind::Vital],
        SlotKind::Culture => &[Kind::Culture, Kind::Lab],
        SlotKind::Procedure => &[Kind::Procedure],
        SlotKind::Device => &[Kind::Device, Kind::Procedure],
        SlotKind::Allergy => &[Kind::Allergy],
        SlotKind::AdverseEvent => &[Kind::AdverseEvent, Kind::Condition],
        SlotKind::Finding => &[Kind::Finding, Kind::Condition],
        _ => &[Kind::Condition],
    }
}

/// What the record holds of the kinds asked for: rows, and the notes beside them.
fn tables(loaded: &Loaded, query: &Query, patient: PatientIx) -> Vec<TableCoverage> {
    let kinds: BTreeSet<Kind> = query.slots.iter().flat_map(|s| tables_of(s.kind)).copied().collect();
    let span = |times: &mut dyn Iterator<Item = &ClinicalTime>| {
        let mut first: Option<&ClinicalTime> = None;
        let mut last: Option<&ClinicalTime> = None;
        for at in times {
            if first.is_none_or(|f| at.sort_key() < f.sort_key()) {
                first = Some(at);
            }
            if last.is_none_or(|l| at.sort_key() > l.sort_key()) {
                last = Some(at);
            }
        }
        (first.map(ClinicalTime::display), last.map(ClinicalTime::display))
    };
    let own = &loaded.record.occurrences[loaded.known.of_patient(patient)];
    let mut out: Vec<TableCoverage> = kinds
        .into_iter()
        .map(|kind| {
            let rows = || own.iter().filter(move |o| o.kind == kind && o.standing != Standing::Void);
            let (first, last) = span(&mut rows().filter_map(|o| o.listed_at()));
            TableCoverage { table: kind_name(kind).to_owned(), rows: rows().count(), first, last }
        })
        .collect();
    let notes = || loaded.record.notes.iter().filter(|n| n.patient == patient && n.standing != Standing::Void);
    let (first, last) = span(&mut notes().filter_map(|n| n.times.first().map(|t| &t.at)));
    out.push(TableCoverage { table: "note".to_owned(), rows: notes().count(), first, last });
    out
}

/// What the assessment means for the search: never a polarity, only what is settled.
fn feedback(assessment: &Assessment) -> Feedback {
    let mut out = Feedback { resolved: assessment.verdict == Verdict::Supported, ..Feedback::default() };
    for event in &assessment.events {
        if event.documented != Stated::NotStated || event.occurred == Stated::Yes || !event.documented_items.is_empty()
        {
            out.met_events.insert(event.slot.clone());
        }
    }
    for transition in assessment.tuples.iter().flat_map(|t| &t.transitions) {
        if transition.axes.support >= THRESHOLDS.support {
            out.met_support.insert(transition.relation);
        }
        if transition.axes.refute >= THRESHOLDS.refute {
            out.met_refute.insert(transition.relation);
        }
    }
    out
}
