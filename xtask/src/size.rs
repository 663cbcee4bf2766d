//! `tests/size.snap`: what a first visit loads, in bytes, so that every change of it shows in a diff.

use crate::env::Env;
use crate::{pkg, site, toolchain, tools};
use anyhow::{Context, Result, bail};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

const SNAPSHOT: &str = "tests/size.snap";
/// How far a size may be from the snapshot, in percent.
const TOLERANCE_PERCENT: u64 = 2;
/// Differences up to this many bytes never count: the smallest parts are smaller than one line of code.
const SLACK_BYTES: u64 = 256;
/// The targets, in gzip bytes: what is over them is said at every run, and is no fault until it grows.
const BUDGETS: [(&str, u64); 2] = [("ui.wasm", 150_000), ("core.wasm", 400_000)];

/// One part of a first visit.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Part {
    name: String,
    raw: u64,
    gzip: u64,
}

/// Compares the built page with the snapshot, or writes the snapshot anew. Returns every way in which the page is wrong.
pub(crate) fn check(env: &Env, accept: bool) -> Result<Vec<String>> {
    let parts = measure(&site::dist(env))?;
    let text = render(&parts, &toolchain::version(env)?);
    say!("{}", text.trim_end());
    let mut faults = builder_paths(env)?;
    for over in over_budget(&parts) {
        say!("target not met: {over}");
    }
    let path = env.repo.join(SNAPSHOT);
    if accept {
        fs::write(&path, text)?;
        say!("{SNAPSHOT} written");
        return Ok(faults);
    }
    let old =
        fs::read_to_string(&path).with_context(|| format!("{SNAPSHOT} is missing: `cargo xtask size --accept`"))?;
    let moved = compare(&parse(&old)?, &parts);
    if !moved.is_empty() && !tools::is_reference(env) {
        say!("note: the snapshot is of Debian's compiler, see its first line (CHARTPROOF_WASM=debian)");
    }
    faults.extend(moved);
    Ok(faults)
}

/// The parts of a first visit: the page, its scripts and styles, its two modules.
fn measure(dist: &Path) -> Result<Vec<Part>> {
    let mut scripts = part("js");
    let mut styles = part("css");
    let mut page = part("html");
    let mut ui = part("ui.wasm");
    let mut core = part("core.wasm");
    let mut files: Vec<PathBuf> = fs::read_dir(dist)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    files.sort();
    for file in files {
        let to = match file.file_name().and_then(|name| name.to_str()) {
            Some("chartproof_bg.wasm") => &mut ui,
            Some("chartproof-wasm_bg.wasm") => &mut core,
            Some("index.html") => &mut page,
            Some(name) if name.ends_with(".js") => &mut scripts,
            Some(name) if name.ends_with(".css") => &mut styles,
            _ => continue,
        };
        let bytes = fs::read(&file)?;
        to.raw += bytes.len() as u64;
        to.gzip += gzip(&bytes)?;
    }
    Ok(vec![ui, core, scripts, styles, page])
}

fn part(name: &str) -> Part {
    Part { name: name.to_owned(), raw: 0, gzip: 0 }
}

fn gzip(bytes: &[u8]) -> Result<u64> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?.len() as u64)
}

fn render(parts: &[Part], compiler: &str) -> String {
    let mut text = format!("# bytes: raw, gzip -9; {compiler}\n");
    for Part { name, raw, gzip } in parts {
        let _ = writeln!(text, "{name:<10} {raw:>9} {gzip:>9}");
    }
    let total: u64 = parts.iter().map(|part| part.gzip).sum();
    let _ = writeln!(text, "first load gzip: {} KB", total.div_ceil(1000));
    text
}

fn parse(text: &str) -> Result<Vec<Part>> {
    let mut parts = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.starts_with("first load")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [name, raw, gzip] = words[..] else { bail!("{SNAPSHOT}: not a line of sizes: {line:?}") };
        parts.push(Part { name: name.to_owned(), raw: raw.parse()?, gzip: gzip.parse()? });
    }
    Ok(parts)
}

fn compare(old: &[Part], new: &[Part]) -> Vec<String> {
    let mut faults = Vec::new();
    for part in new {
        let Some(was) = old.iter().find(|was| was.name == part.name) else {
            faults.push(format!("{} is not in {SNAPSHOT}", part.name));
            continue;
        };
        for (what, was, is) in [("raw", was.raw, part.raw), ("gzip", was.gzip, part.gzip)] {
            let moved = was.abs_diff(is);
            if moved > SLACK_BYTES && moved * 100 > was * TOLERANCE_PERCENT {
                faults.push(format!(
                    "{} {what} was {was} and is {is} bytes, more than {TOLERANCE_PERCENT} % off: `cargo xtask size --accept` if that is meant",
                    part.name
                ));
            }
        }
    }
    faults
}

fn over_budget(parts: &[Part]) -> Vec<String> {
    let mut faults = Vec::new();
    for (name, budget) in BUDGETS {
        for part in parts.iter().filter(|part| part.name == name && part.gzip > budget) {
            faults.push(format!("{name} has {} gzip bytes; the target is {budget}", part.gzip));
        }
    }
    faults
}

/// Folders of the machine that built a module must not be readable in it.
fn builder_paths(env: &Env) -> Result<Vec<String>> {
    let dist = site::dist(env);
    let mut modules = vec![dist.join("chartproof_bg.wasm"), dist.join("chartproof-wasm_bg.wasm")];
    modules.extend(Some(pkg::wasm(env)).filter(|module| module.exists()));
    let mut folders = vec![env.repo.clone(), env.cache.clone(), env.target.clone(), env.cargo_home.clone()];
    folders.extend(std::env::home_dir());
    let mut faults = Vec::new();
    for module in modules {
        let bytes = fs::read(&module)?;
        for folder in &folders {
            // With its slash, and never the root folder alone.
            let path = format!("{}/", folder.display());
            if path.len() > 2 && bytes.windows(path.len()).any(|window| window == path.as_bytes()) {
                faults.push(format!("{} names a folder of this machine: {path}", module.display()));
            }
        }
    }
    Ok(faults)
}

#[cfg(test)]
mod tests {
    use super::{Part, compare, parse, render};

    fn parts(gzip: u64) -> Vec<Part> {
        vec![Part { name: "ui.wasm".into(), raw: 100_000, gzip }]
    }

    #[test]
    fn a_snapshot_reads_back_and_ends_with_the_total() {
        let text = render(&parts(49_001), "rustc");
        assert_eq!(parse(&text).unwrap(), parts(49_001));
        assert_eq!(text.lines().last(), Some("first load gzip: 50 KB"));
    }

    #[test]
    fn two_percent_pass_and_more_fails_both_ways() {
        assert!(compare(&parts(50_000), &parts(51_000)).is_empty());
        assert_eq!(compare(&parts(50_000), &parts(51_001)).len(), 1);
        assert_eq!(compare(&parts(50_000), &parts(48_999)).len(), 1);
        assert_eq!(compare(&[], &parts(1)).len(), 1);
        assert!(compare(&parts(300), &parts(500)).is_empty());
    }
}
