//! Whether a label of the record names a concept.
//!
//! Whole words only, and the concept must be what the label is about: "heart failure" is not "heart",
//! "vancomycin resistant enterococcus" is not vancomycin, "urine creatinine" is not creatinine.

use crate::codes::CodeSystem;
use crate::normalise::{normalise, normalise_word, words};
use crate::synonyms::{Expansion, TermKind};

/// How a label names a concept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatchBasis {
    /// The label is one of its words.
    Whole,
    /// The label is about it, with more said (strength, form, cause, site, a narrower kind).
    Head,
    /// The label is about a member of the class.
    Member(&'static str),
}

/// What a label says of a concept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LabelReading {
    /// It names it.
    Named(MatchBasis),
    /// It names a history of it ("history of ...", "personal history of ...", "old ...").
    History,
    /// It names it as suspected, possible, probable.
    Suspected,
    /// It says there is none ("no ...", "... ruled out").
    Absent,
    /// It names it for somebody else ("family history of ...").
    Family,
}

#[derive(Clone, Debug)]
pub(crate) struct Phrase {
    tokens: Vec<String>,
    kind: Option<TermKind>,
    member: Option<&'static str>,
}

impl Phrase {
    pub(crate) fn new(text: &str, kind: Option<TermKind>, member: Option<&'static str>) -> Option<Self> {
        let key = normalise(text);
        (!key.is_empty()).then(|| Self { tokens: key.split(' ').map(str::to_owned).collect(), kind, member })
    }
}

/// Whether a recorded code is one of the concept's, or lies under one.
pub fn matches_code(expansion: &Expansion, system: &str, code: &str) -> bool {
    if code.is_empty() || expansion.codes.is_empty() {
        return false;
    }
    let Some(system) = CodeSystem::of(system) else { return false };
    expansion.codes.iter().any(|c| c.system == system && c.covers(code))
}

/// How the label names the concept; `None` when it does not, and also when it names a history, a suspicion, an absence
/// or a relative of it: [`read_label`] tells those apart.
pub fn matches_label(expansion: &Expansion, label: &str) -> Option<MatchBasis> {
    match read_label(expansion, label)? {
        LabelReading::Named(basis) => Some(basis),
        _ => None,
    }
}

/// What the label says of the concept.
pub fn read_label(expansion: &Expansion, label: &str) -> Option<LabelReading> {
    let tokens: Vec<String> = words(label).iter().map(|w| normalise_word(w)).collect();
    let asked_has = |tokens: &[String]| expansion.phrases.first().is_some_and(|p| find(&p.tokens, tokens, 0).is_some());
    let barred: Vec<Option<&str>> = expansion
        .unless
        .iter()
        .filter(|(_, u)| find(&tokens, u, 0).is_some() && !asked_has(u))
        .map(|(member, _)| *member)
        .collect();
    if barred.contains(&None) {
        return None;
    }
    let mut best: Option<LabelReading> = None;
    for phrase in &expansion.phrases {
        if find(&tokens, &phrase.tokens, 0).is_none() || (phrase.member.is_some() && barred.contains(&phrase.member)) {
            continue;
        }
        let reading = match phrase.kind {
            Some(TermKind::Drug | TermKind::DrugClass) => drug(label, phrase),
            Some(TermKind::Lab | TermKind::Vital | TermKind::Culture) => measured(label, phrase, expansion),
            _ => noun(label, phrase),
        };
        let reading = match (reading, phrase.member) {
            (Some(LabelReading::Named(_)), Some(member)) => Some(LabelReading::Named(MatchBasis::Member(member))),
            (other, _) => other,
        };
        match (reading, best) {
            (Some(LabelReading::Named(MatchBasis::Whole)), _) => return reading,
            (Some(LabelReading::Named(_)), None) | (Some(_), None) => best = reading,
            _ => {}
        }
    }
    best
}

fn find(tokens: &[String], wanted: &[String], from: usize) -> Option<usize> {
    if wanted.is_empty() || tokens.len() < wanted.len() {
        return None;
    }
    (from..=tokens.len() - wanted.len()).find(|&i| tokens[i..i + wanted.len()] == *wanted)
}

fn any(list: &str, word: &str) -> bool {
    list.split(' ').any(|w| w == word)
}

const UNITS: &str = "mg mcg ug g gm ml l unt unit iu meq mmol hr h mgml actuat meqml nda";
const ROUTE: &str = "iv im sq subq sc po oral topical injectable injection inj intravenou intravenous subcutaneou subcutaneous \
    inhaled nebulized ophthalmic otic nasal rectal transdermal epidural extended release continuous continuou home liposomal \
    pf preservative free low dose high desensitization";
// After a drug's name these make the label about something else.
const NOT_DRUG: &str = "resistant resistance allergy allergic sensitive sensitivity susceptibility susceptible intolerance \
    intolerant induced associated related toxicity overdose poisoning antibody screen screening withdrawal abuse dependence \
    use user free reversal monitoring counseling education naive dependent intermediate refractory infusion_reaction \
    responsive deficiency antagonist gene genotype metabolite";
// Wherever these stand the label is about an act around the thing: measured, planned, taught, watched for.
const AROUND: &str = "measurement measuring measure monitoring monitor assay screening screen prophylaxi prophylaxis prevention \
    education teaching counseling counselling instruction referral referred planning plan planned protocol precaution refill \
    reconciliation clinic vaccination vaccine";

fn drug(label: &str, phrase: &Phrase) -> Option<LabelReading> {
    // Ingredients of a combination are parted by a slash, a plus, "and", "with" or a hyphen; each stands first in its part.
    let text = label.replace(" and ", " / ").replace(" AND ", " / ").replace(" with ", " / ").replace('+', "/");
    let all: Vec<String> = words(&text).iter().map(|w| normalise_word(w)).collect();
    if all == phrase.tokens {
        return Some(LabelReading::Named(MatchBasis::Whole));
    }
    if all.iter().any(|t| any(AROUND, t) && !phrase.tokens.contains(t)) {
        return None;
    }
    for part in text.split('/').chain(bracketed(&text)) {
        let tokens: Vec<String> = words(part).iter().map(|w| normalise_word(w)).collect();
        let start = tokens.iter().take_while(|t| lead(t)).count();
        if leads(&tokens, start, phrase) {
            return Some(LabelReading::Named(MatchBasis::Head));
        }
        // "amoxicillin-clavulanate": what follows a hyphen is an ingredient when what precedes it is a drug.
        let mut before = String::new();
        for piece in part.split('-') {
            if !before.is_empty() && crate::synonyms::lookup(&before).is_some_and(|e| e.kind == TermKind::Drug) {
                let tokens: Vec<String> = words(piece).iter().map(|w| normalise_word(w)).collect();
                if leads(&tokens, 0, phrase) {
                    return Some(LabelReading::Named(MatchBasis::Head));
                }
            }
            before = piece.trim().to_owned();
        }
    }
    None
}

fn lead(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_digit()) || any(UNITS, token) || any(ROUTE, token)
}

fn leads(tokens: &[String], start: usize, phrase: &Phrase) -> bool {
    // A drug may itself be called by a route ("IV contrast").
    [start, 0].iter().any(|&s| {
        find(tokens, &phrase.tokens, s) == Some(s)
            && tokens.get(s + phrase.tokens.len()).is_none_or(|next| !any(NOT_DRUG, next))
    })
}

fn bracketed(text: &str) -> impl Iterator<Item = &str> {
    text.split(['[', '(']).skip(1).filter_map(|rest| rest.split([']', ')']).next())
}

const NEAR_LAB: &str = "level serum plasma blood whole venou venous arterial capillary random trough peak concentration measured \
    total poc point of care test lab result final ser plas automated count number absolute abs calculated quantitative fasting \
    cardiac high sensitivity hs value platelet poor by manual meter strip istat non invasive noninvasive cuff sitting standing \
    supine art line mean systemic pt routine aerobic anaerobic bacterial specimen comprehensive reflex clean catch peripheral \
    isolate identified bacteria culture finding procedure mass volume mole substance enzymatic activity presence in";
const OTHER_SPECIMEN: &str = "urine urinary csf cerebrospinal spinal ascite ascites ascitic pleural synovial joint peritoneal stool \
    dialysate saliva sweat semen amniotic fluid fetal cord drain fluids gastric bronchial";

fn measured(label: &str, phrase: &Phrase, expansion: &Expansion) -> Option<LabelReading> {
    let lower = label.to_lowercase();
    // LOINC names: analyte [property] in specimen by method.
    let name = lower.split(['[', '^']).next().unwrap_or("");
    let (name, specimen) = match name.find(" in ") {
        Some(at) if phrase.kind != Some(TermKind::Culture) => (&name[..at], &lower[at..]),
        _ => (name, lower.split_once(']').map_or("", |(_, rest)| rest)),
    };
    let other = |text: &str| {
        words(text).iter().map(|w| normalise_word(w)).any(|w| any(OTHER_SPECIMEN, &w) && !phrase.tokens.contains(&w))
    };
    if other(specimen) || other(name) {
        return None;
    }
    // A slash between letters in the name is a ratio, unless the concept itself is one; a unit in brackets is not.
    let outside: String = strip_brackets(name);
    if outside.contains('/') && !expansion.words.iter().any(|w| w.contains('/')) {
        let own = expansion.words.iter().any(|w| normalise(w) == normalise(&outside));
        if !own {
            return None;
        }
    }
    let mut tokens: Vec<String> = words(name).iter().map(|w| normalise_word(w)).collect();
    if tokens == phrase.tokens {
        return Some(LabelReading::Named(if name.len() == lower.len() { MatchBasis::Whole } else { MatchBasis::Head }));
    }
    // Take out every word of the concept; what is left must say nothing else.
    let mut own: Vec<&Phrase> = expansion.phrases.iter().filter(|p| p.member == phrase.member).collect();
    own.sort_by_key(|p| std::cmp::Reverse(p.tokens.len()));
    let mut taken = false;
    for p in own {
        while let Some(at) = find(&tokens, &p.tokens, 0) {
            tokens.drain(at..at + p.tokens.len());
            taken = true;
        }
    }
    let left =
        tokens.iter().all(|t| any(NEAR_LAB, t) || any(UNITS, t) || any("dl ul % k mm3 u x10 109 103 hg mmhg", t));
    (taken && left).then_some(LabelReading::Named(MatchBasis::Head))
}

fn strip_brackets(text: &str) -> String {
    let mut depth = 0u32;
    text.chars()
        .filter(|c| {
            match c {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => return depth == 0,
            }
            false
        })
        .collect()
}

const AFTER_NOUN: &str = "of in with due secondary from by following after during to unspecified stage type grade class no nos \
    not acute chronic left right bilateral disorder finding situation procedure morphologic event and or on at as associated \
    while initial subsequent sequela without single multiple ap pa portable 1 2 3 4 view view(s) placement insertion inserted \
    implantation therapy treatment present active resolved recurrent mild moderate severe nec physical object device regime \
    syndrome episode i ii iii iv v lower upper complicating postoperative inpatient exacerbation positive confirmed suspected \
    possible probable ruled old healed history hx";
const PAST: &str = "old healed prior previou previous remote former past";
/// What stands between an outcome and its cause: the label is about what comes first.
const CAUSE: [&[&str]; 20] = [
    &["due", "to"],
    &["caused", "by"],
    &["cause", "by"],
    &["secondary", "to"],
    &["because", "of"],
    &["resulting", "from"],
    &["arising", "from"],
    &["result", "of"],
    &["related", "to"],
    &["associated", "with"],
    &["attributable", "to"],
    &["induced", "by"],
    &["complicating"],
    &["following"],
    &["after"],
    &["complication", "of"],
    &["sequela", "of"],
    &["sequelae", "of"],
    &["effect", "of"],
    &["in"],
];

fn is_cause(lead: &[String]) -> bool {
    CAUSE.iter().any(|cue| lead.windows(cue.len()).any(|w| w.iter().zip(*cue).all(|(a, b)| a == b)))
}

const SUSPECT: &str = "suspected possible probable presumed concern query likely questionable suspicion";

fn noun(label: &str, phrase: &Phrase) -> Option<LabelReading> {
    let tokens: Vec<String> = words(label).iter().map(|w| normalise_word(w)).collect();
    if tokens == phrase.tokens {
        return Some(LabelReading::Named(MatchBasis::Whole));
    }
    let boundaries = boundaries(label);
    let mut from = 0;
    while let Some(at) = find(&tokens, &phrase.tokens, from) {
        from = at + 1;
        let end = at + phrase.tokens.len();
        let next = tokens.get(end);
        let parted = boundaries.get(end).copied().unwrap_or(true);
        let drug_like =
            phrase.kind.is_none() && next.is_some_and(|n| lead(n) || any("tablet capsule hydrochloride hcl sodium", n));
        if !(next.is_none_or(|n| any(AFTER_NOUN, n)) || parted || drug_like) {
            continue;
        }
        if tokens[end..].first().is_some_and(|t| t == "ruled") {
            return Some(LabelReading::Absent);
        }
        // "HIV-associated nephropathy" is nephropathy; "pneumonia associated with ..." is pneumonia.
        let adjective = next.is_some_and(|n| any("associated related induced secondary", n))
            && tokens.get(end + 1).is_some_and(|n| !any("with to by", n));
        // What is said of a cause, or planned, watched or taught about it, is no statement of it.
        let tail = &tokens[end..];
        let own = tail.iter().position(|t| any("due with without cause caused following in", t)).unwrap_or(tail.len());
        if adjective || is_cause(&tokens[..at]) || tail[..own].iter().any(|t| any(AROUND, t)) {
            continue;
        }
        if next.is_some_and(|n| any("old healed history hx", n)) {
            return Some(LabelReading::History);
        }
        if next.is_some_and(|n| any(SUSPECT, n)) {
            return Some(LabelReading::Suspected);
        }
        match before(&tokens[..at]) {
            Some(Before::Plain) => return Some(LabelReading::Named(MatchBasis::Head)),
            Some(Before::Reading(reading)) => return Some(reading),
            None => {}
        }
    }
    None
}

enum Before {
    Plain,
    Reading(LabelReading),
}

fn before(lead: &[String]) -> Option<Before> {
    let has = |w: &str| lead.iter().any(|t| t == w);
    if has("family") && has("history") || has("fh") {
        return Some(Before::Reading(LabelReading::Family));
    }
    if (has("history") || has("hx") || has("h") && has("o")) && !has("no") {
        return Some(Before::Reading(LabelReading::History));
    }
    let tail = &lead[lead.len().saturating_sub(3)..];
    if tail.iter().any(|t| any("no without absence not negative denie exclude excluded", t)) {
        return Some(Before::Reading(LabelReading::Absent));
    }
    if tail.iter().any(|t| any(SUSPECT, t)) || (has("rule") && has("out")) || (has("r") && has("o")) {
        return Some(Before::Reading(LabelReading::Suspected));
    }
    // "Old infarct", "prior stroke"; not "65 years old with pneumonia", "prior to surgery".
    let past = |i: usize| {
        any(PAST, &lead[i])
            && lead.get(i + 1).is_none_or(|n| n != "to")
            && !(i > 0 && any("year yr yo month day", &lead[i - 1]))
    };
    if (lead.len().saturating_sub(3)..lead.len()).any(past) {
        return Some(Before::Reading(LabelReading::History));
    }
    // What is prevented, screened for, planned, taught, risked or feared is not there.
    let other = "prevention prophylaxi prophylaxis screening screen risk vaccine vaccination immunization exposure fear counseling \
        education monitoring precaution observation assessment evaluation carrier contact encounter pre prior removal post";
    (!lead.iter().any(|t| any(other, t) || any(AROUND, t))).then_some(Before::Plain)
}

/// For each word index, whether a comma, bracket, semicolon, colon or spaced dash stands before it.
fn boundaries(label: &str) -> Vec<bool> {
    let mut out = Vec::new();
    let mut text = String::new();
    let mut count = 0;
    let mut parted = false;
    for c in label.chars() {
        text.push(c);
        if matches!(c, ',' | '(' | ')' | '[' | ']' | ';' | ':' | '.') {
            let here = words(&text).len();
            while count < here {
                out.push(parted && out.len() == count);
                parted = false;
                count += 1;
            }
            parted = true;
        }
    }
    let here = words(&text).len();
    while count < here {
        out.push(parted);
        parted = false;
        count += 1;
    }
    out.push(true);
    out
}
