//! `cargo xtask test`: every check there is, in steps, with one line of counts at the end.

mod count;
mod packages;
mod steps;

use crate::claim::claim;
use crate::env::Env;
use crate::need::{For, set_up};
use anyhow::{Result, bail};
use count::Count;
use std::time::{Duration, Instant};

/// One step: what it is called, what it does, how it is run.
struct Step {
    name: &'static str,
    about: &'static str,
    run: fn(&Env) -> Result<Count>,
}

/// All steps. What fails soonest comes first.
const STEPS: [Step; 11] = [
    Step { name: "fmt", about: "formatting", run: steps::fmt },
    Step { name: "clippy", about: "lints of native code", run: steps::clippy },
    Step { name: "clippy-wasm", about: "lints of everything compiled to wasm", run: steps::clippy_wasm },
    Step { name: "native", about: "native tests, dependency directions among them", run: steps::native },
    Step { name: "node", about: "the corpus cases as wasm, in node", run: steps::node },
    Step { name: "build", about: "the page in release", run: steps::build },
    Step { name: "size", about: "sizes of a first visit against tests/size.snap", run: steps::size },
    Step { name: "e2e", about: "the built page in Chromium", run: steps::e2e },
    Step { name: "pkg", about: "the npm package and its consumers", run: steps::pkg },
    Step { name: "chrome", about: "wasm tests in Chromium", run: steps::chrome },
    Step { name: "firefox", about: "wasm tests in Firefox", run: steps::firefox },
];

/// The steps' names, for the usage text.
pub(crate) fn names() -> String {
    STEPS.map(|step| step.name).join(", ")
}

/// Runs the steps named in `only`, or all; true if nothing failed.
pub(crate) fn test(env: &Env, only: &[String]) -> Result<bool> {
    if let Some(unknown) = only.iter().find(|name| STEPS.iter().all(|step| step.name != name.as_str())) {
        bail!("no step is called {unknown:?}; there are: {}", names());
    }
    let _claim = claim(env)?;
    set_up(env, For::Test)?;
    let mut total = Count::default();
    let mut lines = Vec::new();
    for step in STEPS.iter().filter(|step| only.is_empty() || only.iter().any(|name| name == step.name)) {
        say!("\n== {}: {}", step.name, step.about);
        let start = Instant::now();
        let count = (step.run)(env).unwrap_or_else(|error| Count::failure(&error));
        lines.push(line(step, &count, start.elapsed()));
        total.add(Count {
            failures: count.failures.iter().map(|name| format!("{}: {name}", step.name)).collect(),
            ..count
        });
    }
    say!("\n== summary");
    for line in lines {
        say!("{line}");
    }
    for name in &total.skipped {
        say!("skipped {name}");
    }
    for name in &total.failures {
        say!("failed {name}");
    }
    say!("{}", summary(&total));
    Ok(total.failed == 0)
}

fn line(step: &Step, count: &Count, took: Duration) -> String {
    let state = if count.failed == 0 { "ok" } else { "FAILED" };
    format!(
        "{:<12} {state:<6} {:>5} passed {:>4} failed {:>4} skipped {:>5} s",
        step.name,
        count.passed,
        count.failed,
        count.skipped.len(),
        took.as_secs()
    )
}

fn summary(total: &Count) -> String {
    let mut text = format!("{} passed, {} failed", total.passed, total.failed);
    if !total.skipped.is_empty() {
        text.push_str(&format!(", {} skipped", total.skipped.len()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Count, summary};

    #[test]
    fn the_summary_names_skips_only_if_there_are_some() {
        let mut total = Count { passed: 3, failed: 1, ..Count::default() };
        assert_eq!(summary(&total), "3 passed, 1 failed");
        total.skipped.push("corpus: no data".to_owned());
        assert_eq!(summary(&total), "3 passed, 1 failed, 1 skipped");
    }
}
