//! What building and testing need, and how each thing is got.

use crate::env::Env;
use crate::run::{logged, read};
use anyhow::{Context, Result, bail};
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

/// What a need is for. Serving needs less than testing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum For {
    Serve,
    Test,
}

/// One thing that has to be there.
pub(crate) struct Need {
    pub(crate) name: &'static str,
    pub(crate) purpose: For,
    /// Why it is needed, as a sentence's end.
    pub(crate) why: &'static str,
    /// How it is got.
    pub(crate) how: String,
    /// How long that takes, and why.
    pub(crate) takes: &'static str,
    /// What was found and where, if it is there and of the right version.
    pub(crate) check: fn(&Env) -> Option<String>,
    pub(crate) get: fn(&Env) -> Result<()>,
}

/// Everything needed, in the order it is got.
pub(crate) fn all(env: &Env) -> Vec<Need> {
    let mut needs = crate::toolchain::needs(env);
    needs.extend(crate::tools::needs(env));
    needs
}

/// Gets what is missing for `purpose`, with a line for each step; silent when nothing is missing.
pub(crate) fn set_up(env: &Env, purpose: For) -> Result<()> {
    for need in all(env).iter().filter(|need| need.purpose <= purpose) {
        if (need.check)(env).is_some() {
            continue;
        }
        say!("set-up: {} ({}): {}; takes {}", need.name, need.why, need.how, need.takes);
        let start = Instant::now();
        (need.get)(env).with_context(|| format!("could not get {}: {}", need.name, need.how))?;
        if (need.check)(env).is_none() {
            bail!("{} is still missing after: {}", need.name, need.how);
        }
        say!("set-up: {} is there after {} s", need.name, start.elapsed().as_secs());
    }
    if purpose == For::Test {
        // The tools are all there: what is left of compiling them is of no more use.
        let _ = std::fs::remove_dir_all(crate::tools::leftovers(env));
    }
    Ok(())
}

/// `cargo xtask doctor`: prints what is there and what is missing; true if all is there.
pub(crate) fn doctor(env: &Env) -> bool {
    say!("toolchain  {:?} (CHARTPROOF_WASM = auto, rustup or debian)", env.toolchain);
    say!("cache      {}", env.cache.display());
    say!("target     {}", env.target.display());
    let mut missing = 0;
    for need in all(env) {
        match (need.check)(env) {
            Some(found) => say!("found      {}: {found}", need.name),
            None => {
                missing += 1;
                let command = if need.purpose == For::Serve { "serve" } else { "test" };
                say!("MISSING    {}: {}", need.name, need.why);
                say!("           `cargo xtask {command}` gets it: {}; takes {}", need.how, need.takes);
            }
        }
    }
    if missing == 0 {
        say!("All there.");
    } else {
        say!("{missing} missing.");
    }
    missing == 0
}

/// The file that keeps what the steps of this name printed.
pub(crate) fn log(env: &Env, name: &str) -> PathBuf {
    env.cache.join("log").join(format!("{name}.log"))
}

/// A command that writes below /usr: by root itself, otherwise by sudo.
pub(crate) fn privileged(env: &Env, program: &str) -> Command {
    let root = read(env.command("id").arg("-u")).is_ok_and(|id| id.trim() == "0");
    if root {
        return env.command(program);
    }
    let mut command = env.command("sudo");
    command.arg(program);
    command
}

/// Installs Debian packages.
pub(crate) fn apt(env: &Env, packages: &[&str]) -> Result<()> {
    let log = log(env, "apt");
    let mut update = privileged(env, "apt-get");
    logged(update.args(["update", "-q"]), &log)?;
    let mut install = privileged(env, "env");
    install.args(["DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-q", "-y", "--no-install-recommends"]);
    logged(install.args(packages), &log)
}
