//! Words, numbers and marks of a question, with their places in code points.

use chartproof_evidence::query::Op;

/// What a token is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    /// A word.
    Word,
    /// A number as plain decimal text, thousands separators gone.
    Number(String),
    /// A comparison sign.
    Op(Op),
    /// A calendar date.
    Date,
    /// A time of day, as `HH:MM`.
    Clock(String),
    /// `->`.
    Arrow,
    /// Any other mark.
    Mark(char),
}

/// A token.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    /// Lower case, accents and apostrophes gone.
    pub(crate) low: String,
    /// The raw text.
    pub(crate) raw: String,
    /// First code point.
    pub(crate) start: usize,
    /// Code point after the last.
    pub(crate) end: usize,
    /// No space before it.
    pub(crate) glued: bool,
    /// The typed word, when `low` is a correction of it.
    pub(crate) corrected: bool,
    /// The name of one event as a record writes it, without its tag.
    pub(crate) label: Option<String>,
}

impl Token {
    pub(crate) fn is(&self, word: &str) -> bool {
        self.kind == Kind::Word && self.low == word
    }

    pub(crate) fn mark(&self) -> Option<char> {
        match self.kind {
            Kind::Mark(c) => Some(c),
            _ => None,
        }
    }

    pub(crate) fn number(&self) -> Option<&str> {
        match &self.kind {
            Kind::Number(n) => Some(n),
            _ => None,
        }
    }
}

const SLASHED: [&str; 14] =
    ["w/in", "w/i", "w/o", "w/", "s/p", "r/o", "h/o", "d/c", "d/c'd", "d/c’d", "d/ced", "n/v", "b/c", "and/or"];

pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let chars: Vec<char> = text.chars().collect();
    let mut out: Vec<Token> = Vec::new();
    let mut i = 0;
    while i < chars.len() {
        let c = chars[i];
        if c.is_whitespace() || c.is_control() || c == '\u{feff}' || c == '\u{200b}' {
            i += 1;
            continue;
        }
        let next = chars.get(i + 1).copied().unwrap_or(' ');
        let after_alnum = i > 0 && chars[i - 1].is_alphanumeric();
        if c.is_ascii_digit() || (c == '.' && next.is_ascii_digit() && !after_alnum) {
            let (kind, end) = number(&chars, i);
            push(&mut out, &chars, i, end, kind);
            i = end;
        } else if c.is_alphanumeric() {
            let end = word(&chars, i);
            push(&mut out, &chars, i, end, Kind::Word);
            i = end;
        } else {
            // A hyphen inside a word only parts it.
            if is_dash(c) && after_alnum && next.is_alphanumeric() && !next.is_ascii_digit() {
                i += 1;
                continue;
            }
            let (kind, len) = match (c, next) {
                ('<', '=') | ('=', '<') => (Kind::Op(Op::Le), 2),
                ('>', '=') | ('=', '>') => (Kind::Op(Op::Ge), 2),
                ('-', '>') => (Kind::Arrow, 2),
                ('→', _) => (Kind::Arrow, 1),
                ('<', _) => (Kind::Op(Op::Lt), 1),
                ('>', _) => (Kind::Op(Op::Gt), 1),
                ('=', _) => (Kind::Op(Op::Eq), 1),
                ('≤', _) => (Kind::Op(Op::Le), 1),
                ('≥', _) => (Kind::Op(Op::Ge), 1),
                _ => (Kind::Mark(c), 1),
            };
            push(&mut out, &chars, i, i + len, kind);
            i += len;
        }
    }
    out
}

fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}' | '\u{2011}' | '\u{2013}')
}

fn push(out: &mut Vec<Token>, chars: &[char], start: usize, end: usize, kind: Kind) {
    let raw: String = chars[start..end].iter().collect();
    let low = match kind {
        Kind::Word => fold(&raw),
        _ => raw.clone(),
    };
    let glued = start > 0 && !chars[start - 1].is_whitespace();
    out.push(Token { kind, low, raw, start, end, glued, corrected: false, label: None });
}

/// Contractions with "is"; any other "'s" is a possessive.
const CONTRACTIONS: [&str; 11] = ["what", "it", "he", "she", "that", "there", "who", "where", "here", "let", "how"];

fn fold(raw: &str) -> String {
    let raw = match raw.strip_suffix("'s").or_else(|| raw.strip_suffix("’s")) {
        Some(stem) if !CONTRACTIONS.contains(&stem.to_lowercase().as_str()) => stem,
        _ => raw,
    };
    let plain: String = raw.chars().filter(|c| !matches!(c, '\'' | '’' | '‘' | '`')).collect();
    if plain.contains('/') {
        return plain.to_lowercase();
    }
    let words: Vec<String> = plain.chars().flat_map(char::to_lowercase).map(String::from).collect();
    words.concat()
}

fn word(chars: &[char], start: usize) -> usize {
    // Abbreviations with a slash.
    let ahead: String = chars[start..(start + 6).min(chars.len())].iter().collect::<String>().to_lowercase();
    let slashed = SLASHED.iter().filter(|s| ahead.starts_with(**s)).map(|s| s.chars().count()).max();
    if let Some(len) = slashed {
        let end = start + len;
        if !chars.get(end).is_some_and(|c| c.is_alphanumeric()) || ahead.starts_with("w/") && len == 2 {
            return end;
        }
    }
    let mut end = start;
    while end < chars.len() {
        let c = chars[end];
        let apostrophe = matches!(c, '\'' | '’') && chars.get(end + 1).is_some_and(|n| n.is_alphabetic());
        let accent = ('\u{300}'..='\u{36f}').contains(&c);
        if !(c.is_alphanumeric() || apostrophe || accent) {
            break;
        }
        end += 1;
    }
    end
}

fn number(chars: &[char], start: usize) -> (Kind, usize) {
    let digit = |i: usize| chars.get(i).is_some_and(char::is_ascii_digit);
    let run = |mut i: usize| {
        while digit(i) {
            i += 1;
        }
        i
    };
    let first = run(start);
    // Dates: 03/04/21, 3/4, 2021-03-04.
    for separator in ['/', '-'] {
        if first > start && chars.get(first) == Some(&separator) && digit(first + 1) {
            let second = run(first + 1);
            let three = chars.get(second) == Some(&separator) && digit(second + 1);
            let lengths = (first - start, second - first - 1);
            if three && lengths.0 <= 4 && lengths.1 <= 2 {
                return (Kind::Date, run(second + 1));
            }
            if separator == '/' && lengths.0 <= 2 && lengths.1 <= 2 && chars.get(second) != Some(&'/') {
                return (Kind::Date, second);
            }
        }
    }
    if first - start <= 2 && chars.get(first) == Some(&':') && run(first + 1) == first + 3 {
        let text: String = chars[start..first + 3].iter().collect();
        let text = if first - start == 1 { format!("0{text}") } else { text };
        return (Kind::Clock(text), first + 3);
    }
    let mut end = first;
    let mut text: String = chars[start..first].iter().collect();
    while chars.get(end) == Some(&',') && run(end + 1) == end + 4 && text.len() <= 15 && !text.is_empty() {
        text.extend(&chars[end + 1..end + 4]);
        end += 4;
    }
    if chars.get(end) == Some(&'.') && digit(end + 1) {
        let last = run(end + 1);
        if text.is_empty() {
            text.push('0');
        }
        text.extend(&chars[end..last]);
        end = last;
    }
    // Ordinals are words.
    let tail: String = chars[end..(end + 2).min(chars.len())].iter().collect::<String>().to_lowercase();
    if matches!(tail.as_str(), "st" | "nd" | "rd" | "th") && !chars.get(end + 2).is_some_and(|c| c.is_alphanumeric()) {
        return (Kind::Word, end + 2);
    }
    (Kind::Number(text), end)
}
