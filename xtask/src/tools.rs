//! The programs beside the compiler: their versions, where they are looked for, and how they are installed.

use crate::env::{Env, Toolchain, which};
use crate::need::{For, Need, apt, log};
use crate::run::{logged, read};
use anyhow::{Context, Result};
use std::fs;
use std::path::PathBuf;

const WASM_PACK: &str = "0.15.1";
const TRUNK: &str = "0.21.14";
const GECKODRIVER: &str = "0.37.0";
const BINARYEN: &str = "132.0.0";
/// The oldest Node that has what the tests use.
const NODE: (u32, u32) = (20, 14);

/// All tools, in the order they are got.
pub(crate) fn needs(env: &Env) -> Vec<Need> {
    vec![
        Need {
            name: "node and npm",
            purpose: For::Serve,
            why: "wasm-opt comes from npm, and the browser tests run in node",
            how: format!("by hand: install Node {}.{} or newer", NODE.0, NODE.1),
            takes: "your time",
            check: node,
            get: |_| anyhow::bail!("install Node {}.{} or newer with npm, then run this again", NODE.0, NODE.1),
        },
        Need {
            name: "wasm-bindgen",
            purpose: For::Serve,
            why: "it writes the JavaScript side of a wasm module, and must be the version of Cargo.lock",
            how: format!("cargo install wasm-bindgen-cli ={}", bindgen_version(env).unwrap_or_default()),
            takes: "2 to 4 minutes: it is compiled from source",
            check: |env| found(env, "wasm-bindgen", &bindgen_version(env).ok()?),
            // Without --locked: its lock file has named a version that was gone.
            get: |env| install(env, "wasm-bindgen-cli", &bindgen_version(env)?, false),
        },
        Need {
            name: "trunk",
            purpose: For::Serve,
            why: "it builds the page with its two wasm modules",
            how: format!("cargo install trunk ={TRUNK}"),
            takes: "4 to 8 minutes: it is compiled from source",
            check: |env| found(env, "trunk", TRUNK),
            get: |env| install(env, "trunk", TRUNK, true),
        },
        Need {
            name: "wasm-opt",
            purpose: For::Serve,
            why: "it makes the wasm smaller",
            how: format!("npm install binaryen@{BINARYEN}"),
            takes: "some seconds",
            check: |env| found(env, "wasm-opt", BINARYEN.split('.').next()?),
            get: binaryen,
        },
        Need {
            name: "wasm-pack",
            purpose: For::Test,
            why: "it builds the npm package and runs tests in browsers",
            how: format!("cargo install wasm-pack ={WASM_PACK}"),
            takes: "2 minutes: it is compiled from source",
            check: |env| found(env, "wasm-pack", WASM_PACK),
            get: |env| install(env, "wasm-pack", WASM_PACK, true),
        },
        Need {
            name: "chromium",
            purpose: For::Test,
            why: "the browser tests and the end-to-end tests run in it",
            how: "apt-get install chromium chromium-driver".into(),
            takes: "half a minute",
            check: |env| both(chromium(env)?, chromedriver(env)?),
            get: |env| apt(env, &["chromium", "chromium-driver"]),
        },
        Need {
            name: "firefox",
            purpose: For::Test,
            why: "the browser tests run in it as well",
            how: "apt-get install firefox-esr".into(),
            takes: "half a minute",
            check: |env| Some(firefox(env)?.display().to_string()),
            get: |env| apt(env, &["firefox-esr"]),
        },
        Need {
            name: "geckodriver",
            purpose: For::Test,
            why: "it drives Firefox",
            how: format!("cargo install geckodriver ={GECKODRIVER}"),
            takes: "1 to 2 minutes: it is compiled from source",
            check: |env| found(env, "geckodriver", GECKODRIVER),
            get: |env| install(env, "geckodriver", GECKODRIVER, true),
        },
        Need {
            name: "node packages of the end-to-end tests",
            purpose: For::Test,
            why: "playwright-core drives the page and axe-core looks for accessibility faults",
            how: "npm ci in tests/e2e".into(),
            takes: "some seconds",
            check: e2e_packages,
            get: |env| {
                let mut npm = env.command("npm");
                logged(
                    npm.args(["ci", "--no-audit", "--no-fund"]).current_dir(env.repo.join("tests/e2e")),
                    &log(env, "npm"),
                )?;
                fs::copy(env.repo.join(E2E_LOCK), env.repo.join(E2E_STAMP))?;
                Ok(())
            },
        },
    ]
}

const E2E_LOCK: &str = "tests/e2e/package-lock.json";
/// A copy of the lock file the installed packages belong to.
const E2E_STAMP: &str = "tests/e2e/node_modules/.installed";

/// The Chromium to drive.
pub(crate) fn chromium(env: &Env) -> Option<PathBuf> {
    ["chromium", "chromium-browser", "google-chrome"].into_iter().find_map(|name| which(env, name))
}

/// Chromium's driver.
pub(crate) fn chromedriver(env: &Env) -> Option<PathBuf> {
    which(env, "chromedriver")
}

/// The Firefox to drive.
pub(crate) fn firefox(env: &Env) -> Option<PathBuf> {
    ["firefox", "firefox-esr"].into_iter().find_map(|name| which(env, name))
}

/// Firefox's driver.
pub(crate) fn geckodriver(env: &Env) -> Option<PathBuf> {
    which(env, "geckodriver")
}

/// What the built files depend on beside their sources.
pub(crate) fn versions(env: &Env) -> Result<String> {
    Ok(format!("wasm-bindgen {}, trunk {TRUNK}, binaryen {BINARYEN}, wasm-pack {WASM_PACK}", bindgen_version(env)?))
}

/// The version of wasm-bindgen in Cargo.lock.
fn bindgen_version(env: &Env) -> Result<String> {
    let lock = fs::read_to_string(env.repo.join("Cargo.lock")).context("Cargo.lock is missing")?;
    locked_version(&lock, "wasm-bindgen").context("Cargo.lock names no wasm-bindgen")
}

fn locked_version(lock: &str, package: &str) -> Option<String> {
    let wanted = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != wanted);
    let version = lines.nth(1)?.strip_prefix("version = \"")?.strip_suffix('"')?;
    Some(version.to_owned())
}

fn found(env: &Env, program: &str, version: &str) -> Option<String> {
    let path = which(env, program)?;
    let mut command = env.command(&path);
    command.env_remove("NO_COLOR");
    let says = read(command.arg("--version")).ok()?;
    let first = says.lines().next().unwrap_or_default();
    let right = first.split([' ', '(', ')']).any(|word| word == version);
    right.then(|| format!("{version} at {}", path.display()))
}

fn node(env: &Env) -> Option<String> {
    let version = read(env.command("node").arg("--version")).ok()?;
    let npm = read(env.command("npm").arg("--version")).ok()?;
    let mut numbers = version.trim().strip_prefix('v')?.split('.').map(str::parse::<u32>);
    ((numbers.next()?.ok()?, numbers.next()?.ok()?) >= NODE)
        .then(|| format!("node {}, npm {}", version.trim(), npm.trim()))
}

fn both(one: PathBuf, other: PathBuf) -> Option<String> {
    Some(format!("{}, {}", one.display(), other.display()))
}

fn e2e_packages(env: &Env) -> Option<String> {
    let lock = fs::read(env.repo.join(E2E_LOCK)).ok()?;
    let installed = fs::read(env.repo.join(E2E_STAMP)).ok()?;
    (lock == installed).then(|| "tests/e2e/node_modules".to_owned())
}

/// Where tools are compiled, so that they share what they have in common.
pub(crate) fn leftovers(env: &Env) -> PathBuf {
    env.tools().join("target")
}

/// Compiles a tool into the cache. It is compiled for a quick build: it runs for seconds, but would build for minutes.
fn install(env: &Env, package: &str, version: &str, locked: bool) -> Result<()> {
    let mut command = env.cargo("install");
    command.args([package, "--version", &format!("={version}"), "--force", "--root"]).arg(env.tools());
    if locked {
        command.arg("--locked");
    }
    // Outside the workspace, so that no setting of it applies.
    fs::create_dir_all(env.tools())?;
    command.current_dir(env.tools());
    command.env("CARGO_TARGET_DIR", leftovers(env));
    command.env("CARGO_PROFILE_RELEASE_LTO", "off");
    command.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1");
    command.env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
    command.env("CARGO_PROFILE_RELEASE_DEBUG", "0");
    logged(&mut command, &log(env, package))
}

fn binaryen(env: &Env) -> Result<()> {
    fs::create_dir_all(env.npm())?;
    fs::write(env.npm().join("package.json"), "{ \"private\": true }\n")?;
    let mut npm = env.command("npm");
    npm.args(["install", "--no-audit", "--no-fund", &format!("binaryen@{BINARYEN}")]).current_dir(env.npm());
    logged(&mut npm, &log(env, "npm"))
}

/// Whether formatting, lints and sizes are those everybody compares with.
pub(crate) fn is_reference(env: &Env) -> bool {
    env.toolchain == Toolchain::Debian
}

#[cfg(test)]
mod tests {
    use super::locked_version;

    #[test]
    fn version_is_of_the_package_itself() {
        let lock = "[[package]]\nname = \"wasm-bindgen-macro\"\nversion = \"0.1.0\"\n\n[[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(locked_version(lock, "wasm-bindgen").as_deref(), Some("0.2.130"));
        assert_eq!(locked_version(lock, "bindgen"), None);
    }
}
