//! The same record in another order: entries, rows and files permuted by a fixed sequence.

use chartproof_engine::File;
use serde_json::Value;

use crate::{Case, bundle};

/// A small generator with a fixed sequence (xorshift64).
#[derive(Debug)]
pub struct Sequence(u64);

impl Sequence {
    /// Starts at a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }

    fn permute<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

/// The case's files with entries in another order, and in another order themselves; a lone file is cut in two (one a
/// Bundle, one NDJSON). Several files stay whole: which file a row comes from can tell two people of one id apart.
/// Files given as text have their lines permuted when they are NDJSON and are kept otherwise.
pub fn shuffled(case: &Case, seed: u64) -> Vec<File> {
    let mut sequence = Sequence::new(seed);
    let mut files = Vec::new();
    for file in &case.files {
        if let Some(text) = &file.text {
            let mut lines: Vec<&str> = text.lines().collect();
            let rows = lines.len() > 1 && lines.iter().all(|l| serde_json::from_str::<Value>(l).is_ok());
            if rows {
                sequence.permute(&mut lines);
            }
            let text = if rows { lines.join("\n") } else { text.clone() };
            files.push(File { name: format!("other-{}", file.name), bytes: text.into_bytes(), sha256: None });
            continue;
        }
        let mut resources = file.resources.clone();
        sequence.permute(&mut resources);
        let cut = if case.files.len() > 1 { resources.len() } else { sequence.below(resources.len() + 1) };
        let rows: Vec<String> = resources[cut..].iter().map(Value::to_string).collect();
        if cut > 0 {
            let text = bundle(&resources[..cut]);
            files.push(File { name: format!("a-{}", file.name), bytes: text.into_bytes(), sha256: None });
        }
        if !rows.is_empty() {
            files.push(File {
                name: format!("b-{}.ndjson", file.name),
                bytes: rows.join("\n").into_bytes(),
                sha256: None,
            });
        }
    }
    sequence.permute(&mut files);
    files
}
