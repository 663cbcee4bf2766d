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

/// Reads the claims; a row that does not read is an error of its own, with its line.
pub(crate) fn read(path: &Path) -> Result<Vec<Result<Claim, String>>, String> {
    let fault = |e: csv::Error| format!("{}: {e}", path.display());
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_path(path).map_err(fault)?;
    let header = reader.headers().map_err(fault)?;
    for wanted in ["id", "claim"] {
        if !header.iter().any(|h| h.trim_start_matches('\u{feff}') == wanted) {
            return Err(format!("{}: line 1: no column named {wanted}", path.display()));
        }
    }
    let claims: Vec<_> = reader.deserialize().map(|row| row.map_err(fault)).collect();
    if claims.is_empty() {
        return Err(format!("{}: no claim below the header", path.display()));
    }
    Ok(claims)
}
