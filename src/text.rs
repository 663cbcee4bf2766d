//! Offsets in code points, and numbers as text without the weight of float formatting.

use chartproof_record::byte_of_code_point;

/// Code points shown on each side of a quotation in a long text.
pub(crate) const CONTEXT: usize = 1_500;
/// Texts up to this many code points are shown whole.
pub(crate) const WHOLE: usize = 6_000;

/// A text cut around a quotation.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Cut<'t> {
    /// Whether text before is left out.
    pub(crate) more_before: bool,
    /// Before the quotation.
    pub(crate) before: &'t str,
    /// The quotation.
    pub(crate) quote: &'t str,
    /// After it.
    pub(crate) after: &'t str,
    /// Whether text after is left out.
    pub(crate) more_after: bool,
}

/// Cuts `text` at a range of code points; all of it, or a window around the range. `None` when the range lies outside.
pub(crate) fn cut(text: &str, (start, end): (usize, usize), all: bool) -> Option<Cut<'_>> {
    let from = byte_of_code_point(text, start)?;
    let to = byte_of_code_point(text, end).filter(|to| *to >= from)?;
    let length = if text.len() <= WHOLE { text.len() } else { text.chars().count() };
    let all = all || length <= WHOLE;
    let first = if all { 0 } else { byte_of_code_point(text, start.saturating_sub(CONTEXT))? };
    let last = if all { text.len() } else { byte_of_code_point(text, (end + CONTEXT).min(length))? };
    Some(Cut {
        more_before: first > 0,
        before: &text[first..from],
        quote: &text[from..to],
        after: &text[to..last],
        more_after: last < text.len(),
    })
}

/// `0.84`: two places, in `[0, 1]`.
pub(crate) fn two_places(value: f64) -> String {
    let hundredths = (value.clamp(0.0, 1.0) * 100.0 + 0.5) as u32;
    let mut out = (hundredths / 100).to_string();
    out.push('.');
    if hundredths % 100 < 10 {
        out.push('0');
    }
    out.push_str(&(hundredths % 100).to_string());
    out
}

/// `12.34%`.
pub(crate) fn percent(value: f64) -> String {
    let hundredths = (value.clamp(-100.0, 200.0) * 100.0) as i32;
    let mut out = if hundredths < 0 { String::from("-") } else { String::new() };
    let hundredths = hundredths.unsigned_abs();
    out.push_str(&(hundredths / 100).to_string());
    out.push('.');
    if hundredths % 100 < 10 {
        out.push('0');
    }
    out.push_str(&(hundredths % 100).to_string());
    out.push('%');
    out
}

/// `12,345`.
pub(crate) fn thousands(value: usize) -> String {
    let digits = value.to_string();
    let mut out = String::with_capacity(digits.len() + 4);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// The first `most` characters, with an ellipsis when there are more.
pub(crate) fn shorten(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => {
            let mut out = text[..at].trim_end().to_owned();
            out.push('…');
            out
        }
        None => text.to_owned(),
    }
}
