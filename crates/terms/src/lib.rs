//! Synonyms, laboratory definitions and units.
#![forbid(unsafe_code)]
