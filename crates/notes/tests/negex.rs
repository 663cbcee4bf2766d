//! Negation against a public set of annotated sentences, where it is present.

use std::path::PathBuf;

use chartproof_notes::{Asserter, CueAsserter, Experiencer, Polarity, Temporality};

/// True positives, false positives, false negatives.
#[derive(Default)]
struct Counts {
    tp: usize,
    fp: usize,
    fn_: usize,
}

impl Counts {
    fn add(&mut self, gold: bool, found: bool) {
        match (gold, found) {
            (true, true) => self.tp += 1,
            (false, true) => self.fp += 1,
            (true, false) => self.fn_ += 1,
            (false, false) => {}
        }
    }

    fn f1(&self) -> f64 {
        2.0 * self.tp as f64 / (2 * self.tp + self.fp + self.fn_).max(1) as f64
    }
}

#[test]
fn negation() {
    let Some(root) = std::env::var_os("CHARTPROOF_DATA") else {
        println!("SKIPPED: negex: CHARTPROOF_DATA is not set");
        return;
    };
    let path = PathBuf::from(root).join("negex/annotations_dev.tsv");
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("SKIPPED: negex: {} is missing", path.display());
        return;
    };
    let show = std::env::var_os("CHARTPROOF_SHOW").is_some();
    let (mut negated, mut historical, mut hypothetical, mut family) =
        (Counts::default(), Counts::default(), Counts::default(), Counts::default());
    let (mut rows, mut unfound) = (0, 0);
    for line in text.lines() {
        let cells: Vec<&str> = line.split('\t').collect();
        let [_, _, concept, sentence, polarity, temporality, experiencer] = cells[..] else { continue };
        let sentence = sentence.trim_matches('"');
        rows += 1;
        // The concept stands in capitals.
        let capitals = concept.trim().to_uppercase();
        let Some(at) = sentence.find(&capitals) else {
            unfound += 1;
            negated.add(polarity == "Negated", false);
            continue;
        };
        let start = sentence[..at].chars().count();
        let target = (start, start + capitals.chars().count());
        let found = CueAsserter.assert(sentence, target, None);
        let (gold, said) = (polarity == "Negated", found.polarity == Polarity::Negated);
        negated.add(gold, said);
        historical.add(temporality == "Historical", found.temporality == Temporality::Historical);
        hypothetical.add(temporality == "Not particular", found.temporality == Temporality::Hypothetical);
        family.add(experiencer != "Patient", found.experiencer != Experiencer::Patient);
        if show && gold != said {
            println!("gold {polarity} {:?}: {sentence}", found.triggers.iter().map(|t| &t.rule).collect::<Vec<_>>());
        }
    }
    println!(
        "negex: n {rows}, target not found {unfound}; negation tp {} fp {} fn {} F1 {:.4}; historical F1 {:.4}; \
         hypothetical F1 {:.4}; other experiencer F1 {:.4}",
        negated.tp,
        negated.fp,
        negated.fn_,
        negated.f1(),
        historical.f1(),
        hypothetical.f1(),
        family.f1()
    );
    assert!(negated.f1() >= 0.93, "negation F1 {:.4}", negated.f1());
}
