//! `cargo xtask serve`: set up, build, serve.

use crate::env::Env;
use crate::need::{For, set_up};
use crate::{claim, site};
use anyhow::{Context, Result};

/// The port the page is served on unless another is asked for.
pub(crate) const PORT: u16 = 8080;

/// Serves the page until the process is ended.
pub(crate) fn serve(env: &Env, port: u16) -> Result<()> {
    let claim = claim::claim(env)?;
    set_up(env, For::Serve)?;
    site::build(env)?;
    drop(claim);
    let server = chartproof_host::spawn(site::dist(env), port)
        .with_context(|| format!("cannot listen on port {port}; another can be given with --port"))?;
    say!("ChartProof is at {} (Ctrl-C ends it)", server.url());
    server.wait();
    Ok(())
}
