//! What a sentence says about a mention in it: polarity, certainty, time and whose it is.

use crate::forms;
use crate::lexicon::{self, ROWS, Says, Side};
use crate::sections::{self, Default as SectionDefault};
use crate::text::{Tok, token_range, tokens};

/// Whether the event is stated or denied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Polarity {
    /// Stated.
    Affirmed,
    /// Denied.
    Negated,
}

/// Whether the statement is certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Certainty {
    /// Stated as a fact.
    Certain,
    /// Possible, probable, suspected, asked about.
    Uncertain,
}

/// When the event is placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Temporality {
    /// Now or in this course.
    Recent,
    /// In the past.
    Historical,
    /// In a possible future, or in general.
    Hypothetical,
}

/// Whose event it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Experiencer {
    /// The patient's.
    Patient,
    /// A relative's.
    Family,
    /// Someone else's.
    Other,
}

/// A cue that decided, in code points of the sentence; a section's default has an empty range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trigger {
    /// First code point in the sentence.
    pub start: usize,
    /// Code point after the last.
    pub end: usize,
    /// The words.
    pub text: String,
    /// The row of the lexicon, such as `negated:denies`, or `section:Family History`.
    pub rule: String,
}

/// What is said about a mention.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assertion {
    /// Stated or denied.
    pub polarity: Polarity,
    /// As a fact or not.
    pub certainty: Certainty,
    /// When.
    pub temporality: Temporality,
    /// Whose.
    pub experiencer: Experiencer,
    /// The cues that decided.
    pub triggers: Vec<Trigger>,
    /// It was, and is over.
    pub resolved: bool,
    /// It was there on arrival.
    pub on_admission: bool,
}

/// Reads the assertion of a mention.
pub trait Asserter {
    /// `target` is in code points of `sentence`; `section` is the heading the sentence stands under.
    fn assert(&self, sentence: &str, target: (usize, usize), section: Option<&str>) -> Assertion;
}

/// Cues with scopes: from a cue to the end of its clause, through lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CueAsserter;

impl Asserter for CueAsserter {
    fn assert(&self, sentence: &str, target: (usize, usize), section: Option<&str>) -> Assertion {
        let mut out = Assertion {
            polarity: Polarity::Affirmed,
            certainty: Certainty::Certain,
            temporality: Temporality::Recent,
            experiencer: Experiencer::Patient,
            triggers: Vec::new(),
            resolved: false,
            on_admission: false,
        };
        let chars: Vec<char> = sentence.chars().collect();
        let tokens = tokens(&chars);
        let span = token_range(&tokens, target);
        let clause = Clause::around(&tokens, span);
        let heading = clause.heading(&chars);
        let section = match &heading {
            Some(own) if sections::known(own) => Some(own.as_str()),
            _ => section,
        };
        if let Some(name) = section {
            out.apply_section(name);
        }
        for (from, to, says, rule) in clause.cues() {
            let (start, end) = (tokens[from].start, tokens[to - 1].end);
            out.apply(says);
            out.triggers.push(Trigger { start, end, text: chars[start..end].iter().collect(), rule });
        }
        out
    }
}

impl Assertion {
    fn apply(&mut self, says: Says) {
        match says {
            Says::Negated => self.polarity = Polarity::Negated,
            Says::Unlikely => {
                self.polarity = Polarity::Negated;
                self.certainty = Certainty::Uncertain;
            }
            Says::Uncertain => self.certainty = Certainty::Uncertain,
            Says::Historical if self.temporality == Temporality::Recent => self.temporality = Temporality::Historical,
            Says::Hypothetical => self.temporality = Temporality::Hypothetical,
            Says::Family => self.experiencer = Experiencer::Family,
            Says::Other => self.experiencer = Experiencer::Other,
            Says::Resolved => self.resolved = true,
            Says::OnAdmission => self.on_admission = true,
            Says::Historical | Says::Nothing | Says::Stop | Says::Turn => {}
        }
    }

    fn apply_section(&mut self, name: &str) {
        match sections::default_of(name) {
            Some(SectionDefault::Past) => self.temporality = Temporality::Historical,
            Some(SectionDefault::Family) => self.experiencer = Experiencer::Family,
            Some(SectionDefault::Hypothetical) => self.temporality = Temporality::Hypothetical,
            Some(SectionDefault::Asked) => self.certainty = Certainty::Uncertain,
            Some(SectionDefault::Plain) | None => return,
        }
        self.triggers.push(Trigger {
            start: 0,
            end: 0,
            text: name.to_owned(),
            rule: format!("section:{}", name.trim()),
        });
    }
}

/// The sentence around a target: tokens, and how far the part that can speak about the target reaches.
struct Clause<'a> {
    tokens: &'a [Tok],
    target: (usize, usize),
    /// First token of the sentence the target is in (a text may hold more than one).
    from: usize,
    to: usize,
}

const NEAR_WORDS: usize = 6;

impl<'a> Clause<'a> {
    fn around(tokens: &'a [Tok], target: (usize, usize)) -> Self {
        let from = tokens[..target.0].iter().rposition(|t| t.ends_sentence).map_or(0, |n| n + 1);
        let to = tokens[target.1..].iter().position(|t| t.ends_sentence).map_or(tokens.len(), |n| target.1 + n + 1);
        Self { tokens, target, from, to }
    }

    /// The heading inside the sentence that the target stands under: the words before the last colon.
    fn heading(&self, chars: &[char]) -> Option<String> {
        let colon = self.tokens[..self.target.0].iter().rposition(|t| t.norm == ":")?;
        let mut from = colon;
        let mut best = None;
        // The longest run of words before the colon that is a known heading.
        while from > 0
            && colon - from < 6
            && (self.tokens[from - 1].word || matches!(self.tokens[from - 1].norm.as_str(), "/" | "&" | "-"))
        {
            from -= 1;
            let name: String = chars[self.tokens[from].start..self.tokens[colon].start].iter().collect();
            if sections::known(&name) {
                best = Some(name);
            }
        }
        best.or_else(|| (self.from <= from && from < colon).then(String::new))
    }

    fn cues(&self) -> Vec<(usize, usize, Says, String)> {
        let part = &self.tokens[self.from..self.to];
        let target = (self.target.0 - self.from, self.target.1 - self.from);
        let hits = lexicon::find(part, target);
        let stops: Vec<Stop> = hits
            .iter()
            .filter_map(|hit| {
                let says = hit.rows.iter().map(|n| ROWS[*n].says).find(|s| matches!(s, Says::Stop | Says::Turn))?;
                let ahead_only = hit.rows.iter().any(|n| ROWS[*n].says == Says::Stop && ROWS[*n].side == Side::Ahead);
                let passive = hit.from > 0
                    && matches!(part[hit.from - 1].norm.as_str(), "was" | "were" | "been" | "be" | "being");
                (!ahead_only || !passive).then_some(Stop {
                    from: hit.from,
                    to: hit.to,
                    turn: says == Says::Turn,
                    ahead_only,
                })
            })
            .collect();
        let mut out = Vec::new();
        for hit in &hits {
            if hit.rows.iter().any(|n| ROWS[*n].says == Says::Nothing)
                || (hit.to == hit.from + 1 && forms::is_label(part, hit.from))
            {
                continue;
            }
            let mut denied = false;
            for row in hit.rows.iter().map(|n| &ROWS[*n]) {
                let reaches = if hit.to <= target.0 {
                    ahead(part, (hit.from, hit.to), target, row.says, row.side, &stops)
                } else if hit.from >= target.1 {
                    behind(part, target.1, (hit.from, hit.to), row.side, &stops)
                        && !(row.says == Says::Uncertain && hedges_cause(&part[hit.to..]))
                } else {
                    false
                };
                // One phrase denies once: "ruled out" before and after are two rows.
                let denies = matches!(row.says, Says::Negated | Says::Unlikely);
                if reaches && !matches!(row.says, Says::Stop | Says::Turn) && !(denies && denied) {
                    denied |= denies;
                    let rule = format!("{}:{}", name(row.says), row.phrase);
                    out.push((self.from + hit.from, self.from + hit.to, row.says, rule));
                }
            }
        }
        let answered = forms::question(part, target).is_some_and(|(_, answer)| answer.is_some());
        if answered {
            out.retain(|(from, ..)| self.tokens[*from].norm != "?");
        }
        let denied = out.iter().any(|cue| cue.2 == Says::Negated);
        if let Some((from, to)) = forms::denied_before(part, target).filter(|_| denied) {
            out.push((self.from + from, self.from + to, Says::Historical, "historical:denied before".to_owned()));
        }
        for (from, to, says, rule) in forms::forms(part, target) {
            let (from, to) = (self.from + from, self.from + to);
            if !out.iter().any(|(known, _, known_says, _)| (*known, *known_says) == (from, says)) {
                out.push((from, to, says, rule));
            }
        }
        out
    }
}

fn name(says: Says) -> &'static str {
    match says {
        Says::Negated => "negated",
        Says::Unlikely => "unlikely",
        Says::Uncertain => "uncertain",
        Says::Historical => "historical",
        Says::Hypothetical => "hypothetical",
        Says::Family => "family",
        Says::Other => "other_person",
        Says::Resolved => "resolved",
        Says::OnAdmission => "on_admission",
        Says::Nothing => "nothing",
        Says::Stop => "stop",
        Says::Turn => "turn",
    }
}

/// A phrase that ends scopes.
struct Stop {
    from: usize,
    to: usize,
    turn: bool,
    /// Only for cues before the target.
    ahead_only: bool,
}

/// Whether a cue before the target reaches it.
fn ahead(part: &[Tok], cue: (usize, usize), span: (usize, usize), says: Says, side: Side, stops: &[Stop]) -> bool {
    let target = span.0;
    let between = &part[cue.1..target];
    let words = between.iter().filter(|t| t.word).count();
    let person = matches!(says, Says::Family | Says::Other);
    if person && between.first().is_some_and(|t| forms::TELL.contains(&t.norm.as_str())) {
        return false;
    }
    let reach = match side {
        Side::Ahead | Side::Around => 60,
        Side::Near => NEAR_WORDS,
        Side::Next => 0,
        Side::Behind | Side::Just | Side::Noun => return false,
    };
    let through = matches!(says, Says::Hypothetical | Says::OnAdmission);
    if words > reach || stops.iter().any(|s| s.from >= cue.1 && s.to <= target && !(through && s.turn)) {
        return false;
    }
    // A history goes through a list but not past "with" or "on"; a near cue stays in its phrase.
    for (n, token) in between.iter().enumerate() {
        let stops_here = match token.norm.as_str() {
            ";" => true,
            // "Denies: fever, chills" but not "no distress HEART: murmur".
            ":" => n > 0,
            "," if says == Says::Hypothetical && between.get(n + 1).is_some_and(is_example) => false,
            "," if n == 0 => says != Says::OnAdmission || !heads_clause(part, cue.0),
            "," => side == Side::Near || clause_begins(between, n),
            "and" => {
                says == Says::Negated
                    && between.get(n + 1).is_some_and(|t| CLAUSE_STARTS[..10].contains(&t.norm.as_str()))
            }
            "with" | "on" | "for" => says == Says::Historical && n > 0 && between[n - 1].norm == ",",
            _ => false,
        };
        if stops_here {
            return false;
        }
    }
    if side == Side::Next && part[cue.0].norm == "(" && !heads_clause(part, cue.0) {
        // "AKI (-) fever": the mark belongs to what precedes it.
        return false;
    }
    let denies = says == Says::Negated || (says == Says::Historical && part[cue.0].norm == "no");
    !(denies && (denies_cause(part, cue, span) || new_clause(between) || own_statement(part, cue.1, span)))
}

/// "complications, such as AKI".
fn is_example(next: &Tok) -> bool {
    matches!(next.norm.as_str(), "including" | "such" | "like" | "incl")
}

/// "On arrival, she had AKI", not "creatinine 0.9 on admission, AKI later".
fn heads_clause(part: &[Tok], cue: usize) -> bool {
    cue == 0 || !part[cue - 1].word
}

/// Whether a cue after the target reaches back to it.
fn behind(part: &[Tok], target: usize, cue: (usize, usize), side: Side, stops: &[Stop]) -> bool {
    let between = &part[target..cue.0];
    // The verb of the cue itself: "has been ruled out".
    let own = |s: &Stop| s.turn && s.to == cue.0 && matches!(part[s.from].norm.as_str(), "has" | "had");
    if stops.iter().any(|s| !s.ahead_only && s.from >= target && s.to <= cue.0 && !own(s)) {
        return false;
    }
    match side {
        Side::Just => {
            let marks = between
                .iter()
                .all(|t| matches!(t.norm.as_str(), ":" | "," | "-" | "(" | "=" | "\u{2013}" | "\u{2014}"));
            let field = between.iter().any(|t| matches!(t.norm.as_str(), ":" | "-" | "="))
                || (between.iter().any(|t| t.norm == "(") && part.get(cue.1).is_some_and(|t| t.norm == ")"));
            let ends = part.get(cue.1).is_none_or(|t| !t.word);
            let word = part[cue.0].norm.as_str();
            let needs_field = cue.1 == cue.0 + 1
                && matches!(word, "no" | "none" | "nil" | "n" | "denied" | "denies" | "neg" | "not" | "false");
            marks
                && between.len() <= 2
                && (!needs_field || (field && ends))
                && (ends
                    || !matches!(word, "negative" | "absent" | "questionable" | "uncertain" | "unclear" | "doubtful"))
        }
        Side::Behind => {
            let words = between.iter().filter(|t| t.word).count();
            let mut commas = 0;
            for token in between {
                match token.norm.as_str() {
                    ";" | ":" => return false,
                    "," => commas += 1,
                    _ => {}
                }
            }
            // Through a list, but not into the clause before: "cough, fever and chills were denied".
            let list = commas <= 1 || between.iter().any(|t| matches!(t.norm.as_str(), "and" | "or"));
            let own_verb = between.iter().any(|t| VERBS.contains(&t.norm.as_str()));
            words <= 10 && list && !(own_verb && commas > 0) && !(own_verb && starts_clause(part, cue.0))
        }
        Side::Around => true,
        Side::Noun => {
            between.is_empty()
                || (between.len() == 1 && between[0].norm == "-" && between[0].start == part[target - 1].end)
        }
        Side::Ahead | Side::Near | Side::Next => false,
    }
}

/// "AKI, likely due to vancomycin": the cause is uncertain, the injury is not.
fn hedges_cause(rest: &[Tok]) -> bool {
    let next = rest.iter().take(4).map(|t| t.norm.as_str());
    let mut next = next.skip_while(|word| matches!(*word, "be" | "is" | "felt" | "multifactorial" | ","));
    matches!(
        next.next(),
        Some(
            "due" | "secondary" | "from" | "related" | "caused" | "attributed" | "attributable" | "because" | "d" | "2"
        )
    )
}

const VERBS: &[&str] = &["is", "was", "are", "were", "has", "had", "showed", "revealed", "developed", "seen", "noted"];

/// Words that begin a clause of their own after a comma.
const CLAUSE_STARTS: &[&str] = &[
    "the",
    "she",
    "he",
    "they",
    "patient",
    "pt",
    "it",
    "we",
    "i",
    "his",
    "her",
    "this",
    "that",
    "there",
    "who",
    "which",
    "is",
    "was",
    "has",
    "had",
    "are",
    "were",
    "so",
    "therefore",
    "lungs",
    "heart",
    "abdomen",
    "mild",
    "otherwise",
];

fn clause_begins(between: &[Tok], comma: usize) -> bool {
    let mut next = comma + 1;
    if between.get(next).is_some_and(|t| t.norm == "and") {
        next += 1;
    }
    between.get(next).is_some_and(|t| CLAUSE_STARTS.contains(&t.norm.as_str()))
}

fn starts_clause(part: &[Tok], cue: usize) -> bool {
    cue > 0 && matches!(part[cue - 1].norm.as_str(), "and" | ",")
}

/// "We do not think AKI is due to vancomycin": what is denied is the cause.
fn denies_cause(part: &[Tok], cue: (usize, usize), target: (usize, usize)) -> bool {
    let opinion = |t: &Tok| {
        matches!(t.norm.as_str(), "that" | "think" | "believe" | "feel" | "felt" | "thought" | "true" | "agree")
    };
    part[cue.0..target.0].iter().any(opinion)
        && part[target.1..].iter().take(5).any(|t| {
            matches!(
                t.norm.as_str(),
                "due" | "secondary" | "caused" | "related" | "attributed" | "attributable" | "because"
            )
        })
}

/// Words of course or cause with which an item of a list is a statement of its own: "no infection, AKI worsening".
const OWN: &[&str] = &[
    "worsening",
    "worsened",
    "worsens",
    "worse",
    "improving",
    "improved",
    "improves",
    "persists",
    "persisting",
    "persisted",
    "resolving",
    "resolved",
    "continues",
    "continuing",
    "continued",
    "increasing",
    "increased",
    "rising",
    "progressing",
    "progressed",
    "developed",
    "developing",
    "recurred",
    "ongoing",
    "stable",
    "unchanged",
    "confirmed",
    "due",
    "secondary",
    "attributed",
];

/// The same before the noun: "no infection, worsening AKI".
const OWN_BEFORE: &[&str] = &[
    "worsening",
    "improving",
    "resolving",
    "rising",
    "increasing",
    "persistent",
    "ongoing",
    "continued",
    "progressive",
    "known",
    "new",
];

/// Whether the target is the last item of a list and has a predicate of its own, so that "no" does not reach it.
fn own_statement(part: &[Tok], cue: usize, target: (usize, usize)) -> bool {
    let between = &part[cue..target.0];
    let Some(comma) = between.iter().rposition(|t| t.norm == ",") else { return false };
    let after = &part[target.1..];
    let joined = |t: &Tok| matches!(t.norm.as_str(), "or" | "nor" | "/");
    if between.iter().any(joined) || after.iter().take(8).any(joined) {
        return false;
    }
    if between[comma + 1..].iter().any(|t| OWN_BEFORE.contains(&t.norm.as_str())) {
        return true;
    }
    let word = |k: usize| after.get(k).map_or("", |t| t.norm.as_str());
    let verb = usize::from(matches!(word(0), "is" | "has" | "was" | "are" | "still" | "now" | "remains" | "continues"));
    let value = word(usize::from(word(0) == "(")).starts_with(|c: char| c.is_ascii_digit());
    let place = word(0) == "on"
        && between.iter().filter(|t| t.norm == ",").count() == 1
        && matches!(word(1), "labs" | "lab" | "bloodwork" | "chemistry" | "telemetry" | "day" | "hospital");
    let setting = word(0) == "in" && (word(1) == "setting" || word(2) == "setting");
    value || place || setting || OWN.contains(&word(verb))
}

/// "no fever and lungs are clear": a noun with its own verb after "and".
fn new_clause(between: &[Tok]) -> bool {
    let Some(and) = between.iter().rposition(|t| t.norm == "and") else { return false };
    between[and + 1..].iter().any(|t| matches!(t.norm.as_str(), "is" | "was" | "are" | "were" | "showed"))
}
