//! Whether a sentence says that a drug or product was given.

use crate::text::{Tok, phrase_words, token_range, tokens};

/// What a sentence says about giving the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GivenCue {
    /// It was given or taken.
    Given,
    /// It was not given.
    NotGiven,
    /// It was held back.
    Held,
    /// The patient refused it.
    Refused,
    /// It is to be given.
    Planned,
}

/// Phrases before the target, strongest reading first, each with a sentence that shows it.
const BEFORE: &[(&str, GivenCue, &str)] = &[
    ("did not receive", GivenCue::NotGiven, "She did not receive [vancomycin]."),
    ("has not received", GivenCue::NotGiven, "He has not received [heparin]."),
    ("never received", GivenCue::NotGiven, "She never received [contrast]."),
    ("not given", GivenCue::NotGiven, "Patient was not given [naloxone]."),
    ("not started on", GivenCue::NotGiven, "She was not started on [warfarin]."),
    ("without receiving", GivenCue::NotGiven, "Left without receiving [vancomycin]."),
    ("no doses of", GivenCue::NotGiven, "No doses of [enoxaparin] today."),
    ("refused", GivenCue::Refused, "Patient refused [heparin]."),
    ("refuses", GivenCue::Refused, "Patient refuses [heparin]."),
    ("declined", GivenCue::Refused, "She declined [vaccination]."),
    ("declines", GivenCue::Refused, "She declines [enoxaparin]."),
    ("held", GivenCue::Held, "Held [metoprolol] this morning."),
    ("holding", GivenCue::Held, "Holding [lisinopril]."),
    ("hold", GivenCue::Held, "Hold [lisinopril]."),
    ("withheld", GivenCue::Held, "We withheld [warfarin]."),
    ("will start", GivenCue::Planned, "Will start [vancomycin]."),
    ("will give", GivenCue::Planned, "Will give [furosemide]."),
    ("will receive", GivenCue::Planned, "She will receive [cefepime]."),
    ("will begin", GivenCue::Planned, "Will begin [heparin]."),
    ("plan to start", GivenCue::Planned, "Plan to start [warfarin]."),
    ("plan to give", GivenCue::Planned, "Plan to give [iron]."),
    ("plan for", GivenCue::Planned, "Plan for [dialysis]."),
    ("to start", GivenCue::Planned, "To start [apixaban] tomorrow."),
    ("to receive", GivenCue::Planned, "To receive [vitamin K] tonight."),
    ("start", GivenCue::Planned, "Start [vancomycin]."),
    ("begin", GivenCue::Planned, "Begin [heparin]."),
    ("consider", GivenCue::Planned, "Consider [naloxone]."),
    ("recommend", GivenCue::Planned, "Recommend [vitamin K]."),
    ("ordered", GivenCue::Planned, "Ordered [vancomycin]."),
    ("received", GivenCue::Given, "She received [vancomycin] 1 g."),
    ("receiving", GivenCue::Given, "While receiving [heparin]."),
    ("was given", GivenCue::Given, "He was given [naloxone]."),
    ("were given", GivenCue::Given, "Two units were given: [red cells]."),
    ("given", GivenCue::Given, "Given [naloxone] 0.4 mg."),
    ("gave", GivenCue::Given, "Medics gave [naloxone]."),
    ("administered", GivenCue::Given, "We administered [vitamin K]."),
    ("treated with", GivenCue::Given, "Treated with [cefepime]."),
    ("started on", GivenCue::Given, "She was started on [warfarin]."),
    ("maintained on", GivenCue::Given, "Maintained on [heparin]."),
    ("continued on", GivenCue::Given, "Continued on [vancomycin]."),
    ("remains on", GivenCue::Given, "Remains on [norepinephrine]."),
    ("transfused", GivenCue::Given, "Transfused [red cells]."),
    ("loaded with", GivenCue::Given, "Loaded with [digoxin]."),
    ("reversed with", GivenCue::Given, "Reversed with [naloxone]."),
    ("bolused with", GivenCue::Given, "Bolused with [saline]."),
    ("took", GivenCue::Given, "She took [warfarin] last night."),
    ("taking", GivenCue::Given, "He is taking [warfarin]."),
];

/// Phrases after the target.
const AFTER: &[(&str, GivenCue, &str)] = &[
    ("not given", GivenCue::NotGiven, "[Vancomycin] was not given."),
    ("not administered", GivenCue::NotGiven, "[Vancomycin] was not administered."),
    ("never given", GivenCue::NotGiven, "[Naloxone] was never given."),
    ("not received", GivenCue::NotGiven, "[Heparin] not received."),
    ("not started", GivenCue::NotGiven, "[Warfarin] was not started."),
    ("not infused", GivenCue::NotGiven, "[Vancomycin] not infused."),
    ("dose missed", GivenCue::NotGiven, "[Enoxaparin] dose missed."),
    ("refused", GivenCue::Refused, "[Heparin] refused."),
    ("declined", GivenCue::Refused, "[Heparin] was declined."),
    ("held", GivenCue::Held, "[Metoprolol] was held."),
    ("on hold", GivenCue::Held, "[Warfarin] on hold."),
    ("withheld", GivenCue::Held, "[Warfarin] was withheld."),
    ("to be given", GivenCue::Planned, "[Vitamin K] to be given tonight."),
    ("to be started", GivenCue::Planned, "[Warfarin] to be started."),
    ("will be given", GivenCue::Planned, "[Vitamin K] will be given."),
    ("will be started", GivenCue::Planned, "[Heparin] will be started."),
    ("planned", GivenCue::Planned, "[Vancomycin] planned."),
    ("ordered", GivenCue::Planned, "[Vancomycin] ordered."),
    ("was given", GivenCue::Given, "[Naloxone] was given."),
    ("were given", GivenCue::Given, "[Red cells] were given."),
    ("given", GivenCue::Given, "[Naloxone] 0.4 mg given."),
    ("administered", GivenCue::Given, "[Vitamin K] administered at 09:00."),
    ("infused", GivenCue::Given, "[Vancomycin] infused over 1 h."),
    ("was started", GivenCue::Given, "[Vancomycin] was started."),
    ("was initiated", GivenCue::Given, "[Heparin] was initiated."),
    ("started", GivenCue::Given, "[Vancomycin] started."),
    ("transfused", GivenCue::Given, "[Red cells] transfused."),
    ("bolus given", GivenCue::Given, "[Heparin] bolus given."),
];

/// Marks and words over which a phrase does not reach.
const BOUNDS: &[&str] = &[";", "but", "however", "although", "then"];

const NOT: &[&str] = &["not", "never", "wasn't", "isn't", "hasn't", "didn't"];

/// What the sentence says about giving the target (code points); `None` when it says nothing about it.
pub fn given_cue(sentence: &str, target: (usize, usize)) -> Option<GivenCue> {
    let chars: Vec<char> = sentence.chars().collect();
    let tokens = tokens(&chars);
    let span = token_range(&tokens, target);
    if span.0 == span.1 {
        return None;
    }
    let before = nearest(&tokens, BEFORE, span, true);
    let after = nearest(&tokens, AFTER, span, false);
    match (before, after) {
        (Some(b), Some(a)) => {
            // A refusal or omission on either side decides; else the nearer phrase.
            let denies = |cue: GivenCue| matches!(cue, GivenCue::NotGiven | GivenCue::Refused | GivenCue::Held);
            Some(match (denies(b.1), denies(a.1)) {
                (true, false) => b.1,
                (false, true) => a.1,
                _ if b.0 <= a.0 => b.1,
                _ => a.1,
            })
        }
        (Some(one), None) | (None, Some(one)) => Some(one.1),
        (None, None) => None,
    }
}

/// The longest phrase nearest to the target, with its distance in words.
fn nearest(
    tokens: &[Tok],
    rows: &[(&str, GivenCue, &str)],
    span: (usize, usize),
    before: bool,
) -> Option<(usize, GivenCue)> {
    let range = if before { 0..span.0 } else { span.1..tokens.len() };
    let mut best: Option<(usize, std::cmp::Reverse<usize>, GivenCue)> = None;
    for i in range {
        for (phrase, cue, _) in rows.iter().filter(|row| row.0.starts_with(tokens[i].norm.as_str())) {
            let words = phrase_words(phrase);
            let end = i + words.len();
            let limit = if before { span.0 } else { tokens.len() };
            if end > limit || !tokens[i..end].iter().zip(&words).all(|(t, w)| t.norm == *w) {
                continue;
            }
            let between = if before { &tokens[end..span.0] } else { &tokens[span.1..i] };
            if between.iter().any(|t| t.ends_sentence || BOUNDS.contains(&t.norm.as_str())) {
                continue;
            }
            // "received aspirin and vancomycin" is a list; "aspirin was given, vancomycin" is not one backwards.
            let commas = between.iter().filter(|t| t.norm == ",").count();
            let verbs = between.iter().any(|t| matches!(t.norm.as_str(), "was" | "were" | "is" | "had" | "developed"));
            let words_between = between.iter().filter(|t| t.word).count();
            let own = i
                .checked_sub(1)
                .and_then(|n| tokens.get(n))
                .is_some_and(|t| matches!(t.norm.as_str(), "was" | "were" | "be"));
            // "vancomycin was held" belongs to what precedes it, not to a later drug.
            let passive = before
                && own
                && !phrase.ends_with("on")
                && !phrase.ends_with("with")
                && *phrase != "given"
                && *phrase != "not given";
            if words_between > 8 || (verbs && commas > 0) || (!before && commas > 1) || passive {
                continue;
            }
            // "not yet started", "has never been given".
            let lead = &tokens[i.saturating_sub(3).max(if before { 0 } else { span.1 })..i];
            let denied = *cue == GivenCue::Given && lead.iter().any(|t| NOT.contains(&t.norm.as_str()));
            let cue = if denied { GivenCue::NotGiven } else { *cue };
            let key = (words_between, std::cmp::Reverse(words.len()), cue);
            if best.as_ref().is_none_or(|b| (key.0, key.1) < (b.0, b.1)) {
                best = Some(key);
            }
        }
    }
    best.map(|(distance, _, cue)| (distance, cue))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(example: &str, expected: Option<GivenCue>) {
        let open = example.chars().position(|c| c == '[').expect("a target");
        let close = example.chars().position(|c| c == ']').expect("a target");
        assert_eq!(given_cue(&example.replace(['[', ']'], ""), (open, close - 1)), expected, "{example}");
    }

    #[test]
    fn every_row_is_shown_by_its_sentence() {
        for (phrase, cue, example) in BEFORE.iter().chain(AFTER) {
            assert!(example.to_lowercase().contains(phrase), "{phrase}");
            check(example, Some(*cue));
        }
    }

    #[test]
    fn others() {
        check("Received cefepime and [vancomycin] overnight.", Some(GivenCue::Given));
        check("Metoprolol was held; [vancomycin] 1 g given at 08:00.", Some(GivenCue::Given));
        check("[Vancomycin] level 22.", None);
        check("[Apixaban] not yet started.", Some(GivenCue::NotGiven));
        check("[Heparin] has never been given.", Some(GivenCue::NotGiven));
        check("She has not yet received [heparin].", Some(GivenCue::NotGiven));
        check("Not febrile; [heparin] was given.", Some(GivenCue::Given));
        check("[Vancomycin] was ordered but cefepime was given.", Some(GivenCue::Planned));
    }
}
