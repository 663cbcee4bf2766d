//! Printing: the only module that writes to the streams.

use std::io::Write as _;

use serde::Serialize;

/// Prints a line to standard output; a closed pipe ends the program quietly.
pub(crate) fn line(text: &str) {
    let mut out = std::io::stdout().lock();
    if writeln!(out, "{text}").is_err() {
        std::process::exit(0);
    }
}

/// Prints a value as one line of JSON.
pub(crate) fn json(value: &impl Serialize) -> Result<(), String> {
    line(&serde_json::to_string(value).map_err(|e| e.to_string())?);
    Ok(())
}

/// Prints a message to standard error.
pub(crate) fn complain(message: &str) {
    let _ = writeln!(std::io::stderr().lock(), "chartproof: {message}");
}
