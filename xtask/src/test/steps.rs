//! What each step does.

use super::count::{self, Count};
use super::packages::{BOUNDARY, CASES, PAGE, all, core};
use crate::env::{Env, WASM};
use crate::run::{run, watched};
use crate::{pkg, site, size, tools};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(super) fn fmt(env: &Env) -> Result<Count> {
    check(env.cargo("fmt").args(["--all", "--check"]))
}

pub(super) fn clippy(env: &Env) -> Result<Count> {
    let mut cargo = env.cargo("clippy");
    cargo.args(["--locked", "--quiet", "--keep-going", "--workspace", "--all-targets"]);
    exclude_browser_packages(env, &mut cargo)?;
    check(cargo.args(["--", "--deny", "warnings"]))
}

/// With a configuration of its own, which forbids what a browser lacks.
pub(super) fn clippy_wasm(env: &Env) -> Result<Count> {
    let packages = all(env)?;
    let mut core_libs = env.cargo("clippy");
    core_libs.arg("--lib");
    for package in core(env)? {
        core_libs.args(["--package", &package]);
    }
    let mut browser = env.cargo("clippy");
    browser.arg("--all-targets");
    for package in [PAGE, BOUNDARY, CASES].into_iter().filter(|name| packages.iter().any(|package| package == name)) {
        browser.args(["--package", package]);
    }
    let mut count = Count::default();
    for mut cargo in [core_libs, browser] {
        env.wasm_flags(&mut cargo);
        cargo.env("CLIPPY_CONF_DIR", env.repo.join(".cargo/clippy-wasm"));
        cargo.args(["--locked", "--quiet", "--keep-going", "--target", WASM, "--", "--deny", "warnings"]);
        count.add(check(&mut cargo).unwrap_or_else(|error| Count::failure(&error)));
    }
    Ok(count)
}

pub(super) fn native(env: &Env) -> Result<Count> {
    let mut cargo = env.cargo("test");
    cargo.args(["--locked", "--workspace", "--no-fail-fast"]);
    exclude_browser_packages(env, &mut cargo)?;
    // What passing tests print is needed: skips are told that way.
    counted(cargo.args(["--", "--show-output"]), count::rust)
}

pub(super) fn node(env: &Env) -> Result<Count> {
    let mut cargo = env.cargo("test");
    env.wasm_flags(&mut cargo);
    cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", "wasm-bindgen-test-runner");
    counted(cargo.args(["--locked", "--target", WASM, "--package", CASES, "--no-fail-fast"]), count::rust)
}

pub(super) fn build(env: &Env) -> Result<Count> {
    site::build(env)?;
    Ok(Count { passed: 1, ..Count::default() })
}

pub(super) fn size(env: &Env) -> Result<Count> {
    site::build(env)?;
    let faults = size::check(env, false)?;
    Ok(verdict(faults))
}

pub(super) fn e2e(env: &Env) -> Result<Count> {
    site::build(env)?;
    let server = chartproof_host::spawn(site::dist(env), 0)?;
    let mut node = node_tests(env, "tests/e2e")?;
    node.env("BASE_URL", server.url());
    node.env("CHARTPROOF_CHROMIUM", tools::chromium(env).context("no Chromium")?);
    counted(&mut node, count::tap)
}

pub(super) fn pkg(env: &Env) -> Result<Count> {
    pkg::build(env)?;
    let mut node = node_tests(env, "tests/consumers")?;
    node.env("CHARTPROOF_CHROMIUM", tools::chromium(env).context("no Chromium")?);
    counted(&mut node, count::tap)
}

pub(super) fn chrome(env: &Env) -> Result<Count> {
    let driver = tools::chromedriver(env).context("no chromedriver")?;
    browser(env, "--chrome", "--chromedriver", &driver)
}

pub(super) fn firefox(env: &Env) -> Result<Count> {
    let driver = tools::geckodriver(env).context("no geckodriver")?;
    browser(env, "--firefox", "--geckodriver", &driver)
}

fn browser(env: &Env, browser: &str, driver_flag: &str, driver: &Path) -> Result<Count> {
    let mut count = Count::default();
    for package in [".", "crates/wasm"] {
        let mut pack = env.command("wasm-pack");
        env.wasm_flags(&mut pack);
        // In seconds. The default is meant for an idle machine.
        pack.env("WASM_BINDGEN_TEST_TIMEOUT", "300");
        pack.args(["test", "--headless", "--mode", "no-install", browser, driver_flag]).arg(driver).arg(package);
        count.add(counted(&mut pack, count::rust)?);
    }
    Ok(count)
}

/// `node --test` over the test files of a folder, one file at a time: they measure, and there are few cores.
fn node_tests(env: &Env, folder: &str) -> Result<Command> {
    let mut files: Vec<PathBuf> = fs::read_dir(env.repo.join(folder))
        .with_context(|| format!("{folder} is missing"))?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    files.retain(|file| file.to_str().is_some_and(|name| name.ends_with(".test.mjs")));
    files.sort();
    let mut node = env.command("node");
    // A failed test may leave a browser open, which must not keep the run from ending.
    node.args(["--test", "--test-reporter=tap", "--test-concurrency=1", "--test-force-exit"]).args(files);
    Ok(node)
}

fn exclude_browser_packages(env: &Env, cargo: &mut Command) -> Result<()> {
    for package in all(env)?.iter().filter(|name| [PAGE, BOUNDARY].contains(&name.as_str())) {
        cargo.args(["--exclude", package]);
    }
    Ok(())
}

/// A step that is one check: it passes or it fails.
fn check(command: &mut Command) -> Result<Count> {
    run(command)?;
    Ok(Count { passed: 1, ..Count::default() })
}

/// A step that is many tests. A runner that fails without naming a test, or runs none, is itself a failure.
fn counted(command: &mut Command, read: fn(&str) -> Count) -> Result<Count> {
    let (status, text) = watched(command)?;
    let mut count = read(&text);
    let program = command.get_program().to_string_lossy().into_owned();
    if !status.success() && count.failed == 0 {
        count.failed = 1;
        count.failures.push(format!("{program} ended with {status}"));
    } else if count.tests() == 0 {
        count.failed = 1;
        count.failures.push(format!("{program} ran no tests"));
    }
    Ok(count)
}

fn verdict(faults: Vec<String>) -> Count {
    for fault in &faults {
        say!("{fault}");
    }
    Count { passed: usize::from(faults.is_empty()), failed: faults.len(), failures: faults, ..Count::default() }
}
