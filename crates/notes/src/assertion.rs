//! What a sentence says about a mention in it: polarity, certainty, time and whose it is.

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
                Some(Stop { from: hit.from, to: hit.to, turn: says == Says::Turn })
            })
            .collect();
        let mut out = Vec::new();
        for hit in &hits {
            if hit.rows.iter().any(|n| ROWS[*n].says == Says::Nothing) {
                continue;
            }
            for row in hit.rows.iter().map(|n| &ROWS[*n]) {
                let reaches = if hit.to <= target.0 {
                    ahead(part, (hit.from, hit.to), target.0, row.says, row.side, &stops)
                } else if hit.from >= target.1 {
                    behind(part, target.1, (hit.from, hit.to), row.side, &stops)
                        && !(row.says == Says::Uncertain && hedges_cause(&part[hit.to..]))
                } else {
                    false
                };
                if reaches && !matches!(row.says, Says::Stop | Says::Turn) {
                    let rule = format!("{}:{}", name(row.says), row.phrase);
                    out.push((self.from + hit.from, self.from + hit.to, row.says, rule));
                    if matches!(row.says, Says::Negated | Says::Unlikely) {
                        // One phrase speaks once: "ruled out" before and after are two rows.
                        break;
                    }
                }
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
}

/// Whether a cue before the target reaches it.
fn ahead(part: &[Tok], cue: (usize, usize), target: usize, says: Says, side: Side, stops: &[Stop]) -> bool {
    let between = &part[cue.1..target];
    let words = between.iter().filter(|t| t.word).count();
    let reach = match side {
        Side::Ahead | Side::Around => 60,
        Side::Near => NEAR_WORDS,
        Side::Next => 0,
        Side::Behind | Side::Just => return false,
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
    if says == Says::Negated && new_clause(between) {
        return false;
    }
    true
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
    if stops.iter().any(|s| s.from >= target && s.to <= cue.0 && !own(s)) {
        return false;
    }
    match side {
        Side::Just => {
            let marks = between
                .iter()
                .all(|t| matches!(t.norm.as_str(), ":" | "," | "-" | "(" | "=" | "\u{2013}" | "\u{2014}"));
            let field = between.iter().any(|t| matches!(t.norm.as_str(), ":" | "-" | "="));
            let ends = part.get(cue.1).is_none_or(|t| !t.word);
            let word = part[cue.0].norm.as_str();
            let needs_field =
                matches!(word, "no" | "none" | "nil" | "n" | "denied" | "denies" | "neg" | "not" | "false");
            marks
                && between.len() <= 2
                && (!needs_field || (field && ends))
                && (ends || !matches!(word, "negative" | "absent"))
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

/// "no fever and lungs are clear": a noun with its own verb after "and".
fn new_clause(between: &[Tok]) -> bool {
    let Some(and) = between.iter().rposition(|t| t.norm == "and") else { return false };
    between[and + 1..].iter().any(|t| matches!(t.norm.as_str(), "is" | "was" | "are" | "were" | "showed"))
}
