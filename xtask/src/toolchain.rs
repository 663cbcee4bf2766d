//! The compiler: rustup's wasm target where it can be had, Debian's compiler and a std built from its source elsewhere.

use crate::env::{Env, Toolchain, WASM, set};
use crate::need::{For, Need, privileged};
use crate::run::{logged, read};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};

const DEBIAN_PACKAGES: [&str; 6] =
    ["rustc-web", "cargo-web", "rust-web-src", "rust-web-clippy", "rustfmt-web", "lld-22"];
const RUSTLIB: &str = "/usr/lib/rustlib";
const RUST_LLD: &str = "/usr/lib/rustlib/x86_64-unknown-linux-gnu/bin/rust-lld";

/// Decides by `CHARTPROOF_WASM`: `rustup`, `debian`, or `auto` (also when unset), which takes rustup's target if it is
/// there or can be added, and Debian's compiler otherwise. Only `may_add` lets it ask rustup's server.
pub(crate) fn choose(env: &mut Env, may_add: bool) -> Result<()> {
    let asked = set("CHARTPROOF_WASM").unwrap_or_else(|| "auto".into());
    env.toolchain = match asked.to_str() {
        Some("rustup") => Toolchain::Rustup,
        Some("debian") => Toolchain::Debian,
        Some("auto") => automatic(env, may_add),
        _ => bail!("CHARTPROOF_WASM is {asked:?}; it can be auto, rustup or debian"),
    };
    Ok(())
}

fn automatic(env: &Env, may_add: bool) -> Toolchain {
    let rustup = Env { toolchain: Toolchain::Rustup, ..env.clone() };
    let debian = Env { toolchain: Toolchain::Debian, ..env.clone() };
    if target(&rustup).is_some() {
        return Toolchain::Rustup;
    }
    if std_for_wasm(&debian).is_some() {
        return Toolchain::Debian;
    }
    if may_add && add_target(&rustup).is_ok() {
        return Toolchain::Rustup;
    }
    if Path::new("/usr/bin/apt-get").exists() { Toolchain::Debian } else { Toolchain::Rustup }
}

/// What the chosen toolchain needs, in the order it is got.
pub(crate) fn needs(env: &Env) -> Vec<Need> {
    match env.toolchain {
        Toolchain::Rustup => vec![
            Need {
                name: "wasm32 target",
                purpose: For::Serve,
                why: "the page and its worker are compiled to wasm",
                how: "rustup target add wasm32-unknown-unknown".into(),
                takes: "some seconds",
                check: target,
                get: add_target,
            },
            Need {
                name: "clippy and rustfmt",
                purpose: For::Test,
                why: "the tests hold the code to its lints and its format",
                how: "rustup component add clippy rustfmt".into(),
                takes: "some seconds",
                check: components,
                get: |env| {
                    let mut command = env.command("rustup");
                    logged(command.args(["component", "add", "clippy", "rustfmt"]), &log(env, "rustup"))
                },
            },
        ],
        Toolchain::Debian => vec![
            Need {
                name: "Debian Rust",
                purpose: For::Serve,
                why: "a compiler whose std source comes with it, so that std for wasm32 can be built",
                how: format!("apt-get install {}", DEBIAN_PACKAGES.join(" ")),
                takes: "half a minute",
                check: debian_rust,
                get: |env| crate::need::apt(env, &DEBIAN_PACKAGES),
            },
            Need {
                name: "rust-lld",
                purpose: For::Serve,
                why: "the linker of wasm modules",
                how: format!("a link to lld as {RUST_LLD}"),
                takes: "no time",
                check: |_| Path::new(RUST_LLD).exists().then(|| RUST_LLD.to_owned()),
                get: link_lld,
            },
            Need {
                name: "debian toolchain",
                purpose: For::Serve,
                why: "cargo, trunk and wasm-pack reach the compiler through rustup",
                how: "rustup toolchain link debian /usr".into(),
                takes: "no time",
                check: debian_linked,
                get: |env| {
                    let mut command = env.command("rustup");
                    command.env_remove("RUSTUP_TOOLCHAIN");
                    logged(command.args(["toolchain", "link", "debian", "/usr"]), &log(env, "rustup"))
                },
            },
            Need {
                name: "std for wasm32",
                purpose: For::Serve,
                why: "the page and its worker are compiled to wasm",
                how: "compiled from Debian's source of the same compiler".into(),
                takes: "about a minute: std is compiled from source",
                check: std_for_wasm,
                get: build_std,
            },
        ],
    }
}

/// The compiler's version line, which belongs to every stamp and snapshot.
pub(crate) fn version(env: &Env) -> Result<String> {
    Ok(read(env.command("rustc").arg("--version"))?.trim().to_owned())
}

fn target(env: &Env) -> Option<String> {
    let installed = read(env.command("rustup").args(["target", "list", "--installed"])).ok()?;
    installed.lines().any(|line| line.trim() == WASM).then(|| version(env).ok())?
}

fn add_target(env: &Env) -> Result<()> {
    logged(env.command("rustup").args(["target", "add", WASM]), &log(env, "rustup"))
}

fn components(env: &Env) -> Option<String> {
    read(env.cargo("clippy").arg("--version")).ok()?;
    Some(read(env.cargo("fmt").arg("--version")).ok()?.trim().to_owned())
}

fn debian_rust(_env: &Env) -> Option<String> {
    for program in ["cargo", "cargo-clippy", "cargo-fmt", "clippy-driver", "rustfmt"] {
        if !Path::new("/usr/bin").join(program).exists() {
            return None;
        }
    }
    let release = release().ok()?;
    source(&release).is_dir().then(|| format!("rustc {release} in /usr/bin"))
}

fn release() -> Result<String> {
    let about = read(std::process::Command::new("/usr/bin/rustc").arg("-vV"))?;
    let release = about.lines().find_map(|line| line.strip_prefix("release: "));
    Ok(release.context("/usr/bin/rustc names no release")?.to_owned())
}

fn source(release: &str) -> PathBuf {
    PathBuf::from(format!("/usr/src/rustc-{release}/library"))
}

fn debian_linked(env: &Env) -> Option<String> {
    let linked = read(env.command("rustc").arg("--version")).ok()?;
    let release = release().ok()?;
    linked.contains(&release).then(|| linked.trim().to_owned())
}

fn link_lld(env: &Env) -> Result<()> {
    let lld = ["/usr/bin/lld-22", "/usr/bin/lld"].into_iter().find(|lld| Path::new(lld).exists());
    let lld = lld.context("lld is not in /usr/bin")?;
    let folder = Path::new(RUST_LLD).parent().context("no folder")?;
    logged(privileged(env, "mkdir").arg("-p").arg(folder), &log(env, "std"))?;
    logged(privileged(env, "ln").args(["-sf", lld, RUST_LLD]), &log(env, "std"))
}

/// Whether this compiler turns a crate into a wasm module: the one question that matters.
fn std_for_wasm(env: &Env) -> Option<String> {
    let folder = env.cache.join("probe");
    fs::create_dir_all(&folder).ok()?;
    fs::write(folder.join("probe.rs"), "pub fn probe() -> String { String::new() }").ok()?;
    let mut command = env.command("rustc");
    command.args(["--edition=2024", "--crate-type=cdylib", "--target", WASM, "probe.rs", "-o", "probe.wasm"]);
    command.current_dir(&folder);
    read(&mut command).ok()?;
    Some(format!("{RUSTLIB}/{WASM}"))
}

fn build_std(env: &Env) -> Result<()> {
    let log = log(env, "std");
    let release = release()?;
    let work = env.cache.join("std");
    let _ = fs::remove_dir_all(&work);
    let library = work.join("library");
    // Without the vendored crates: they lack parts, and the registry has them.
    copy(&source(&release), &library, &["vendor"])?;

    let mut flags = vec!["-Cembed-bitcode=yes".to_owned(), "-Zforce-unstable-if-unmarked".to_owned()];
    flags.push(format!("--remap-path-prefix={}=/rust", work.display()));
    flags.push(format!("--remap-path-prefix={}=/crates", env.cargo_home.join("registry/src").display()));
    let mut command = env.cargo("build");
    command.current_dir(&library);
    command.args(["--release", "-p", "sysroot", "--target", WASM]);
    command.env("RUSTC_BOOTSTRAP", "1").env("__CARGO_DEFAULT_LIB_METADATA", "stablestd");
    command.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
    command.env("CARGO_TARGET_DIR", work.join("target"));
    logged(&mut command, &log)?;

    let built = work.join("target").join(WASM).join("release/deps");
    let place = Path::new(RUSTLIB).join(WASM).join("lib");
    logged(privileged(env, "mkdir").arg("-p").arg(&place), &log)?;
    // Libraries of an older compiler would be found twice.
    logged(privileged(env, "find").arg(&place).args(["-name", "*.rlib", "-delete"]), &log)?;
    let mut install = privileged(env, "cp");
    for entry in fs::read_dir(&built)? {
        let file = entry?.path();
        if file.extension().is_some_and(|ext| ext == "rlib") {
            install.arg(file);
        }
    }
    logged(install.arg(&place), &log)?;
    fs::remove_dir_all(&work)?;
    // What was compiled against another std does not link with this one.
    match fs::remove_dir_all(env.target.join(WASM)) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

/// Copies a source tree but for the folders of these names at its top. Links become what they point to.
fn copy(from: &Path, to: &Path, without: &[&str]) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let entry = entry?;
        let name = entry.file_name();
        if without.iter().any(|left_out| name == *left_out) {
            continue;
        }
        if fs::metadata(entry.path())?.is_dir() {
            copy(&entry.path(), &to.join(name), &[])?;
        } else {
            fs::copy(entry.path(), to.join(name))?;
        }
    }
    Ok(())
}

fn log(env: &Env, name: &str) -> PathBuf {
    crate::need::log(env, name)
}
