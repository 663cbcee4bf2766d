//! Collects the corpus cases into one table, so that the wasm run needs no file system.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn collect(folder: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.filter_map(|e| Some(e.ok()?.path())) {
        if path.is_dir() {
            collect(&path, out);
        } else if path.extension().is_some_and(|e| e == "json") {
            out.push(path);
        }
    }
}

fn main() {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it"));
    let mut cases = Vec::new();
    collect(&root.join("cases"), &mut cases);
    cases.sort();
    let mut table = String::from("&[\n");
    for case in &cases {
        let name = case.strip_prefix(root.join("cases")).expect("collected below it").with_extension("");
        let name = name.to_string_lossy().replace('\\', "/");
        writeln!(table, "    ({name:?}, include_str!({:?})),", case.display().to_string()).expect("a string takes it");
    }
    table.push(']');
    // Build scripts run natively; `fs::write` is kept out of everything that is linted for wasm.
    let mut file = std::fs::OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .open(out.join("cases.rs"))
        .expect("OUT_DIR is writable");
    std::io::Write::write_all(&mut file, table.as_bytes()).expect("OUT_DIR is writable");
    println!("cargo:rerun-if-changed=cases");
    println!("cargo:rerun-if-changed=build.rs");
}
