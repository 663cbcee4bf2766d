//! The wire messages as JSON, read and written without the weight of a general deserialiser.
//!
//! Derived deserialisation of the wire types took more room than all panels together. The tables below name each
//! field once; a field that is added to a message does not compile here until it is named. That both ways of reading
//! agree is tested on every fixture.

use std::collections::BTreeMap;
use std::sync::Arc;

use chartproof_assess::{
    Axes, ChainEvent, Components, EventLine, EvidenceLine, Failure, Polarity, Reason, Stated, TimeVerdict, Transition,
    TupleAssessment, Verdict,
};
use chartproof_engine::wire::{
    Answer, Command, Event, ExcludedLine, FoundLine, ObligationLine, PatientSummary, Progress, RefusedFile, SourceView,
    Stage, Summary, TimelineRow, Trace, TraceDepth, Verified,
};
use chartproof_evidence::query::{
    Assumption, Basis, ConceptSpec, Count, Counting, Direction, Edge, Join, Measure, Op, Parsed, Qualifiers,
    Quantifier, Query, Relation, RelationKind, Request, Scope, ScopeLevel, Selector, Slot, SlotKind, SourceFilter, Span,
    SpanUnit, Term, TermCode, Unresolved, ValueCondition, Want, Window,
};
use chartproof_evidence::{ExclusionReason, NotExecutable, ScopeStatus, Truncated};
use chartproof_record::json::{Kind, Node, Tape};
use chartproof_record::{Citation, Code, Decode, Diagnostic, Locator, Place, Severity};

/// Reads an event.
pub(crate) fn read_event(json: &str) -> Option<Event> {
    Event::read(Tape::of(json, 0).ok()?.root(json))
}

/// Writes a command.
pub(crate) fn write_command(command: &Command) -> String {
    let mut out = String::new();
    command.write(&mut out);
    out
}

trait Read: Sized {
    fn read(node: Node<'_>) -> Option<Self>;

    /// What an absent field means; `None` when it may not be absent.
    fn missing() -> Option<Self> {
        None
    }
}

fn field<T: Read>(node: Node<'_>, name: &str) -> Option<T> {
    match node.get(name) {
        Some(value) => T::read(value),
        None => T::missing(),
    }
}

fn text(node: Node<'_>) -> Option<String> {
    node.as_str().map(|text| text.into_owned())
}

impl Read for String {
    fn read(node: Node<'_>) -> Option<Self> {
        text(node)
    }
}

impl Read for Arc<str> {
    fn read(node: Node<'_>) -> Option<Self> {
        text(node).map(Self::from)
    }
}

impl Read for bool {
    fn read(node: Node<'_>) -> Option<Self> {
        node.as_bool()
    }

    fn missing() -> Option<Self> {
        Some(false)
    }
}

macro_rules! numbers {
    ($($name:ty),*) => {$(
        impl Read for $name {
            fn read(node: Node<'_>) -> Option<Self> {
                node.raw().parse().ok()
            }
        }
    )*};
}
numbers!(i64, u64, u32, usize, f64);

impl<T: Read> Read for Option<T> {
    fn read(node: Node<'_>) -> Option<Self> {
        if node.kind() == Kind::Null { Some(None) } else { T::read(node).map(Some) }
    }

    fn missing() -> Option<Self> {
        Some(None)
    }
}

impl<T: Read> Read for Box<T> {
    fn read(node: Node<'_>) -> Option<Self> {
        T::read(node).map(Self::new)
    }
}

impl<T: Read> Read for Vec<T> {
    fn read(node: Node<'_>) -> Option<Self> {
        let mut out = Self::new();
        for item in node.items() {
            out.push(T::read(item)?);
        }
        Some(out)
    }

    fn missing() -> Option<Self> {
        Some(Self::new())
    }
}

impl Read for BTreeMap<String, usize> {
    fn read(node: Node<'_>) -> Option<Self> {
        let mut out = Self::new();
        for (key, value) in node.members() {
            out.insert(key.into_owned(), usize::read(value)?);
        }
        Some(out)
    }
}

impl<A: Read, B: Read> Read for (A, B) {
    fn read(node: Node<'_>) -> Option<Self> {
        let mut items = node.items();
        Some((A::read(items.next()?)?, B::read(items.next()?)?))
    }
}

impl<A: Read, B: Read, C: Read> Read for (A, B, C) {
    fn read(node: Node<'_>) -> Option<Self> {
        let mut items = node.items();
        Some((A::read(items.next()?)?, B::read(items.next()?)?, C::read(items.next()?)?))
    }
}

trait Write {
    fn write(&self, out: &mut String);

    /// Whether the field may be left out.
    fn absent(&self) -> bool {
        false
    }
}

fn put<T: Write>(out: &mut String, name: &str, value: &T) {
    if value.absent() {
        return;
    }
    out.push_str(if out.ends_with('{') { "\"" } else { ",\"" });
    out.push_str(name);
    out.push_str("\":");
    value.write(out);
}

/// An object that starts with its tag.
fn tagged(out: &mut String, tag: &str, name: &str) {
    out.push_str("{\"");
    out.push_str(tag);
    out.push_str("\":\"");
    out.push_str(name);
    out.push('"');
}

impl Write for str {
    fn write(&self, out: &mut String) {
        out.push('"');
        for letter in self.chars() {
            match letter {
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                '\n' => out.push_str("\\n"),
                control if (control as u32) < 0x20 => {
                    out.push_str("\\u00");
                    for half in [control as u32 >> 4, control as u32 & 15] {
                        out.push(char::from_digit(half, 16).unwrap_or('0'));
                    }
                }
                other => out.push(other),
            }
        }
        out.push('"');
    }
}

impl Write for String {
    fn write(&self, out: &mut String) {
        self.as_str().write(out);
    }
}

impl Write for Arc<str> {
    fn write(&self, out: &mut String) {
        (**self).write(out);
    }
}

impl Write for bool {
    fn write(&self, out: &mut String) {
        out.push_str(if *self { "true" } else { "false" });
    }
}

impl Write for usize {
    fn write(&self, out: &mut String) {
        out.push_str(&self.to_string());
    }
}

impl Write for u32 {
    fn write(&self, out: &mut String) {
        (*self as usize).write(out);
    }
}

impl<T: Write> Write for Option<T> {
    fn write(&self, out: &mut String) {
        match self {
            Some(value) => value.write(out),
            None => out.push_str("null"),
        }
    }

    fn absent(&self) -> bool {
        self.is_none()
    }
}

impl<T: Write> Write for Vec<T> {
    fn write(&self, out: &mut String) {
        out.push('[');
        for (at, item) in self.iter().enumerate() {
            if at > 0 {
                out.push(',');
            }
            item.write(out);
        }
        out.push(']');
    }
}

/// Structs by their fields.
macro_rules! structs {
    ($($name:ident { $($field:ident),* $(,)? })*) => {$(
        impl Read for $name {
            fn read(node: Node<'_>) -> Option<Self> {
                Some(Self { $($field: field(node, stringify!($field))?),* })
            }
        }
    )*};
}

/// Structs that are also written.
macro_rules! structs_both_ways {
    ($($name:ident { $($field:ident),* $(,)? })*) => {
        structs! { $($name { $($field),* })* }
        $(impl Write for $name {
            fn write(&self, out: &mut String) {
                out.push('{');
                $(put(out, stringify!($field), &self.$field);)*
                out.push('}');
            }
        })*
    };
}

/// Enums by their words.
macro_rules! words {
    ($($name:ident { $($variant:ident = $word:literal),* $(,)? })*) => {$(
        impl Read for $name {
            fn read(node: Node<'_>) -> Option<Self> {
                Some(match &*node.as_str()? { $($word => Self::$variant,)* _ => return None })
            }
        }
    )*};
}

/// Enums that are also written; an absent one is the default where `default` stands.
macro_rules! words_both_ways {
    ($($name:ident $([$missing:expr])? { $($variant:ident = $word:literal),* $(,)? })*) => {$(
        impl Read for $name {
            fn read(node: Node<'_>) -> Option<Self> {
                Some(match &*node.as_str()? { $($word => Self::$variant,)* _ => return None })
            }
            $(fn missing() -> Option<Self> {
                Some($missing)
            })?
        }
        impl Write for $name {
            fn write(&self, out: &mut String) {
                out.push('"');
                out.push_str(match self { $(Self::$variant => $word,)* });
                out.push('"');
            }
        }
    )*};
}

words! {
    Stage { Read = "read", Index = "index", Search = "search", Assess = "assess" }
    Verdict { Supported = "supported", Conflicting = "conflicting", Refuted = "refuted", Insufficient = "insufficient" }
    TimeVerdict { Compatible = "compatible", Incompatible = "incompatible", Unknown = "unknown", NotApplicable = "not_applicable" }
    Polarity { Supports = "supports", Refutes = "refutes", Neutral = "neutral" }
    Stated { Yes = "yes", No = "no", NotStated = "not_stated", NotAssessable = "not_assessable" }
    ScopeStatus { Valid = "valid", Unknown = "unknown", Invalid = "invalid" }
    ExclusionReason {
        OtherPatient = "other_patient", OtherEncounter = "other_encounter", Void = "void", NoSource = "no_source", Unbound = "unbound",
    }
    Failure {
        MissingEvent = "missing_event", MissingRelationEvidence = "missing_relation_evidence", MissingTime = "missing_time",
        MissingProvenance = "missing_provenance", ScopeUnknown = "scope_unknown", OnlyOtherScope = "only_other_scope",
        OnlyOtherPatient = "only_other_patient", TemporalOnly = "temporal_only", UncertainOnly = "uncertain_only",
        LowerRungOnly = "lower_rung_only", IncompleteRecord = "incomplete_record", Budget = "budget",
    }
    Severity { Info = "info", Warning = "warning", Error = "error" }
    Code {
        IncompleteRecord = "incomplete_record", DanglingReference = "dangling_reference", OpaqueResource = "opaque_resource",
        Duplicate = "duplicate", VersionConflict = "version_conflict", DuplicateKey = "duplicate_key", NoPatient = "no_patient",
        UnusableRow = "unusable_row", BadTime = "bad_time", TimeContradiction = "time_contradiction",
        UnknownStatus = "unknown_status", Encoding = "encoding", UnreadAttachment = "unread_attachment",
        SupersededAlone = "superseded_alone", Malformed = "malformed", Truncated = "truncated",
    }
}

words_both_ways! {
    Decode {
        Gzip = "gzip", Utf8 = "utf8", JsonString = "json-string", JsonLiteral = "json-literal", Base64 = "base64",
        Utf8Text = "utf8-text", Latin1Text = "latin1-text",
    }
    Join [Self::default()] { All = "all", Alternatives = "alternatives" }
    Want [Self::default()] { Verify = "verify", Find = "find" }
    SlotKind [Self::default()] {
        Any = "any", Condition = "condition", Finding = "finding", Order = "order", Given = "given", Exposure = "exposure",
        Lab = "lab", Vital = "vital", Culture = "culture", Procedure = "procedure", Device = "device", Allergy = "allergy",
        AdverseEvent = "adverse_event", Encounter = "encounter", Note = "note",
    }
    Basis [Self::default()] { Occurred = "occurred", Documented = "documented" }
    Edge {
        Start = "start", End = "end", First = "first", Last = "last", Onset = "onset", Resolved = "resolved", Peak = "peak",
        Low = "low", DoseUp = "dose_up", DoseDown = "dose_down", Hold = "hold", Restart = "restart",
        Admission = "admission", Discharge = "discharge",
    }
    Op { Lt = "<", Le = "<=", Eq = "=", Ge = ">=", Gt = ">" }
    Direction { Up = "up", Down = "down", Flat = "flat" }
    Measure [Self::default()] { Absolute = "absolute", Ratio = "ratio", Percent = "percent", Trend = "trend" }
    SpanUnit { Minutes = "minutes", Hours = "hours", Days = "days", Weeks = "weeks", Months = "months", Years = "years" }
    RelationKind {
        Before = "before", After = "after", Overlaps = "overlaps", During = "during", SameEncounter = "same_encounter",
        Documented = "documented", AdverseEventOf = "adverse_event_of", AttributedTo = "attributed_to",
        ReasonFor = "reason_for", Rises = "rises", Falls = "falls", Unchanged = "unchanged", Persists = "persists",
        Recurs = "recurs", Resolves = "resolves",
    }
    Counting [Self::default()] { Elapsed = "elapsed", Calendar = "calendar", Hospital = "hospital" }
    ScopeLevel { Encounter = "encounter", Episode = "episode", Patient = "patient" }
}

structs! {
    Progress { stage, done, total }
    Summary { patients, diagnostics, refused, files, digest }
    PatientSummary { id, encounters, stays, notes, events, first, last, edges, examples }
    RefusedFile { file, code, location, message }
    Diagnostic { severity, code, source, location, message }
    TimelineRow { id, lane, label, value, standing, time, bounds, stay }
    Truncated { what, limit, seen }
    NotExecutable { field, why }
    Parsed { query, unresolved, assumptions, refusal, parser }
    Unresolved { text, start, end, blocking, why }
    Assumption { field, text }
    SourceView { key, file, place, text, highlight, kind, chain, verified }
    Answer {
        query, statement, patient, verdict, axes, thresholds, tuples, documented, occurred, events, components, v_tim, found,
        evidence, excluded, chain, obligations, failure, failure_text, settle, truncated, bundle_digest, assessor, trace,
    }
    Axes { support, refute }
    Components { tim, num, jdg_support, jdg_refute }
    TupleAssessment { verdict, axes, components, v_tim, occurrences, encounter, scope, reasons, failure, transitions }
    Transition { relation, verdict, axes, components, v_tim, failure, reasons }
    Reason { code, text, polarity, items, trigger }
    EventLine { slot, label, documented, documented_text, documented_items, occurred, occurred_text, occurred_items }
    FoundLine { slot, label, matched, admitted, text }
    EvidenceLine { id, polarity, scope, slots, occurrences, text, context, times, origin, copies, citations }
    ExcludedLine { reason, detail, id, text, occurrences, times, citations }
    ChainEvent { slot, label, value, time, bounds, time_role, items }
    ObligationLine { what, state }
    Trace { depths, policy, indexed }
    TraceDepth { depth, steps, retrievals, paths, failure, replan }
}

structs_both_ways! {
    Citation { source, pointer, start, end, quote, decode, locator }
    Locator { file, sha256, place, byte_start, byte_end }
    Request { version, queries, join }
    Query { want, slots, relations, scope, quantifier }
    Slot { id, concept, kind, basis, edge, selector, value, qualifiers, source, distinct_from, same_as, count }
    Term { text, class, codes }
    TermCode { system, code }
    Span { amount, unit }
    Window { from, to, counting }
    Relation { kind, subject, object, window }
}

/// Structs that may be left out as a whole.
macro_rules! structs_or_default {
    ($($name:ident { $($field:ident),* $(,)? })*) => {$(
        impl Read for $name {
            fn read(node: Node<'_>) -> Option<Self> {
                Some(Self { $($field: field(node, stringify!($field))?),* })
            }

            fn missing() -> Option<Self> {
                Some(Self::default())
            }
        }
        impl Write for $name {
            fn write(&self, out: &mut String) {
                out.push('{');
                $(put(out, stringify!($field), &self.$field);)*
                out.push('}');
            }
        }
    )*};
}

structs_or_default! {
    ConceptSpec { any_of, except }
    Qualifiers { route, dose, site, location, not_location }
    SourceFilter { author_roles, except_author_roles, note_types, except_note_types, sections, certainty }
}

impl Read for Scope {
    fn read(node: Node<'_>) -> Option<Self> {
        Some(Self { level: field(node, "level")?, reference: field(node, "ref")?, assumed: field(node, "assumed")? })
    }
}

impl Write for Scope {
    fn write(&self, out: &mut String) {
        out.push('{');
        put(out, "level", &self.level);
        put(out, "ref", &self.reference);
        put(out, "assumed", &self.assumed);
        out.push('}');
    }
}

impl Read for Place {
    fn read(node: Node<'_>) -> Option<Self> {
        match node.as_str().as_deref() {
            Some("whole") => Some(Self::Whole),
            Some("contained") => Some(Self::Contained),
            Some(_) => None,
            None => match node.get("entry") {
                Some(entry) => u32::read(entry).map(Self::Entry),
                None => field(node, "line").map(Self::Line),
            },
        }
    }
}

impl Write for Place {
    fn write(&self, out: &mut String) {
        let (name, number) = match self {
            Self::Whole => return "whole".write(out),
            Self::Contained => return "contained".write(out),
            Self::Entry(number) => ("entry", number),
            Self::Line(number) => ("line", number),
        };
        out.push('{');
        put(out, name, number);
        out.push('}');
    }
}

/// Enums whose variants are told apart by a member of the object.
macro_rules! tagged_both_ways {
    ($($name:ident by $tag:literal $([$missing:expr])? { $($variant:ident $({ $($field:ident),* })? = $word:literal),* $(,)? })*) => {$(
        impl Read for $name {
            fn read(node: Node<'_>) -> Option<Self> {
                Some(match &*node.get($tag)?.as_str()? {
                    $($word => Self::$variant $({ $($field: field(node, stringify!($field))?),* })?,)*
                    _ => return None,
                })
            }
            $(fn missing() -> Option<Self> {
                Some($missing)
            })?
        }
        impl Write for $name {
            fn write(&self, out: &mut String) {
                match self {
                    $(Self::$variant $({ $($field),* })? => {
                        tagged(out, $tag, $word);
                        $($(put(out, stringify!($field), $field);)*)?
                    })*
                }
                out.push('}');
            }
        }
    )*};
}

tagged_both_ways! {
    Selector by "type" [Self::default()] {
        Some = "some", First = "first", Last = "last", Nth { n } = "nth", Occurrence { id } = "occurrence", At { time } = "at",
    }
    ValueCondition by "type" {
        Compare { op, number, unit } = "compare", Coded { text } = "coded", Flag { high } = "flag",
        Duration { op, amount } = "duration",
        Change { direction, amount, measure, unit, reference, within } = "change",
    }
    Count by "type" [Self::default()] { Some = "some", None = "none", AtLeast { n } = "at_least" }
    Quantifier by "type" [Self::default()] {
        Some = "some", First = "first", Last = "last", Every = "every", None = "none", AtLeast { n } = "at_least",
    }
}

impl Write for Command {
    fn write(&self, out: &mut String) {
        match self {
            Self::Parse { ask } => {
                tagged(out, "do", "parse");
                put(out, "ask", ask);
            }
            Self::Verify { patient, ask, request, accept_unresolved } => {
                tagged(out, "do", "verify");
                put(out, "patient", patient);
                put(out, "ask", ask);
                put(out, "request", request);
                put(out, "accept_unresolved", accept_unresolved);
            }
            Self::Timeline { patient } => {
                tagged(out, "do", "timeline");
                put(out, "patient", patient);
            }
            Self::Source { citation } => {
                tagged(out, "do", "source");
                put(out, "citation", citation);
            }
            Self::Bundle { digest } => {
                tagged(out, "do", "bundle");
                put(out, "digest", digest);
            }
            Self::Forget => tagged(out, "do", "forget"),
        }
        out.push('}');
    }
}

impl Read for Verified {
    fn read(node: Node<'_>) -> Option<Self> {
        Some(match &*node.get("outcome")?.as_str()? {
            "answered" => Self::Answered { answers: field(node, "answers")?, unresolved: field(node, "unresolved")? },
            "blocked" => Self::Blocked { parsed: field(node, "parsed")? },
            "refused" => Self::Refused { parsed: field(node, "parsed")? },
            "not_executable" => {
                Self::NotExecutable { faults: field(node, "faults")?, request: field(node, "request")? }
            }
            _ => return None,
        })
    }
}

impl Read for Event {
    fn read(node: Node<'_>) -> Option<Self> {
        Some(match &*node.get("event")?.as_str()? {
            "progress" => Self::Progress { progress: field(node, "progress")? },
            "loaded" => Self::Loaded { summary: field(node, "summary")? },
            "parsed" => Self::Parsed {
                parsed: field(node, "parsed")?,
                statements: field(node, "statements")?,
                not_executable: field(node, "not_executable")?,
            },
            "verified" => Self::Verified { verified: field(node, "verified")? },
            "timeline" => Self::Timeline { rows: field(node, "rows")?, truncated: field(node, "truncated")? },
            "source" => Self::Source { view: field(node, "view")? },
            "bundle" => Self::Bundle { json: field(node, "json")? },
            "forgotten" => Self::Forgotten,
            "cancelled" => Self::Cancelled,
            "failed" => Self::Failed { code: field(node, "code")?, message: field(node, "message")? },
            _ => return None,
        })
    }
}
