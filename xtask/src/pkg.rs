//! The generated half of the npm package: `pkg/dist/core` for modules, `pkg/worker.js` as one classic script, and
//! `pkg/engine.js` for where no worker may start.

use crate::env::{Env, WASM};
use crate::need::log;
use crate::run::{logged, run};
use crate::{digest, toolchain, tools};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The compiler's output of the package `chartproof-wasm`.
const MODULE: &str = "chartproof_wasm.wasm";
const PROFILE: &str = "wasm-core";
const SERVE: &str = "www/serve-core.js";
const WORKER: &str = "pkg/worker.js";
const ENGINE: &str = "pkg/engine.js";
const SOURCES: [&str; 4] = ["Cargo.lock", "Cargo.toml", "crates", SERVE];
const STAMP: &str = ".built-from";

/// The module of the package.
pub(crate) fn wasm(env: &Env) -> PathBuf {
    env.repo.join("pkg/dist/core/core_bg.wasm")
}

/// Builds the package's generated files unless they are there and nothing they are made from has changed.
pub(crate) fn build(env: &Env) -> Result<()> {
    let sources: Vec<PathBuf> = SOURCES.iter().map(|source| env.repo.join(source)).collect();
    let made_with = format!("{}\n{}\n{}", toolchain::version(env)?, tools::versions(env)?, include_str!("pkg.rs"));
    let stamp = digest::of_files(&env.repo, &sources, &made_with)?;
    let out = env.repo.join("pkg/dist/core");
    let made = [WORKER, ENGINE].iter().all(|script| env.repo.join(script).exists());
    if made && fs::read_to_string(out.join(STAMP)).is_ok_and(|old| old == stamp) {
        return Ok(());
    }

    say!("package: the core for npm; compiles what the page's build has not, up to 2 minutes");
    let start = Instant::now();
    let _ = fs::remove_dir_all(&out);
    modules(env, &out)?;
    scripts(env, &out)?;
    optimise(env, &out.join("core_bg.wasm"))?;
    fs::write(out.join(STAMP), stamp)?;
    say!("package: done after {} s", start.elapsed().as_secs());
    Ok(())
}

/// The module build. wasm-pack ignores wasm-opt settings of a profile of our own, so that step is ours.
fn modules(env: &Env, out: &Path) -> Result<()> {
    let mut pack = env.command("wasm-pack");
    env.wasm_flags(&mut pack);
    pack.args(["build", "crates/wasm", "--mode", "no-install", "--target", "web", "--profile", PROFILE]);
    pack.arg("--out-dir").arg(out);
    pack.args(["--out-name", "core", "--no-pack", "--no-gitignore", "--no-opt"]);
    let log = log(env, "wasm-pack");
    let _ = fs::remove_file(&log);
    logged(&mut pack, &log)
}

/// The core twice over without imports: as a classic worker, because bundlers do not follow the imports of a worker that
/// is started through a Trusted Types policy; and as a module that starts as many cores as are asked for, where no
/// worker is.
fn scripts(env: &Env, out: &Path) -> Result<()> {
    // What wasm-pack has just compiled: compiling again could take up a change made meanwhile.
    let module = env.target.join(WASM).join(PROFILE).join(MODULE);
    let work = env.cache.join("no-modules");
    let mut bindgen = env.command("wasm-bindgen");
    bindgen.args(["--target", "no-modules", "--no-typescript", "--out-name", "core", "--out-dir"]);
    run(bindgen.arg(&work).arg(&module))?;
    // The package ships one module for all glues.
    if fs::read(work.join("core_bg.wasm"))? != fs::read(out.join("core_bg.wasm"))? {
        bail!("the modules of the two glues differ: one of them would not start");
    }
    let glue = fs::read_to_string(work.join("core.js"))?;
    let serve = fs::read_to_string(env.repo.join(SERVE)).with_context(|| format!("{SERVE} is missing"))?;
    let plain = as_script(&serve)?;
    fs::write(env.repo.join(WORKER), format!("{glue}\n{plain}\nserveCore(self, wasm_bindgen);\n"))?;
    let fresh = format!("export function freshGlue() {{\n{glue}\nreturn wasm_bindgen;\n}}\n");
    fs::write(env.repo.join(ENGINE), format!("{fresh}\n{serve}"))?;
    Ok(())
}

/// A module's text for a classic script.
fn as_script(module: &str) -> Result<String> {
    const EXPORT: &str = "\nexport function ";
    if module.matches("\nexport ").count() != 1 || !module.contains(EXPORT) || module.contains("\nimport ") {
        bail!("{SERVE} must export one function and import nothing");
    }
    Ok(module.replacen(EXPORT, "\nfunction ", 1))
}

fn optimise(env: &Env, module: &Path) -> Result<()> {
    run(env.command("wasm-opt").arg("-O3").arg(module).arg("-o").arg(module))
}

#[cfg(test)]
mod tests {
    use super::as_script;

    #[test]
    fn the_one_export_goes() {
        assert_eq!(as_script("// x\nexport function f() {}\n").unwrap(), "// x\nfunction f() {}\n");
        for odd in [
            "function f() {}\n",
            "\nexport function f() {}\nexport const a = 1;\n",
            "\nimport 'x';\nexport function f() {}",
        ] {
            assert!(as_script(odd).is_err(), "{odd}");
        }
    }
}
