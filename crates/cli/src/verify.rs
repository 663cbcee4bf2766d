//! `verify`, `parse` and `replay`.

use std::path::Path;

use chartproof_engine::Engine;
use chartproof_engine::wire::{Answer, Command, Event, Summary, Verified};
use chartproof_evidence::query::{Quantifier, Request, Scope, ScopeLevel};
use serde_json::{Value, json};

use crate::claims::{self, Claim};
use crate::{Memory, VerifyArgs, files, output};

pub(crate) fn parse(ask: Option<&str>, lines: bool, json: bool) -> Result<(), String> {
    let show = |question: &str, json: bool| -> Result<(), String> {
        let parsed = chartproof_parse::parse(question);
        if json {
            return output::json(&parsed);
        }
        for query in parsed.query.iter().flat_map(|r| &r.queries) {
            output::line(&chartproof_parse::describe(query));
        }
        for assumption in &parsed.assumptions {
            output::line(&format!("assumed: {}", assumption.text));
        }
        for part in &parsed.unresolved {
            output::line(&format!("not understood: \"{}\" ({})", part.text, part.why));
        }
        if let Some(refusal) = &parsed.refusal {
            output::line(&format!("refused: {refusal}"));
        }
        Ok(())
    };
    if lines {
        for line in std::io::stdin().lines() {
            show(&line.map_err(|e| format!("standard input: {e}"))?, true)?;
        }
        return Ok(());
    }
    show(ask.unwrap_or_default(), json)
}

pub(crate) fn run(args: &VerifyArgs) -> Result<(), String> {
    if args.memory == Some(Memory::On) {
        return Err("--memory on: this build has no procedural memory".to_owned());
    }
    let (mut engine, summary) = files::open(&args.files)?;
    if let Some(message) = files::refused(&summary) {
        // What was read is verified; what was not makes the record incomplete, and says so in the answer.
        output::complain(&message);
    }
    if let Some(path) = &args.claims {
        let mut faults = 0;
        for claim in claims::read(path)? {
            match claim {
                Ok(claim) => output::json(&one_claim(&mut engine, args, &claim))?,
                Err(message) => {
                    faults += 1;
                    output::json(&json!({ "error": message }))?;
                }
            }
        }
        if faults > 0 {
            return Err(format!("{}: {faults} rows could not be read; the others were", path.display()));
        }
        return Ok(());
    }
    let request = args.query.as_deref().map(read_request).transpose()?;
    if request.is_none() && args.ask.is_none() {
        return Err("verify needs --ask, --query or --claims".to_owned());
    }
    let verified =
        verify(&mut engine, args, args.patient.as_deref(), args.ask.as_deref(), request, args.scope.as_deref())?;
    let answers = answered(verified)?;
    if let (Some(path), Some(answer)) = (&args.bundle, answers.first()) {
        engine.submit(Command::Bundle { digest: answer.bundle_digest.clone() });
        let Event::Bundle { json } = engine.run() else { return Err("the bundle is not kept".to_owned()) };
        std::fs::write(path, json + "\n").map_err(|e| format!("{}: {e}", path.display()))?;
    }
    for answer in &answers {
        if args.json {
            output::json(&with_diagnostics(answer, &summary))?;
        } else {
            print(answer);
        }
    }
    Ok(())
}

/// The answer with what the readers had to say of the files.
fn with_diagnostics(answer: &Answer, summary: &Summary) -> Value {
    let mut value = serde_json::to_value(answer).unwrap_or_default();
    if let Value::Object(map) = &mut value {
        map.insert("diagnostics".into(), json!(summary.diagnostics));
        map.insert("refused".into(), json!(summary.refused));
    }
    value
}

fn one_claim(engine: &mut Engine, args: &VerifyArgs, claim: &Claim) -> Value {
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let patient = some(&claim.patient).or_else(|| args.patient.clone());
    let scope = some(&claim.scope).or_else(|| args.scope.clone());
    let verified = verify(engine, args, patient.as_deref(), Some(&claim.claim), None, scope.as_deref());
    let outcome = verified.and_then(answered);
    match outcome {
        Ok(answers) => json!({ "id": claim.id, "claim": claim.claim, "answers": answers }),
        Err(message) => json!({ "id": claim.id, "claim": claim.claim, "error": message }),
    }
}

fn verify(
    engine: &mut Engine,
    args: &VerifyArgs,
    patient: Option<&str>,
    ask: Option<&str>,
    request: Option<Request>,
    scope: Option<&str>,
) -> Result<Verified, String> {
    let mut request = request;
    let mut ask = ask;
    if let (Some(question), true) = (ask, request.is_none() && (scope.is_some() || args.quantifier.is_some())) {
        // Only a parsed request can have its scope replaced; a blocked parse stays blocked.
        let parsed = chartproof_parse::parse(question);
        let blocked = parsed.unresolved.iter().any(|u| u.blocking) && !args.accept_unresolved;
        if !blocked && parsed.query.is_some() {
            request = parsed.query;
            ask = None;
        }
    }
    if let Some(request) = &mut request {
        for query in &mut request.queries {
            if let Some(scope) = scope {
                query.scope = read_scope(scope)?;
            }
            if let Some(quantifier) = &args.quantifier {
                query.quantifier = read_quantifier(quantifier)?;
            }
        }
    }
    engine.submit(Command::Verify {
        patient: patient.map(str::to_owned),
        ask: ask.map(str::to_owned),
        request,
        accept_unresolved: args.accept_unresolved,
    });
    match engine.run() {
        Event::Verified { verified } => Ok(*verified),
        Event::Failed { message, .. } => Err(message),
        _ => Err("the question did not end".to_owned()),
    }
}

fn answered(verified: Verified) -> Result<Vec<Answer>, String> {
    match verified {
        Verified::Answered { answers, .. } => Ok(answers),
        Verified::Blocked { parsed } => {
            let parts: Vec<String> = parsed
                .unresolved
                .iter()
                .filter(|u| u.blocking)
                .map(|u| format!("\"{}\" ({})", u.text, u.why))
                .collect();
            Err(format!("not understood, and it could change the answer: {}; nothing was run", parts.join(", ")))
        }
        Verified::Refused { parsed } => {
            Err(parsed.refusal.unwrap_or_else(|| "not a question about a record".to_owned()))
        }
        Verified::NotExecutable { faults, .. } => {
            let parts: Vec<String> = faults.iter().map(|f| format!("{}: {}", f.field, f.why)).collect();
            Err(parts.join("; "))
        }
    }
}

fn read_request(path: &Path) -> Result<Request, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    serde_json::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))
}

fn read_scope(text: &str) -> Result<Scope, String> {
    let level = |level| Scope { level, reference: None, assumed: false };
    Ok(match text {
        "encounter" => level(ScopeLevel::Encounter),
        "episode" => level(ScopeLevel::Episode),
        "patient" => level(ScopeLevel::Patient),
        key if key.starts_with("Encounter/") => {
            Scope { level: ScopeLevel::Encounter, reference: Some(key.to_owned()), assumed: false }
        }
        key if key.starts_with("EpisodeOfCare/") => {
            Scope { level: ScopeLevel::Episode, reference: Some(key.to_owned()), assumed: false }
        }
        other => return Err(format!("--scope {other}: not encounter, episode, patient or a key")),
    })
}

fn read_quantifier(text: &str) -> Result<Quantifier, String> {
    Ok(match text {
        "some" => Quantifier::Some,
        "first" => Quantifier::First,
        "last" => Quantifier::Last,
        "every" => Quantifier::Every,
        "none" => Quantifier::None,
        other => return Err(format!("--quantifier {other}: not some, first, last, every or none")),
    })
}

fn print(answer: &Answer) {
    let word =
        serde_json::to_value(answer.verdict).ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default();
    output::line(&format!("{} - {}", word.to_uppercase(), answer.statement));
    output::line(&format!(
        "  support {:.2}, refute {:.2} (thresholds {:.2}, {:.2})",
        answer.axes.support, answer.axes.refute, answer.thresholds.support, answer.thresholds.refute
    ));
    for event in &answer.events {
        output::line(&format!("  {}: {}; by numbers: {}", event.label, event.documented_text, event.occurred_text));
    }
    if let Some(text) = &answer.failure_text {
        output::line(&format!("  missing: {text}"));
    }
    for reason in answer.tuples.first().map(|t| t.reasons.as_slice()).unwrap_or_default() {
        output::line(&format!("  - {}", reason.text));
    }
    for line in &answer.evidence {
        for citation in line.citations.iter().take(2) {
            output::line(&format!("  \"{}\" [{} {}]", citation.quote, citation.source, citation.pointer));
        }
    }
    output::line(&format!("  bundle {}", answer.bundle_digest));
}

pub(crate) fn replay(path: &Path, json: bool) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let answer = chartproof_engine::replay(text.trim_end()).map_err(|e| format!("{}: {e}", path.display()))?;
    if json {
        return output::json(&answer);
    }
    print(&answer);
    Ok(())
}
