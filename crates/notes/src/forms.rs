//! What the form of a statement says beside its words: boxes and answers, questions, years, and other people.

use crate::lexicon::Says;
use crate::text::Tok;

/// A rule that decided: tokens of the part, what it says, its name.
pub(crate) type Found = (usize, usize, Says, String);

/// Relatives; the first words of [`OTHERS`] are not of the blood.
pub(crate) const KIN: &[&str] = &[
    "mother",
    "father",
    "mom",
    "mum",
    "dad",
    "brother",
    "sister",
    "son",
    "daughter",
    "grandmother",
    "grandfather",
    "aunt",
    "uncle",
    "cousin",
    "niece",
    "nephew",
    "parents",
    "parent",
    "brothers",
    "sisters",
    "siblings",
    "sibling",
    "twin",
];

/// People who are no relatives.
pub(crate) const OTHERS: &[&str] = &[
    "wife",
    "husband",
    "spouse",
    "partner",
    "fiance",
    "girlfriend",
    "boyfriend",
    "friend",
    "roommate",
    "neighbor",
    "donor",
    "caregiver",
    "coworker",
];

/// Verbs by which a person is said to have something; what they say, know or ask is left out.
const HAVE: &[&str] = &[
    "had",
    "has",
    "have",
    "with",
    "developed",
    "died",
    "deceased",
    "suffered",
    "suffers",
    "diagnosed",
    "received",
    "took",
    "takes",
    "underwent",
];

/// What was done to a person, after a form of "to be".
const DONE: &[&str] =
    &["given", "diagnosed", "found", "admitted", "hospitalized", "hospitalised", "treated", "started", "on"];

/// What a person says or sees of the patient.
pub(crate) const TELL: &[&str] = &[
    "noticed",
    "noted",
    "reported",
    "reports",
    "states",
    "stated",
    "said",
    "concerns",
    "concern",
    "concerned",
    "questions",
    "asked",
    "seen",
    "observed",
    "witnessed",
    "worried",
];

/// Words between a person and the verb.
pub(crate) const AUXILIARIES: &[&str] =
    &["was", "were", "is", "are", "had", "has", "have", "been", "being", "also", "recently", "who", "once", "both"];

/// Whose statement begins at `i`, when another person is its subject.
pub(crate) fn person(word: &str) -> Option<Says> {
    if KIN.contains(&word) {
        Some(Says::Family)
    } else if OTHERS.contains(&word) {
        Some(Says::Other)
    } else {
        None
    }
}

/// Rules for a target in its sentence (`part`).
pub(crate) fn forms(part: &[Tok], target: (usize, usize)) -> Vec<Found> {
    let mut out = Vec::new();
    people(part, target, &mut out);
    if let Some((from, to, yes)) = ticked(part, target) {
        if !yes {
            out.push((from, to, Says::Negated, "negated:box".to_owned()));
        }
    } else if let Some(from) = open_box_before(part, target.0) {
        out.push((from, target.0, Says::Hypothetical, "hypothetical:open box".to_owned()));
    }
    match question(part, target) {
        Some((at, Some(false))) if answers_for(&part[..at], target) => {
            out.push((at, at + 2, Says::Negated, "negated:answer".to_owned()))
        }
        Some((at, None)) if asks(part) => out.push((at, at + 1, Says::Uncertain, "uncertain:question".to_owned())),
        _ => {}
    }
    if let Some((from, to)) = year(part, target) {
        out.push((from, to, Says::Historical, "historical:year".to_owned()));
    }
    out
}

/// "Before vancomycin, no AKI", "no AKI before vancomycin": what is denied is a time that is over.
pub(crate) fn denied_before(part: &[Tok], target: (usize, usize)) -> Option<(usize, usize)> {
    let norm = |k: usize| part.get(k).map_or("", |t| t.norm.as_str());
    let before = |k: usize| match (norm(k), norm(k + 1)) {
        ("before" | "until" | "previously" | "baseline" | "preoperatively", _) => Some(k + 1),
        ("prior", "to") => Some(k + 2),
        _ => None,
    };
    // At the head of its clause, with the clause of the target after a comma ...
    let fronted = (0..target.0).find_map(|k| {
        let heads = k == 0 || !part[k - 1].word || part[k - 1].norm == "at";
        let to = before(k).filter(|_| heads)?;
        let between = &part[to..target.0];
        let commas = between.iter().filter(|t| t.norm == ",").count();
        let ends = between.iter().any(|t| matches!(t.norm.as_str(), ";" | "now" | "then" | "today" | "but"));
        (commas <= 1 && !ends && between.len() <= 12).then_some((k, to))
    });
    // ... or after the target and its list.
    fronted.or_else(|| {
        (target.1..part.len().min(target.1 + 6))
            .take_while(|k| !matches!(norm(*k), "," | ";" | ":" | "and" | "but" | "now"))
            .find_map(|k| before(k).map(|to| (k, to)))
    })
}

/// "Mother: AKI, diabetes", "His wife was given ...".
fn people(part: &[Tok], target: (usize, usize), out: &mut Vec<Found>) {
    for i in 0..target.0 {
        let Some(says) = person(&part[i].norm) else { continue };
        // "per mother", "by his wife": who tells it.
        if i > 0 && matches!(part[i - 1].norm.as_str(), "per" | "by" | "from" | "to" | "with" | "and") {
            continue;
        }
        let mut verb = i + 1;
        while verb < target.0 && AUXILIARIES.contains(&part[verb].norm.as_str()) {
            verb += 1;
        }
        let passive = verb > i + 1;
        let word = if verb < target.0 { part[verb].norm.as_str() } else { "" };
        let has = passive && part[i + 1..verb].iter().any(|t| matches!(t.norm.as_str(), "had" | "has" | "have"));
        // "his wife had noticed", "has concerns about": what they tell.
        if TELL.contains(&word) || (verb + 1 < target.0 && TELL.contains(&part[verb + 1].norm.as_str())) {
            continue;
        }
        let starts = (verb == i + 1 && (word == ":" || (word == "-" && part[verb].start > part[i].end)))
            || HAVE.contains(&word)
            || (passive && DONE.contains(&word));
        // "mother has AKI": the verb stands among the auxiliaries.
        let to = if starts {
            verb + 1
        } else if has {
            verb
        } else {
            continue;
        };
        let between = &part[to..target.0];
        let ends = between.iter().enumerate().any(|(n, t)| {
            let next = between.get(n + 1).map(|t| t.norm.as_str());
            t.norm == ";"
                || matches!(t.norm.as_str(), "patient" | "pt" | "but" | "he" | "she")
                || (matches!(t.norm.as_str(), "," | "and")
                    && next.is_some_and(|w| matches!(w, "the" | "his" | "her" | "this" | "is" | "was" | "now" | "has")))
        });
        if !ends {
            let name = if says == Says::Family { "family" } else { "other_person" };
            out.push((i, to, says, format!("{name}:{}", part[i].norm)));
        }
    }
}

/// End of a box at token `i`, and whether it is ticked.
fn tick_box(part: &[Tok], i: usize) -> Option<(usize, bool)> {
    let norm = |k: usize| part.get(k).map_or("", |t| t.norm.as_str());
    match norm(i) {
        "\u{2610}" | "\u{25a1}" => Some((i + 1, false)),
        "\u{2611}" | "\u{2612}" | "\u{2705}" | "\u{25a0}" => Some((i + 1, true)),
        open @ ("[" | "(") => {
            let close = if open == "[" { "]" } else { ")" };
            if norm(i + 1) == close {
                return Some((i + 2, false));
            }
            let inside = norm(i + 1);
            if norm(i + 2) != close {
                return None;
            }
            match inside {
                "x" | "\u{2713}" | "\u{2714}" | "*" => Some((i + 3, true)),
                "_" => Some((i + 3, false)),
                _ => None,
            }
        }
        _ => None,
    }
}

fn yes_or_no(word: &str) -> Option<bool> {
    match word {
        "yes" | "y" | "present" | "positive" => Some(true),
        "no" | "n" | "none" | "absent" | "negative" | "denies" => Some(false),
        _ => None,
    }
}

/// The answer ticked behind the target: "[ ] yes [x] no", "Yes [ ] No [x]".
pub(crate) fn ticked(part: &[Tok], target: (usize, usize)) -> Option<(usize, usize, bool)> {
    let mut i = target.1;
    while part.get(i).is_some_and(|t| matches!(t.norm.as_str(), ":" | "?" | "-")) {
        i += 1;
    }
    let box_first = tick_box(part, i).is_some();
    for _ in 0..4 {
        let (from, label, to, on) = if box_first {
            let (label, on) = tick_box(part, i)?;
            (i, label, label + 1, on)
        } else {
            let (to, on) = tick_box(part, i + 1)?;
            (i, i, to, on)
        };
        let answer = yes_or_no(&part.get(label)?.norm)?;
        if on {
            return Some((from, to, answer));
        }
        i = to;
        while part.get(i).is_some_and(|t| matches!(t.norm.as_str(), "," | "/")) {
            i += 1;
        }
    }
    None
}

/// Whether the word at `i` is the label of a box in a row of answers: it says nothing of what follows.
pub(crate) fn is_label(part: &[Tok], i: usize) -> bool {
    if yes_or_no(&part[i].norm).is_none() {
        return false;
    }
    let before = (i.saturating_sub(3)..i).any(|k| tick_box(part, k).is_some_and(|(to, _)| to == i));
    let after = tick_box(part, i + 1).is_some();
    // "[x] no AKI" is an item of a list; "[ ] yes [x] no" a row of answers.
    let other = part[i.saturating_sub(5)..(i + 6).min(part.len())]
        .iter()
        .any(|t| t.norm != part[i].norm && yes_or_no(&t.norm).is_some());
    (before || after) && other
}

/// "[ ] AKI": an item of a list that is not ticked.
fn open_box_before(part: &[Tok], target: usize) -> Option<usize> {
    (target.saturating_sub(3)..target).find(|k| tick_box(part, *k) == Some((target, false)))
}

/// The mark of a question after the target and its answer.
pub(crate) fn question(part: &[Tok], target: (usize, usize)) -> Option<(usize, Option<bool>)> {
    let at = target.1 + part[target.1..].iter().position(|t| t.norm == "?")?;
    let answer = part.get(at + 1).filter(|_| part.get(at + 2).is_none_or(|t| !t.word)).and_then(|t| yes_or_no(&t.norm));
    // A mark in the middle of a statement is a hedge of one word.
    (answer.is_some() || at + 1 == part.len()).then_some((at, answer))
}

/// Whether "no" denies the target, and not what is asked about it: a cause, or an order.
fn answers_for(asked: &[Tok], target: (usize, usize)) -> bool {
    let before = target.0.checked_sub(1).map_or("", |n| asked[n].norm.as_str());
    let causes = [
        "due",
        "secondary",
        "caused",
        "cause",
        "related",
        "attributed",
        "attributable",
        "because",
        "from",
        "after",
        "before",
        "given",
        "received",
        "started",
    ];
    !matches!(before, "after" | "before" | "from" | "with" | "on" | "since" | "to" | "for")
        && !asked.iter().any(|t| causes.contains(&t.norm.as_str()))
}

/// Whether the sentence has the form of a question.
fn asks(part: &[Tok]) -> bool {
    let words = [
        "is", "was", "are", "were", "did", "does", "do", "has", "have", "had", "could", "would", "should", "can",
        "may", "any", "why", "what", "which", "whether", "will",
    ];
    part.iter().find(|t| t.word).is_some_and(|t| words.contains(&t.norm.as_str()))
}

fn is_year(token: Option<&Tok>) -> bool {
    token.is_some_and(|t| {
        t.norm.len() == 4
            && t.norm.bytes().all(|b| b.is_ascii_digit())
            && (t.norm.starts_with("19") || t.norm.starts_with("20"))
    })
}

/// Words with which a year is the begin of what lasts.
const ONSET: &[&str] = &[
    "since",
    "onset",
    "began",
    "begun",
    "started",
    "starting",
    "diagnosed",
    "dx",
    "first",
    "ongoing",
    "chronic",
    "from",
];

/// A bare year that stands with the target: "AKI in 2019", "AKI (2019)", "In 2019 she had AKI".
fn year(part: &[Tok], target: (usize, usize)) -> Option<(usize, usize)> {
    let norm = |k: usize| part.get(k).map_or("", |t| t.norm.as_str());
    let onset = |tokens: &[Tok]| tokens.iter().any(|t| ONSET.contains(&t.norm.as_str()));
    let near = &part[target.0.saturating_sub(4)..target.0];
    for i in target.1..part.len().min(target.1 + 5) {
        let between = &part[target.1..i];
        if between.iter().any(|t| matches!(t.norm.as_str(), "," | ";" | ":" | "and" | "but")) {
            break;
        }
        let said = match norm(i) {
            "in" if is_year(part.get(i + 1)) => Some((i, i + 2)),
            "(" if is_year(part.get(i + 1)) && norm(i + 2) == ")" => Some((i, i + 3)),
            _ => None,
        };
        if let Some(said) = said {
            return (!onset(between) && !onset(near)).then_some(said);
        }
    }
    if norm(0) == "in" && is_year(part.get(1)) && target.0 > 1 {
        let between = &part[2..target.0];
        let goes_on = between.iter().any(|t| {
            matches!(t.norm.as_str(), "and" | "but" | ";" | "now" | "today" | "currently" | "presents" | "admitted")
        });
        if !goes_on && !onset(between) && between.iter().filter(|t| t.word).count() <= 6 {
            return Some((0, 2));
        }
    }
    None
}
