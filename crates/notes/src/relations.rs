//! Order and attribution between two mentions of one sentence, as the text states it.

use crate::assertion::{Asserter as _, Certainty, CueAsserter, Polarity};
use crate::forms;
use crate::text::{Tok, phrase_words, token_range, tokens};

/// What a sentence states about two mentions, read as "a KIND b".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cue {
    /// `a` was earlier than `b`.
    Before,
    /// `a` was later than `b`.
    After,
    /// `a` is attributed to `b`.
    AttributedTo,
    /// It is stated that `a` is not due to `b`.
    NotAttributedTo,
}

/// A cue with its words, in code points of the sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelationCue {
    /// What it states.
    pub kind: Cue,
    /// Whether it states it as a fact ("due to") or not ("possibly due to").
    pub certainty: Certainty,
    /// First code point.
    pub start: usize,
    /// Code point after the last.
    pub end: usize,
    /// The rule that read it, such as `between:due to`.
    pub rule: String,
}

/// Phrases between the earlier mention X and the later Y, read as "X KIND Y"; each with a sentence that shows it.
const BETWEEN: &[(&str, Cue, &str)] = &[
    ("after", Cue::After, "[AKI] after [vancomycin]."),
    ("following", Cue::After, "She developed [AKI] following [vancomycin]."),
    ("post", Cue::After, "[AKI] post [contrast]."),
    ("subsequent to", Cue::After, "[AKI] subsequent to [vancomycin]."),
    ("preceded by", Cue::After, "[AKI] preceded by [vancomycin]."),
    ("since starting", Cue::After, "[rash] since starting [cefepime]."),
    ("since", Cue::After, "[bleeding] since [warfarin] was begun."),
    ("before", Cue::Before, "[AKI] before [vancomycin]."),
    ("prior to", Cue::Before, "[AKI] was noted prior to [vancomycin]."),
    ("preceding", Cue::Before, "[AKI] preceding [vancomycin]."),
    ("preceded", Cue::Before, "[AKI] preceded [vancomycin]."),
    ("predated", Cue::Before, "[AKI] predated [vancomycin]."),
    ("predates", Cue::Before, "[AKI] predates [vancomycin]."),
    ("precedes", Cue::Before, "[AKI] precedes [vancomycin]."),
    ("followed by", Cue::Before, "[Vancomycin] followed by [AKI]."),
    ("due to", Cue::AttributedTo, "[AKI] due to [vancomycin]."),
    ("due in part to", Cue::AttributedTo, "[AKI] due in part to [vancomycin]."),
    ("due at least in part to", Cue::AttributedTo, "[AKI] due at least in part to [vancomycin]."),
    ("secondary to", Cue::AttributedTo, "[AKI] secondary to [vancomycin]."),
    ("2/2", Cue::AttributedTo, "[AKI] 2/2 [vancomycin]."),
    ("d/t", Cue::AttributedTo, "[AKI] d/t [vancomycin]."),
    ("attributed to", Cue::AttributedTo, "[AKI] was attributed to [vancomycin]."),
    ("attributable to", Cue::AttributedTo, "[AKI] attributable to [vancomycin]."),
    ("ascribed to", Cue::AttributedTo, "[AKI] ascribed to [vancomycin]."),
    ("caused by", Cue::AttributedTo, "[AKI] caused by [vancomycin]."),
    ("induced by", Cue::AttributedTo, "[AKI] induced by [vancomycin]."),
    ("triggered by", Cue::AttributedTo, "[Bleeding] triggered by [warfarin]."),
    ("precipitated by", Cue::AttributedTo, "[AKI] precipitated by [contrast]."),
    ("because of", Cue::AttributedTo, "[AKI] because of [vancomycin]."),
    ("related to", Cue::AttributedTo, "[AKI] related to [vancomycin]."),
    ("resulting from", Cue::AttributedTo, "[AKI] resulting from [vancomycin]."),
    ("as a result of", Cue::AttributedTo, "[AKI] as a result of [vancomycin]."),
    ("as a complication of", Cue::AttributedTo, "[AKI] as a complication of [contrast]."),
    ("reaction to", Cue::AttributedTo, "[Rash], a reaction to [cefepime]."),
    ("blamed on", Cue::AttributedTo, "[AKI] was blamed on [vancomycin]."),
    ("unrelated to", Cue::NotAttributedTo, "[AKI] unrelated to [vancomycin]."),
];

/// Phrases between X and Y that state the reverse: "Y is attributed to X".
const CAUSES: &[(&str, &str)] = &[
    ("caused", "[Vancomycin] caused [AKI]."),
    ("cause", "[Vancomycin] did cause [AKI]."),
    ("a cause of", "[Vancomycin] is a cause of [AKI]."),
    ("causing", "[Vancomycin] causing [AKI]."),
    ("induced", "[Vancomycin]-induced [AKI]."),
    ("associated", "[Vancomycin]-associated [AKI]."),
    ("related", "[Warfarin]-related [bleeding]."),
    ("mediated", "[Heparin]-mediated [thrombocytopenia]."),
    ("led to", "[Vancomycin] led to [AKI]."),
    ("leading to", "[Vancomycin] leading to [AKI]."),
    ("resulted in", "[Vancomycin] resulted in [AKI]."),
    ("resulting in", "[Vancomycin] resulting in [AKI]."),
    ("precipitated", "[Contrast] precipitated [AKI]."),
    ("triggered", "[Warfarin] triggered [bleeding]."),
    ("provoked", "[Vancomycin] provoked [AKI]."),
    ("as the cause of", "[Vancomycin] as the cause of [AKI]."),
    ("is the cause of", "[Vancomycin] is the cause of [AKI]."),
    ("was the cause of", "[Vancomycin] was the cause of [AKI]."),
    ("the cause of", "[Vancomycin] the cause of [AKI]."),
    ("implicated in", "[Vancomycin] was implicated in [AKI]."),
    ("culprit for", "[Vancomycin] was the culprit for [AKI]."),
];

/// Cues at the head of a clause before X, read as "Y KIND X": "After X, Y".
const FRONTED: &[(&str, Cue, &str)] = &[
    ("after", Cue::After, "After [vancomycin], she developed [AKI]."),
    ("following", Cue::After, "Following [vancomycin], [AKI] developed."),
    ("since", Cue::After, "Since [warfarin], [bleeding] recurs."),
    ("before", Cue::Before, "Before [vancomycin], [AKI] was present."),
    ("prior to", Cue::Before, "Prior to [vancomycin] there was [AKI]."),
    ("due to", Cue::AttributedTo, "Due to [vancomycin], [AKI] developed."),
    ("secondary to", Cue::AttributedTo, "Secondary to [vancomycin] she had [AKI]."),
    ("because of", Cue::AttributedTo, "Because of [warfarin], [bleeding] ensued."),
];

const NEGATIONS: &[&str] = &[
    "not", "never", "unlikely", "no", "without", "doubt", "doubtful", "isn't", "wasn't", "didn't", "less", "cannot",
    "can't",
];

const HEDGES: &[&str] = &[
    "possibly",
    "possible",
    "probably",
    "probable",
    "likely",
    "perhaps",
    "maybe",
    "may",
    "might",
    "could",
    "can",
    "suspected",
    "suspect",
    "presumably",
    "presumed",
    "potentially",
    "?",
    "concern",
    "consider",
    "considered",
    "questionable",
];

/// What happened to a course rather than its beginning: order cues then speak of another moment.
const ENDINGS: &[&str] = &[
    "resolved",
    "resolving",
    "improved",
    "improving",
    "recovered",
    "worsened",
    "worsening",
    "persisted",
    "persists",
    "normalized",
    "normalised",
    "cleared",
    "stabilized",
    "ended",
];

const STOPPED: &[&str] = &["stopped", "discontinued", "held", "finished", "completed", "dc'd"];

/// Words and marks over which no cue reaches.
const BOUNDS: &[&str] = &[";", "but", "however", "although", "though", "whereas", "while", "except", "despite"];

/// What the sentence states about the mentions `a` and `b` (code points): read each as "a KIND b".
///
/// The order in which they are told states nothing, and "in the setting of" attributes nothing.
pub fn relation_cues(sentence: &str, a: (usize, usize), b: (usize, usize)) -> Vec<RelationCue> {
    let chars: Vec<char> = sentence.chars().collect();
    let tokens = tokens(&chars);
    let (ta, tb) = (token_range(&tokens, a), token_range(&tokens, b));
    if ta.0 == ta.1 || tb.0 == tb.1 || (ta.0 < tb.1 && tb.0 < ta.1) {
        return Vec::new();
    }
    let swapped = tb.0 < ta.0;
    let (x, y) = if swapped { (tb, ta) } else { (ta, tb) };
    let between = &tokens[x.1..y.0];
    let mut found: Vec<(Cue, Certainty, usize, usize, String)> = Vec::new();
    if !between.iter().any(|t| t.ends_sentence || BOUNDS.contains(&t.norm.as_str())) {
        between_cues(&tokens, x, y, &mut found);
        fronted_cues(&tokens, x, y, &mut found);
        attribute_to(&tokens, x, y, &mut found);
    }
    if !found.is_empty() {
        let denied = [a, b].map(|m| {
            let said = CueAsserter.assert(sentence, m, None);
            said.polarity == Polarity::Negated && said.certainty == Certainty::Certain
        });
        context(&tokens, x, y, denied.contains(&true), &mut found);
    }
    let mut out: Vec<RelationCue> = found
        .into_iter()
        .map(|(kind, certainty, from, to, rule)| RelationCue {
            // Read as "X KIND Y" so far.
            kind: match (swapped, kind) {
                (true, Cue::Before) => Cue::After,
                (true, Cue::After) => Cue::Before,
                (_, kind) => kind,
            },
            certainty,
            start: tokens[from].start,
            end: tokens[to - 1].end,
            rule,
        })
        .filter(|cue| {
            // Attribution has a direction: rules mark the reverse with their name.
            let reverse = cue.rule.starts_with("causes:") || cue.rule.starts_with("fronted:");
            !matches!(cue.kind, Cue::AttributedTo | Cue::NotAttributedTo) || reverse == swapped
        })
        .collect();
    out.sort_by(|l, r| (l.start, l.end, &l.rule).cmp(&(r.start, r.end, &r.rule)));
    out
}

/// Words of a first opinion that a later one may replace.
const INITIALLY: &[&str] = &["initially", "originally", "first", "previously", "formerly"];

/// Verbs of an opinion, which is replaced only where it is told in the past.
const OPINED: &[&str] = &[
    "thought",
    "felt",
    "believed",
    "presumed",
    "assumed",
    "suspected",
    "considered",
    "attributed",
    "blamed",
    "ascribed",
];

/// Words of a later opinion.
const REVISED: &[&str] = &[
    "now",
    "later",
    "subsequently",
    "ultimately",
    "eventually",
    "finally",
    "instead",
    "actually",
    "however",
    "turned",
    "proved",
    "reattributed",
    "revised",
];

/// What the words around a statement make of it: denied mentions, questions, alternatives, opinions given up.
fn context(tokens: &[Tok], x: (usize, usize), y: (usize, usize), denied: bool, found: &mut Found) {
    let begin = tokens[..x.0].iter().rposition(|t| t.ends_sentence).map_or(0, |n| n + 1);
    let end = tokens[y.1..].iter().position(|t| t.ends_sentence).map_or(tokens.len(), |n| y.1 + n + 1);
    let part = &tokens[begin..end];
    let question = forms::question(part, (y.0 - begin, y.1 - begin)).map(|(_, answer)| answer);
    let rest = &tokens[y.1..end];
    let before = lead(tokens, x.0, 7);
    let nobody = any(before, &["nobody", "noone"])
        || before.windows(2).any(|w| w[0].norm == "no" && w[1].norm == "one")
        || (any(before, &["not", "never"]) && any(before, &["document", "documented", "state", "stated", "mention"]));
    let not_so = any(before, &["false", "untrue", "incorrect", "wrong"])
        || (any(before, NOT)
            && any(before, &["true", "think", "believe", "feel", "felt", "thought", "case", "agree", "correct"]));
    let or = |t: Option<&Tok>| t.is_some_and(|t| matches!(t.norm.as_str(), "or" | "vs" | "versus"));
    let mut out = Vec::new();
    for (mut kind, mut certainty, from, to, rule) in std::mem::take(found) {
        let attributes = matches!(kind, Cue::AttributedTo | Cue::NotAttributedTo);
        if nobody || (denied && kind != Cue::NotAttributedTo) {
            continue;
        }
        // "attributed to sepsis, later attributed to vancomycin": the first phrase has an object of its own.
        if attributes
            && to < y.0
            && rule.starts_with("between:")
            && any(&tokens[to..y.0], &["attributed", "due", "secondary", "caused", "later", "now"])
        {
            continue;
        }
        if attributes && not_so {
            kind = if kind == Cue::AttributedTo { Cue::NotAttributedTo } else { Cue::AttributedTo };
        }
        match question {
            Some(Some(true)) | None => {}
            Some(Some(false)) if kind == Cue::AttributedTo => kind = Cue::NotAttributedTo,
            // An order asked for and denied is no statement of the reverse.
            Some(Some(false)) => continue,
            Some(None) => {
                if kind == Cue::NotAttributedTo {
                    continue;
                }
                certainty = Certainty::Uncertain;
            }
        }
        if kind == Cue::AttributedTo {
            // The alternatives stand on the side of the cause.
            let causes = rule.starts_with("causes:");
            let middle = if causes { &before[before.len()..] } else { &tokens[to.min(y.0)..y.0] };
            let beside = if causes {
                or(before.last())
            } else {
                or(rest.first())
                    || (rest.first().is_some_and(|t| t.norm == "and") && rest.get(1).is_some_and(|t| t.norm == "/"))
            };
            let nearer = causes && or(tokens[x.1..from.max(x.1)].first());
            if beside || nearer || any(middle, &["or", "vs", "versus", "either"]) {
                certainty = Certainty::Uncertain;
            }
            match superseded(tokens, x, from.max(x.1).min(y.0), rest) {
                Some(true) => continue,
                Some(false) => certainty = Certainty::Uncertain,
                None => {}
            }
        }
        out.push((kind, certainty, from, to, rule));
    }
    *found = out;
}

/// Whether the statement is a first opinion: `true` when another follows, `false` when none is told.
fn superseded(tokens: &[Tok], x: (usize, usize), cue: usize, rest: &[Tok]) -> Option<bool> {
    let from = tokens[..x.0].iter().rposition(|t| t.ends_sentence || t.norm == ";").map_or(0, |n| n + 1);
    // Words before the cue that come after the last change of opinion.
    let said: Vec<&Tok> = tokens[from..(cue + 1).min(tokens.len())].iter().collect();
    let last = said.iter().rposition(|t| REVISED.contains(&t.norm.as_str())).map_or(0, |n| n + 1);
    let said = &said[last..];
    let first = said.iter().any(|t| INITIALLY.contains(&t.norm.as_str()));
    let opined = said
        .windows(2)
        .any(|w| matches!(w[0].norm.as_str(), "was" | "were" | "been") && OPINED.contains(&w[1].norm.as_str()));
    let judged = |t: &Tok| {
        matches!(
            t.norm.as_str(),
            "attributed"
                | "due"
                | "secondary"
                | "found"
                | "felt"
                | "thought"
                | "determined"
                | "proved"
                | "turned"
                | "diagnosed"
                | "shown"
                | "caused"
                | "explained"
                | "reattributed"
                | "revised"
                | "obstructive"
                | "believed"
        )
    };
    let revised = rest.iter().position(|t| REVISED.contains(&t.norm.as_str()) || t.norm == "but");
    let another = revised.is_some_and(|n| rest[n..].iter().any(judged));
    match (first, opined, another) {
        (true, _, true) | (_, true, true) => Some(true),
        (true, _, false) => Some(false),
        _ => None,
    }
}

const NOT: &[&str] = &["not", "never", "don't", "doesn't", "didn't", "isn't", "wasn't"];

/// Adverbs that leave a denial open: "not clearly due to".
const OPEN: &[&str] = &[
    "clearly",
    "clear",
    "definitely",
    "definitively",
    "certain",
    "certainly",
    "necessarily",
    "proven",
    "established",
    "obviously",
    "sure",
];

/// "not only", "not solely": no denial at all.
const PARTLY: &[&str] = &["only", "just", "solely", "merely", "simply", "exclusively", "entirely", "purely", "wholly"];

/// What the words before a phrase of cause make of it: denied, left open, or neither.
fn denial(head: &[Tok]) -> (bool, bool) {
    let mut denied = false;
    let mut open = false;
    for (n, token) in head.iter().enumerate() {
        let word = token.norm.as_str();
        let near = &head[n + 1..(n + 3).min(head.len())];
        let doubts = matches!(word, "unlikely" | "less" | "doubt" | "doubtful" | "doubted" | "unclear" | "uncertain");
        let denies = NEGATIONS.contains(&word) && !any(near, PARTLY);
        open |= doubts || (denies && any(near, OPEN));
        denied |= denies;
    }
    // "may not be due to".
    open |= denied && any(head, HEDGES);
    (denied && !open, open)
}

type Found = Vec<(Cue, Certainty, usize, usize, String)>;

fn phrase_at(tokens: &[Tok], i: usize, to: usize, phrase: &str) -> Option<usize> {
    if !phrase.starts_with(tokens[i].norm.as_str()) {
        return None;
    }
    let words = phrase_words(phrase);
    let end = i + words.len();
    (end <= to && tokens[i..end].iter().zip(&words).all(|(t, w)| t.norm == *w)).then_some(end)
}

fn any(tokens: &[Tok], words: &[&str]) -> bool {
    tokens.iter().any(|t| words.contains(&t.norm.as_str()))
}

fn hedge(tokens: &[Tok]) -> Certainty {
    if any(tokens, HEDGES) { Certainty::Uncertain } else { Certainty::Certain }
}

/// A few words before a mention, in its own clause.
fn lead(tokens: &[Tok], at: usize, words: usize) -> &[Tok] {
    let from = at.saturating_sub(words);
    let own =
        tokens[from..at].iter().rposition(|t| t.ends_sentence || matches!(t.norm.as_str(), "," | ";" | ":" | "but"));
    &tokens[own.map_or(from, |n| from + n + 1)..at]
}

fn between_cues(tokens: &[Tok], x: (usize, usize), y: (usize, usize), found: &mut Found) {
    let mut i = x.1;
    while i < y.0 {
        let best = BETWEEN
            .iter()
            .filter_map(|(phrase, kind, _)| phrase_at(tokens, i, y.0, phrase).map(|to| (to, *phrase, *kind, false)))
            .chain(CAUSES.iter().filter_map(|(phrase, _)| {
                phrase_at(tokens, i, y.0, phrase).map(|to| (to, *phrase, Cue::AttributedTo, true))
            }))
            .max_by_key(|(to, ..)| *to);
        let Some((to, phrase, kind, causes)) = best else {
            i += 1;
            continue;
        };
        let (head, tail) = (&tokens[x.1..i], &tokens[to..y.0]);
        let from = i;
        i = to;
        let suffix = matches!(phrase, "induced" | "associated" | "related" | "mediated");
        if suffix && !(head.len() <= 1 && head.iter().all(|t| t.norm == "-")) {
            continue;
        }
        // "is not associated", "well related": a suffix needs its hyphen or the bare word.
        if !near_object(tokens, tail, y) || head.iter().filter(|t| t.word).count() > 9 || other_subject(head) {
            continue;
        }
        // "AKI due to sepsis rather than vancomycin".
        let rather = any(tail, &["rather", "not"]) || (any(tail, &["than"]) && any(tail, &["rather", "more"]));
        match kind {
            Cue::Before | Cue::After => {
                if any(head, ENDINGS) || any(head, NEGATIONS) || any(tail, &["rather", "not"]) {
                    continue;
                }
                let mut kind = kind;
                if phrase == "post" && head.iter().any(|t| t.norm == "-") {
                    kind = Cue::After;
                }
                // "before vancomycin was stopped", "before AKI resolved" speak of an end.
                let next = &tokens[y.1..(y.1 + 4).min(tokens.len())];
                if kind == Cue::Before && (any(next, ENDINGS) || any(next, STOPPED)) {
                    continue;
                }
                if any(head, STOPPED) && kind == Cue::Before && phrase != "followed by" {
                    continue;
                }
                let certainty = hedge(head);
                found.push((kind, certainty, from, to, format!("between:{phrase}")));
            }
            Cue::AttributedTo | Cue::NotAttributedTo => {
                if any(head, &["setting", "context"]) {
                    continue;
                }
                let (denied, open) = denial(head);
                // "not due to vancomycin alone".
                let alone = tokens.get(y.1).is_some_and(|t| matches!(t.norm.as_str(), "alone" | "only"));
                let denied = denied && !alone;
                let negated = denied || rather || (causes && any(lead(tokens, x.0, 5), &["not", "no", "never"]));
                let kind = if negated { Cue::NotAttributedTo } else { kind };
                let mut certainty = hedge(head);
                if any(lead(tokens, x.0, 3), HEDGES) && causes {
                    certainty = Certainty::Uncertain;
                }
                if open
                    || any(
                        lead(tokens, x.0, 4),
                        &["unlikely", "doubt", "doubtful", "unclear", "uncertain", "whether", "if"],
                    )
                {
                    certainty = Certainty::Uncertain;
                }
                let side = if causes { "causes" } else { "between" };
                found.push((kind, certainty, from, to, format!("{side}:{phrase}")));
            }
        }
    }
    // "AKI from vancomycin": only when nothing else stands between.
    if let [only] = between_words(&tokens[x.1..y.0]).as_slice()
        && only.1.norm == "from"
    {
        let at = x.1 + only.0;
        found.push((Cue::AttributedTo, Certainty::Certain, at, at + 1, "between:from".to_owned()));
    }
}

fn between_words(tokens: &[Tok]) -> Vec<(usize, &Tok)> {
    tokens.iter().enumerate().filter(|(_, t)| !matches!(t.norm.as_str(), "the" | "her" | "his" | "iv")).collect()
}

/// Whether what follows the cue is Y: within a few words, and not past a clause of another subject.
fn near_object(tokens: &[Tok], tail: &[Tok], y: (usize, usize)) -> bool {
    let words = tail.iter().filter(|t| t.word).count();
    let parted = tail.iter().any(|t| matches!(t.norm.as_str(), "," | "and" | ":" | "(" | "then"));
    if !parted {
        return words <= 7;
    }
    // A list, "due to sepsis, vancomycin and contrast", but not "due to sepsis, and vancomycin was stopped".
    let next = &tokens[y.1..(y.1 + 3).min(tokens.len())];
    let own_verb = next.iter().take_while(|t| t.word).any(|t| {
        matches!(
            t.norm.as_str(),
            "was" | "were" | "is" | "are" | "has" | "had" | "given" | "started" | "will" | "should"
        ) || STOPPED.contains(&t.norm.as_str())
    });
    words <= 6
        && !own_verb
        && !any(tail, &["then", "was", "were", "is", "had", "has", "developed", "received", "given", "started"])
}

/// "AKI, and the rash developed after ...": another subject between the mention and the cue.
fn other_subject(head: &[Tok]) -> bool {
    let Some(part) = head.iter().rposition(|t| matches!(t.norm.as_str(), "," | "and" | "(")) else { return false };
    let rest = &head[part + 1..];
    // ", which developed" and ", likely" go on about the same thing.
    let same = rest.first().is_none_or(|t| {
        matches!(
            t.norm.as_str(),
            "which"
                | "that"
                | "likely"
                | "possibly"
                | "probably"
                | "most"
                | "thought"
                | "felt"
                | "not"
                | "presumed"
                | "developed"
                | "occurred"
                | "noted"
                | "a"
                | "an"
                | "was"
                | "is"
                | "attributed"
                | "stage"
                | "now"
                | "later"
                | "subsequently"
                | "ultimately"
                | "eventually"
        )
    });
    !same && rest.iter().any(|t| t.word)
}

fn fronted_cues(tokens: &[Tok], x: (usize, usize), y: (usize, usize), found: &mut Found) {
    let from = tokens[..x.0].iter().rposition(|t| t.ends_sentence).map_or(0, |n| n + 1);
    for i in from.max(x.0.saturating_sub(8))..x.0 {
        let best = FRONTED
            .iter()
            .filter_map(|(phrase, kind, _)| phrase_at(tokens, i, x.0, phrase).map(|to| (to, *phrase, *kind)))
            .max_by_key(|(to, ..)| *to);
        let Some((to, phrase, kind)) = best else { continue };
        let clause_head = i == from
            || matches!(
                tokens[i - 1].norm.as_str(),
                "," | ";" | ":" | "and" | "but" | "hours" | "hour" | "days" | "day" | "shortly" | "soon" | "minutes"
            );
        let clause_head = clause_head
            && !(i > from
                && matches!(tokens[i - 1].norm.as_str(), "hours" | "hour" | "days" | "day" | "minutes")
                && i > from + 3);
        let tail = &tokens[to..x.0];
        let middle = &tokens[x.1..y.0];
        if !clause_head || tail.iter().filter(|t| t.word).count() > 6 || any(tail, &[",", "and"]) {
            continue;
        }
        // The clause of the cue must end and another begin: a comma, or a subject with a verb.
        let parted =
            middle.iter().any(|t| t.norm == ",") || any(middle, &["she", "he", "patient", "there", "developed"]);
        let next = &tokens[y.1..(y.1 + 4).min(tokens.len())];
        if !parted || middle.iter().filter(|t| t.word).count() > 10 || any(middle, NEGATIONS) {
            continue;
        }
        if matches!(kind, Cue::Before | Cue::After) && (any(next, ENDINGS) || any(middle, ENDINGS)) {
            continue;
        }
        if kind == Cue::Before && any(middle, STOPPED) {
            continue;
        }
        // Read as "Y KIND X": turn the order around to "X KIND Y".
        let kind = match kind {
            Cue::Before => Cue::After,
            Cue::After => Cue::Before,
            other => other,
        };
        found.push((kind, Certainty::Certain, i, to, format!("fronted:{phrase}")));
        return;
    }
}

/// "We attribute the AKI to vancomycin".
fn attribute_to(tokens: &[Tok], x: (usize, usize), y: (usize, usize), found: &mut Found) {
    let verb = |t: &Tok| {
        matches!(
            t.norm.as_str(),
            "attribute" | "attributes" | "attributed" | "attributing" | "ascribe" | "ascribed" | "blame"
        )
    };
    let near = lead(tokens, x.0, 4);
    let Some(n) = near.iter().rposition(verb) else { return };
    let middle = &tokens[x.1..y.0];
    let Some(to) = middle.iter().position(|t| matches!(t.norm.as_str(), "to" | "on")) else { return };
    if middle.len() - to > 4 || to > 3 {
        return;
    }
    let at = x.0 - near.len() + n;
    let before = lead(tokens, at, 4);
    let kind = if any(before, NEGATIONS) || any(middle, &["not", "rather"]) {
        Cue::NotAttributedTo
    } else {
        Cue::AttributedTo
    };
    found.push((kind, hedge(before), at, x.1 + to + 1, "attribute_to".to_owned()));
}

#[cfg(test)]
mod tests {
    use super::*;

    type Mention = (usize, usize);

    /// The sentence and its two marked mentions in order of place.
    fn marked(example: &str) -> (String, Mention, Mention) {
        let mut spans = Vec::new();
        let mut plain = String::new();
        let mut at = 0;
        let mut open = 0;
        for c in example.chars() {
            match c {
                '[' => open = at,
                ']' => spans.push((open, at)),
                _ => {
                    plain.push(c);
                    at += 1;
                }
            }
        }
        (plain, spans[0], spans[1])
    }

    /// Cues read as "first mention KIND second mention", then as "second KIND first".
    #[track_caller]
    fn check(example: &str, first_to_second: &[Cue], second_to_first: &[Cue]) {
        let (text, x, y) = marked(example);
        let kinds = |a, b| relation_cues(&text, a, b).into_iter().map(|c| c.kind).collect::<Vec<_>>();
        assert_eq!(kinds(x, y), first_to_second, "{example}");
        assert_eq!(kinds(y, x), second_to_first, "reverse of {example}");
    }

    fn turned(kind: Cue) -> Vec<Cue> {
        match kind {
            Cue::Before => vec![Cue::After],
            Cue::After => vec![Cue::Before],
            Cue::AttributedTo | Cue::NotAttributedTo => vec![],
        }
    }

    #[test]
    fn every_row_is_shown_by_its_sentence() {
        for (phrase, kind, example) in BETWEEN {
            assert!(example.contains(phrase));
            check(example, &[*kind], &turned(*kind));
        }
        for (phrase, example) in CAUSES {
            assert!(example.contains(phrase));
            check(example, &[], &[Cue::AttributedTo]);
        }
        for (phrase, kind, example) in FRONTED {
            assert!(example.to_lowercase().contains(phrase));
            check(example, &turned(*kind), &[*kind]);
        }
    }

    #[test]
    fn stated_not() {
        for example in [
            "[AKI] is not due to [vancomycin].",
            "[AKI] was not felt to be secondary to [vancomycin].",
            "[AKI] due to sepsis rather than [vancomycin].",
            "[AKI] due to sepsis and not [vancomycin].",
            "We do not attribute the [AKI] to [vancomycin].",
        ] {
            check(example, &[Cue::NotAttributedTo], &[]);
        }
        check("[Vancomycin] was not the cause of [AKI].", &[], &[Cue::NotAttributedTo]);
        check("No evidence that [vancomycin] caused [AKI].", &[], &[Cue::NotAttributedTo]);
    }

    #[test]
    fn forms() {
        check("We attribute the [AKI] to [vancomycin].", &[Cue::AttributedTo], &[]);
        check("[AKI] from [vancomycin].", &[Cue::AttributedTo], &[]);
        check("[AKI] due to sepsis, [vancomycin] and contrast.", &[Cue::AttributedTo], &[]);
        check("[AKI] developed two days after receiving IV [vancomycin].", &[Cue::After], &[Cue::Before]);
        check("[Vancomycin] was started after [AKI] developed.", &[Cue::After], &[Cue::Before]);
        check("[AKI] after [vancomycin] was stopped.", &[Cue::After], &[Cue::Before]);
        check("Two days after [vancomycin] she developed [AKI].", &[Cue::Before], &[Cue::After]);
        let (text, a, b) = marked("[AKI] likely due to [vancomycin].");
        assert_eq!(relation_cues(&text, a, b)[0].certainty, Certainty::Uncertain);
        let (text, a, b) = marked("Grüße \u{1F600}: [AKI] due to [vancomycin].");
        let cue = &relation_cues(&text, a, b)[0];
        assert_eq!(text.chars().skip(cue.start).take(cue.end - cue.start).collect::<String>(), "due to");
    }

    #[test]
    fn nothing_stated() {
        for example in [
            "[Vancomycin] was given and [AKI] developed.",
            "[Vancomycin] was given, then [AKI] developed.",
            "[AKI] in the setting of [vancomycin].",
            "[AKI] and [vancomycin].",
            "[AKI] due to sepsis, and [vancomycin] was stopped.",
            "[AKI] resolved after [vancomycin] was stopped.",
            "[AKI] was present before [vancomycin] was stopped.",
            "[AKI] noted. After [vancomycin] she slept.",
            "[AKI] due to sepsis; [vancomycin] continued.",
            "[AKI] with [vancomycin] trough 22.",
        ] {
            check(example, &[], &[]);
        }
    }

    #[test]
    fn odd_ranges_do_not_panic() {
        for (a, b) in [((0, 0), (5, 9)), ((0, 3), (1, 2)), ((90, 99), (0, 3)), ((4, 2), (9, 1))] {
            let _ = relation_cues("AKI due to vancomycin", a, b);
        }
    }
}
