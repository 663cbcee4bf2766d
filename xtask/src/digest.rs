//! Digests of files: to know what has changed, and to state what a browser should get.

use anyhow::{Context, Result};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256, Sha384};
use std::fs;
use std::path::{Path, PathBuf};

/// One digest of `made_with` and of the names and contents of all files below `sources`, in a fixed order. Hidden files
/// and what builds leave behind do not count; a source that is missing counts as empty.
pub(crate) fn of_files(root: &Path, sources: &[PathBuf], made_with: &str) -> Result<String> {
    let mut files = Vec::new();
    for source in sources {
        collect(source, &mut files)?;
    }
    files.sort();
    let mut all = Sha256::new();
    all.update(made_with);
    for file in files {
        let name = file.strip_prefix(root).unwrap_or(&file).to_string_lossy().into_owned();
        let bytes = fs::read(&file).with_context(|| format!("cannot read {name}"))?;
        all.update((name.len() as u64).to_le_bytes());
        all.update(name);
        all.update((bytes.len() as u64).to_le_bytes());
        all.update(bytes);
    }
    Ok(STANDARD.encode(all.finalize()))
}

/// The value of an `integrity` attribute for these bytes.
pub(crate) fn integrity(bytes: &[u8]) -> String {
    format!("sha384-{}", STANDARD.encode(Sha384::digest(bytes)))
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if path.is_file() {
        files.push(path.to_owned());
    } else if path.is_dir() {
        for entry in fs::read_dir(path)? {
            let entry = entry?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if !(name.starts_with('.') || name == "target" || name == "node_modules") {
                collect(&entry.path(), files)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::integrity;

    #[test]
    fn integrity_of_the_empty_script() {
        assert_eq!(integrity(b""), "sha384-OLBgp1GsljhM2TJ+sbHjaiH9txEUvgdDTAzHv2P24donTt6/529l+9Ua0vFImLlb");
    }
}
