//! Which package of the workspace is tested how.

use crate::env::Env;
use crate::run::read;
use anyhow::{Context, Result};
use serde_json::Value;

/// The page: browsers only.
pub(super) const PAGE: &str = "chartproof";
/// The core's JavaScript boundary: browsers only.
pub(super) const BOUNDARY: &str = "chartproof-wasm";
/// The corpus cases: native and in node.
pub(super) const CASES: &str = "chartproof-tests";
/// What never runs in a browser.
const NATIVE_ONLY: [&str; 6] =
    ["chartproof-cli", "chartproof-eval", "chartproof-host", "chartproof-proxy", "chartproof-testkit", "xtask"];

/// The names of the workspace's packages that make up the core: they compile to native code and to wasm.
pub(super) fn core(env: &Env) -> Result<Vec<String>> {
    let mut names = all(env)?;
    names.retain(|name| ![PAGE, BOUNDARY, CASES].contains(&name.as_str()) && !NATIVE_ONLY.contains(&name.as_str()));
    Ok(names)
}

/// The names of all packages of the workspace.
pub(super) fn all(env: &Env) -> Result<Vec<String>> {
    let text = read(env.cargo("metadata").args(["--format-version", "1", "--no-deps", "--locked"]))?;
    let metadata: Value = serde_json::from_str(&text)?;
    let packages = metadata["packages"].as_array().context("cargo metadata lists no packages")?;
    Ok(packages.iter().filter_map(|package| package["name"].as_str()).map(str::to_owned).collect())
}
