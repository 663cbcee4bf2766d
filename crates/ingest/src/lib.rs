//! Readers: bytes to a record and diagnostics.
#![forbid(unsafe_code)]
