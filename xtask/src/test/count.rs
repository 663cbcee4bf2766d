//! Counts out of what test runners print.

use std::collections::BTreeSet;

/// What one step or all of them came to.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    /// The names of failed tests, as far as the runner names them.
    pub(crate) failures: Vec<String>,
    /// The names of skipped tests, with the reason.
    pub(crate) skipped: Vec<String>,
}

impl Count {
    /// One failure, told in full and named by its first line.
    pub(crate) fn failure(error: &anyhow::Error) -> Self {
        let text = format!("{error:#}");
        say!("{text}");
        Self { failed: 1, failures: vec![text.lines().next().unwrap_or_default().to_owned()], ..Self::default() }
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.failures.extend(other.failures);
        self.skipped.extend(other.skipped);
    }

    pub(crate) fn tests(&self) -> usize {
        self.passed + self.failed + self.skipped.len()
    }
}

/// Reads the output of Rust's test harness, or of wasm-bindgen's, which prints the same.
///
/// The harness knows no skipping at run time: a test that cannot run here prints `SKIPPED: name: why` and returns, and
/// counts as passed there. It is taken out of the passed ones here, once for each name.
pub(crate) fn rust(text: &str) -> Count {
    let mut count = Count::default();
    let mut skipped = BTreeSet::new();
    for line in text.lines() {
        let line = line.trim();
        if let Some(result) = line.strip_prefix("test result: ") {
            count.passed += before(result, " passed");
            count.failed += before(result, " failed");
        } else if let Some(skip) = line.strip_prefix("SKIPPED: ") {
            let (name, why) = skip.split_once(": ").unwrap_or((skip, "no reason given"));
            if skipped.insert(name.to_owned()) {
                count.skipped.push(format!("{name}: {why}"));
            }
        } else if let Some(test) = line.strip_prefix("test ") {
            if let Some(name) = test.strip_suffix(" ... FAILED").or_else(|| test.strip_suffix(" ... FAIL")) {
                count.failures.push(name.to_owned());
            } else if let Some((name, why)) = test.split_once(" ... ignored") {
                count.skipped.push(format!("{name}: {}", why.trim_start_matches([',', ' '])));
            }
        }
    }
    count.passed = count.passed.saturating_sub(skipped.len());
    count
}

/// Reads the TAP that `node --test` prints.
pub(crate) fn tap(text: &str) -> Count {
    let mut count = Count::default();
    for line in text.lines() {
        let inner = line.trim_start();
        if let Some(total) = line.strip_prefix("# pass ") {
            count.passed += number(total);
        } else if let Some(total) = line.strip_prefix("# fail ").or_else(|| line.strip_prefix("# cancelled ")) {
            count.failed += number(total);
        } else if let Some((test, why)) = inner.split_once(" # SKIP") {
            if test.starts_with("ok ") {
                count.skipped.push(format!("{}: {}", tap_name(test), why.trim()));
            }
        } else if inner.starts_with("not ok ") {
            count.failures.push(tap_name(inner.trim_start_matches("not ")).to_owned());
        }
    }
    count
}

fn tap_name(line: &str) -> &str {
    line.split_once(" - ").map_or(line, |(_, name)| name)
}

/// The number just before `word`.
fn before(text: &str, word: &str) -> usize {
    text.split_once(word).map_or(0, |(head, _)| head.rsplit(' ').next().map_or(0, number))
}

fn number(text: &str) -> usize {
    text.trim().parse().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{Count, rust, tap};

    #[test]
    fn rust_results_add_up() {
        let text = "\
running 3 tests
test a ... ok
test b ... FAILED
test c ... ignored, needs a printer

test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s
test result: ok. 4 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
";
        let count = rust(text);
        assert_eq!((count.passed, count.failed), (5, 1));
        assert_eq!(count.failures, ["b"]);
        assert_eq!(count.skipped, ["c: needs a printer"]);
    }

    #[test]
    fn a_skip_is_not_a_pass_and_counts_once() {
        let text = "\
---- corpus stdout ----
SKIPPED: corpus: CHARTPROOF_DATA is not set
SKIPPED: corpus: CHARTPROOF_DATA is not set
test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out
";
        let wanted = Count {
            passed: 1,
            failed: 0,
            failures: vec![],
            skipped: vec!["corpus: CHARTPROOF_DATA is not set".to_owned()],
        };
        assert_eq!(rust(text), wanted);
    }

    #[test]
    fn tap_results_come_from_the_totals() {
        let text = "\
TAP version 13
# Subtest: loads
    not ok 1 - inner
ok 1 - loads
not ok 2 - asks
ok 3 - corpus # SKIP CHARTPROOF_DATA is not set
1..3
# tests 4
# pass 1
# fail 2
# cancelled 0
# skipped 1
";
        let count = tap(text);
        assert_eq!((count.passed, count.failed), (1, 2));
        assert_eq!(count.failures, ["inner", "asks"]);
        assert_eq!(count.skipped, ["corpus: CHARTPROOF_DATA is not set"]);
    }
}
