//! Questions as people type them, with what is made of them. `questions.txt` holds each question and, under it, the
//! expected parse in the notation of `support`.

mod support;

use chartproof_evidence::query::{Query, RelationKind};
use chartproof_parse::{describe, parse};

#[test]
fn questions() {
    let mut lines = include_str!("questions.txt").lines().filter(|l| !l.trim().is_empty() && !l.starts_with('#'));
    let (mut count, mut wrong) = (0, Vec::new());
    while let Some(question) = lines.next().and_then(|l| l.strip_prefix("Q ")) {
        let expected = lines.next().unwrap_or_default().trim();
        let found = support::notation(&parse(question));
        if found != expected {
            wrong.push(format!("{question}\n  expected {expected}\n  found    {found}"));
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count >= 150, "{count}");
}

fn first(question: &str) -> Query {
    parse(question).query.and_then(|r| r.queries.into_iter().next()).unwrap_or_else(|| panic!("{question}"))
}

#[test]
fn descriptions() {
    for (question, text) in [
        (
            "was AKI documented after vancomycin within one encounter",
            "Checks whether acute kidney injury (as documented) comes after exposure to vancomycin, within one encounter.",
        ),
        (
            "was the rash caused by amoxicillin",
            "Checks whether rash is attributed in the record to exposure to amoxicillin, within one encounter.",
        ),
        (
            "naloxone given within 2 hours after morphine",
            "Checks whether naloxone given comes after exposure to morphine (at most 2 hours later), within one encounter.",
        ),
        ("no evidence of DVT", "Checks whether the record shows no deep vein thrombosis, anywhere in the record."),
        (
            "last A1c above 9 %",
            "Checks whether the record holds the last hemoglobin a1c above 9 %, anywhere in the record.",
        ),
        (
            "why was lasix stopped",
            "Finds what the record says of this: a reason is recorded for the end of exposure to furosemide, anywhere in the record.",
        ),
    ] {
        assert_eq!(describe(&first(question)), text);
    }
    assert!(describe(&first("did vancomycin cause AKI")).contains("attributed in the record to"));
}

#[test]
fn assumptions_are_said() {
    let said =
        |question: &str| parse(question).assumptions.iter().map(|a| a.text.clone()).collect::<Vec<_>>().join("\n");
    assert!(said("was vancomicin given").contains("read 'vancomicin' as vancomycin"));
    assert!(said("AKI after amio").contains("read 'amio' as amiodarone"));
    assert!(said("AKI after amio").contains("one encounter"));
    assert!(said("K above 6").contains("mmol/L"));
    assert!(said("AKI within 2 days of vancomycin").contains("up to 2 days after"));
    assert!(said("flurbitis after vancomycin").contains("in no table"));
    assert!(!said("was AKI documented within one encounter").contains("names no scope"));
}

#[test]
fn parser_and_relations() {
    let parsed = parse("AKI after vancomycin");
    assert_eq!(parsed.parser, "grammar 1");
    assert_eq!(first("did K go up after lisinopril").relations[0].kind, RelationKind::Rises);
}

/// Names as records write them: one event each, under its own words, whatever stands around it.
#[test]
fn names_of_records() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in include_str!("names.txt").lines().filter(|l| !l.trim().is_empty() && !l.starts_with('#')) {
        let (name, known) = line.split_once(" => ").map_or((line, None), |(n, k)| (n, Some(k)));
        count += 1;
        for (question, slot) in [
            (format!("is there evidence of {name}"), 0),
            (format!("was {name} documented"), 0),
            (format!("was {name} given in this encounter"), 0),
            (format!("did {name} precede vancomycin"), 0),
            (format!("was {name} documented after Chronic pain (finding)"), 0),
            (format!("did AKI occur after {name}?"), 1),
            (format!("was Chronic pain (finding) documented before {name}"), 1),
        ] {
            // No diagnosis is given.
            if known.is_some() && question.contains("given") {
                continue;
            }
            let parsed = parse(&question);
            let queries = parsed.query.as_ref().map_or(&[][..], |r| &r.queries);
            let text = name.rsplit_once(" (").filter(|(_, t)| t.ends_with(')') && !t.contains(' '));
            let wanted = known.or(text.map(|(t, _)| t)).unwrap_or(name);
            let plain = |ix: usize| {
                queries.first().and_then(|q| q.slots.get(ix)).is_some_and(|s| {
                    s.concept.any_of.len() == 1
                        && s.concept.any_of[0].text == wanted
                        && s.value.is_none()
                        && s.qualifiers == Default::default()
                        && s.selector == Default::default()
                        && s.state == Default::default()
                })
            };
            let relation = question.contains("precede") || question.contains("after") || question.contains("before");
            let one = queries.len() == 1 && queries[0].slots.len() == 1 + usize::from(relation);
            if !(one && plain(slot) && parsed.unresolved.iter().all(|u| !u.blocking)) {
                wrong.push(format!("{question}\n    {}", support::notation(&parsed)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count >= 40, "{count}");
}
