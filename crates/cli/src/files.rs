//! Files and folders to an open engine.

use std::path::{Path, PathBuf};

use chartproof_engine::wire::{Event, Summary};
use chartproof_engine::{Engine, File};

/// Opens files and folders (a folder: every file in it, in name order, dot files left out).
pub(crate) fn open(paths: &[PathBuf]) -> Result<(Engine, Box<Summary>), String> {
    let mut files = Vec::new();
    for path in paths {
        collect(path, &mut files)?;
    }
    let mut engine = Engine::new();
    engine.load(files);
    match engine.run() {
        Event::Loaded { summary } => Ok((engine, summary)),
        Event::Failed { message, .. } => Err(message),
        _ => Err("the load did not end".to_owned()),
    }
}

fn collect(path: &Path, out: &mut Vec<File>) -> Result<(), String> {
    let fault = |e: std::io::Error| format!("{}: {e}", path.display());
    if path.is_dir() {
        let mut inside: Vec<PathBuf> = Vec::new();
        for entry in std::fs::read_dir(path).map_err(fault)? {
            inside.push(entry.map_err(fault)?.path());
        }
        inside.sort();
        for entry in inside {
            let hidden = entry.file_name().is_some_and(|n| n.to_string_lossy().starts_with('.'));
            if !hidden {
                collect(&entry, out)?;
            }
        }
        return Ok(());
    }
    let bytes = std::fs::read(path).map_err(fault)?;
    out.push(File { name: path.display().to_string(), bytes, sha256: None });
    Ok(())
}

/// The files that were refused, as one message; `None` when all were read.
pub(crate) fn refused(summary: &Summary) -> Option<String> {
    let lines: Vec<String> = summary
        .refused
        .iter()
        .map(|r| {
            let at = if r.location.is_empty() { String::new() } else { format!("{}: ", r.location) };
            format!("{}: {at}{}", r.file, r.message)
        })
        .collect();
    (!lines.is_empty()).then(|| lines.join("\nchartproof: "))
}
