//! The wire messages as JSON, read and written without the weight of a general deserialiser.
//!
//! Derived deserialisation of the wire types took more room than all panels together. The tables below name each
//! field once; a field that is added to a message does not compile here until it is named. That both ways of reading
//! agree is tested on every fixture.

use std::borrow::Cow;
use std::cell::Cell;
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
    Quantifier, Query, Relation, RelationKind, Request, Scope, ScopeLevel, Selector, Slot, SlotKind, SlotState,
    SourceFilter, Span, SpanUnit, Term, TermCode, Unresolved, ValueCondition, Want, Window,
};
use chartproof_evidence::{ExclusionReason, NotExecutable, ScopeStatus, Truncated};
use chartproof_record::json::{Kind, Node, Tape};
use chartproof_record::{Citation, Code, Decode, Diagnostic, Locator, Place, Severity};

/// Reads an event; `None` when it is not one.
pub(crate) fn read_event(json: &str) -> Option<Event> {
    let tape = Tape::of(json, 0).ok()?;
    let fault = Cell::new(false);
    let event = Event::read(Value { node: Some(tape.root(json)), fault: &fault });
    (!fault.get()).then_some(event)
}

/// Writes a command.
pub(crate) fn write_command(command: &Command) -> String {
    let mut out = String::new();
    command.write(&mut out);
    out
}

/// A value that is read, or its absence. Reading never stops half way: what cannot be read leaves a fault and a
/// stand-in, and a message with a fault is thrown away as a whole.
#[derive(Clone, Copy)]
struct Value<'a> {
    node: Option<Node<'a>>,
    fault: &'a Cell<bool>,
}

impl<'a> Value<'a> {
    #[inline(never)]
    fn field(self, name: &str) -> Self {
        Self { node: self.node.and_then(|node| node.get(name)), ..self }
    }

    fn item(self, node: Option<Node<'a>>) -> Self {
        Self { node, ..self }
    }

    #[inline(never)]
    fn faulty(self) {
        self.fault.set(true);
    }

    #[inline(never)]
    fn text(self) -> Cow<'a, str> {
        self.node.and_then(Node::as_str).unwrap_or_else(|| {
            self.faulty();
            Cow::Borrowed("")
        })
    }

    /// Which of the words it is; the first stands in.
    #[inline(never)]
    fn word(self, words: &[&str]) -> usize {
        let text = self.text();
        words.iter().position(|word| *word == text).unwrap_or_else(|| {
            self.faulty();
            0
        })
    }

    #[inline(never)]
    fn whole(self) -> i64 {
        self.node.and_then(|node| node.raw().parse().ok()).unwrap_or_else(|| {
            self.faulty();
            0
        })
    }

    fn is_absent(self) -> bool {
        self.node.is_none_or(|node| node.kind() == Kind::Null)
    }

    fn items(self) -> impl Iterator<Item = Node<'a>> {
        if !self.is_absent() && self.node.is_some_and(|node| node.kind() != Kind::Array) {
            self.faulty();
        }
        self.node.filter(|node| node.kind() == Kind::Array).into_iter().flat_map(Node::items)
    }
}

trait Read: Sized {
    fn read(value: Value<'_>) -> Self;
}

impl Read for String {
    #[inline(never)]
    fn read(value: Value<'_>) -> Self {
        value.text().into_owned()
    }
}

impl Read for Arc<str> {
    #[inline(never)]
    fn read(value: Value<'_>) -> Self {
        value.text().into()
    }
}

impl Read for bool {
    #[inline(never)]
    fn read(value: Value<'_>) -> Self {
        !value.is_absent()
            && value.node.and_then(Node::as_bool).unwrap_or_else(|| {
                value.faulty();
                false
            })
    }
}

macro_rules! numbers {
    ($($name:ty),*) => {$(
        impl Read for $name {
            fn read(value: Value<'_>) -> Self {
                Self::try_from(value.whole()).unwrap_or_else(|_| {
                    value.faulty();
                    0
                })
            }
        }
    )*};
}
numbers!(i64, u64, u32, usize);

impl Read for f64 {
    #[inline(never)]
    fn read(value: Value<'_>) -> Self {
        value.node.filter(|node| node.kind() == Kind::Number).and_then(|node| decimal(node.raw())).unwrap_or_else(
            || {
                value.faulty();
                0.0
            },
        )
    }
}

/// A decimal number as the wire writes strengths and priorities. Exact for up to 15 digits, which is more than is
/// shown; the general parser brings ten kilobytes of tables.
fn decimal(text: &str) -> Option<f64> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (digits, negative) = mantissa.strip_prefix('-').map_or((mantissa, false), |digits| (digits, true));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mut number = 0u64;
    let mut power: i32 = exponent.parse().ok()?;
    for digit in whole.bytes() {
        number = number.checked_mul(10)?.checked_add(u64::from(digit.wrapping_sub(b'0')))?;
    }
    for digit in fraction.bytes().take(17) {
        match number.checked_mul(10).and_then(|n| n.checked_add(u64::from(digit.wrapping_sub(b'0')))) {
            Some(longer) => number = longer,
            None => break,
        }
        power -= 1;
    }
    let mut scale = 1.0;
    for _ in 0..power.unsigned_abs().min(400) {
        scale *= 10.0;
    }
    let value = if power < 0 { number as f64 / scale } else { number as f64 * scale };
    Some(if negative { -value } else { value })
}

impl<T: Read> Read for Option<T> {
    fn read(value: Value<'_>) -> Self {
        if value.is_absent() { None } else { Some(T::read(value)) }
    }
}

impl<T: Read> Read for Box<T> {
    fn read(value: Value<'_>) -> Self {
        Self::new(T::read(value))
    }
}

impl<T: Read> Read for Vec<T> {
    #[inline(never)]
    fn read(value: Value<'_>) -> Self {
        let mut out = Self::new();
        for item in value.items() {
            out.push(T::read(value.item(Some(item))));
        }
        out
    }
}

impl Read for BTreeMap<String, usize> {
    fn read(value: Value<'_>) -> Self {
        let mut out = Self::new();
        for (key, node) in value.node.filter(|n| n.kind() == Kind::Object).into_iter().flat_map(Node::members) {
            out.insert(key.into_owned(), usize::read(value.item(Some(node))));
        }
        out
    }
}

impl<A: Read, B: Read> Read for (A, B) {
    fn read(value: Value<'_>) -> Self {
        let mut items = value.items();
        let mut next = || value.item(items.next());
        (A::read(next()), B::read(next()))
    }
}

impl<A: Read, B: Read, C: Read> Read for (A, B, C) {
    fn read(value: Value<'_>) -> Self {
        let mut items = value.items();
        let mut next = || value.item(items.next());
        (A::read(next()), B::read(next()), C::read(next()))
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
            fn read(value: Value<'_>) -> Self {
                Self { $($field: Read::read(value.field(stringify!($field)))),* }
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
            fn read(value: Value<'_>) -> Self {
                const ALL: &[$name] = &[$($name::$variant),*];
                ALL[value.word(&[$($word),*])]
            }
        }
    )*};
}

/// Enums that are also written; an absent one is the default where `default` stands.
macro_rules! words_both_ways {
    ($($name:ident $([$missing:expr])? { $($variant:ident = $word:literal),* $(,)? })*) => {$(
        impl Read for $name {
            fn read(value: Value<'_>) -> Self {
                $(if value.is_absent() {
                    return $missing;
                })?
                const ALL: &[$name] = &[$($name::$variant),*];
                ALL[value.word(&[$($word),*])]
            }
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
    SlotState [Self::default()] { Any = "any", Present = "present" }
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
    Slot { id, concept, kind, basis, edge, selector, value, qualifiers, source, distinct_from, same_as, count, state }
    Term { text, class, codes }
    TermCode { system, code }
    Span { amount, unit }
    Window { from, to, from_exclusive, to_exclusive, counting }
    Relation { kind, subject, object, window }
}

/// Structs that may be left out as a whole.
macro_rules! structs_or_default {
    ($($name:ident { $($field:ident),* $(,)? })*) => {$(
        impl Read for $name {
            fn read(value: Value<'_>) -> Self {
                if value.is_absent() {
                    return Self::default();
                }
                Self { $($field: Read::read(value.field(stringify!($field)))),* }
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
    fn read(value: Value<'_>) -> Self {
        Self {
            level: Read::read(value.field("level")),
            reference: Read::read(value.field("ref")),
            assumed: Read::read(value.field("assumed")),
        }
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
    fn read(value: Value<'_>) -> Self {
        let (entry, line) = (value.field("entry"), value.field("line"));
        if entry.node.is_some() {
            Self::Entry(u32::read(entry))
        } else if line.node.is_some() {
            Self::Line(u32::read(line))
        } else if value.word(&["whole", "contained"]) == 0 {
            Self::Whole
        } else {
            Self::Contained
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
    ($($name:ident by $tag:literal, else $fallback:expr, $([$missing:expr])? { $($variant:ident $({ $($field:ident),* })? = $word:literal),* $(,)? })*) => {$(
        impl Read for $name {
            fn read(value: Value<'_>) -> Self {
                $(if value.is_absent() {
                    return $missing;
                })?
                let tag = value.field($tag).text();
                $(if tag == $word {
                    return Self::$variant $({ $($field: Read::read(value.field(stringify!($field)))),* })?;
                })*
                value.faulty();
                $fallback
            }
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
    Selector by "type", else Self::Some, [Self::default()] {
        Some = "some", First = "first", Last = "last", Nth { n } = "nth", Occurrence { id } = "occurrence", At { time } = "at",
    }
    ValueCondition by "type", else Self::Flag { high: true }, {
        Compare { op, number, unit } = "compare", Coded { text } = "coded", Flag { high } = "flag",
        Duration { op, amount } = "duration",
        Change { direction, amount, measure, unit, reference, within } = "change",
    }
    Count by "type", else Self::Some, [Self::default()] { Some = "some", None = "none", AtLeast { n } = "at_least" }
    Quantifier by "type", else Self::Some, [Self::default()] {
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
    fn read(value: Value<'_>) -> Self {
        match value.field("outcome").word(&["answered", "blocked", "refused", "not_executable"]) {
            0 => Self::Answered {
                answers: Read::read(value.field("answers")),
                unresolved: Read::read(value.field("unresolved")),
            },
            1 => Self::Blocked { parsed: Read::read(value.field("parsed")) },
            2 => Self::Refused { parsed: Read::read(value.field("parsed")) },
            _ => Self::NotExecutable {
                faults: Read::read(value.field("faults")),
                request: Read::read(value.field("request")),
            },
        }
    }
}

impl Read for Event {
    fn read(value: Value<'_>) -> Self {
        let words = [
            "progress",
            "loaded",
            "parsed",
            "verified",
            "timeline",
            "source",
            "bundle",
            "forgotten",
            "cancelled",
            "failed",
        ];
        match value.field("event").word(&words) {
            0 => Self::Progress { progress: Read::read(value.field("progress")) },
            1 => Self::Loaded { summary: Read::read(value.field("summary")) },
            2 => Self::Parsed {
                parsed: Read::read(value.field("parsed")),
                statements: Read::read(value.field("statements")),
                not_executable: Read::read(value.field("not_executable")),
            },
            3 => Self::Verified { verified: Read::read(value.field("verified")) },
            4 => Self::Timeline {
                rows: Read::read(value.field("rows")),
                truncated: Read::read(value.field("truncated")),
            },
            5 => Self::Source { view: Read::read(value.field("view")) },
            6 => Self::Bundle { json: Read::read(value.field("json")) },
            7 => Self::Forgotten,
            8 => Self::Cancelled,
            _ => Self::Failed { code: Read::read(value.field("code")), message: Read::read(value.field("message")) },
        }
    }
}
