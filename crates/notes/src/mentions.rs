//! Where phrases are named in a text.

use std::collections::BTreeMap;

use crate::text::{is_apostrophe, is_hyphen, lower, phrase_words, word_end};

/// Places where one of the phrases is named: `(start, end, which phrase)` in code points, in order of place.
///
/// Whole words, in any case; a hyphen, a blank or a line end may join or part the words of a phrase, and a plural
/// names its singular. One pass over the text.
pub fn find_mentions(text: &str, phrases: &[&str]) -> Vec<(usize, usize, usize)> {
    let mut table: BTreeMap<String, Vec<(Vec<String>, usize)>> = BTreeMap::new();
    let mut firsts: Vec<char> = Vec::new();
    for (which, phrase) in phrases.iter().enumerate() {
        let words: Vec<String> = phrase_words(phrase)
            .into_iter()
            .filter(|w| !(w.chars().count() == 1 && w.chars().all(is_hyphen)))
            .map(|w| singular(&w))
            .collect();
        let Some(first) = words.first().cloned() else { continue };
        firsts.extend(first.chars().next());
        // "post-operative" is also "postoperative".
        if words.len() > 1 && phrase.chars().any(is_hyphen) {
            table.entry(words.concat()).or_default().push((vec![words.concat()], which));
        }
        table.entry(first).or_default().push((words, which));
    }
    let chars: Vec<char> = text.chars().collect();
    let mut out = Vec::new();
    let mut i = 0;
    while i < chars.len() {
        let c = chars[i];
        if !c.is_alphanumeric() {
            // A phrase may begin with a mark, such as "+blood".
            if !c.is_whitespace() && firsts.contains(&c) {
                try_at(&chars, i, i + 1, &table, &mut out);
            }
            i += 1;
            continue;
        }
        let end = word_end(&chars, i).max(i + 1);
        if firsts.contains(&lower(c)) && !opposed(&chars, i) {
            try_at(&chars, i, end, &table, &mut out);
        }
        i = end;
    }
    out.sort_unstable();
    out.dedup();
    out
}

fn try_at(
    chars: &[char],
    start: usize,
    end: usize,
    table: &BTreeMap<String, Vec<(Vec<String>, usize)>>,
    out: &mut Vec<(usize, usize, usize)>,
) {
    let (word, end) = word_at(chars, start, end);
    let mut check = |first: &String, first_end: usize| {
        for (words, which) in table.get(first).into_iter().flatten() {
            let mut at = first_end;
            let all = words[1..].iter().all(|wanted| match next_word(chars, at) {
                Some((from, to)) => {
                    let (found, to) = word_at(chars, from, to);
                    at = to;
                    found == *wanted
                }
                None => false,
            });
            if all {
                out.push((start, at, *which));
            }
        }
    };
    check(&word, end);
    // "post-operative" in the text, "postoperative" as the phrase.
    if chars.get(end).copied().is_some_and(is_hyphen) && chars.get(end + 1).is_some_and(|c| c.is_alphanumeric()) {
        let (second, second_end) = word_at(chars, end + 1, word_end(chars, end + 1));
        let joined = word + &second;
        if table.get(&joined).is_some_and(|list| list.iter().any(|(words, _)| words.len() == 1)) {
            check(&joined, second_end);
        }
    }
}

/// The word in the form that is compared, and its end without a possessive ending.
fn word_at(chars: &[char], start: usize, end: usize) -> (String, usize) {
    let possessive = end >= start + 3 && is_apostrophe(chars[end - 2]) && lower(chars[end - 1]) == 's';
    let end = if possessive { end - 2 } else { end };
    let word: String = chars[start..end].iter().map(|c| if is_apostrophe(*c) { '\'' } else { lower(*c) }).collect();
    (singular(&word), end)
}

/// The next word of a phrase: over blanks, one hyphen or slash, or one line end; other marks part words for good.
fn next_word(chars: &[char], mut at: usize) -> Option<(usize, usize)> {
    let mut hyphens = 0;
    let mut blanks = 0;
    while let Some(&c) = chars.get(at) {
        if c.is_alphanumeric() {
            return (hyphens + blanks > 0).then(|| (at, word_end(chars, at).max(at + 1)));
        }
        if is_hyphen(c) || c == '/' {
            hyphens += 1;
        } else if c.is_whitespace() {
            blanks += 1;
        } else if hyphens == 0 {
            // A phrase with a mark in it, such as "h/o" or "c. difficile".
            return Some((at, at + 1));
        } else {
            return None;
        }
        if hyphens > 1 || blanks > 16 {
            return None;
        }
        at += 1;
    }
    None
}

/// Whether the word is the second part of "non-..." or "anti-...".
fn opposed(chars: &[char], start: usize) -> bool {
    if start < 4 || !is_hyphen(chars[start - 1]) {
        return false;
    }
    let mut from = start - 1;
    while from > 0 && start - from < 7 && chars[from - 1].is_alphabetic() {
        from -= 1;
    }
    let before: String = chars[from..start - 1].iter().map(|c| lower(*c)).collect();
    matches!(before.as_str(), "non" | "anti")
}

/// One form for a singular and its plural; applied to both sides, so it need not be a word.
fn singular(word: &str) -> String {
    let n = word.chars().count();
    let cut = |by: usize, add: &str| {
        let keep: String = word.chars().take(n - by).collect();
        keep + add
    };
    if n >= 5 && word.ends_with("ies") {
        cut(3, "y")
    } else if n >= 5 && word.ends_with("sis") {
        cut(2, "e")
    } else if n >= 5 && ["sses", "xes", "ches", "shes"].iter().any(|end| word.ends_with(end)) {
        cut(2, "")
    } else if n >= 4
        && word.ends_with('s')
        && !word.ends_with("ss")
        && !word.ends_with("us")
        && !(n >= 6 && word.ends_with("is"))
    {
        cut(1, "")
    } else {
        word.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, phrases: &[&str], expected: &[&str]) {
        let chars: Vec<char> = text.chars().collect();
        let found: Vec<String> =
            find_mentions(text, phrases).into_iter().map(|(a, b, _)| chars[a..b].iter().collect()).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn whole_words_in_any_form() {
        check("AKI, aki; akinesia", &["aki"], &["AKI", "aki"]);
        check(
            "Acute  kidney-injury and acute kidney\n  injuries",
            &["acute kidney injury"],
            &["Acute  kidney-injury", "acute kidney\n  injuries"],
        );
        check("vancomycin-induced; Vancomycin's level", &["vancomycin"], &["vancomycin", "Vancomycin"]);
        check("post-operative or postoperative bleeding", &["postoperative"], &["post-operative", "postoperative"]);
        check("post-operative or postoperative bleeding", &["post-operative"], &["post-operative", "postoperative"]);
        check("diagnoses of sepsis", &["diagnosis", "sepsis"], &["diagnoses", "sepsis"]);
        check("non-diabetic; antidiabetic", &["diabetic"], &[]);
        check("acute, kidney injury", &["acute kidney injury"], &[]);
        check("C. difficile toxin", &["c. difficile"], &["C. difficile"]);
        check("INR 9.1, K 5.9", &["INR", "K"], &["INR", "K"]);
        check("", &["x", ""], &[]);
    }

    #[test]
    fn offsets_are_code_points() {
        assert_eq!(find_mentions("\u{1F600} é AKI", &["aki"]), [(4, 7, 0)]);
    }

    #[test]
    fn which_phrase_and_overlaps() {
        assert_eq!(
            find_mentions("acute kidney injury", &["kidney injury", "acute kidney injury"]),
            [(0, 19, 1), (6, 19, 0)]
        );
    }
}
