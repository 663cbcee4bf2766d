//! Real files: read or refused exactly as listed, and counted like an independent script counts them.
//!
//! Needs `CHARTPROOF_DATA`; without it every test here says that it is skipped.

#![expect(clippy::print_stdout, reason = "what was skipped or counted is printed")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use chartproof_ingest::{Input, Limits, read_all};

fn data(test: &str) -> Option<PathBuf> {
    let found = std::env::var_os("CHARTPROOF_DATA").map(PathBuf::from);
    if found.is_none() {
        println!("SKIPPED: {test}: CHARTPROOF_DATA is not set");
    }
    found
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

const FOLDERS: [&str; 6] = [
    "fhir-hl7-r4-examples",
    "fhir-server-tests",
    "fhir-test-cases",
    "synthea-bulk-ndjson-10",
    "synthea-r4-bundles",
    "synthea-r4-bundles-with-notes",
];

/// What is listed for a path, and the line that lists it.
fn listed<'a>(list: &[(&'a str, &'a str)], path: &str) -> Option<(&'a str, &'a str)> {
    let exact = list.iter().find(|(pattern, _)| *pattern == path);
    let found = exact.or_else(|| {
        list.iter().find(|(pattern, _)| {
            let Some((head, tail)) = pattern.split_once('*') else { return false };
            let inside = path.strip_prefix(head).and_then(|p| p.strip_suffix(tail));
            inside.is_some_and(|name| !name.contains('/'))
        })
    });
    found.copied()
}

#[test]
fn every_file_reads_or_is_refused_as_listed() {
    let Some(data) = data("every_file_reads_or_is_refused_as_listed") else { return };
    let text = std::fs::read_to_string(root().join("tests/refusals/fhir.tsv")).expect("the list of refusals");
    let list: Vec<(&str, &str)> =
        text.lines().filter(|l| !l.starts_with('#')).filter_map(|l| l.split_once('\t')).collect();
    let mut used = BTreeSet::new();
    let mut faults = Vec::new();
    let (mut good, mut refused) = (0, 0);
    for folder in FOLDERS {
        let mut paths: Vec<PathBuf> =
            std::fs::read_dir(data.join(folder)).expect(folder).map(|entry| entry.expect(folder).path()).collect();
        paths.sort();
        for path in paths {
            let name = format!("{folder}/{}", path.file_name().unwrap_or_default().to_string_lossy());
            let bytes = std::fs::read(&path).expect("a readable file");
            let (record, refusals) = read_all([Input::new(&name, bytes)], Limits::standard());
            let rule = listed(&list, &name);
            match (refusals.first(), rule) {
                (None, None) => {
                    good += 1;
                    assert!(record.is_some(), "{name}");
                }
                (Some(refusal), Some((pattern, code))) if refusal.code.name() == code => {
                    refused += 1;
                    used.insert(pattern);
                    assert!(!refusal.message.is_empty());
                    let placed = matches!(code, "broken_json" | "not_fhir" | "not_utf8");
                    assert!(!placed || refusal.location.starts_with("line "), "{refusal}");
                }
                (Some(refusal), _) => faults.push(format!("{name}\t{}\t{refusal}", refusal.code.name())),
                (None, Some((pattern, code))) => faults.push(format!("{name}: reads, but {pattern} lists {code}")),
            }
        }
    }
    for (pattern, _) in &list {
        if !used.contains(pattern) {
            faults.push(format!("{pattern} is listed but refuses nothing"));
        }
    }
    println!("{good} files read, {refused} refused as listed");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn all_rows_of_real_files_can_be_cited() {
    let Some(data) = data("all_rows_of_real_files_can_be_cited") else { return };
    for folder in ["fhir-hl7-r4-examples", "fhir-test-cases", "fhir-server-tests"] {
        let mut inputs = Vec::new();
        for entry in std::fs::read_dir(data.join(folder)).expect(folder) {
            let path = entry.expect(folder).path();
            inputs.push(Input::new(&path.to_string_lossy(), std::fs::read(&path).expect("a readable file")));
        }
        let (record, _) = read_all(inputs, Limits::standard());
        let record = record.expect(folder);
        let mut count = 0;
        for row in &record.occurrences {
            let source = row.concept.source.unwrap_or(row.source);
            let cited = record.cite(source, &row.concept.label_pointer, &[], None).expect(&row.id.0);
            assert_eq!(cited.quote, row.concept.label, "{}", row.id);
            assert_eq!(cited.reread_in(&record.files[record.sources[source.0 as usize].file as usize]), Ok(()));
            if let Some(value) = &row.value {
                record.cite(row.source, value.pointer(), &[], None).expect(&row.id.0);
            }
            for stamp in &row.times {
                let cited =
                    record.cite(stamp.source.unwrap_or(row.source), &stamp.pointer, &[], None).expect(&row.id.0);
                assert_eq!(*cited.quote, *stamp.at.text);
            }
            count += 1;
        }
        for note in &record.notes {
            let cited = record.cite(note.source, &note.pointer, &note.decode, None).expect(&note.pointer);
            assert_eq!(cited.quote, note.text);
        }
        println!("{folder}: {count} rows and {} notes cited", record.notes.len());
    }
}

/// Three bundles of different makers.
const COUNTED: [&str; 5] = [
    "synthea-r4-bundles/Agust_n_Fonseca_cb5696d9-a0de-4f49-94f9-433f96a28eb0.json.gz",
    "synthea-r4-bundles-with-notes/andrew__Autumn454_Russel238_4d121f45-529e-e93c-e316-907a79be9c96.json.gz",
    "fhir-test-cases/validator__ips-nz-pj.json.gz",
    "fhir-test-cases/validator__bundle-mni-patientOverview-bundle-example1.json.gz",
    "fhir-test-cases/validator__molis_1A.json.gz",
];

#[test]
fn counts_agree_with_an_independent_script() {
    let test = "counts_agree_with_an_independent_script";
    let Some(data) = data(test) else { return };
    let paths: Vec<PathBuf> = COUNTED.iter().map(|name| data.join(name)).collect();
    let output = Command::new("python3").arg(root().join("tests/independent/count_events.py")).args(&paths).output();
    let Ok(output) = output else {
        println!("SKIPPED: {test}: python3 is not installed");
        return;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let expected: BTreeMap<String, BTreeMap<String, usize>> =
        serde_json::from_slice(&output.stdout).expect("JSON from the script");
    for path in &paths {
        let name = path.to_string_lossy();
        let (record, _) = read_all([Input::new(&name, std::fs::read(path).expect("a file"))], Limits::standard());
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for row in &record.expect("a record").occurrences {
            let kind = serde_json::to_value(row.kind).expect("a kind");
            *counts.entry(kind.as_str().unwrap_or_default().to_owned()).or_default() += 1;
        }
        assert_eq!(Some(&counts), expected.get(name.as_ref()), "{name}");
        println!("{name}: {counts:?}");
    }
}
