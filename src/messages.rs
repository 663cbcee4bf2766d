//! Every text of the page, in one place. Sentence case; one sentence has no full stop at its end.

use chartproof_assess::{Failure, Polarity, Stated, TimeVerdict, Verdict};
use chartproof_engine::wire::Stage;
use chartproof_evidence::query::{Op, RelationKind, ScopeLevel, SlotKind, SlotState, SpanUnit};
use chartproof_evidence::{ExclusionReason, ScopeStatus};
use chartproof_record::{Code, Severity};

use crate::text::thousands;

macro_rules! texts {
    ($($name:ident = $text:literal;)*) => { $(pub(crate) const $name: &str = $text;)* };
}

// The page
texts! {
    PRODUCT = "ChartProof";
    PROMISE = "The record stays in this browser";
    CLOSE_RECORD = "Close record";
    CLOSE = "Close";
    CANCEL = "Cancel";
    REMOVE = "Remove";
    NO_TIME = "No time recorded";
    BUNDLE_NAME = "chartproof-bundle.json";
    PASTED_NAME = "pasted.json";
}

// Opening a record
texts! {
    OPEN_TITLE = "Open a record";
    OPEN_LEAD = "Check a statement against one patient record. Every answer leads to the rows and sentences it rests on.";
    DROP_HERE = "Drop files or folders here";
    DROP_FORMATS = "FHIR bundles, NDJSON or single resources in JSON, also gzipped";
    PICK_FILES = "Choose files";
    PICK_FOLDER = "Choose a folder";
    SAMPLES = "Or try a sample";
    SAMPLES_HINT = "Invented patients";
    PASTE = "Paste instead";
    PASTE_LABEL = "FHIR JSON";
    PASTE_OPEN = "Open pasted text";
    OPEN_AGAIN = "Open the same files again";
    WAITING_FOR_CORE = "Handing the files over";
    ON_PAGE_THREAD = "No worker may start here, so the page may respond slowly while a large record is read";
    CANCELLED_TITLE = "Cancelled";
    CANCELLED_LOAD = "Nothing was kept of the record";
    CANCELLED_ASK = "The question was not answered";
    UNREAD_TITLE = "A file could not be read";
    FAILED_TITLE = "That did not work";
    RESTARTED_TITLE = "The reader stopped and was started again";
    NO_PATIENT = "No patient found";
    NO_PATIENT_TEXT = "The files were looked through; what they hold instead is listed below";
}

// The record
texts! {
    RECORD_TITLE = "Record";
    PATIENT = "Patient";
    STAYS = "Stays";
    ENCOUNTERS = "Encounters";
    EVENTS = "Events";
    NOTES = "Notes";
    FIRST_LAST = "First to last event";
    WHAT_IS_IN_IT = "What is in it";
    FILES = "Files";
    INCOMPLETE_TITLE = "This record is incomplete";
    INCOMPLETE_TEXT = "It is known to be part of a larger one, so nothing is refuted from what is absent";
    REFUSED_TABLE = "Refused files";
    COL_FILE = "File";
    COL_WHERE = "Where";
    COL_WHAT = "What";
    TIMELINE_TITLE = "Timeline";
    TIMELINE_WAIT = "Reading the timeline";
    TIMELINE_EMPTY = "No events";
    TIMELINE_UNDATED = "None of the events has a time; they are in the table";
    TIMELINE_HINT = "Arrow keys walk through the events. A bar is an extent, or the range in which the time lies.";
    SHOW = "Show";
    WHOLE_RECORD = "Whole record";
    FROM = "from";
    EVENTS_TABLE_NAME = "Events";
    ONLY_KIND = "Kind";
    ALL_KINDS = "All kinds";
    COL_TIME = "Time";
    COL_TIME_OF = "Time of";
    COL_KIND = "Kind";
    COL_EVENT = "Event";
    COL_VALUE = "Value";
    COL_STANDING = "Standing";
}

// Asking
texts! {
    ASK_TITLE = "Ask";
    ASK_LABEL = "Question or statement to check";
    ASK_PLACEHOLDER = "Was acute kidney injury documented after vancomycin?";
    CHECK = "Check";
    EXAMPLES = "From this record";
    BUILD_BY_FORM = "Build by form";
    READING_QUESTION = "Reading the question";
    CHECKING = "Checking";
    READ_AS = "Will be checked";
    ASSUMED = "Assumed";
    LEFT_OUT = "Not understood; does not change the answer";
    BLOCKED_TITLE = "Part of the question is not understood";
    BLOCKED_TEXT = "It could change the answer, so nothing has run. Reword it, edit the form, or run without these words:";
    RUN_WITHOUT = "Run without these";
    REFUSED_TITLE = "This question cannot be checked";
    REFUSED_TEXT = "Ask whether an event is documented, or how two events relate";
    NOT_EXECUTABLE_TITLE = "This part is understood but not yet checked";
    FORM_TITLE = "Edit the question";
    FORM_EDITED = "Edited; check again to see its answer";
    CHECK_FORM = "Check this";
    SCOPE = "Within";
    ADD_EVENT = "Add event";
    ADD_RELATION = "Add relation";
    CONCEPT = "What";
    KIND = "Kind";
    VALUE = "Value";
    COMPARED = "Compared";
    NUMBER = "Number";
    UNIT = "Unit";
    RESULT = "Result";
    SUBJECT = "This event";
    RELATION = "Relation";
    OBJECT = "That event";
    NO_SECOND = "None";
    AT_LEAST = "At least";
    MORE_THAN = "More than";
    LESS_THAN = "Less than";
    WHEN = "When";
    AT_MOST = "At most";
    SPAN_UNIT = "Unit of time";
    OR = " or ";
}

// The answer
texts! {
    ANSWER_TITLE = "Answer";
    ANSWERED_WITHOUT = "Answered without these words";
    NO_ANSWERS = "The question held nothing to check";
    AXIS_SUPPORT = "Evidence for";
    AXIS_REFUTE = "Evidence against";
    AXES_NOTE = "Two independent strengths, not probabilities";
    REACHED = "reached";
    NOT_REACHED = "not reached";
    WHAT_IS_MISSING = "What is missing";
    NO_EVIDENCE = "No admitted evidence: nothing is concluded from that";
    DOCUMENTED_OCCURRED = "Documented and occurred";
    DOCUMENTED = "Documented";
    OCCURRED = "Occurred by criteria";
    WHY = "Why";
    DECIDED_BY = "decided by";
    SETTLE = "What would settle it";
    FOUND = "What the record holds";
    PARTS = "What the strengths are made of";
    PART_TIME = "Time";
    PART_NUMBER = "Numbers";
    PART_FOR = "Statements for";
    PART_AGAINST = "Statements against";
    PART_ORDER = "Order in time";
    DOES_NOT_APPLY = "Does not apply";
    EXPORT_BUNDLE = "Save evidence bundle";
    REPLAY_NOTE = "The bundle alone replays to the same verdict. Digest";
    ASSESSOR = "assessor";
    CHAIN_TITLE = "Chain of events";
    BARS_NOTE = "A bar is an extent, or the range in which the recorded time lies";
    ORDER_OPEN = "The recorded times overlap, so the order between these two is open";
    AS_TABLE = "As a table";
    SEVERAL_OR_UNKNOWN = "Several stays, or stay unknown";
    FOR = "For";
    AGAINST = "Against";
    DECIDES = "Decides";
    EVIDENCE_TITLE = "Evidence";
    NO_EVIDENCE_ROWS = "Nothing in the record was admitted as evidence for or against this";
    SOURCES = "Sources";
    COL_NUMBER = "No.";
    COL_SPEAKS = "Speaks";
    COL_SAYS = "What it says";
    COL_SCOPE = "Scope";
    COL_REASON = "Why not";
    EXCLUDED_NAME = "Not used as evidence";
    EXCLUDED_HINT = "Found, but not admitted. None of it counts for or against.";
    SEARCH_TITLE = "How it searched (not evidence)";
    SEARCH_HINT = "The search only finds candidates. The verdict is computed from the evidence above and nothing else.";
    OBLIGATIONS = "Obligations";
    POLICY = "Policy";
    RETRIEVALS = "Searched for";
    PATHS = "Paths";
    SEARCH_FAILURE = "Missing:";
    SEARCH_REPLAN = "Changed:";
}

// The source
texts! {
    SOURCE_TITLE = "Source";
    SOURCE_WAIT = "Reading the source";
    SOURCE_FAILED = "The source could not be shown";
    NOT_VERIFIED = "This citation does not re-read; nothing is highlighted";
    WRITTEN_IN = "Written in";
    FILE = "File";
    PLACE = "Place";
    SOURCE_KEY = "Key";
    DECODED_SO = "From the bytes of the file to this text";
    SHOW_ALL_TEXT = "Show all of the text";
    COPY_QUOTE = "Copy quote";
    COPIED = "Copied, without the verdict";
    COPY_REFUSED = "Copying is not allowed here; select the words instead";
}

/// Joins pieces; spares the weight of formatting.
fn join(parts: &[&str]) -> String {
    parts.concat()
}

fn counted_as(count: usize, one: &str, many: &str) -> String {
    join(&[&thousands(count), " ", if count == 1 { one } else { many }])
}

/// The record is open.
pub(crate) fn opened(patients: usize) -> String {
    if patients == 1 {
        "The record is open".into()
    } else {
        join(&["The record is open: ", &counted_as(patients, "patient", "patients")])
    }
}

pub(crate) fn fetching(done: usize, of: usize) -> String {
    if of == 1 {
        "Reading the file".into()
    } else {
        join(&["Reading files, ", &thousands(done), " of ", &thousands(of)])
    }
}

pub(crate) fn unread(name: &str) -> String {
    join(&[name, " could not be read; it may have been moved or changed since it was chosen"])
}

/// A failure of the core by its code, with what it says itself.
pub(crate) fn failed(code: &str, message: &str) -> String {
    let known = match code {
        "no_record" => "No record is open",
        "unknown_patient" => "This patient is not in the record",
        "choose_patient" => "The record holds several patients; choose one",
        "no_files" => "There was nothing to read in the files",
        "trap" => "The reader stopped in the middle of this",
        "bad_event" => {
            "The reader's answer could not be understood; the page and the reader may be of different versions"
        }
        "bad_command" => {
            "The reader did not understand the request; the page and the reader may be of different versions"
        }
        _ => "",
    };
    match (known.is_empty(), message.is_empty()) {
        (false, false) => join(&[known, ": ", message]),
        (true, false) => message.to_owned(),
        (false, true) => known.to_owned(),
        (true, true) => "No reason was given".into(),
    }
}

pub(crate) fn restarted(reason: &str) -> String {
    let base = "The record is no longer open and nothing of it was kept.";
    if reason.is_empty() { base.into() } else { join(&[base, " What happened: ", reason]) }
}

pub(crate) fn stage(stage: Stage) -> &'static str {
    match stage {
        Stage::Read => "Reading the record",
        Stage::Index => "Indexing events and notes",
        Stage::Search => "Searching for evidence, both for and against",
        Stage::Assess => "Assessing the evidence",
    }
}

pub(crate) fn patients(count: usize) -> String {
    join(&["One of ", &counted_as(count, "patient", "patients")])
}

pub(crate) fn refused(count: usize) -> String {
    join(&[&counted_as(count, "file was", "files were"), " refused"])
}

pub(crate) fn remarks(errors: usize, warnings: usize, infos: usize) -> String {
    let mut parts = Vec::new();
    if errors > 0 {
        parts.push(counted_as(errors, "error", "errors"));
    }
    if warnings > 0 {
        parts.push(counted_as(warnings, "warning", "warnings"));
    }
    if infos > 0 {
        parts.push(counted_as(infos, "remark", "remarks"));
    }
    join(&["From reading: ", &parts.join(", ")])
}

pub(crate) fn and_more(count: usize) -> String {
    join(&["And ", &thousands(count), " more"])
}

pub(crate) fn show_more(count: usize) -> String {
    join(&["Show ", &thousands(count), " more"])
}

pub(crate) fn events_table(count: usize) -> String {
    join(&["As a table: ", &counted_as(count, "row", "rows")])
}

pub(crate) fn counted(count: usize) -> String {
    counted_as(count, "event", "events")
}

pub(crate) fn undated(count: usize) -> String {
    join(&[&counted_as(count, "row has", "rows have"), " no time and can be found in the table only"])
}

pub(crate) fn truncated(what: &str, limit: usize, seen: usize) -> String {
    join(&["Cut short: ", what, ", limit ", &thousands(limit), ", seen ", &thousands(seen)])
}

pub(crate) fn timeline_label(from: &str, to: &str) -> String {
    join(&["Events from ", from, " to ", to])
}

pub(crate) fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "Error",
        Severity::Warning => "Warning",
        Severity::Info => "Remark",
    }
}

pub(crate) fn code(code: Code) -> &'static str {
    match code {
        Code::IncompleteRecord => "Record is incomplete",
        Code::DanglingReference => "Reference leads nowhere",
        Code::OpaqueResource => "Kept without being interpreted",
        Code::Duplicate => "Same content more than once",
        Code::VersionConflict => "Same resource with different content",
        Code::DuplicateKey => "A key named twice",
        Code::NoPatient => "Row without a patient",
        Code::UnusableRow => "Row that cannot be an event",
        Code::BadTime => "Time of unknown shape",
        Code::TimeContradiction => "Contradicting times",
        Code::UnknownStatus => "Unknown status",
        Code::Encoding => "Fault in the encoding",
        Code::UnreadAttachment => "Attachment not read",
        Code::SupersededAlone => "Superseded document without its successor",
        Code::Malformed => "Malformed part",
        Code::Truncated => "Limit reached",
    }
}

/// A lane of the timeline, or a kind of event.
pub(crate) fn lane(kind: &str) -> &'static str {
    match kind {
        "encounter" => "Encounters",
        "episode" => "Episodes of care",
        "note" => "Notes",
        "condition" => "Conditions",
        "finding" => "Findings",
        "medication_order" => "Medication orders",
        "medication_dispense" => "Dispensed",
        "medication_given" => "Medication given",
        "medication_statement" => "Medication list",
        "lab" => "Laboratory",
        "vital" => "Vital signs",
        "culture" => "Cultures",
        "procedure" => "Procedures",
        "device" => "Devices",
        "allergy" => "Allergies",
        "adverse_event" => "Adverse events",
        "immunization" => "Immunisations",
        "transfer" => "Transfers",
        "report" => "Reports",
        "service_order" => "Service orders",
        "specimen" => "Specimens",
        "note_mention" => "Stated in notes",
        _ => "Other",
    }
}

pub(crate) fn standing(standing: &str) -> &'static str {
    match standing {
        "negative" => "Stated not to be",
        "uncertain" => "Uncertain",
        "void" => "Void, never evidence",
        _ => "Stated",
    }
}

/// What is said of a standing that is not plainly affirmed.
pub(crate) fn standing_note(word: &str) -> Option<&'static str> {
    match word {
        "negative" => Some("stated not to be"),
        "uncertain" => Some("uncertain"),
        "void" => Some("void"),
        _ => None,
    }
}

pub(crate) fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Supported => "Supported",
        Verdict::Conflicting => "Conflicting",
        Verdict::Refuted => "Refuted",
        Verdict::Insufficient => "Insufficient evidence",
    }
}

pub(crate) fn verdict_means(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Supported => "The evidence for it reaches its threshold, the evidence against it does not",
        Verdict::Conflicting => "Evidence for and evidence against both reach their thresholds",
        Verdict::Refuted => "The evidence against it reaches its threshold, the evidence for it does not",
        Verdict::Insufficient => "Neither side reaches its threshold: the record does not settle it",
    }
}

pub(crate) fn axis_says(value: &str, threshold: &str, reached: &str) -> String {
    join(&[value, ", threshold ", threshold, " ", reached])
}

pub(crate) fn threshold_says(threshold: &str, reached: &str) -> String {
    join(&["Threshold ", threshold, ", ", reached])
}

pub(crate) fn failure(failure: Failure) -> &'static str {
    match failure {
        Failure::MissingEvent => "Missing: an event of the question",
        Failure::MissingRelationEvidence => "Missing: evidence for the relation",
        Failure::MissingTime => "Missing: a time that decides the order",
        Failure::MissingProvenance => "Missing: a source that resolves",
        Failure::ScopeUnknown => "Encounter of the evidence unknown",
        Failure::OnlyOtherScope => "Evidence only in other encounters",
        Failure::OnlyOtherPatient => "Evidence only in other patients",
        Failure::TemporalOnly => "Temporal only: nothing attributes one to the other",
        Failure::UncertainOnly => "Only suspected",
        Failure::LowerRungOnly => "Only a weaker kind of exposure is recorded",
        Failure::IncompleteRecord => "The record is incomplete",
        Failure::Budget => "A limit was reached",
    }
}

pub(crate) fn stated(stated: Stated) -> &'static str {
    match stated {
        Stated::Yes => "Yes",
        Stated::No => "No",
        Stated::NotStated => "Not stated",
        Stated::NotAssessable => "Not assessable",
    }
}

pub(crate) fn polarity(polarity: Polarity) -> &'static str {
    match polarity {
        Polarity::Supports => "For",
        Polarity::Refutes => "Against",
        Polarity::Neutral => "Neither",
    }
}

pub(crate) fn time_verdict(order: TimeVerdict) -> &'static str {
    match order {
        TimeVerdict::Compatible => "Times agree",
        TimeVerdict::Incompatible => "Times contradict it",
        TimeVerdict::Unknown => "Times do not decide",
        TimeVerdict::NotApplicable => "Time does not matter",
    }
}

pub(crate) fn scope(scope: ScopeStatus) -> &'static str {
    match scope {
        ScopeStatus::Valid => "In scope",
        ScopeStatus::Unknown => "Scope unknown",
        ScopeStatus::Invalid => "Out of scope",
    }
}

pub(crate) fn exclusion(reason: ExclusionReason) -> &'static str {
    match reason {
        ExclusionReason::OtherPatient => "Other patient",
        ExclusionReason::OtherEncounter => "Other encounter",
        ExclusionReason::Void => "Void",
        ExclusionReason::NoSource => "Does not re-read",
        ExclusionReason::Unbound => "Not bound to an event",
    }
}

pub(crate) fn obligation(state: &str) -> &'static str {
    match state {
        "met" => "Met",
        "exhausted" => "Exhausted",
        _ => "Open",
    }
}

pub(crate) fn side(side: &str) -> &'static str {
    if side == "counter" { "Against" } else { "For" }
}

pub(crate) fn contexts(count: usize) -> String {
    counted_as(count, "context", "contexts")
}

pub(crate) fn depth(depth: usize) -> String {
    join(&["Depth ", &thousands(depth)])
}

pub(crate) fn indexed(contexts: &str, occurrences: &str) -> String {
    join(&[occurrences, " events and ", contexts, " contexts were indexed"])
}

pub(crate) fn context(kind: &str) -> &'static str {
    match kind {
        "row" => "Recorded row",
        "course" => "Course of rows",
        "span" => "Note",
        "trajectory" => "Series of values",
        _ => "Recorded",
    }
}

pub(crate) fn copies(count: usize) -> String {
    join(&[&counted_as(count, "copy", "copies"), " elsewhere, counted once"])
}

pub(crate) fn evidence_title(supports: usize, refutes: usize, neutral: usize) -> String {
    join(&[&thousands(supports), " for, ", &thousands(refutes), " against, ", &thousands(neutral), " neither"])
}

pub(crate) fn excluded_title(count: usize) -> String {
    join(&["Not used as evidence: ", &thousands(count)])
}

pub(crate) fn evidence_short(index: usize) -> String {
    join(&["E", &(index + 1).to_string()])
}

pub(crate) fn excluded_short(index: usize) -> String {
    join(&["X", &(index + 1).to_string()])
}

pub(crate) fn evidence_link(index: usize) -> String {
    join(&[&evidence_short(index), ", go to evidence"])
}

pub(crate) fn excluded_link(index: usize) -> String {
    join(&[&excluded_short(index), ", go to what was not used"])
}

pub(crate) fn matched(matched: usize, admitted: usize) -> String {
    join(&[&thousands(matched), " matched, ", &thousands(admitted), " admitted"])
}

pub(crate) fn tuples(count: usize) -> String {
    join(&["By encounter: ", &counted_as(count, "candidate", "candidates")])
}

pub(crate) fn later(length: &str) -> String {
    join(&[length, " later"])
}

pub(crate) fn later_between(least: &str, most: &str) -> String {
    join(&[least, " to ", most, " later"])
}

pub(crate) fn source_text(kind: &str) -> &'static str {
    if kind == "json" { "Resource as written" } else { "Text of the note" }
}

/// Roles of times as the wire names them.
pub(crate) fn time_role(role: &str) -> &'static str {
    known_role(role).unwrap_or("Time")
}

fn known_role(role: &str) -> Option<&'static str> {
    Some(match role {
        "occurred" => "Occurred",
        "occurred_end" | "ended" => "Ended",
        "onset" => "Onset",
        "abated" => "Abated",
        "collected" => "Collected",
        "resulted" => "Resulted",
        "ordered" => "Ordered",
        "given" => "Given",
        "given_end" => "Given until",
        "dispensed" => "Dispensed",
        "recorded" => "Recorded",
        "documented" => "Documented",
        "criteria_met" => "Criteria met",
        _ => return None,
    })
}

/// Which of a pair is the role and which the time.
pub(crate) fn role_and_time(pair: &(String, String)) -> (&'static str, &str) {
    match known_role(&pair.0) {
        Some(role) => (role, &pair.1),
        None => (time_role(&pair.1), &pair.0),
    }
}

// The form

/// Kinds of value condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    None,
    Compare,
    Coded,
    High,
    Low,
    Other,
}

/// The last is offered only where it is what was parsed.
pub(crate) const CONDITIONS: [(Condition, &str); 6] = [
    (Condition::None, "Any"),
    (Condition::Compare, "Compared with a number"),
    (Condition::Coded, "A result in words"),
    (Condition::High, "Above its range"),
    (Condition::Low, "Below its range"),
    (Condition::Other, "A duration or change, as read"),
];

pub(crate) const SLOT_KINDS: [(SlotKind, &str); 15] = [
    (SlotKind::Any, "Any kind"),
    (SlotKind::Condition, "Condition"),
    (SlotKind::Finding, "Finding"),
    (SlotKind::Exposure, "Exposure, best on record"),
    (SlotKind::Given, "Given"),
    (SlotKind::Order, "Ordered"),
    (SlotKind::Lab, "Laboratory value"),
    (SlotKind::Vital, "Vital sign"),
    (SlotKind::Culture, "Culture"),
    (SlotKind::Procedure, "Procedure"),
    (SlotKind::Device, "Device"),
    (SlotKind::Allergy, "Allergy"),
    (SlotKind::AdverseEvent, "Adverse event"),
    (SlotKind::Encounter, "Encounter"),
    (SlotKind::Note, "Note"),
];

pub(crate) const SLOT_STATES: [(SlotState, &str); 2] =
    [(SlotState::Any, "At any time"), (SlotState::Present, "Still there")];

pub(crate) const RELATIONS: [(RelationKind, &str); 15] = [
    (RelationKind::Documented, "is documented"),
    (RelationKind::After, "after"),
    (RelationKind::Before, "before"),
    (RelationKind::During, "during"),
    (RelationKind::Overlaps, "overlaps"),
    (RelationKind::SameEncounter, "in one stay with"),
    (RelationKind::AttributedTo, "attributed in the record to"),
    (RelationKind::AdverseEventOf, "adverse event of"),
    (RelationKind::ReasonFor, "has as its reason"),
    (RelationKind::Rises, "rises after"),
    (RelationKind::Falls, "falls after"),
    (RelationKind::Unchanged, "unchanged after"),
    (RelationKind::Persists, "persists after"),
    (RelationKind::Recurs, "recurs after"),
    (RelationKind::Resolves, "resolves after"),
];

pub(crate) const SCOPES: [(ScopeLevel, &str); 3] = [
    (ScopeLevel::Encounter, "One stay"),
    (ScopeLevel::Episode, "One episode of care"),
    (ScopeLevel::Patient, "The whole record"),
];

pub(crate) const OPS: [(Op, &str); 5] = [(Op::Lt, "<"), (Op::Le, "≤"), (Op::Eq, "="), (Op::Ge, "≥"), (Op::Gt, ">")];

pub(crate) const SPAN_UNITS: [(SpanUnit, &str); 6] = [
    (SpanUnit::Minutes, "minutes"),
    (SpanUnit::Hours, "hours"),
    (SpanUnit::Days, "days"),
    (SpanUnit::Weeks, "weeks"),
    (SpanUnit::Months, "months"),
    (SpanUnit::Years, "years"),
];

pub(crate) fn query_legend(index: usize) -> String {
    join(&["Claim ", &(index + 1).to_string()])
}

pub(crate) fn event_legend(index: usize) -> String {
    join(&["Event ", &(index + 1).to_string()])
}

pub(crate) fn relation_legend(index: usize) -> String {
    join(&["Relation ", &(index + 1).to_string()])
}

pub(crate) fn remove_event(index: usize) -> String {
    join(&["Remove event ", &(index + 1).to_string()])
}

pub(crate) fn remove_relation(index: usize) -> String {
    join(&["Remove relation ", &(index + 1).to_string()])
}

pub(crate) fn slot(index: usize, concept: &str) -> String {
    if concept.is_empty() { event_legend(index) } else { join(&[&(index + 1).to_string(), ". ", concept]) }
}

/// A pointer into a request, in the words of the form: `queries/0/slots/1/selector` is `Event 2, which occurrence`.
pub(crate) fn field(pointer: &str) -> String {
    let mut parts = pointer.split('/').filter(|p| !p.is_empty());
    let mut out = String::new();
    while let Some(part) = parts.next() {
        let index = |n: Option<&str>| n.and_then(|n| n.parse::<usize>().ok()).unwrap_or(0);
        let word = match part {
            "queries" => match index(parts.next()) {
                0 => continue,
                n => query_legend(n),
            },
            "slots" => event_legend(index(parts.next())),
            "relations" => relation_legend(index(parts.next())),
            other => field_word(other).to_owned(),
        };
        if out.is_empty() {
            out.push_str(&word);
        } else {
            out.push_str(", ");
            out.push_str(&lower_first(&word));
        }
    }
    if out.is_empty() { "Question".into() } else { out }
}

fn lower_first(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}

fn field_word(part: &str) -> &str {
    match part {
        "selector" => "Which occurrence",
        "edge" => "Which point of it",
        "concept" => "What",
        "kind" => "Kind",
        "value" => "Value",
        "qualifiers" => "Route, dose, site or location",
        "source" => "Limits on sources",
        "count" => "How many",
        "same_as" | "distinct_from" => "Tie to another event",
        "quantifier" => "How many must hold",
        "scope" => "Scope",
        "window" => "Time window",
        "counting" => "How time is counted",
        "want" => "What is wanted",
        "join" => "Several claims",
        "basis" => "Event or its documentation",
        "subject" => "This event",
        "object" => "That event",
        "version" => "Version",
        "from" => "At least",
        "to" => "At most",
        "number" => "Number",
        "state" => "When",
        "unit" => "Unit",
        "ref" => "Which stay",
        _ => "Part",
    }
}
