//! Kinds of statements met in clinical text, each with the reading it must get.

use chartproof_notes::{
    Asserter, Assertion, Certainty, CueAsserter, Experiencer, Polarity, Temporality, find_mentions, sentences,
};

#[track_caller]
fn read(text: &str, target: &str) -> Assertion {
    let (start, end, _) = find_mentions(text, &[target])[0];
    let chars: Vec<char> = text.chars().collect();
    let sentence = sentences(text).into_iter().find(|s| s.start <= start && end <= s.end).expect("a sentence");
    let words: String = chars[sentence.start..sentence.end].iter().collect();
    let target = (start - sentence.start, end - sentence.start);
    let found = CueAsserter.assert(&words, target, sentence.section.as_deref());
    for trigger in &found.triggers {
        if trigger.end > 0 {
            let slice: String = words.chars().skip(trigger.start).take(trigger.end - trigger.start).collect();
            assert_eq!(slice, trigger.text);
        }
    }
    found
}

#[track_caller]
fn negated(text: &str, target: &str, expected: bool) {
    assert_eq!(read(text, target).polarity == Polarity::Negated, expected, "{target} in {text}");
}

#[test]
fn lists_and_their_ends() {
    for target in ["fever", "chills", "cough", "dyspnea"] {
        negated("She denies fever, chills, cough or dyspnea.", target, true);
    }
    negated("Denies fever, chills but has cough.", "cough", false);
    negated("No orthopnea or PND.Reports chest pain.", "chest pain", false);
    negated("No fever; rash over the trunk.", "rash", false);
    negated("No fever and the rash is spreading.", "rash", false);
    negated("No edema, lungs with crackles.", "crackles", false);
    negated("Patient without fever. Cough present.", "cough", false);
}

#[test]
fn after_the_target_and_in_forms() {
    negated("Fever: none", "fever", true);
    negated("Transfusion: No", "transfusion", true);
    negated("Transfusion: No reaction seen", "transfusion", false);
    negated("Transfusion: Yes", "transfusion", false);
    negated("Allergies: none", "allergies", true);
    negated("AKI was ruled out.", "aki", true);
    negated("No change in edema.", "edema", false);
    negated("Not only AKI but also sepsis.", "aki", false);
}

#[test]
fn ruled_out_rule_out_probable() {
    negated("PE ruled out by CT.", "PE", true);
    let found = read("Rule out PE.", "PE");
    assert_eq!((found.polarity, found.certainty), (Polarity::Affirmed, Certainty::Uncertain));
    assert_eq!(read("Probable AKI.", "AKI").certainty, Certainty::Uncertain);
    assert_eq!(read("AKI confirmed.", "AKI").certainty, Certainty::Certain);
    assert_eq!(read("AKI, likely due to vancomycin.", "AKI").certainty, Certainty::Certain);
}

#[test]
fn sections_speak() {
    let text = "Past Medical History:\nAKI in 2019\n\nFamily History:\nMother with stroke\n\nAllergies: vancomycin (rash)\n\n\
                Hospital Course:\nShe developed sepsis.\n\nReturn precautions:\nBleeding, fainting\n";
    assert_eq!(read(text, "AKI").temporality, Temporality::Historical);
    assert_eq!(read(text, "stroke").experiencer, Experiencer::Family);
    assert_eq!(read(text, "vancomycin").temporality, Temporality::Historical);
    assert_eq!(read(text, "sepsis").temporality, Temporality::Recent);
    assert_eq!(read(text, "bleeding").temporality, Temporality::Hypothetical);
    let inline = read("FAMILY HISTORY: stroke.", "stroke");
    assert_eq!(inline.experiencer, Experiencer::Family);
    assert_eq!(inline.triggers[0].rule, "section:FAMILY HISTORY");
}

#[test]
fn time_and_person() {
    assert_eq!(read("Monitor closely for AKI.", "AKI").temporality, Temporality::Hypothetical);
    assert_eq!(read("Return if you have fever.", "fever").temporality, Temporality::Hypothetical);
    assert_eq!(read("History of stroke, now with AKI.", "AKI").temporality, Temporality::Recent);
    assert_eq!(read("Three day history of cough.", "cough").temporality, Temporality::Recent);
    assert_eq!(read("Her brother had AKI after vancomycin.", "AKI").experiencer, Experiencer::Family);
    assert_eq!(read("Mother reports fever in the patient.", "fever").experiencer, Experiencer::Patient);
    let no_family = read("No family history of stroke.", "stroke");
    assert_eq!((no_family.polarity, no_family.experiencer), (Polarity::Negated, Experiencer::Family));
}

#[test]
fn resolved_and_on_arrival() {
    assert!(read("AKI has resolved.", "AKI").resolved);
    assert!(!read("AKI has not resolved.", "AKI").resolved);
    assert!(read("AKI, present on admission.", "AKI").on_admission);
    assert!(!read("AKI, not present on admission.", "AKI").on_admission);
    assert!(read("On arrival she had AKI.", "AKI").on_admission);
    assert!(read("On arrival, she had AKI.", "AKI").on_admission);
    assert!(!read("Creatinine 0.9 on admission, AKI developed on day 3.", "AKI").on_admission);
    assert!(!read("On admission creatinine was normal, but AKI developed on day 3.", "AKI").on_admission);
}

#[test]
fn any_text() {
    let odd = "\u{0} e\u{301}\u{200d} \u{1F600}: : , ; no? not. (poa) r/o vs. \u{2019}s ?? -ve if";
    let n = odd.chars().count();
    for start in 0..=n {
        for end in [start, start + 1, n, n + 5] {
            let _ = CueAsserter.assert(odd, (start, end), Some("Family History:"));
            let _ = chartproof_notes::given_cue(odd, (start, end));
        }
    }
}

#[test]
fn a_large_note_is_read_in_one_pass() {
    // Quadratic reading would not end within the test run.
    let note = "Dr. Brandt: no fever, AKI vs. ATN; K 5.9 at 9 a.m.\n- vancomycin 1 g given\n".repeat(14_000);
    assert!(sentences(&note).len() > 20_000);
    let phrases: Vec<&str> = std::iter::repeat_n("acute kidney injury", 19).chain(["vancomycin"]).collect();
    assert_eq!(find_mentions(&note, &phrases).len(), 14_000);
    for endless in
        ["a".repeat(1 << 20), ".".repeat(1 << 20), " ".repeat(1 << 20), "\n".repeat(1 << 20), ". (".repeat(300_000)]
    {
        let _ = sentences(&endless);
        let _ = find_mentions(&endless, &["a b"]);
    }
}
