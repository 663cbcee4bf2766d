//! Sentences and sections, in one pass over the text.

use crate::sections;
use crate::text::{lower, word_end};

/// A sentence, a heading or a list item of a note, in code points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// First code point in the note.
    pub start: usize,
    /// Code point after the last.
    pub end: usize,
    /// The heading it stands under, as written, without the colon.
    pub section: Option<String>,
}

/// Code points after which a sentence is cut.
const LONGEST: usize = 2000;

/// Words that a full stop follows without ending the sentence.
const ABBREVIATIONS: &[&str] = &[
    "dr", "mr", "mrs", "ms", "prof", "st", "vs", "approx", "etc", "eg", "ie", "cf", "fig", "no", "inc", "jr", "sr",
    "dept", "est", "min", "max", "hosp", "rt", "lt", "dx", "hx", "rx", "tx", "sx", "pt", "wt", "ht", "temp", "resp",
    "vol", "sec", "hr", "hrs", "mg", "ml", "mcg", "ca", "al", "spp", "sp",
];

/// Abbreviations after which a capital never begins a sentence.
const TITLES: &[&str] = &["dr", "mr", "mrs", "ms", "prof", "st", "vs", "fig", "eg", "ie", "cf", "approx"];

/// Whether the mark at `i` ends a sentence; words are looked for from `line` on.
pub(crate) fn ends_sentence(chars: &[char], i: usize, line: usize) -> bool {
    let at = |k: usize| chars.get(k).copied().unwrap_or('\n');
    let mut next = i + 1;
    while matches!(at(next), '"' | ')' | '\u{201d}' | ']') && next < chars.len() {
        next += 1;
    }
    let spaced = at(next).is_whitespace();
    // The character that the next sentence would begin with; a long run of blanks is not walked.
    let first = (next..next.saturating_add(24)).map(at).find(|c| !c.is_whitespace()).unwrap_or('\n');
    match at(i) {
        '!' => spaced,
        '?' if answers(chars, next) => false,
        '?' => spaced && i > line && !at(i - 1).is_whitespace() && (first.is_uppercase() || first == '\n'),
        '.' => {
            if i == line || at(i + 1) == '.' {
                return false;
            }
            let mut from = i;
            while from > line && i - from < 24 && (at(from - 1).is_alphanumeric() || at(from - 1) == '/') {
                from -= 1;
            }
            let word: String = chars[from..i].iter().map(|c| lower(*c)).collect();
            let dotted = from > line && at(from - 1) == '.';
            let digits = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
            let lone_letter = word.chars().count() == 1 && !digits;
            if !spaced {
                // "PND.Denies": a word, a stop, and a capitalised word.
                return next == i + 1
                    && !digits
                    && !dotted
                    && !lone_letter
                    && at(i - 1).is_alphabetic()
                    && at(next).is_uppercase()
                    && at(next + 1).is_lowercase();
            }
            if digits && word.len() <= 2 && only_marks_before(chars, from, line) {
                // "1." at the head of a line is a number of a list.
                return false;
            }
            if TITLES.contains(&word.as_str()) {
                return first == '\n';
            }
            if dotted || lone_letter {
                return (first.is_uppercase() && !(lone_letter && !dotted && at(from).is_uppercase())) || first == '\n';
            }
            if ABBREVIATIONS.contains(&word.as_str()) {
                return first.is_uppercase() || first == '\n';
            }
            true
        }
        _ => false,
    }
}

/// Whether a lone "yes" or "no" follows in the line: the answer belongs to the question.
fn answers(chars: &[char], from: usize) -> bool {
    let at = |k: usize| chars.get(k).copied().unwrap_or('\n');
    let Some(start) = (from..from.saturating_add(8)).find(|k| !matches!(at(*k), ' ' | '\t')) else { return false };
    let Some(end) = (start..start.saturating_add(9)).find(|k| !at(*k).is_alphabetic()) else { return false };
    let word: String = (start..end).map(|k| lower(at(k))).collect();
    let ends = (end..end.saturating_add(8)).map(at).find(|c| !matches!(c, ' ' | '\t')).unwrap_or(' ');
    matches!(word.as_str(), "yes" | "no" | "none" | "y" | "n" | "negative" | "positive" | "denies")
        && matches!(ends, '.' | ',' | ';' | '\n' | '\r')
}

fn only_marks_before(chars: &[char], from: usize, line: usize) -> bool {
    from - line <= 12 && chars[line..from].iter().all(|c| c.is_whitespace() || is_bullet(*c))
}

fn is_bullet(c: char) -> bool {
    matches!(
        c,
        '-' | '*'
            | '#'
            | '\u{2022}'
            | '\u{b7}'
            | '\u{2013}'
            | '\u{2014}'
            | '\u{25aa}'
            | '\u{25cf}'
            | '\u{25e6}'
            | '\u{2023}'
    )
}

/// Start of the content of a line after its indentation and one list mark, and whether there was a mark.
fn after_mark(chars: &[char], from: usize, to: usize) -> (usize, bool) {
    let mut i = from;
    while i < to && chars[i].is_whitespace() {
        i += 1;
    }
    let mark = i;
    while i < to && is_bullet(chars[i]) {
        i += 1;
    }
    if i > mark {
        // "-5" and "--text" without a blank are content, "#Plan" is a heading.
        let content = i;
        while i < to && chars[i].is_whitespace() {
            i += 1;
        }
        if i > content || chars[mark] == '#' || chars[mark] == '\u{2022}' {
            return (i, true);
        }
        return (mark, false);
    }
    let number = i;
    while i < to && chars[i].is_ascii_digit() && i - number < 3 {
        i += 1;
    }
    if i > number && i < to && matches!(chars[i], '.' | ')') {
        let mut k = i + 1;
        while k < to && chars[k].is_whitespace() {
            k += 1;
        }
        if k > i + 1 {
            return (k, true);
        }
    }
    (number, false)
}

/// End of a heading that starts at `from` (position of its colon), when the line begins with one.
fn heading(chars: &[char], from: usize, to: usize) -> Option<usize> {
    let limit = to.min(from.saturating_add(60));
    let colon = (from..limit).find(|i| chars[*i] == ':')?;
    let inside = &chars[from..colon];
    let ok = |c: &char| {
        c.is_alphanumeric() || c.is_whitespace() || matches!(c, '/' | '&' | '(' | ')' | '-' | '\'' | ',' | '#' | '+')
    };
    let words = inside.split(|c| c.is_whitespace()).filter(|w| !w.is_empty()).count();
    (inside.first().is_some_and(|c| c.is_alphabetic()) && inside.iter().all(ok) && words <= 7).then_some(colon)
}

/// Sentences of a note in order: every word of the text lies in exactly one of them.
///
/// A blank line, a list mark and a heading begin a new one; a wrapped line does not.
pub fn sentences(text: &str) -> Vec<Sentence> {
    let chars: Vec<char> = text.chars().collect();
    let mut out = Vec::new();
    let mut section: Option<String> = None;
    let mut open: Option<usize> = None; // start of a sentence that may go on in the next line
    let mut open_end = 0;
    let mut blank_before = true;
    let mut line = 0;
    let mut long_before = false;
    while line < chars.len() {
        let to =
            chars[line..].iter().position(|c| matches!(c, '\n' | '\r' | '\u{c}')).map_or(chars.len(), |n| line + n);
        let (content, marked) = after_mark(&chars, line, to);
        let is_blank = content >= to;
        let colon = if is_blank { None } else { heading(&chars, content, to) };
        let head = colon.and_then(|colon| new_section(&chars, content, colon, to, blank_before));
        let bare = colon.is_none() && bare_heading(&chars, content, to, blank_before);
        let goes_on = open.is_some()
            && !is_blank
            && !marked
            && colon.is_none()
            && !bare
            && (long_before || chars[content].is_lowercase());
        if !goes_on && let Some(start) = open.take() {
            push(&mut out, &chars, start, open_end, section.as_ref());
        }
        if is_blank {
            blank_before = true;
            line = to + 1;
            // "\r\n" is one line end.
            if chars.get(to) == Some(&'\r') && chars.get(line) == Some(&'\n') {
                line += 1;
            }
            continue;
        }
        if let Some(name) = head {
            section = Some(name);
        } else if bare {
            section = Some(chars[content..to].iter().collect::<String>().trim().to_owned());
        }
        let mut start = open.take().unwrap_or(content);
        let mut i = content;
        while i < to {
            if chars[i].is_alphanumeric() {
                i = word_end(&chars, i).max(i + 1);
                continue;
            }
            if ends_sentence(&chars, i, line) {
                let mut end = i + 1;
                while end < to && matches!(chars[end], '"' | ')' | '\u{201d}' | ']') {
                    end += 1;
                }
                push(&mut out, &chars, start, end, section.as_ref());
                start = end;
                i = end;
                continue;
            }
            i += 1;
        }
        let rest = start < to && chars[start..to].iter().any(|c| !c.is_whitespace());
        if rest && (bare || colon.is_some_and(|colon| chars[colon + 1..to].iter().all(|c| c.is_whitespace()))) {
            push(&mut out, &chars, start, to, section.as_ref());
        } else if rest {
            open = Some(start);
            open_end = to;
        }
        long_before = to - line >= 60;
        blank_before = false;
        line = to + 1;
        if chars.get(to) == Some(&'\r') && chars.get(line) == Some(&'\n') {
            line += 1;
        }
    }
    if let Some(start) = open {
        push(&mut out, &chars, start, open_end, section.as_ref());
    }
    out
}

/// The section that a line with a heading opens: a known one, one in capitals, or one that stands alone.
fn new_section(chars: &[char], from: usize, colon: usize, to: usize, blank_before: bool) -> Option<String> {
    let name: String = chars[from..colon].iter().collect::<String>().trim().to_owned();
    let alone = chars[colon + 1..to].iter().all(|c| c.is_whitespace());
    let capitals = name.chars().any(char::is_alphabetic) && !name.chars().any(char::is_lowercase);
    (sections::known(&name) || (capitals && name.chars().count() > 4) || (alone && blank_before)).then_some(name)
}

/// A known heading without a colon on a line of its own.
fn bare_heading(chars: &[char], from: usize, to: usize, blank_before: bool) -> bool {
    if to <= from || to - from > 48 || !chars[from].is_uppercase() {
        return false;
    }
    let name: String = chars[from..to].iter().collect();
    let name = name.trim();
    let capitals = !name.chars().any(char::is_lowercase);
    (blank_before || capitals) && sections::known(name)
}

fn push(out: &mut Vec<Sentence>, chars: &[char], mut start: usize, mut end: usize, section: Option<&String>) {
    while start < end && chars[start].is_whitespace() {
        start += 1;
    }
    while end > start && chars[end - 1].is_whitespace() {
        end -= 1;
    }
    // Text without stops, such as a table on one line, is cut between words: what is read of it stays small.
    while end - start > LONGEST {
        let Some(cut) = (start + LONGEST / 2..start + LONGEST).rev().find(|i| chars[*i].is_whitespace()) else { break };
        out.push(Sentence { start, end: cut, section: section.cloned() });
        start = cut + 1;
    }
    if start < end {
        out.push(Sentence { start, end, section: section.cloned() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, Option<&str>)]) {
        let chars: Vec<char> = text.chars().collect();
        let found: Vec<(String, Option<String>)> =
            sentences(text).into_iter().map(|s| (chars[s.start..s.end].iter().collect(), s.section)).collect();
        let expected: Vec<(String, Option<String>)> =
            expected.iter().map(|(t, s)| ((*t).to_owned(), s.map(ToOwned::to_owned))).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn stops() {
        check("No orthopnea or PND.Denies fever.", &[("No orthopnea or PND.", None), ("Denies fever.", None)]);
        check("Seen by Dr. Brandt today. Stable.", &[("Seen by Dr. Brandt today.", None), ("Stable.", None)]);
        check(
            "Lisinopril 10 mg p.o. q.d. was held. K 5.9 today.",
            &[("Lisinopril 10 mg p.o. q.d. was held.", None), ("K 5.9 today.", None)],
        );
        check("Prerenal vs. intrinsic. Cr 1.9.", &[("Prerenal vs. intrinsic.", None), ("Cr 1.9.", None)]);
        check("given twice. tolerated well", &[("given twice.", None), ("tolerated well", None)]);
        check(
            "? pneumonia on film. AKI? Repeat labs.",
            &[("? pneumonia on film.", None), ("AKI?", None), ("Repeat labs.", None)],
        );
        check("Was it given? No. Well.", &[("Was it given? No.", None), ("Well.", None)]);
        check("AKI? No fever.", &[("AKI?", None), ("No fever.", None)]);
        check("Fluids... then diuretics.", &[("Fluids... then diuretics.", None)]);
        check("(Seen at 9 a.m.) Well.", &[("(Seen at 9 a.m.)", None), ("Well.", None)]);
    }

    #[test]
    fn lines() {
        check(
            "1. Acute kidney injury\n2. Pneumonia, on day 3\n   of cefepime\n\nHome soon",
            &[("Acute kidney injury", None), ("Pneumonia, on day 3\n   of cefepime", None), ("Home soon", None)],
        );
        check("- fever\n- chills\r\n* cough", &[("fever", None), ("chills", None), ("cough", None)]);
        let wrapped = "The patient was admitted from the emergency department with a\nUrinary tract infection.";
        check(wrapped, &[(wrapped, None)]);
    }

    #[test]
    fn headings() {
        check(
            "Family History:\nMother with CKD.\nHOSPITAL COURSE: AKI developed.\nTransfusion: No\nFoley: yes",
            &[
                ("Family History:", Some("Family History")),
                ("Mother with CKD.", Some("Family History")),
                ("HOSPITAL COURSE: AKI developed.", Some("HOSPITAL COURSE")),
                ("Transfusion: No", Some("HOSPITAL COURSE")),
                ("Foley: yes", Some("HOSPITAL COURSE")),
            ],
        );
        check("Allergies: none", &[("Allergies: none", Some("Allergies"))]);
        check(
            "PAST MEDICAL HISTORY\nCKD stage 3",
            &[("PAST MEDICAL HISTORY", Some("PAST MEDICAL HISTORY")), ("CKD stage 3", Some("PAST MEDICAL HISTORY"))],
        );
    }

    #[test]
    fn offsets_are_code_points() {
        let text = "Größe 1,80 m \u{1F600}. Kein Fieber.";
        let found = sentences(text);
        assert_eq!(found.len(), 2);
        assert_eq!((found[1].start, found[1].end), (16, 28));
    }

    #[test]
    fn endless_text_is_cut_between_words() {
        let text = "sodium 140 potassium 4.1 ".repeat(1000);
        let found = sentences(&text);
        assert!(found.len() > 10 && found.iter().all(|s| s.end - s.start <= LONGEST));
    }

    #[test]
    fn every_word_is_in_one_sentence() {
        for text in [
            "",
            "\n\n",
            ".",
            "...",
            "a.b.c",
            "\r\r\n\n#\n-\n1.\n:::\n",
            "x\u{c}y",
            "e\u{301} \u{200d}.",
            "1.) . ( ) ?! A",
        ] {
            let found = sentences(text);
            let chars: Vec<char> = text.chars().collect();
            for pair in found.windows(2) {
                assert!(pair[0].end <= pair[1].start);
            }
            for (i, c) in chars.iter().enumerate() {
                if c.is_alphabetic() {
                    assert!(found.iter().any(|s| s.start <= i && i < s.end), "{text:?} at {i}");
                }
            }
        }
    }
}
