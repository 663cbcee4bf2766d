//! Kinds of statements that mislead, each with the reading it must get.

use chartproof_notes::{
    Asserter, Assertion, Certainty, Cue, CueAsserter, Experiencer, GivenCue, Polarity, Temporality, given_cue,
    relation_cues,
};

/// The text without brackets and the marked spans.
fn marked(example: &str) -> (String, Vec<(usize, usize)>) {
    let (mut spans, mut plain, mut open, mut at) = (Vec::new(), String::new(), 0, 0);
    for c in example.chars() {
        match c {
            '{' => open = at,
            '}' => spans.push((open, at)),
            _ => {
                plain.push(c);
                at += 1;
            }
        }
    }
    (plain, spans)
}

fn read(example: &str) -> Assertion {
    let (text, spans) = marked(example);
    CueAsserter.assert(&text, spans[0], None)
}

#[track_caller]
fn negated(example: &str, expected: bool) {
    let found = read(example);
    assert_eq!(found.polarity == Polarity::Negated, expected, "{example} {found:?}");
}

#[track_caller]
fn plain(example: &str) {
    let found = read(example);
    let seen = (found.polarity, found.certainty, found.temporality, found.experiencer);
    let wanted = (Polarity::Affirmed, Certainty::Certain, Temporality::Recent, Experiencer::Patient);
    assert_eq!(seen, wanted, "{example} {:?}", found.triggers);
}

#[test]
fn denied_past() {
    for example in [
        "No prior {AKI}.",
        "No previous {AKI}.",
        "No prior episodes of {AKI}.",
        "Denies prior {AKI}.",
        "No previous history of {AKI}, now with AKI.",
        "No prior DVT or {AKI}.",
        "Before vancomycin, no {AKI}.",
        "No {AKI} before vancomycin.",
        "Prior to surgery there was no {AKI}.",
        "No {AKI} at baseline.",
        "Without prior {AKI}.",
    ] {
        let found = read(example);
        assert_eq!((found.polarity, found.temporality), (Polarity::Negated, Temporality::Historical), "{example}");
    }
    plain("No prior records; {AKI} noted.");
    plain("No previous history of AKI, now with {AKI}.");
    assert_eq!(read("No {AKI} today.").temporality, Temporality::Recent);
    assert_eq!(read("{AKI} before vancomycin.").temporality, Temporality::Recent);
    plain("No prior CT, {AKI} on labs.");
}

#[test]
fn boxes_marks_and_answers() {
    negated("{AKI} [ ] yes [x] no", true);
    negated("{AKI}: [] Yes [X] No", true);
    negated("{AKI} [x] yes [ ] no", false);
    negated("{AKI} Yes [ ] No [x]", true);
    negated("{AKI} \u{2610} yes \u{2612} no", true);
    negated("Fever [ ] yes [x] no {AKI} [x] yes [ ] no", false);
    negated("[x] No {AKI}", true);
    assert_eq!(read("[ ] {AKI}").temporality, Temporality::Hypothetical);
    plain("[x] {AKI}");
    negated("{AKI} (-)", true);
    negated("{AKI} (neg)", true);
    negated("{AKI}: not present", true);
    negated("{AKI} \u{25a1} yes \u{25a0} no", true);
    negated("{AKI} (no)", true);
    negated("AKI (-) {fever} (+)", false);
    negated("(-) {AKI}", true);
    negated("{AKI}? No", true);
    negated("Was {AKI} present? No.", true);
    plain("Was {AKI} present? Yes.");
    assert_eq!(read("Is there {AKI}?").certainty, Certainty::Uncertain);
    assert_eq!(read("Is {AKI} due to vancomycin?").certainty, Certainty::Uncertain);
    negated("Allergies: NKDA. {AKI} noted.", false);
    negated("{Allergies}: NKDA", true);
    negated("NKDA. No known {allergies}.", true);
    negated("No known drug {allergies}", true);
}

#[test]
fn failed_to() {
    negated("Failed to develop {AKI}.", true);
    negated("Imaging failed to show {abscess}.", true);
    negated("{AKI} failed to resolve.", false);
}

#[test]
fn other_people() {
    for example in [
        "Mother: {AKI}, diabetes.",
        "Mother: AKI, {diabetes}.",
        "Father - {stroke}",
        "Dad had {AKI}.",
        "His sister was diagnosed with {AKI}.",
        "Her brother developed {AKI}.",
    ] {
        assert_eq!(read(example).experiencer, Experiencer::Family, "{example}");
    }
    assert_eq!(read("His wife was given {vancomycin}.").experiencer, Experiencer::Other);
    plain("Mother reports {fever}.");
    plain("Wife had noticed {confusion}.");
    plain("Husband has concerns about {confusion}.");
    plain("Patient and wife have {influenza}.");
    plain("Per mother, had {fever}.");
    plain("Lives with mother; {AKI} on labs.");
    plain("Mother had concerns, patient has {AKI}.");
}

#[test]
fn years() {
    for example in [
        "{AKI} in 2019.",
        "{AKI} (2019)",
        "In 2019 she had {AKI}.",
        "Had {AKI} in 2019.",
        "PMH: {AKI} due to vancomycin (2019)",
    ] {
        assert_eq!(read(example).temporality, Temporality::Historical, "{example}");
    }
    plain("{CKD} since 2019.");
    plain("{CKD} diagnosed in 2019.");
    plain("{AKI}, last creatinine in 2019 normal.");
    plain("{AKI} in March 2024.");
    plain("{AKI} in 2 days.");
}

#[test]
fn another_entity() {
    for head in [
        "prevention bundle",
        "prophylaxis",
        "bundle",
        "protocol",
        "pathway",
        "risk",
        "screening",
        "education",
        "clinic",
    ] {
        let example = format!("{{AKI}} {head} ordered");
        assert_eq!(read(&example).temporality, Temporality::Hypothetical, "{example}");
    }
    assert_eq!(read("{AKI}-prevention bundle").temporality, Temporality::Hypothetical);
    assert_eq!(read("Risks and benefits discussed including {AKI}").temporality, Temporality::Hypothetical);
    plain("{AKI}, education provided.");
    plain("{AKI}; protocol started.");
}

#[test]
fn questionable() {
    for example in [
        "{AKI}, questionable",
        "{AKI} questionable.",
        "{Acute kidney injury}-like picture",
        "Picture resembling {AKI}.",
    ] {
        let found = read(example);
        assert_eq!((found.certainty, found.polarity), (Certainty::Uncertain, Polarity::Affirmed), "{example}");
    }
    plain("{AKI}, unclear etiology.");
    plain("{AKI} like before.");
}

#[test]
fn lists_end_at_a_statement() {
    for example in [
        "No infection, {AKI} worsening.",
        "no acute distress, {AKI} on labs",
        "No fever, {AKI} is worsening.",
        "No infection, worsening {AKI}.",
        "No fever, {creatinine} 2.4.",
        "Plan: no vancomycin given {AKI}",
        "No infection, {AKI} due to vancomycin.",
        "No NSAIDs given {AKI}.",
        "No AKI on admission, developed {AKI} on day 3.",
    ] {
        plain(example);
    }
    for example in [
        "No fever, {chills} or cough on labs.",
        "No murmurs, {edema} on exam.",
        "No fever, {chills} noted.",
        "No fever, chills, {cough}.",
        "Plan: no {vancomycin} given AKI",
        "No {AKI} on admission, developed AKI on day 3.",
        "Before vancomycin, no {AKI}.",
    ] {
        negated(example, true);
    }
    assert!(read("No {AKI} on admission, developed AKI on day 3.").on_admission);
}

#[test]
fn sections_given() {
    let under = |section: &str| CueAsserter.assert("AKI.", (0, 3), Some(section));
    assert_eq!(under("Differential").certainty, Certainty::Uncertain);
    assert_eq!(under("Indication").certainty, Certainty::Uncertain);
    assert_eq!(under("Reason for study").certainty, Certainty::Uncertain);
    assert_eq!(under("Patient Instructions").temporality, Temporality::Hypothetical);
    assert_eq!(under("Past Medical History").temporality, Temporality::Historical);
    assert_eq!(under("Family History").experiencer, Experiencer::Family);
    for (text, want) in [("Differential: {AKI}", Certainty::Uncertain), ("Hospital course: {AKI}", Certainty::Certain)]
    {
        assert_eq!(read(text).certainty, want, "{text}");
    }
}

#[test]
fn given_or_not() {
    let cue = |example: &str| {
        let (text, spans) = marked(example);
        given_cue(&text, spans[0])
    };
    for (example, wanted) in [
        ("{Vancomycin} given: No", Some(GivenCue::NotGiven)),
        ("{Vancomycin} given: Yes", Some(GivenCue::Given)),
        ("Was {vancomycin} given? No", Some(GivenCue::NotGiven)),
        ("Was {vancomycin} given? Yes", Some(GivenCue::Given)),
        ("Was {vancomycin} given?", None),
        ("To be given {vancomycin}.", Some(GivenCue::Planned)),
        ("{Vancomycin} 1 g given x1.", Some(GivenCue::Given)),
        ("Another patient was given {vancomycin}.", None),
        ("{Vancomycin} given [ ] yes [x] no", Some(GivenCue::NotGiven)),
        ("Cefazolin was given instead of {vancomycin}.", None),
        ("She received cefazolin rather than {vancomycin}.", None),
        ("She received cefazolin, not {vancomycin}.", Some(GivenCue::NotGiven)),
        ("{Vancomycin} was given instead of cefazolin.", Some(GivenCue::Given)),
        ("{Vancomycin} should be given.", Some(GivenCue::Planned)),
        ("{Vancomycin} may be given.", Some(GivenCue::Planned)),
        ("She should be given {vancomycin}.", Some(GivenCue::Planned)),
        ("If {vancomycin} is given, check a level.", Some(GivenCue::Planned)),
        ("Given {vancomycin} allergy, linezolid was started.", None),
        ("Given AKI, {vancomycin} was stopped.", None),
        ("{Vancomycin} dose adjusted given AKI.", None),
        ("No {vancomycin} given AKI.", Some(GivenCue::NotGiven)),
        ("No {vancomycin} was given.", Some(GivenCue::NotGiven)),
        ("His wife was given {vancomycin}.", None),
        ("{Vancomycin} was given to his wife.", None),
        ("His wife received {vancomycin}.", None),
        ("Mother states he was given {vancomycin}.", Some(GivenCue::Given)),
        ("{Vancomycin} was discontinued before any dose was given.", Some(GivenCue::Held)),
        ("{Vancomycin} was almost given but the error was caught.", Some(GivenCue::Held)),
        ("She nearly received {vancomycin}.", Some(GivenCue::Held)),
        ("Given {naloxone} 0.4 mg and cefepime.", Some(GivenCue::Given)),
        ("{Vancomycin} given for sepsis.", Some(GivenCue::Given)),
        ("{Vancomycin} was given overnight.", Some(GivenCue::Given)),
        ("{Vancomycin} given and tolerated.", Some(GivenCue::Given)),
        ("{Vancomycin} was given.", Some(GivenCue::Given)),
    ] {
        assert_eq!(cue(example), wanted, "{example}");
    }
}

#[test]
fn causes() {
    let cue = |example: &str| {
        let (text, spans) = marked(example);
        relation_cues(&text, spans[0], spans[1]).first().map(|c| (c.kind, c.certainty))
    };
    let (sure, unsure) =
        (Some((Cue::AttributedTo, Certainty::Certain)), Some((Cue::AttributedTo, Certainty::Uncertain)));
    let not = Some((Cue::NotAttributedTo, Certainty::Certain));
    for (example, wanted) in [
        ("{AKI} due to {vancomycin} vs sepsis.", unsure),
        ("{AKI} due to {vancomycin} vs. sepsis.", unsure),
        ("{AKI} due to sepsis vs {vancomycin}.", unsure),
        ("{AKI} due to sepsis or {vancomycin}.", unsure),
        ("{AKI} due to {vancomycin} or sepsis.", unsure),
        ("{AKI} due to either {vancomycin} or sepsis.", unsure),
        ("Is {AKI} due to {vancomycin}?", unsure),
        ("{AKI} due to {vancomycin}?", unsure),
        ("Is {AKI} due to {vancomycin}? No.", not),
        ("Is {AKI} due to {vancomycin}? Yes.", sure),
        ("It is false that {AKI} is due to {vancomycin}.", not),
        ("It is not true that {AKI} is due to {vancomycin}.", not),
        ("We do not think {AKI} is due to {vancomycin}.", not),
        ("Nobody documented {AKI} due to {vancomycin}.", None),
        ("No {AKI} due to {vancomycin}.", None),
        ("{AKI} was thought to be due to {vancomycin} but is now attributed to sepsis.", None),
        ("{AKI} initially attributed to {vancomycin}; later found to be obstructive.", None),
        ("{AKI}, originally felt due to {vancomycin}, ultimately proved obstructive.", None),
        ("{AKI} initially attributed to {vancomycin}.", unsure),
        ("{AKI} initially attributed to sepsis, later attributed to {vancomycin}.", sure),
        ("{AKI} was thought to be due to {vancomycin}.", sure),
        ("{AKI} due to {vancomycin}, now resolved.", sure),
        ("{AKI} not only due to {vancomycin} but also sepsis.", sure),
        ("{AKI} not solely due to {vancomycin}.", sure),
        ("{AKI} not clearly due to {vancomycin}.", unsure),
        ("{AKI} unlikely to be due to {vancomycin}.", unsure),
        ("{AKI} is not necessarily due to {vancomycin}.", unsure),
        ("{AKI} is due to {vancomycin} and/or sepsis.", unsure),
        ("{AKI} may not be due to {vancomycin}.", unsure),
        ("{AKI} cannot be attributed to {vancomycin}.", not),
        ("{AKI} not due to {vancomycin} alone.", sure),
        ("{AKI} was blamed on {vancomycin}, but actually due to sepsis.", None),
        ("{AKI} not due to sepsis or {vancomycin}.", not),
        ("{AKI} is not due to {vancomycin}.", not),
        ("{AKI} after {vancomycin}.", Some((Cue::After, Certainty::Certain))),
    ] {
        assert_eq!(cue(example), wanted, "{example}");
    }
    let (text, spans) = marked("Before {vancomycin}, no {AKI}.");
    assert!(relation_cues(&text, spans[0], spans[1]).is_empty());
    assert!(relation_cues(&text, spans[1], spans[0]).is_empty());
}
