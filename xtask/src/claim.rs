//! One clone at a time in the shared target folder.
//!
//! Cargo tells workspace packages of two clones apart by nothing but their files' times, so a clone could be handed what
//! another one compiled. When the folder changes hands, the traces of workspace packages are removed: they are compiled
//! anew, while the dependencies, which are most of the work, stay compiled.

use crate::env::Env;
use anyhow::{Context, Result};
use std::fs::{self, File};
use std::path::Path;

/// Keeps other clones out of the target folder until it is dropped.
#[derive(Debug)]
#[must_use]
pub(crate) struct Claim {
    _lock: File,
}

/// Waits until no other run uses the target folder, and makes it this clone's.
pub(crate) fn claim(env: &Env) -> Result<Claim> {
    fs::create_dir_all(&env.target)?;
    let lock = File::create(env.target.join(".chartproof-lock"))?;
    if lock.try_lock().is_err() {
        say!("waiting for another run of xtask to end");
        lock.lock().context("cannot lock the target folder")?;
    }
    let note = env.target.join(".chartproof-clone");
    let clone = env.repo.to_string_lossy();
    if fs::read_to_string(&note).is_ok_and(|last| last == clone) {
        return Ok(Claim { _lock: lock });
    }
    forget(&env.target, 0)?;
    fs::write(note, clone.as_bytes())?;
    Ok(Claim { _lock: lock })
}

/// Removes cargo's traces of workspace packages, which lie one folder deep, or two for a named target.
fn forget(folder: &Path, depth: usize) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if !path.is_dir() || path.is_symlink() {
            continue;
        }
        if path.file_name().is_some_and(|name| name == ".fingerprint") {
            for trace in fs::read_dir(&path)? {
                let trace = trace?;
                let name = trace.file_name();
                let name = name.to_string_lossy();
                if name.starts_with("chartproof") || name.starts_with("xtask") {
                    fs::remove_dir_all(trace.path())?;
                }
            }
        } else if depth < 2 {
            forget(&path, depth + 1)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::claim;
    use crate::env::{Env, Toolchain};
    use std::fs;

    #[test]
    fn another_clone_finds_dependencies_compiled_and_members_not() {
        let target = std::env::temp_dir().join(format!("chartproof-claim-{}", std::process::id()));
        let traces = [target.join("debug/.fingerprint"), target.join("wasm32-unknown-unknown/release/.fingerprint")];
        let make = || {
            for trace in &traces {
                fs::create_dir_all(trace.join("chartproof-record-1")).unwrap();
                fs::create_dir_all(trace.join("serde-1")).unwrap();
            }
        };
        let env = |repo: &str| Env {
            repo: repo.into(),
            cache: target.clone(),
            target: target.clone(),
            cargo_home: target.clone(),
            toolchain: Toolchain::Rustup,
        };
        make();
        drop(claim(&env("/one")).unwrap());
        make();
        drop(claim(&env("/one")).unwrap());
        assert!(traces.iter().all(|trace| trace.join("chartproof-record-1").exists()));
        drop(claim(&env("/two")).unwrap());
        assert!(
            traces.iter().all(|trace| !trace.join("chartproof-record-1").exists() && trace.join("serde-1").exists())
        );
        fs::remove_dir_all(target).unwrap();
    }
}
