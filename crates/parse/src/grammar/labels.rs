//! Names as records write them: "Chronic sinusitis (disorder)", "Acetaminophen 325 MG Oral Tablet". Such a name is one
//! event, whatever words of the grammar it holds.

use chartproof_terms::TermKind;

use crate::lexicon::{self, Cue};
use crate::token::{Kind, Token};

/// Semantic tags that end a name.
const TAGS: &str = "disorder finding situation procedure observable event person substance product regime morphologic \
    physical qualifier context occupation environment organism body specimen disease";

/// Forms of drugs.
const FORMS: &str = "tablet tablets capsule capsules injection injectable cream ointment solution suspension syringe inhaler \
    patch pack film spray gel lotion suppository implant drops powder system injector ring kit granules lozenge elixir syrup \
    shampoo foam enema cartridge aerosol inhalant concentrate vial";

const TIME: &str = "minute minutes min mins hour hours hr hrs day days week weeks month months year years";

/// Grammar words that may stand inside a name.
fn may_stand_inside(cue: Cue, token: &Token, with: bool) -> bool {
    match cue {
        Cue::Present => token.is("in"),
        Cue::Without => true,
        Cue::No => with,
        Cue::Stop => matches!(token.low.as_str(), "time" | "of" | "the" | "a" | "an" | "s" | "level of" | "her" | "it"),
        Cue::Qualifier => !matches!(
            token.low.as_str(),
            "if" | "unless"
                | "except"
                | "only"
                | "because"
                | "but"
                | "day"
                | "not"
                | "severe"
                | "today"
                | "yesterday"
                | "allergy"
        ),
        Cue::In | Cue::With | Cue::And | Cue::From | Cue::On | Cue::CausedBy | Cue::First | Cue::Side => true,
        Cue::Normal | Cue::Abnormal | Cue::High | Cue::Low | Cue::Level | Cue::Induced | Cue::Route | Cue::Now => true,
        _ => false,
    }
}

/// Grammar words that part a question into its events.
fn parts(cue: Cue, tokens: &[Token], at: usize) -> bool {
    match cue {
        Cue::Documented
        | Cue::Given
        | Cue::Ordered
        | Cue::Started
        | Cue::Stopped
        | Cue::Held
        | Cue::Restarted
        | Cue::Before
        | Cue::After
        | Cue::Then
        | Cue::Causes
        | Cue::EffectOf
        | Cue::Encounter
        | Cue::Patient
        | Cue::Episode
        | Cue::RuledOut
        | Cue::Resolve
        | Cue::Recur
        | Cue::Persist
        | Cue::During
        | Cue::Within => true,
        Cue::Present => !tokens[at].is("in"),
        _ => false,
    }
}

/// Grammar words that may come before a name.
fn opens(cue: Cue) -> bool {
    matches!(
        cue,
        Cue::Stop
            | Cue::Chat
            | Cue::Aux
            | Cue::Evidence
            | Cue::Any
            | Cue::Have
            | Cue::Now
            | Cue::Documented
            | Cue::Given
            | Cue::Ordered
            | Cue::Ever
            | Cue::Present
            | Cue::Allergy
            | Cue::No
    )
}

/// A name in the question.
pub(super) struct Label {
    pub(super) from: usize,
    pub(super) to: usize,
    /// Without its tag.
    pub(super) text: String,
    /// Its own form says that it is one.
    pub(super) sure: bool,
}

/// The names of a question.
pub(super) fn labels(tokens: &[Token], chars: &[char]) -> Vec<Label> {
    let mut out = Vec::new();
    let mut at = 0;
    let mut framed = false;
    while at < tokens.len() {
        // What stands before the name.
        loop {
            // "within 24 hours after"
            let time = |t: &Token| TIME.split_whitespace().any(|w| t.is(w));
            if tokens.get(at).is_some_and(|t| t.number().is_some())
                && tokens.get(at + 1).is_some_and(time)
                && lexicon::cue(tokens, at + 2).is_some_and(|(c, _)| parts(c, tokens, at + 2) || c == Cue::Stop)
            {
                at += 2;
                continue;
            }
            let Some((cue, len)) = lexicon::cue(tokens, at) else { break };
            // "Received higher education (finding)": a capital inside a question begins a name.
            let capital = at > 0 && tokens[at].raw.starts_with(char::is_uppercase) && tokens[at].raw.len() > 1;
            let goes_on = lexicon::cue(tokens, at + len).is_some_and(|(c, _)| parts(c, tokens, at + len));
            if !(opens(cue) || parts(cue, tokens, at)) || capital && !goes_on && tag_end(tokens, at).is_some() {
                break;
            }
            framed |= !matches!(cue, Cue::Stop | Cue::Chat | Cue::Any);
            at += len;
            if cue == Cue::Evidence || cue == Cue::Allergy {
                break;
            }
        }
        while tokens.get(at).is_some_and(|t| matches!(t.mark(), Some('?' | '!' | ';' | ',' | '.' | ':'))) {
            at += 1;
        }
        if at >= tokens.len() {
            break;
        }
        let tag = tag_end(tokens, at);
        let (mut to, mut parted) = plain_end(tokens, at);
        let mut sure = false;
        if let Some(end) = tag {
            // A name before the tagged one ends where a relation parts them.
            let split = (at + 1..end).find(|&i| {
                lexicon::cue(tokens, i).is_some_and(|(cue, len)| match cue {
                    Cue::Before => true,
                    Cue::After => {
                        matches!(
                            tokens[i].low.as_str(),
                            "follow" | "followed" | "follows" | "came" | "come" | "preceded"
                        ) || known(tokens, chars, at, i)
                            || drug_form(tokens, at, i)
                    }
                    Cue::Documented | Cue::Given | Cue::Ordered | Cue::Present | Cue::Started => {
                        drug_form(tokens, at, i)
                            || known(tokens, chars, at, i)
                            || lexicon::cue(tokens, i + len)
                                .is_some_and(|(c, _)| parts(c, tokens, i + len) || matches!(c, Cue::Above | Cue::Below))
                    }
                    _ => false,
                })
            });
            match split {
                Some(split) => (to, parted) = (split, true),
                None => (to, parted, sure) = (end, true, true),
            }
        }
        if to <= at {
            at += 1;
            continue;
        }
        // "First degree burn" is no first burn.
        let degree = tokens.get(at + 1).is_some_and(|t| t.is("degree"));
        sure |= drug_form(tokens, at, to) || degree && plain(tokens, chars, at, to);
        let text = name(tokens, chars, at, to);
        // A frame around it: it follows an opening, or a verb or relation follows it.
        let fits = sure || framed || parted;
        if fits && (sure || plain(tokens, chars, at, to)) && !text.is_empty() {
            out.push(Label { from: at, to, text, sure });
        }
        at = to;
        framed |= parted;
    }
    out
}

/// The end of the first tag from there, in the same sentence.
fn tag_end(tokens: &[Token], from: usize) -> Option<usize> {
    let mut i = from;
    while i + 1 < tokens.len() {
        if matches!(tokens[i].mark(), Some('?' | ';' | '!')) {
            return None;
        }
        if i > from
            && tokens[i].mark() == Some('(')
            && TAGS.split_whitespace().any(|t| tokens[i + 1].is(t))
            && let Some(close) = (i + 2..(i + 5).min(tokens.len())).find(|&c| tokens[c].mark() == Some(')'))
        {
            return Some(close + 1);
        }
        i += 1;
    }
    None
}

/// The end of a name without a tag, and whether a word of the grammar ends it.
fn plain_end(tokens: &[Token], from: usize) -> (usize, bool) {
    let mut depth = 0i32;
    for i in from..tokens.len() {
        match tokens[i].mark() {
            Some('(' | '[' | '{') => depth += 1,
            Some(')' | ']' | '}') => depth -= 1,
            Some('?' | ';' | '!') => return (i, false),
            Some('.') if i + 1 == tokens.len() => return (i, false),
            _ => {}
        }
        if depth <= 0 && i > from && lexicon::cue(tokens, i).is_some_and(|(cue, _)| parts(cue, tokens, i)) {
            return (i, true);
        }
    }
    (tokens.len(), false)
}

/// Whether the words hold a strength or a count and the form of a drug.
fn drug_form(tokens: &[Token], from: usize, to: usize) -> bool {
    let number = tokens[from..to].iter().any(|t| t.number().is_some());
    // "carbamazepine [Tegretol]"
    let brand = tokens[from..to].iter().any(|t| t.mark() == Some('[')) && tokens[to - 1].mark() == Some(']');
    let op = tokens[from..to].iter().any(|t| matches!(t.kind, Kind::Op(_) | Kind::Arrow));
    let form = tokens[from..to].iter().any(|t| FORMS.split_whitespace().any(|f| t.is(f)));
    let verb = (from..to).any(|i| lexicon::cue(tokens, i).is_some_and(|(c, _)| parts(c, tokens, i) || c == Cue::Not));
    (number && form || brand) && !op && !verb
}

fn slice(tokens: &[Token], chars: &[char], from: usize, to: usize) -> String {
    match (tokens.get(from), tokens.get(to.wrapping_sub(1))) {
        (Some(a), Some(b)) => chars[a.start..b.end].iter().collect(),
        _ => String::new(),
    }
}

fn known(tokens: &[Token], chars: &[char], from: usize, to: usize) -> bool {
    chartproof_terms::lookup(&slice(tokens, chars, from, to)).is_some()
}

/// The name without its tag.
fn name(tokens: &[Token], chars: &[char], from: usize, to: usize) -> String {
    let open = (from + 1..to).rev().find(|&i| tokens[i].mark() == Some('('));
    let tagged =
        open.filter(|&o| tokens[to - 1].mark() == Some(')') && TAGS.split_whitespace().any(|t| tokens[o + 1].is(t)));
    slice(tokens, chars, from, tagged.unwrap_or(to)).trim().to_owned()
}

/// Whether words without a tag or form may be the name of one event: nothing in them limits, denies or compares.
fn plain(tokens: &[Token], chars: &[char], from: usize, to: usize) -> bool {
    if to - from > 16 || known(tokens, chars, from, to) {
        return false;
    }
    let mut unknown = false;
    let mut bound: Option<&str> = None;
    let mut named = false;
    let mut i = from;
    while i < to {
        let token = &tokens[i];
        match &token.kind {
            Kind::Word => {}
            Kind::Number(_) if i > from => {}
            Kind::Mark('(' | ')' | '[' | ']' | ',' | '/' | '-' | '+' | '.' | ':') => {
                i += 1;
                continue;
            }
            _ => return false,
        }
        match lexicon::cue(tokens, i) {
            Some((cue, len)) => {
                if !may_stand_inside(cue, token, i > from && tokens[i - 1].is("with")) || i + len > to {
                    return false;
                }
                if cue == Cue::First
                    || cue == Cue::Qualifier && matches!(token.low.as_str(), "acute" | "chronic" | "allergic")
                {
                    bound = Some(&token.low);
                }
                i += len;
            }
            None => {
                if lexicon::NOT_NOUN.split_whitespace().any(|w| token.is(w) && !matches!(w, "to" | "at" | "as" | "not"))
                {
                    return false;
                }
                let held = (1..=4).rev().find_map(|n| {
                    (i + n <= to).then(|| chartproof_terms::lookup(&slice(tokens, chars, i, i + n)))?.map(|e| (e, n))
                });
                if held.is_some_and(|(e, _)| matches!(e.kind, TermKind::Lab | TermKind::Vital)) {
                    return false;
                }
                let length =
                    i > from && tokens[i - 1].number().is_some() && TIME.split_whitespace().any(|w| token.is(w));
                if length {
                    return false;
                }
                // "acute AKI" says nothing new.
                if held.is_some_and(|(e, _)| bound.is_some_and(|b| e.canonical.contains(b))) {
                    return false;
                }
                named |= held.is_some();
                unknown |= held.is_none() && token.kind == Kind::Word && token.low.chars().count() >= 3;
                i += held.map_or(1, |(_, n)| n);
            }
        }
    }
    unknown || bound.is_some() && named
}
