//! The reader of clinical text, behind discovery's seam.

use chartproof_discovery::TextReader;

/// Sentences and mentions as the notes crate reads them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NotesReader;

impl TextReader for NotesReader {
    fn sentences(&self, text: &str) -> Vec<(usize, usize, Option<String>)> {
        chartproof_notes::sentences(text).into_iter().map(|s| (s.start, s.end, s.section)).collect()
    }

    fn mentions(&self, text: &str, phrases: &[&str]) -> Vec<(usize, usize, usize)> {
        chartproof_notes::find_mentions(text, phrases)
    }
}
