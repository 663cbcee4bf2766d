//! Local grammar: question to query.
#![forbid(unsafe_code)]
