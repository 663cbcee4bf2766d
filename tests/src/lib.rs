//! The corpus of cases: a small record, a question, and what the answer must be. Data in `cases/`, run natively and
//! as wasm; the answers of both must be the same bytes (`cases.snap`).
#![forbid(unsafe_code)]

pub mod shuffle;

use chartproof_engine::wire::{Answer, Command, Event, Polarity, Summary, Verified};
use chartproof_engine::{Engine, File};
use chartproof_evidence::query::Request;
use chartproof_record::Citation;
use serde::Deserialize;
use serde_json::Value;

/// All cases: name and text.
pub const CASES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/cases.rs"));

/// Digests of the answers, one line a case: `name verdict sha256`.
pub const SNAPSHOT: &str = include_str!("../cases.snap");

/// A case.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Its name.
    pub name: String,
    /// The rule it pins.
    pub rule: String,
    /// The record.
    pub files: Vec<CaseFile>,
    /// The patient, where the files hold several.
    #[serde(default)]
    pub patient: Option<String>,
    /// The question, ...
    #[serde(default)]
    pub ask: Option<String>,
    /// ... or the request.
    #[serde(default)]
    pub query: Option<Request>,
    /// What must come out.
    pub expect: Expect,
    /// It does not come out yet: the case fails when it does.
    #[serde(default)]
    pub known_gap: bool,
}

/// A file of a case: resources that are wrapped into a Bundle, or the text as it is.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseFile {
    /// File name.
    pub name: String,
    /// Resources.
    #[serde(default)]
    pub resources: Vec<Value>,
    /// Text as it is.
    #[serde(default)]
    pub text: Option<String>,
}

/// What must come out; what is not named is not checked.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    /// The verdict.
    pub verdict: String,
    /// The named failure.
    #[serde(default)]
    pub failure: Option<String>,
    /// Documented line.
    #[serde(default)]
    pub documented: Option<String>,
    /// Occurred line.
    #[serde(default)]
    pub occurred: Option<String>,
    /// Order in time.
    #[serde(default)]
    pub v_tim: Option<String>,
    /// Bounds of the axes.
    #[serde(default)]
    pub support_min: Option<f64>,
    /// Bounds of the axes.
    #[serde(default)]
    pub support_max: Option<f64>,
    /// Bounds of the axes.
    #[serde(default)]
    pub refute_min: Option<f64>,
    /// Bounds of the axes.
    #[serde(default)]
    pub refute_max: Option<f64>,
    /// Reasons that must be among the excluded.
    #[serde(default)]
    pub excluded: Vec<String>,
    /// Quotes that must be among the citations of the evidence: whole quotes or parts of one.
    #[serde(default)]
    pub quotes: Vec<String>,
    /// Quotes that must not be.
    #[serde(default)]
    pub not_quotes: Vec<String>,
}

/// The files of a case as bytes.
pub fn files(case: &Case) -> Vec<File> {
    case.files
        .iter()
        .map(|file| {
            let text = file.text.clone().unwrap_or_else(|| bundle(&file.resources));
            File { name: file.name.clone(), bytes: text.into_bytes(), sha256: None }
        })
        .collect()
}

/// Resources as a collection Bundle.
pub fn bundle(resources: &[Value]) -> String {
    let entries: Vec<String> = resources.iter().map(|r| format!("{{\"resource\":{r}}}")).collect();
    format!("{{\"resourceType\":\"Bundle\",\"type\":\"collection\",\"entry\":[{}]}}", entries.join(",\n"))
}

/// Loads files and asks the case's question.
///
/// # Errors
/// When the load or the question does not run.
pub fn run(case: &Case, files: Vec<File>) -> Result<(Engine, Summary, Answer), String> {
    let mut engine = Engine::new();
    engine.load(files);
    let summary = match engine.run() {
        Event::Loaded { summary } => *summary,
        other => return Err(format!("load: {other:?}")),
    };
    engine.submit(Command::Verify {
        patient: case.patient.clone(),
        ask: case.ask.clone(),
        request: case.query.clone(),
        accept_unresolved: false,
    });
    match engine.run() {
        Event::Verified { verified } => match *verified {
            Verified::Answered { mut answers, .. } if answers.len() == 1 => Ok((engine, summary, answers.remove(0))),
            other => Err(format!("not one answer: {other:?}")),
        },
        other => Err(format!("verify: {other:?}")),
    }
}

fn word(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default()
}

/// All citations of an answer: of its evidence and of what was excluded.
pub fn citations(answer: &Answer) -> impl Iterator<Item = &Citation> {
    let evidence = answer.evidence.iter().flat_map(|e| &e.citations);
    evidence.chain(answer.excluded.iter().flat_map(|e| &e.citations))
}

/// What in the answer is not as expected.
pub fn faults(case: &Case, answer: &Answer) -> Vec<String> {
    let mut out = Vec::new();
    let expect = &case.expect;
    let mut same = |what: &str, wanted: Option<&str>, found: String| {
        if let Some(wanted) = wanted.filter(|w| *w != found) {
            out.push(format!("{what}: expected {wanted}, found {found}"));
        }
    };
    same("verdict", Some(&expect.verdict), word(&answer.verdict));
    same("failure", expect.failure.as_deref(), answer.failure.as_ref().map(word).unwrap_or_default());
    same("documented", expect.documented.as_deref(), word(&answer.documented));
    same("occurred", expect.occurred.as_deref(), word(&answer.occurred));
    same("v_tim", expect.v_tim.as_deref(), word(&answer.v_tim));
    for (what, bound, value, at_least) in [
        ("support", expect.support_min, answer.axes.support, true),
        ("support", expect.support_max, answer.axes.support, false),
        ("refute", expect.refute_min, answer.axes.refute, true),
        ("refute", expect.refute_max, answer.axes.refute, false),
    ] {
        if bound.is_some_and(|b| if at_least { value < b } else { value > b }) {
            out.push(format!("{what} is {value}, not within {bound:?}"));
        }
    }
    for reason in &expect.excluded {
        if !answer.excluded.iter().any(|e| word(&e.reason) == *reason) {
            let found: Vec<String> = answer.excluded.iter().map(|e| word(&e.reason)).collect();
            out.push(format!("nothing excluded as {reason}, only {found:?}"));
        }
    }
    let quotes: Vec<&str> = answer.evidence.iter().flat_map(|e| e.citations.iter().map(|c| &*c.quote)).collect();
    for quote in &expect.quotes {
        if !quotes.iter().any(|q| q.contains(quote.as_str())) {
            out.push(format!("no citation quotes {quote:?}, only {quotes:?}"));
        }
    }
    for quote in &expect.not_quotes {
        if quotes.iter().any(|q| q.contains(quote.as_str())) {
            out.push(format!("a citation quotes {quote:?}"));
        }
    }
    out.extend(unsound(answer));
    out
}

/// What no answer may be: a statement without a citation, a verdict without a reason.
fn unsound(answer: &Answer) -> Vec<String> {
    let mut out = Vec::new();
    for line in &answer.evidence {
        if line.citations.is_empty() {
            out.push(format!("evidence {} has no citation", line.id));
        }
    }
    let held = |id: &String| answer.evidence.iter().any(|e| e.id == *id);
    for reason in answer.tuples.iter().flat_map(|t| &t.reasons) {
        if reason.polarity != Polarity::Neutral && reason.items.is_empty() {
            out.push(format!("reason {} rests on nothing", reason.code));
        }
        if let Some(id) = reason.items.iter().find(|id| !held(id)) {
            out.push(format!("reason {} names {id}, which is not in the evidence", reason.code));
        }
    }
    if word(&answer.verdict) != "insufficient" && answer.evidence.is_empty() {
        out.push("a verdict without evidence".to_owned());
    }
    out
}

/// The snapshot line of an answer.
pub fn snapshot_line(name: &str, answer: &Answer) -> String {
    let json = serde_json::to_string(answer).unwrap_or_default();
    format!("{name} {} {}", word(&answer.verdict), chartproof_record::sha256_hex(json.as_bytes()))
}
