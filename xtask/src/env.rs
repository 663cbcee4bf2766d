//! Where things are, and the environment every child process gets.

use anyhow::{Context, Result, bail};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The wasm target all browser code is built for.
pub(crate) const WASM: &str = "wasm32-unknown-unknown";

/// Which compiler builds everything: native code, wasm, formatting and lints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Toolchain {
    /// The active rustup toolchain, with rustup's own wasm target.
    Rustup,
    /// Debian's compiler, linked into rustup as `debian`, with a wasm std built from Debian's source.
    Debian,
}

/// The places xtask works in, and the toolchain it works with.
#[derive(Debug, Clone)]
pub(crate) struct Env {
    /// The workspace root.
    pub(crate) repo: PathBuf,
    /// Tools, compiled dependencies and logs, shared by all clones.
    pub(crate) cache: PathBuf,
    /// `CARGO_TARGET_DIR` of every child.
    pub(crate) target: PathBuf,
    /// Cargo's home, where the sources of dependencies lie.
    pub(crate) cargo_home: PathBuf,
    pub(crate) toolchain: Toolchain,
}

impl Env {
    /// Reads the environment; the toolchain is Rustup until [`crate::toolchain::choose`] decides.
    pub(crate) fn find() -> Result<Self> {
        let repo = repo()?;
        let home = std::env::home_dir().context("no home folder: set HOME")?;
        let cache = match (set("CHARTPROOF_CACHE"), set("XDG_CACHE_HOME")) {
            (Some(own), _) => PathBuf::from(own),
            (None, Some(shared)) => Path::new(&shared).join("chartproof"),
            (None, None) => home.join(".cache/chartproof"),
        };
        let cache = std::path::absolute(cache)?;
        let target = set("CARGO_TARGET_DIR").map_or_else(|| cache.join("target"), PathBuf::from);
        let target = std::path::absolute(target)?;
        let cargo_home = set("CARGO_HOME").map_or_else(|| home.join(".cargo"), PathBuf::from);
        Ok(Self { repo, cache, target, cargo_home, toolchain: Toolchain::Rustup })
    }

    /// The folder of tools xtask installs with cargo.
    pub(crate) fn tools(&self) -> PathBuf {
        self.cache.join("tools")
    }

    /// The folder of tools xtask installs with npm.
    pub(crate) fn npm(&self) -> PathBuf {
        self.cache.join("npm")
    }

    /// A child process: in the repository, without what `cargo run` and rustup left in the environment.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.repo);
        for (name, _) in std::env::vars_os() {
            if name.to_str().is_some_and(is_leftover) {
                command.env_remove(name);
            }
        }
        command.env("PATH", self.path());
        command.env("CARGO_TARGET_DIR", &self.target);
        command.env("CARGO_TERM_COLOR", "never");
        if self.toolchain == Toolchain::Debian {
            command.env("RUSTUP_TOOLCHAIN", "debian");
        }
        command
    }

    /// Cargo of the chosen toolchain. Rustup's proxy on PATH picks it; `$CARGO` would be one fixed cargo.
    pub(crate) fn cargo(&self, subcommand: &str) -> Command {
        let mut command = self.command("cargo");
        command.arg(subcommand);
        command
    }

    /// Flags of everything compiled to wasm: no folder of the builder's machine ends up in it.
    ///
    /// Files of the workspace need no flag: cargo names them relative to the workspace. A flag with the path of the clone
    /// would make every clone compile all dependencies anew. The size step proves that no path is left.
    pub(crate) fn wasm_flags(&self, command: &mut Command) {
        let mut flags = OsString::new();
        for (from, to) in [(self.cargo_home.join("registry/src"), "/crates"), (self.target.clone(), "/target")] {
            if !flags.is_empty() {
                flags.push("\u{1f}");
            }
            flags.push("--remap-path-prefix=");
            flags.push(from);
            flags.push("=");
            flags.push(to);
        }
        command.env("CARGO_ENCODED_RUSTFLAGS", flags);
    }

    /// PATH with our tools first.
    fn path(&self) -> OsString {
        let own = [self.tools().join("bin"), self.npm().join("node_modules/.bin")];
        let old = std::env::var_os("PATH").unwrap_or_default();
        std::env::join_paths(own.into_iter().chain(std::env::split_paths(&old))).unwrap_or(old)
    }
}

/// The program of this name on the children's PATH.
pub(crate) fn which(env: &Env, program: &str) -> Option<PathBuf> {
    std::env::split_paths(&env.path()).map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// A variable that is there and not empty.
pub(crate) fn set(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

fn repo() -> Result<PathBuf> {
    let start = match set("CARGO_MANIFEST_DIR") {
        Some(xtask) => PathBuf::from(xtask),
        None => std::env::current_dir()?,
    };
    for folder in start.ancestors() {
        if folder.join("xtask/Cargo.toml").is_file() && folder.join("Cargo.toml").is_file() {
            return Ok(folder.to_owned());
        }
    }
    bail!("run this as `cargo xtask` inside the repository")
}

/// Variables cargo and rustup set for the process they start, which mislead the cargo that process starts.
fn is_leftover(name: &str) -> bool {
    const NAMES: [&str; 12] = [
        "CARGO",
        "CARGO_PRIMARY_PACKAGE",
        "CARGO_ENCODED_RUSTFLAGS",
        "LD_LIBRARY_PATH",
        "OUT_DIR",
        "RUSTC",
        "RUSTC_WORKSPACE_WRAPPER",
        "RUSTDOC",
        "RUSTDOCFLAGS",
        "RUSTFLAGS",
        "RUST_RECURSION_COUNT",
        "CLIPPY_CONF_DIR",
    ];
    const PREFIXES: [&str; 5] = ["CARGO_BIN_", "CARGO_CRATE_", "CARGO_MANIFEST_", "CARGO_PKG_", "CARGO_BUILD_TARGET"];
    NAMES.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::is_leftover;

    #[test]
    fn settings_of_the_user_stay_and_leftovers_of_cargo_go() {
        for kept in ["CARGO_HOME", "CARGO_NET_OFFLINE", "CARGO_TARGET_DIR", "CARGO_BUILD_JOBS", "RUSTUP_HOME", "PATH"] {
            assert!(!is_leftover(kept), "{kept}");
        }
        for gone in ["CARGO", "CARGO_MANIFEST_DIR", "CARGO_PKG_NAME", "RUSTFLAGS", "LD_LIBRARY_PATH", "RUSTC"] {
            assert!(is_leftover(gone), "{gone}");
        }
    }
}
