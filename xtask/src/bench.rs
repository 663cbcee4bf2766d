//! `cargo xtask bench`: speed as a ratio to a peer in the same run. Prints figures, asserts nothing.

use crate::env::{Env, set};
use crate::need::{For, set_up};
use crate::{claim, run, site, tools};
use anyhow::{Context, Result};

/// Load and index against `TextDecoder` and `JSON.parse` of the same bytes, in one page.
pub(crate) fn bench(env: &Env) -> Result<()> {
    let data = set("CHARTPROOF_DATA").context("CHARTPROOF_DATA is not set: the bench reads public records")?;
    let _claim = claim::claim(env)?;
    set_up(env, For::Test)?;
    site::build(env)?;
    let server = chartproof_host::spawn(site::dist(env), 0)?;
    let mut node = env.command("node");
    node.arg("tests/e2e/bench.mjs").env("BASE_URL", server.url()).env("CHARTPROOF_DATA", data);
    node.env("CHARTPROOF_CHROMIUM", tools::chromium(env).context("no Chromium")?);
    run::run(&mut node)
}
