//! Offsets: code points in the API, bytes inside, UTF-16 in a browser. The one place where they are converted.

/// Code points between two checkpoints.
const STEP: usize = 128;

/// Where code points lie in a text, for one that is sliced again and again: a slice costs at most [`STEP`] code points
/// and nothing for an ASCII text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodePointIndex {
    /// Byte offset of every [`STEP`]-th code point; empty for an ASCII text.
    checkpoints: Vec<u32>,
    /// Length in bytes.
    bytes: usize,
}

impl CodePointIndex {
    /// Indexes a text.
    pub fn of(text: &str) -> Self {
        let bytes = text.len();
        if text.is_ascii() {
            return Self { checkpoints: Vec::new(), bytes };
        }
        let checkpoints = text.char_indices().step_by(STEP).map(|(at, _)| at as u32).collect();
        Self { checkpoints, bytes }
    }

    /// Byte offset of a code point; the end of the text counts. `text` must be the text that was indexed.
    pub fn byte(&self, text: &str, code_point: usize) -> Option<usize> {
        if self.checkpoints.is_empty() {
            return (code_point <= self.bytes).then_some(code_point);
        }
        let from = *self.checkpoints.get(code_point / STEP).or(self.checkpoints.last())? as usize;
        let behind = code_point - (code_point / STEP).min(self.checkpoints.len() - 1) * STEP;
        let rest = text.get(from..)?;
        rest.char_indices().map(|(at, _)| from + at).chain([self.bytes]).nth(behind)
    }

    /// The slice between two code points. `text` must be the text that was indexed.
    pub fn slice<'t>(&self, text: &'t str, start: usize, end: usize) -> Option<&'t str> {
        text.get(self.byte(text, start)?..self.byte(text, end)?)
    }
}

/// The slice of `text` between two code-point offsets.
pub fn code_point_slice(text: &str, start: usize, end: usize) -> Option<&str> {
    let from = byte_of_code_point(text, start)?;
    let to = byte_of_code_point(text, end)?;
    text.get(from..to)
}

/// Byte offset of a code-point offset; the end of the text counts.
pub fn byte_of_code_point(text: &str, code_point: usize) -> Option<usize> {
    text.char_indices().map(|(at, _)| at).chain([text.len()]).nth(code_point)
}

/// Code-point offset of a byte offset on a character boundary.
pub fn code_point_of_byte(text: &str, byte: usize) -> Option<usize> {
    text.get(..byte).map(|head| head.chars().count())
}

/// UTF-16 offset (as JavaScript counts) of a code-point offset.
pub fn utf16_of_code_point(text: &str, code_point: usize) -> Option<usize> {
    byte_of_code_point(text, code_point).map(|at| text[..at].encode_utf16().count())
}

#[cfg(test)]
mod tests {
    use super::{CodePointIndex, code_point_slice};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn an_index_slices_as_counting_does(
            text in prop_oneof!["[a-c]{0,400}", "[a\u{e9}\u{1F600}\u{301}]{0,400}"],
            start in 0_usize..420,
            end in 0_usize..420,
        ) {
            let index = CodePointIndex::of(&text);
            prop_assert_eq!(index.slice(&text, start, end), code_point_slice(&text, start, end));
        }
    }
}
