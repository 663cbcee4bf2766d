//! Messages between the engine and whoever drives it (worker, page, command): plain data, JSON on the wire.

pub use chartproof_assess::{
    Axes, ChainEvent, Components, EventLine, EvidenceLine, Failure, Polarity, Reason, Stated, TimeVerdict, Transition,
    TupleAssessment, Verdict,
};
use chartproof_evidence::query::{Parsed, Query, Request, Unresolved};
use chartproof_evidence::{ExclusionReason, NotExecutable, Truncated};
use chartproof_record::{Citation, Diagnostic};
use serde::{Deserialize, Serialize};

/// Stage of a long operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Reading files.
    Read,
    /// Building the event graph and the indices.
    Index,
    /// Searching.
    Search,
    /// Assessing.
    Assess,
}

/// How far an operation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// Stage.
    pub stage: Stage,
    /// Units done.
    pub done: u64,
    /// Units in all.
    pub total: u64,
}

/// What a load holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// One entry per patient.
    pub patients: Vec<PatientSummary>,
    /// What the readers had to say.
    pub diagnostics: Vec<Diagnostic>,
    /// Files that were refused, each with what and where.
    pub refused: Vec<RefusedFile>,
    /// Files that were read: name and SHA-256.
    pub files: Vec<(String, String)>,
    /// Digest of the record's content, independent of file names and order.
    pub digest: String,
}

/// What a load holds of one patient.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PatientSummary {
    /// Source key, such as `Patient/7`.
    pub id: String,
    /// Encounters, and the outermost stays they form.
    pub encounters: usize,
    /// Outermost stays.
    pub stays: usize,
    /// Notes.
    pub notes: usize,
    /// Occurrences by kind.
    pub events: std::collections::BTreeMap<String, usize>,
    /// First recorded time of an event.
    pub first: Option<String>,
    /// Last recorded time of an event.
    pub last: Option<String>,
    /// Edges of the event graph by kind.
    pub edges: std::collections::BTreeMap<String, usize>,
    /// Questions that this record can be asked, made from its own events.
    pub examples: Vec<String>,
}

/// A file that was not read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedFile {
    /// Name.
    pub file: String,
    /// A stable code, such as `fhir_xml` or `malformed_json`.
    pub code: String,
    /// Where, such as `line 3 column 14`.
    pub location: String,
    /// What.
    pub message: String,
}

/// A row of the timeline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimelineRow {
    /// Occurrence id, stay key or note id.
    pub id: String,
    /// Lane: `encounter`, `note`, or a kind of event.
    pub lane: String,
    /// Name.
    pub label: String,
    /// Value as shown.
    pub value: Option<String>,
    /// Standing: `affirmed`, `negative`, `uncertain`, `void`.
    pub standing: String,
    /// Time as shown.
    pub time: Option<String>,
    /// Wall-clock milliseconds, start and end.
    pub bounds: Option<(i64, i64)>,
    /// Stay key.
    pub stay: Option<String>,
}

/// An answer to one query.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The query that was run.
    pub query: Query,
    /// The query in one sentence.
    pub statement: String,
    /// Source key of the patient.
    pub patient: String,
    /// Verdict.
    pub verdict: Verdict,
    /// Axes of the deciding tuple.
    pub axes: Axes,
    /// Thresholds of the axes.
    pub thresholds: Axes,
    /// All tuples, the deciding one first.
    pub tuples: Vec<TupleAssessment>,
    /// `documented` of the event asked about.
    pub documented: Stated,
    /// `occurred` of the event asked about, by numeric criteria.
    pub occurred: Stated,
    /// Both lines of every event, in words.
    pub events: Vec<EventLine>,
    /// Parts of the axes.
    pub components: Components,
    /// Order in time.
    pub v_tim: TimeVerdict,
    /// What the record holds by slot, in words.
    pub found: Vec<FoundLine>,
    /// Admitted evidence.
    pub evidence: Vec<EvidenceLine>,
    /// What was not admitted, and why.
    pub excluded: Vec<ExcludedLine>,
    /// The chain.
    pub chain: Vec<ChainEvent>,
    /// Obligations of the search and how they ended.
    pub obligations: Vec<ObligationLine>,
    /// Named failure.
    pub failure: Option<Failure>,
    /// The same in words.
    pub failure_text: Option<String>,
    /// What would settle it.
    pub settle: Vec<String>,
    /// A limit that was reached.
    pub truncated: Option<Truncated>,
    /// Digest of the bundle.
    pub bundle_digest: String,
    /// Version of the assessor.
    pub assessor: String,
    /// How it was searched: not evidence. Empty for a replay.
    pub trace: Trace,
}

/// What the record holds of a slot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundLine {
    /// Slot id.
    pub slot: String,
    /// Name of the event.
    pub label: String,
    /// Matching occurrences and statements in the record of this patient.
    pub matched: usize,
    /// Of these admitted.
    pub admitted: usize,
    /// In words, with the coverage: `administration rows cover ...`.
    pub text: String,
}

/// Something that was not admitted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExcludedLine {
    /// Why.
    pub reason: ExclusionReason,
    /// In words.
    pub detail: String,
    /// Item id.
    pub id: String,
    /// What it says.
    pub text: String,
    /// Occurrence ids.
    pub occurrences: Vec<String>,
    /// Times as shown, each with its role.
    pub times: Vec<(String, String)>,
    /// Citations.
    pub citations: Vec<Citation>,
}

/// An obligation of the search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObligationLine {
    /// Which, such as `event e1` or `relation 0, against`.
    pub what: String,
    /// `open`, `met` or `exhausted`.
    pub state: String,
}

/// How it was searched.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    /// One entry per depth.
    pub depths: Vec<TraceDepth>,
    /// The policy, by name and number.
    pub policy: Vec<(String, String)>,
    /// Contexts and occurrences that were indexed.
    pub indexed: (usize, usize),
}

/// One depth of the search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TraceDepth {
    /// Depth, from 1.
    pub depth: usize,
    /// Steps in order, in words.
    pub steps: Vec<String>,
    /// Retrieval queries: side (`aligned` or `counter`), words, contexts found.
    pub retrievals: Vec<(String, String, usize)>,
    /// Candidate paths: priority and occurrence ids.
    pub paths: Vec<(f64, Vec<String>)>,
    /// The structured failure, if one was named.
    pub failure: Option<String>,
    /// How the policy was revised.
    pub replan: Option<String>,
}

/// What a `verify` gives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "outcome")]
pub enum Verified {
    /// One answer per query.
    Answered {
        /// The answers.
        answers: Vec<Answer>,
        /// Parts of the question that were not understood and do not change the answer.
        unresolved: Vec<Unresolved>,
    },
    /// Nothing was run: parts of the question are not understood and could change the answer.
    Blocked {
        /// The parse, for the form.
        parsed: Parsed,
    },
    /// Nothing was run: the parser refuses.
    Refused {
        /// The parse.
        parsed: Parsed,
    },
    /// Nothing was run: parts of the query are not executed yet.
    NotExecutable {
        /// Which.
        faults: Vec<NotExecutable>,
        /// The request, for the form.
        request: Request,
    },
}

/// A source as the viewer shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SourceView {
    /// Source key.
    pub key: String,
    /// File name.
    pub file: String,
    /// Place in the file, in words.
    pub place: String,
    /// Text to show: the decoded note, or the resource's JSON as written.
    pub text: String,
    /// Range to highlight in `text`, in code points.
    pub highlight: (usize, usize),
    /// What `text` is: `note` or `json`.
    pub kind: String,
    /// Steps from the file's bytes to the quoted value, in words.
    pub chain: Vec<String>,
    /// Whether the citation re-reads exactly; a viewer that gets `false` must say so and highlight nothing.
    pub verified: bool,
}

/// A request to the engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "do")]
pub enum Command {
    /// Parse a question.
    Parse {
        /// The question.
        ask: String,
    },
    /// Verify: a question, or a request (an edited form). `accept_unresolved` runs in spite of blocking parts.
    Verify {
        /// The patient, by source key; `None` when the load holds one.
        patient: Option<String>,
        /// The question.
        ask: Option<String>,
        /// The request.
        request: Option<Request>,
        /// The user agreed to leave out what was not understood.
        #[serde(default)]
        accept_unresolved: bool,
    },
    /// Rows of the timeline of a patient.
    Timeline {
        /// The patient.
        patient: String,
    },
    /// The source behind a citation.
    Source {
        /// The citation.
        citation: Citation,
    },
    /// The bundle of the last answer of that digest, as canonical JSON.
    Bundle {
        /// Digest.
        digest: String,
    },
    /// Drop the record and everything made of it.
    Forget,
}

/// What comes back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "event")]
pub enum Event {
    /// A long operation goes on.
    Progress {
        /// How far.
        progress: Progress,
    },
    /// A load is done.
    Loaded {
        /// What it holds.
        summary: Box<Summary>,
    },
    /// A question was parsed.
    Parsed {
        /// The parse.
        parsed: Parsed,
        /// What the query will check, one sentence each.
        statements: Vec<String>,
        /// Parts that are not executed yet.
        not_executable: Vec<NotExecutable>,
    },
    /// A verification is done.
    Verified {
        /// What came of it.
        verified: Box<Verified>,
    },
    /// Timeline rows.
    Timeline {
        /// Rows in time order.
        rows: Vec<TimelineRow>,
        /// Set when rows were left out.
        truncated: Option<Truncated>,
    },
    /// A source.
    Source {
        /// The view.
        view: SourceView,
    },
    /// A bundle.
    Bundle {
        /// Canonical JSON.
        json: String,
    },
    /// Done, nothing to show.
    Forgotten,
    /// The operation was cancelled.
    Cancelled,
    /// It could not be done.
    Failed {
        /// A stable code: `bad_command`, `no_record`, `unknown_patient`, `choose_patient`, `no_files`, `trap`.
        code: String,
        /// What and where, without record content.
        message: String,
    },
}
