//! A CSV of claims.

use std::path::Path;

use serde::Deserialize;

/// One row: columns `id`, `patient`, `claim`, `scope`; patient and scope may be empty or missing.
#[derive(Debug, Deserialize)]
pub(crate) struct Claim {
    pub(crate) id: String,
    #[serde(default)]
    pub(crate) patient: String,
    pub(crate) claim: String,
    #[serde(default)]
    pub(crate) scope: String,
}

/// Reads the claims.
pub(crate) fn read(path: &Path) -> Result<Vec<Claim>, String> {
    let fault = |e: csv::Error| format!("{}: {e}", path.display());
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_path(path).map_err(fault)?;
    reader.deserialize().map(|row| row.map_err(fault)).collect()
}
