//! Every case natively and as wasm: verdicts, citations that re-read, order that does not matter, the same bytes.

use chartproof_tests::{CASES, Case, SNAPSHOT, citations, faults, files, run, shuffle, snapshot_line};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test;

fn cases() -> impl Iterator<Item = (&'static str, Case)> {
    CASES.iter().map(|(name, text)| {
        let case: Case = serde_json::from_str(text).unwrap_or_else(|e| panic!("{name}: {e}"));
        (*name, case)
    })
}

#[cfg_attr(not(target_arch = "wasm32"), test)]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn each_case_answers_as_it_must() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for (name, case) in cases() {
        count += 1;
        match run(&case, files(&case)) {
            outcome if case.known_gap => {
                if outcome.is_ok_and(|(_, _, answer)| faults(&case, &answer).is_empty()) {
                    wrong.push(format!("{name}\n    the gap has closed: take known_gap out of the case"));
                }
            }
            Ok((_, _, answer)) => {
                let faults = faults(&case, &answer);
                if !faults.is_empty() {
                    wrong.push(format!("{name}\n    {}", faults.join("\n    ")));
                }
            }
            Err(message) => wrong.push(format!("{name}\n    {message}")),
        }
    }
    assert!(count >= 45, "only {count} cases");
    assert!(wrong.is_empty(), "{} of {count} cases are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[cfg_attr(not(target_arch = "wasm32"), test)]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn every_citation_re_reads_from_the_bytes_as_given() {
    let mut count = 0;
    for (name, case) in cases() {
        let given = files(&case);
        let Ok((_, _, answer)) = run(&case, given.clone()) else { continue };
        for citation in citations(&answer) {
            let file = given.iter().find(|f| *f.name == *citation.locator.file).expect("the file was given");
            assert_eq!(*citation.locator.sha256, chartproof_record::sha256_hex(&file.bytes), "{name}");
            let text = std::str::from_utf8(&file.bytes).expect("cases are text");
            citation.reread(text).unwrap_or_else(|e| panic!("{name}: {citation:?}: {e}"));
            count += 1;
        }
    }
    assert!(count > 0, "no citation was checked");
}

#[cfg_attr(not(target_arch = "wasm32"), test)]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn order_of_files_entries_and_rows_does_not_matter() {
    for (name, case) in cases() {
        let Ok((_, _, first)) = run(&case, files(&case)) else { continue };
        for seed in 1..=4 {
            let (_, _, again) = run(&case, shuffle::shuffled(&case, seed)).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(again.verdict, first.verdict, "{name}, order {seed}");
            assert_eq!(again.bundle_digest, first.bundle_digest, "{name}, order {seed}");
        }
    }
}

#[cfg_attr(not(target_arch = "wasm32"), test)]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn a_bundle_replays_to_the_same_assessment() {
    use chartproof_engine::wire::{Command, Event};
    for (name, case) in cases() {
        let Ok((mut engine, _, answer)) = run(&case, files(&case)) else { continue };
        engine.submit(Command::Bundle { digest: answer.bundle_digest.clone() });
        let Event::Bundle { json } = engine.run() else { panic!("{name}: no bundle") };
        let replayed = chartproof_engine::replay(&json).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(replayed.verdict, answer.verdict, "{name}");
        assert_eq!(replayed.axes, answer.axes, "{name}");
        assert_eq!(replayed.tuples, answer.tuples, "{name}");
        assert_eq!(replayed.bundle_digest, answer.bundle_digest, "{name}");
        let changed = json.replacen("\"version\":1", "\"version\":1,\"note\":1", 1);
        assert!(chartproof_engine::replay(&changed).is_ok() || changed == json, "{name}: an unknown field is ignored");
        if let Some(at) = json.find("\"quote\":\"") {
            let mut forged = json.clone();
            forged.insert(at + 9, '!');
            assert!(chartproof_engine::replay(&forged).is_err(), "{name}: a changed bundle must be refused");
        }
    }
}

/// Natively the snapshot can be accepted (`CHARTPROOF_ACCEPT=1`); as wasm it must be met byte for byte.
#[cfg_attr(not(target_arch = "wasm32"), test)]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn answers_are_the_same_bytes_everywhere() {
    let lines: Vec<String> = cases()
        .filter_map(|(name, case)| run(&case, files(&case)).ok().map(|(_, _, answer)| snapshot_line(name, &answer)))
        .collect();
    let now = lines.join("\n") + "\n";
    #[cfg(not(target_arch = "wasm32"))]
    if std::env::var_os("CHARTPROOF_ACCEPT").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/cases.snap");
        std::fs::write(path, &now).expect("the snapshot is writable");
        return;
    }
    assert!(now == SNAPSHOT, "answers differ from cases.snap; accept with CHARTPROOF_ACCEPT=1 if the change is meant");
}
