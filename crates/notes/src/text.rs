//! Words and marks of a text with their code-point offsets.

/// A word or a single mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tok {
    /// First code point.
    pub(crate) start: usize,
    /// Code point after the last.
    pub(crate) end: usize,
    /// Lower case, without a possessive ending; a mark as it is.
    pub(crate) norm: String,
    /// Whether it is a word.
    pub(crate) word: bool,
    /// Whether a sentence ends with this mark.
    pub(crate) ends_sentence: bool,
}

pub(crate) fn lower(c: char) -> char {
    if c.is_ascii() { c.to_ascii_lowercase() } else { c.to_lowercase().next().unwrap_or(c) }
}

pub(crate) fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}')
}

pub(crate) fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{2010}' | '\u{2011}')
}

/// Splits a sentence into words and marks; white space separates and is dropped.
pub(crate) fn tokens(chars: &[char]) -> Vec<Tok> {
    let mut out = Vec::new();
    let mut i = 0;
    while let Some(&c) = chars.get(i) {
        if c.is_whitespace() || c.is_control() {
            i += 1;
            continue;
        }
        let start = i;
        let word = c.is_alphanumeric();
        if word {
            i = word_end(chars, i);
        } else {
            i += 1;
        }
        let ends_sentence = !word && crate::sentences::ends_sentence(chars, start, 0);
        out.push(Tok { start, end: i, norm: normal(&chars[start..i]), word, ends_sentence });
    }
    out
}

/// End of the word that starts at `i`: letters, digits, inner apostrophes and decimal points.
pub(crate) fn word_end(chars: &[char], mut i: usize) -> usize {
    let at = |k: usize| chars.get(k).copied().unwrap_or(' ');
    loop {
        let c = at(i);
        let inner = (is_apostrophe(c) && at(i + 1).is_alphabetic())
            || (matches!(c, '.' | ',') && i > 0 && at(i - 1).is_ascii_digit() && at(i + 1).is_ascii_digit());
        if c.is_alphanumeric() || is_combining(c) || (inner && i > 0 && at(i - 1).is_alphanumeric()) {
            i += 1;
        } else {
            return i;
        }
    }
}

fn is_combining(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{200d}')
}

fn normal(chars: &[char]) -> String {
    let mut word: String = chars.iter().map(|c| if is_apostrophe(*c) { '\'' } else { lower(*c) }).collect();
    if let Some(head) = word.strip_suffix("'s")
        && !matches!(head, "it" | "that" | "there" | "he" | "she")
    {
        word.truncate(head.len());
    }
    word
}

/// The words and marks of a lexicon phrase.
pub(crate) fn phrase_words(phrase: &str) -> Vec<String> {
    let chars: Vec<char> = phrase.chars().collect();
    tokens(&chars).into_iter().map(|t| t.norm).collect()
}

/// Index of the first token that ends after `start`, and the one from which on tokens begin at or after `end`.
pub(crate) fn token_range(tokens: &[Tok], (start, end): (usize, usize)) -> (usize, usize) {
    let from = tokens.partition_point(|t| t.end <= start);
    let to = tokens.partition_point(|t| t.start < end).max(from);
    (from, to)
}
