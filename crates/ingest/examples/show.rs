//! What files hold: `show FILE...` prints counts by kind, diagnostics and refusals.
#![expect(clippy::print_stdout, reason = "a command-line example")]

use std::collections::BTreeMap;

use chartproof_ingest::{Input, Limits, read_all};

fn main() {
    let inputs = std::env::args().skip(1).map(|path| Input::new(&path, std::fs::read(&path).unwrap_or_default()));
    let (record, refusals) = read_all(inputs, Limits::standard());
    for refusal in refusals {
        println!("refused {}: {refusal}", refusal.code.name());
    }
    let Some(record) = record else { return };
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for occurrence in &record.occurrences {
        *kinds.entry(format!("{:?} {:?}", occurrence.kind, occurrence.standing)).or_default() += 1;
    }
    println!(
        "{} patients, {} encounters, {} stays, {} notes, {kinds:#?}",
        record.patients.len(),
        record.encounters.len(),
        record.stays.len(),
        record.notes.len()
    );
    for d in &record.diagnostics {
        println!("{:?} {:?} {} {} {}", d.severity, d.code, d.source, d.location, d.message);
    }
}
