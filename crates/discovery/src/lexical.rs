//! BM25 over short documents (Robertson and Zaragoza 2009; k1 = 1.2, b = 0.75). A search costs the postings of its
//! words.

use chartproof_record::InOrder as _;
use rustc_hash::FxHashMap;

const K1: f64 = 1.2;
const B: f64 = 0.75;

/// An in-memory BM25 index over texts that are already normalised and parted by blanks.
#[derive(Debug, Default)]
pub struct Bm25 {
    words: FxHashMap<Box<str>, u32>,
    postings: Vec<Vec<(u32, u16)>>,
    lengths: Vec<u32>,
    mean: f64,
}

impl Bm25 {
    /// Adds a document; its number is the count of those before it.
    pub fn add(&mut self, text: &str) {
        let doc = self.lengths.len() as u32;
        let mut length = 0;
        for word in text.split(' ').filter(|w| !w.is_empty()) {
            length += 1;
            let next = self.postings.len() as u32;
            let id = match self.words.get(word) {
                Some(id) => *id,
                None => {
                    self.words.insert(word.into(), next);
                    self.postings.push(Vec::new());
                    next
                }
            };
            let list = &mut self.postings[id as usize];
            match list.last_mut() {
                Some((last, count)) if *last == doc => *count = count.saturating_add(1),
                _ => list.push((doc, 1)),
            }
        }
        self.lengths.push(length);
    }

    /// Closes the index.
    pub fn finish(&mut self) {
        let total: u64 = self.lengths.iter().map(|l| u64::from(*l)).sum();
        self.mean = if self.lengths.is_empty() { 1.0 } else { (total as f64 / self.lengths.len() as f64).max(1.0) };
    }

    /// The best documents, best first; ties by document number.
    pub fn search(&self, text: &str, limit: usize) -> Vec<(u32, f64)> {
        let mut wanted: Vec<u32> = text.split(' ').filter_map(|w| self.words.get(w).copied()).collect();
        wanted.order();
        wanted.dedup();
        let n = self.lengths.len() as f64;
        let mut scores: FxHashMap<u32, f64> = FxHashMap::default();
        for word in wanted {
            let list = &self.postings[word as usize];
            let df = list.len() as f64;
            let idf = libm::log(1.0 + (n - df + 0.5) / (df + 0.5));
            for (doc, count) in list {
                let tf = f64::from(*count);
                let norm = K1 * (1.0 - B + B * f64::from(self.lengths[*doc as usize]) / self.mean);
                *scores.entry(*doc).or_insert(0.0) += idf * tf * (K1 + 1.0) / (tf + norm);
            }
        }
        let mut hits: Vec<(u32, f64)> = scores.into_iter().collect();
        hits.order_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        hits.truncate(limit);
        hits
    }
}

#[cfg(test)]
mod tests {
    use super::Bm25;

    #[test]
    fn scores_match_the_formula() {
        let mut index = Bm25::default();
        for text in ["acute kidney injury", "no acute distress", "kidney kidney stone", ""] {
            index.add(text);
        }
        index.finish();
        let hits = index.search("kidney missing", 10);
        assert_eq!(hits.iter().map(|h| h.0).collect::<Vec<_>>(), [2, 0]);
        // idf = ln(1 + (4 - 2 + .5) / 2.5) = ln 2; mean length 9/4; tf 2 in 3 words
        let norm = 1.2 * (0.25 + 0.75 * 3.0 / 2.25);
        assert!((hits[0].1 - std::f64::consts::LN_2 * 2.0 * 2.2 / (2.0 + norm)).abs() < 1e-12);
    }
}
