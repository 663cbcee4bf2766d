//! The demo records answer their own questions as their list says, and all four verdicts are among them.

use std::collections::BTreeSet;

use chartproof_engine::wire::{Command, Event, Verified};
use chartproof_engine::{Engine, File};
use serde::Deserialize;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test;

#[derive(Deserialize)]
struct Demo {
    file: String,
    questions: Vec<Question>,
}

#[derive(Deserialize)]
struct Question {
    ask: String,
    expect: String,
}

const QUESTIONS: &str = include_str!("../../www/demo/questions.json");
const FILES: &[(&str, &str)] = &[
    ("demo-ward.json", include_str!("../../www/demo/demo-ward.json")),
    ("demo-anticoag.json", include_str!("../../www/demo/demo-anticoag.json")),
];

#[cfg_attr(not(target_arch = "wasm32"), test)]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn demo_records_answer_as_listed() {
    let demos: Vec<Demo> = serde_json::from_str(QUESTIONS).expect("the list parses");
    for demo in demos {
        let (name, text) = FILES.iter().find(|(name, _)| *name == demo.file).expect("the file is there");
        let mut engine = Engine::new();
        engine.load(vec![File { name: (*name).to_owned(), bytes: text.as_bytes().to_vec(), sha256: None }]);
        assert!(matches!(engine.run(), Event::Loaded { .. }), "{name} loads");
        let mut seen = BTreeSet::new();
        for question in demo.questions {
            let ask = Some(question.ask.clone());
            engine.submit(Command::Verify { patient: None, ask, request: None, accept_unresolved: false });
            let Event::Verified { verified } = engine.run() else { panic!("{}: no verdict", question.ask) };
            let Verified::Answered { answers, .. } = *verified else { panic!("{}: not answered", question.ask) };
            let verdict = serde_json::to_value(answers[0].verdict).expect("a word");
            assert_eq!(verdict.as_str(), Some(question.expect.as_str()), "{name}: {}", question.ask);
            seen.insert(question.expect);
        }
        assert_eq!(seen.len(), 4, "{name} holds all four verdicts: {seen:?}");
    }
}
