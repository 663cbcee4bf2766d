//! Whether a sentence says that a drug or product was given.

use crate::forms;
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

/// Nouns that take the drug before them as their own: "vancomycin allergy" was not given.
const HEADS: &[&str] = &[
    "allergy",
    "allergies",
    "intolerance",
    "hypersensitivity",
    "anaphylaxis",
    "reaction",
    "toxicity",
    "level",
    "levels",
    "trough",
    "troughs",
    "resistance",
    "resistant",
    "susceptibility",
    "sensitivity",
    "shortage",
    "contraindication",
    "exposure",
    "education",
    "protocol",
];

/// Words with which a dose is only possible.
const MODALS: &[&str] =
    &["should", "may", "might", "can", "could", "would", "must", "shall", "will", "needs", "need", "if", "whether"];

/// Adverbs of what nearly happened.
const NEARLY: &[&str] = &["almost", "nearly"];

/// What may follow "given" when it tells of a dose; else "given X" is "because of X".
const AFTER_GIVEN: &[&str] = &[
    "at",
    "on",
    "for",
    "to",
    "by",
    "in",
    "over",
    "via",
    "iv",
    "im",
    "po",
    "sq",
    "sc",
    "per",
    "orally",
    "rectally",
    "intravenously",
    "intramuscularly",
    "subcutaneously",
    "intranasally",
    "today",
    "yesterday",
    "tonight",
    "overnight",
    "daily",
    "bid",
    "tid",
    "qid",
    "q",
    "once",
    "twice",
    "x",
    "prior",
    "before",
    "after",
    "during",
    "with",
    "without",
    "as",
    "then",
    "and",
    "but",
    "or",
    "while",
    "when",
    "until",
    "since",
    "prn",
    "now",
    "again",
    "earlier",
    "later",
    "stat",
    "empirically",
    "through",
    "from",
    "instead",
    "rather",
    "because",
    "due",
    "slowly",
    "promptly",
    "immediately",
];

/// Words after "given" at the head of a clause that make it "because of".
const BECAUSE: &[&str] = &[
    "the",
    "his",
    "her",
    "their",
    "this",
    "that",
    "these",
    "concern",
    "concerns",
    "history",
    "recent",
    "risk",
    "worsening",
    "lack",
    "ongoing",
    "persistent",
    "current",
    "known",
];

/// What the sentence says about giving the target (code points); `None` when it says nothing about it.
pub fn given_cue(sentence: &str, target: (usize, usize)) -> Option<GivenCue> {
    let chars: Vec<char> = sentence.chars().collect();
    let tokens = tokens(&chars);
    let span = token_range(&tokens, target);
    if span.0 == span.1 {
        return None;
    }
    let Some(cue) = told(&tokens, span) else {
        // "No vancomycin given AKI": because of it.
        let given = tokens[span.1..].iter().take(2).any(|t| t.norm == "given");
        return (given && none_of(&tokens, span)).then_some(GivenCue::NotGiven);
    };
    let next = tokens.get(span.1).map_or("", |t| t.norm.as_str());
    if cue == GivenCue::Given && (HEADS.contains(&next) || replaced(&tokens, span)) {
        return None;
    }
    if cue == GivenCue::Given && none_of(&tokens, span) {
        return Some(GivenCue::NotGiven);
    }
    if cue == GivenCue::Given {
        // "Was it given? No."
        let end = tokens[span.1..].iter().position(|t| t.ends_sentence).map_or(tokens.len(), |n| span.1 + n + 1);
        let begin = tokens[..span.0].iter().rposition(|t| t.ends_sentence).map_or(0, |n| n + 1);
        let part = &tokens[begin..end];
        match forms::question(part, (span.0 - begin, span.1 - begin)) {
            Some((_, Some(true))) => {}
            Some((_, Some(false))) => return Some(GivenCue::NotGiven),
            Some((_, None)) => return None,
            None => {}
        }
    }
    Some(cue)
}

/// "instead of vancomycin", "rather than vancomycin": named as what it was not.
fn replaced(tokens: &[Tok], span: (usize, usize)) -> bool {
    let norm = |k: usize| tokens.get(k).map_or("", |t| t.norm.as_str());
    (span.0.saturating_sub(4)..span.0).any(|i| {
        matches!(
            (norm(i), norm(i + 1)),
            ("instead", "of") | ("rather", "than") | ("place", "of") | ("lieu", "of") | ("other", "than")
        ) && i + 2 <= span.0
            && tokens[i + 2..span.0].iter().all(|t| t.word)
    })
}

/// "no vancomycin", "not vancomycin".
fn none_of(tokens: &[Tok], span: (usize, usize)) -> bool {
    let lead = &tokens[span.0.saturating_sub(3)..span.0];
    let own = lead.iter().rposition(|t| !t.word).map_or(lead, |n| &lead[n + 1..]);
    let at = own.iter().rposition(|t| matches!(t.norm.as_str(), "no" | "without" | "neither" | "nor" | "not"));
    // "no fever after vancomycin", "not only".
    at.is_some_and(|n| {
        own[n + 1..].iter().all(|t| {
            matches!(
                t.norm.as_str(),
                "iv" | "oral" | "more" | "any" | "further" | "additional" | "dose" | "doses" | "of"
            )
        }) && !own[n + 1..].iter().any(|t| matches!(t.norm.as_str(), "more" | "further" | "additional"))
    })
}

/// The reading of the phrases on either side.
fn told(tokens: &[Tok], span: (usize, usize)) -> Option<GivenCue> {
    let before = nearest(tokens, BEFORE, span, true);
    let after = nearest(tokens, AFTER, span, false);
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

/// How a phrase of giving at `from..to` is to be read: `None` when it is no statement about a dose of this patient.
fn reading(tokens: &[Tok], (from, to): (usize, usize), span: (usize, usize), before: bool) -> Option<GivenCue> {
    let norm = |k: usize| tokens.get(k).map_or("", |t| t.norm.as_str());
    let back = |n: usize| from.checked_sub(n).map_or("", norm);
    let passive = norm(from) != "given" || matches!(back(1), "was" | "were" | "been" | "being" | "be" | "got" | "is");
    if norm(to - 1) == "given" && !passive {
        let next = tokens.get(to);
        let because = if before {
            // "Given AKI, vancomycin was stopped."
            let own_verb = tokens[to..span.0].iter().any(|t| t.norm == ",")
                && tokens[span.1..].iter().take(3).any(|t| matches!(t.norm.as_str(), "was" | "were" | "is" | "will"));
            own_verb || (to < span.0 && BECAUSE.contains(&norm(to)))
        } else {
            let of_time =
                norm(to) == "the" && matches!(norm(to + 1), "morning" | "night" | "day" | "evening" | "previous");
            next.is_some_and(|t| {
                t.word
                    && !of_time
                    && !t.norm.trim_start_matches(['x', 'q']).starts_with(|c: char| c.is_ascii_digit())
                    && !AFTER_GIVEN.contains(&norm(to))
            })
        };
        if because {
            return None;
        }
    }
    // The words before the phrase, in its clause.
    let limit = if before { 0 } else { span.1 };
    let lead = &tokens[from.saturating_sub(4).max(limit)..from];
    let lead = lead
        .iter()
        .rposition(|t| t.ends_sentence || matches!(t.norm.as_str(), "," | ";" | ":" | "and" | "but" | "that"))
        .map_or(lead, |n| &lead[n + 1..]);
    let any = |words: &[&str]| lead.iter().any(|t| words.contains(&t.norm.as_str()));
    let someone =
        |w: &[Tok]| matches!(w[0].norm.as_str(), "another" | "other" | "different") && w[1].norm.starts_with("patient");
    if lead.windows(2).any(someone) {
        return None;
    }
    // "His wife was given", "was given to his wife".
    let subject = lead.iter().rposition(|t| forms::person(&t.norm).is_some());
    if subject.is_some_and(|n| lead[n + 1..].iter().all(|t| forms::AUXILIARIES.contains(&t.norm.as_str()))) {
        return None;
    }
    if norm(to) == "to" && (to + 1..to + 4).any(|k| forms::person(norm(k)).is_some()) {
        return None;
    }
    if any(NEARLY) || NEARLY.contains(&back(1)) {
        return Some(GivenCue::Held);
    }
    let first_dose = lead.windows(2).any(|w| {
        matches!(w[0].norm.as_str(), "before" | "to") && matches!(w[1].norm.as_str(), "any" | "a" | "first" | "the")
    });
    if !before && first_dose && lead.iter().any(|t| matches!(t.norm.as_str(), "dose" | "doses" | "any")) {
        return Some(GivenCue::Held);
    }
    let unsure_target = !before
        && tokens[span.0.saturating_sub(2)..span.0]
            .iter()
            .any(|t| matches!(t.norm.as_str(), "if" | "whether" | "unless" | "should"));
    let to_be = back(1) == "be" && back(2) == "to";
    if any(MODALS) || unsure_target || to_be {
        return Some(GivenCue::Planned);
    }
    // "given: No", "given [ ] yes [x] no".
    let answer = forms::ticked(tokens, (from, to)).map(|(_, _, yes)| yes);
    let field = matches!(norm(to), ":" | "=" | "-")
        && matches!(norm(to + 1), "no" | "n" | "none" | "not" | "never" | "false")
        && (norm(to + 1) == "not" || tokens.get(to + 2).is_none_or(|t| !t.word));
    if answer == Some(false) || field {
        return Some(GivenCue::NotGiven);
    }
    Some(GivenCue::Given)
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
            let cue = match *cue {
                GivenCue::Given if denied => GivenCue::NotGiven,
                GivenCue::Given => match reading(tokens, (i, end), span, before) {
                    Some(cue) => cue,
                    None => continue,
                },
                other => other,
            };
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
