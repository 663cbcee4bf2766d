//! The page: trunk's release build of the two wasm modules and the files of `www/`, made into `dist/`.

use crate::env::Env;
use crate::need::log;
use crate::run::logged;
use crate::{digest, toolchain, tools};
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Everything the page is made from. Native crates are among it: a spurious build costs less than a stale page.
const SOURCES: [&str; 8] = ["Cargo.lock", "Cargo.toml", "Trunk.toml", "index.html", ".cargo", "crates", "src", "www"];
/// The digest of what `dist/` was built from; hidden, so the server does not serve it.
const STAMP: &str = ".built-from";

/// Where the page is built.
pub(crate) fn dist(env: &Env) -> PathBuf {
    env.repo.join("dist")
}

/// Builds `dist/` unless it is there and nothing it is made from has changed.
pub(crate) fn build(env: &Env) -> Result<()> {
    let sources: Vec<PathBuf> = SOURCES.iter().map(|source| env.repo.join(source)).collect();
    let made_with = format!("{}\n{}\n{}", toolchain::version(env)?, tools::versions(env)?, include_str!("site.rs"));
    let stamp = digest::of_files(&env.repo, &sources, &made_with)?;
    let dist = dist(env);
    if fs::read_to_string(dist.join(STAMP)).is_ok_and(|old| old == stamp) {
        return Ok(());
    }

    fetch(env)?;
    say!(
        "build: the page and its two wasm modules, in release; a first build compiles all dependencies, 3 to 5 minutes"
    );
    let start = Instant::now();
    let mut trunk = env.command("trunk");
    env.wasm_flags(&mut trunk);
    // Trunk takes NO_COLOR for a flag of its own and refuses its usual value.
    trunk.env_remove("NO_COLOR");
    trunk.args(["build", "--release", "--offline", "--locked", "--dist"]).arg(&dist);
    let log = log(env, "trunk");
    let _ = fs::remove_file(&log);
    logged(&mut trunk, &log)?;
    finish(&dist)?;
    fs::write(dist.join(STAMP), stamp)?;
    say!("build: done after {} s", start.elapsed().as_secs());
    Ok(())
}

/// Downloads the dependencies: trunk builds offline, so that nothing else is ever downloaded in passing.
pub(crate) fn fetch(env: &Env) -> Result<()> {
    logged(env.cargo("fetch").arg("--locked"), &log(env, "fetch"))
        .context("Cargo.lock may be behind Cargo.toml: `cargo metadata` renews it")
}

/// What trunk leaves to do: drop its placeholders, and state the digest of every script, style and module.
fn finish(dist: &Path) -> Result<()> {
    let mut digests = BTreeMap::new();
    for entry in fs::read_dir(dist)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        if [".js", ".css", ".wasm"].iter().any(|ext| name.ends_with(ext)) {
            digests.insert(name, digest::integrity(&fs::read(&path)?));
        }
    }
    for needed in ["chartproof.js", "chartproof_bg.wasm", "chartproof-wasm.js", "chartproof-wasm_bg.wasm"] {
        if !digests.contains_key(needed) {
            bail!("trunk wrote no {needed}");
        }
    }
    let page = dist.join("index.html");
    fs::write(&page, page_with_integrity(&fs::read_to_string(&page)?, &digests))?;
    fs::write(dist.join("sri.json"), serde_json::to_string_pretty(&digests)?)?;
    Ok(())
}

fn page_with_integrity(page: &str, digests: &BTreeMap<String, String>) -> String {
    let mut out = String::with_capacity(page.len());
    for line in page.lines().filter(|line| !line.contains("data-trunk-id")) {
        let mut line = line.to_owned();
        for (name, digest) in digests {
            for attribute in ["src", "href"] {
                let plain = format!("{attribute}=\"{name}\"");
                line = line.replace(&plain, &format!("{plain} integrity=\"{digest}\""));
            }
        }
        out.push_str(&line);
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::page_with_integrity;
    use std::collections::BTreeMap;

    #[test]
    fn placeholders_go_and_digests_come() {
        let digests = BTreeMap::from([("boot.js".to_owned(), "sha384-x".to_owned())]);
        let page = "<head>\n<link data-trunk-id=\"3\">\n<script type=\"module\" src=\"boot.js\"></script>\n";
        let wanted = "<head>\n<script type=\"module\" src=\"boot.js\" integrity=\"sha384-x\"></script>\n";
        assert_eq!(page_with_integrity(page, &digests), wanted);
    }
}
