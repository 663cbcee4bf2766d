//! Nothing is dropped, nothing is guessed, nothing panics.

use chartproof_evidence::query::Parsed;
use chartproof_parse::{describe, parse};
use proptest::prelude::*;

const QUESTIONS: &str = include_str!("questions.txt");

fn questions() -> Vec<&'static str> {
    QUESTIONS.lines().filter_map(|l| l.strip_prefix("Q ")).collect()
}

fn well_formed(question: &str, parsed: &Parsed) {
    let chars: Vec<char> = question.chars().collect();
    let mut last = 0;
    for u in &parsed.unresolved {
        assert!(u.start < u.end && u.end <= chars.len(), "{question:?} {u:?}");
        assert_eq!(chars[u.start..u.end].iter().collect::<String>(), u.text, "{question:?}");
        assert!(!u.why.is_empty());
        assert!(u.start >= last, "{question:?} {u:?}");
        last = u.start;
    }
    assert_eq!(parsed.query.is_none(), parsed.refusal.is_some(), "{question:?}");
    for query in parsed.query.iter().flat_map(|r| &r.queries) {
        assert!(!describe(query).is_empty());
        assert!(!query.relations.is_empty() && !query.slots.is_empty(), "{question:?}");
        let known = |id: &str| query.slots.iter().any(|s| s.id == id);
        for r in &query.relations {
            assert!(known(&r.subject) && r.object.as_deref().is_none_or(known), "{question:?}");
            assert!(r.object.as_deref() != Some(r.subject.as_str()), "{question:?}");
        }
        for s in &query.slots {
            for other in s.distinct_from.iter().chain(&s.same_as) {
                assert!(known(other) && *other != s.id, "{question:?}");
            }
        }
        // Every slot is in a relation.
        for s in &query.slots {
            let used = query.relations.iter().any(|r| r.subject == s.id || r.object.as_deref() == Some(&s.id));
            assert!(used, "{question:?}: {} stands alone", s.id);
        }
    }
}

/// What a parse says, without the places.
fn content(parsed: &Parsed) -> String {
    let left: Vec<&str> = parsed.unresolved.iter().map(|u| u.text.as_str()).collect();
    let request = serde_json::to_string(&parsed.query).unwrap_or_default();
    let assumed: Vec<&str> = parsed.assumptions.iter().map(|a| a.text.as_str()).collect();
    format!("{request} {left:?} {assumed:?}")
}

fn pieces(question: &str) -> Vec<&str> {
    question.split_whitespace().collect()
}

#[test]
fn a_strange_word_is_never_lost() {
    let mut lost = Vec::new();
    for question in questions() {
        let words = pieces(question);
        for at in 0..=words.len() {
            let mut changed = words.clone();
            changed.insert(at, "zqorvex");
            let changed = changed.join(" ");
            let parsed = parse(&changed);
            well_formed(&changed, &parsed);
            if !content(&parsed).contains("zqorvex") {
                lost.push(changed);
            }
        }
    }
    assert!(lost.is_empty(), "{}:\n{}", lost.len(), lost.join("\n"));
}

#[test]
fn a_qualifier_or_date_always_blocks() {
    let mut lost = Vec::new();
    for question in questions() {
        let words = pieces(question);
        for strange in ["severe", "03/04/2021", "unless"] {
            for at in 0..=words.len() {
                let mut changed = words.clone();
                changed.insert(at, strange);
                let changed = changed.join(" ");
                let parsed = parse(&changed);
                let seen = parsed
                    .unresolved
                    .iter()
                    .any(|u| u.text.contains(strange) && (u.blocking || u.why.starts_with("not part of a question")));
                let named = serde_json::to_string(&parsed.query).unwrap_or_default().contains(strange);
                if !seen && !named {
                    lost.push(changed);
                }
            }
        }
    }
    assert!(lost.is_empty(), "{}:\n{}", lost.len(), lost.join("\n"));
}

/// Words whose absence changes nothing: articles, auxiliaries, pronouns, politeness and the like.
const SILENT: &str = "a an the of was were is are did does do has have had there any she he it they her his their patient pt \
    patient's in to be been please pls could you can tell me whether if that also then and for on with record \
    show chart check does evidence documentation history hx seen found occur occurred occurring develop developed present \
    happen done drawn checked placed here's this just me i at level come while from such read whats again reason experience \
    right right? ?? / - ' 🙂 administration develop? hello help value values episodes quick question vanc/zosyn \
    received turned anywhere more straight within during by what but as 2 two received med same drug so actually time place once have dose";

/// Words that repeat what the question says otherwise.
const REPEATED: [(&str, &str); 4] = [
    ("was aspirin 81 MG Oral Tablet given within 24 hours after Chest pain (finding)", "(finding)"),
    ("same drug given again later w/o reaction? (cefazolin)", "later"),
    ("does the patient have AKI now", "now"),
    ("AKI followed by another AKI", "another"),
];

#[test]
fn every_other_word_matters() {
    let mut lost = Vec::new();
    for question in questions() {
        let words = pieces(question);
        let whole = content(&parse(question));
        for at in 0..words.len() {
            let mut fewer = words.clone();
            let gone = fewer.remove(at);
            let bare = gone.to_lowercase();
            let bare = bare.trim_matches(|c: char| !c.is_alphanumeric());
            if fewer.is_empty() || SILENT.split_whitespace().any(|s| s == bare) || bare.is_empty() {
                continue;
            }
            if content(&parse(&fewer.join(" "))) == whole && !REPEATED.contains(&(question, gone)) {
                lost.push(format!("{question:?} without {gone:?}"));
            }
        }
    }
    assert!(lost.is_empty(), "{}:\n{}", lost.len(), lost.join("\n"));
}

#[test]
fn not_is_never_lost() {
    let mut lost = Vec::new();
    for question in questions() {
        let words = pieces(question);
        let whole = content(&parse(question));
        if whole.starts_with("null") || question.contains(" not ") || question.starts_with("no ") {
            continue;
        }
        for at in 1..words.len() {
            let mut changed = words.clone();
            changed.insert(at, "not");
            let changed = changed.join(" ");
            if content(&parse(&changed)) == whole {
                lost.push(changed);
            }
        }
    }
    assert!(lost.is_empty(), "{}:\n{}", lost.len(), lost.join("\n"));
}

fn phrase() -> impl Strategy<Value = String> {
    let words: Vec<String> = QUESTIONS
        .lines()
        .filter_map(|l| l.strip_prefix("Q "))
        .flat_map(str::split_whitespace)
        .map(str::to_owned)
        .chain(
            ["'", "\"", "(", ")", "/", "%", ">", "<=", "0", "1,000", ".", "1.5", "🙂", "é", "-", "->", "03/04", "8:00"]
                .map(str::to_owned),
        )
        .collect();
    prop::collection::vec(prop::sample::select(words), 0..14).prop_map(|w| w.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_parses(text in ".{0,120}") {
        well_formed(&text, &parse(&text));
    }

    #[test]
    fn any_mixture_parses(text in phrase()) {
        well_formed(&text, &parse(&text));
        prop_assert_eq!(parse(&text), parse(&text));
    }

    #[test]
    fn any_unicode_parses(text in prop::collection::vec(any::<char>(), 0..60)) {
        let text: String = text.into_iter().collect();
        well_formed(&text, &parse(&text));
    }
}

#[test]
fn long_questions_are_refused() {
    let parsed = parse(&"vancomycin ".repeat(1_000));
    assert!(parsed.query.is_none() && parsed.refusal.is_some());
    assert_eq!(parsed.unresolved[0].end, 11_000);
}

/// A further word that says something never vanishes, wherever it stands.
#[test]
fn a_further_cue_is_never_lost() {
    let mut lost = Vec::new();
    for question in questions().into_iter().step_by(2) {
        let words = pieces(question);
        let whole = content(&parse(question));
        if whole.starts_with("null") {
            continue;
        }
        for cue in [
            "stopped",
            "held",
            "ordered",
            "restarted",
            "positive",
            "low",
            "oral",
            "last",
            "without",
            "rise",
            "resolved",
            "or",
            "> 3",
            "in the ICU",
            "within 2 days",
            "100 mg",
            "by a nurse",
            "doubled",
            "for 3 days",
            "caused by",
            "ruled out",
            "in this admission",
        ] {
            for at in 0..=words.len() {
                let mut changed = words.clone();
                changed.insert(at, cue);
                let changed = changed.join(" ");
                let parsed = parse(&changed);
                well_formed(&changed, &parsed);
                // A repetition of what is said already changes nothing.
                if content(&parsed) == whole
                    && !question.contains(&cue[..cue.len().min(4)])
                    && !(cue == "stopped" && (question.contains("discontinued") || question.contains("post op")))
                    && !(cue == "in this admission" && whole.contains("\"encounter\"}"))
                    && !(cue == "caused by" && question.contains("due to"))
                {
                    lost.push(changed);
                }
            }
        }
    }
    assert!(lost.is_empty(), "{}:\n{}", lost.len(), lost.join("\n"));
}
