//! Readers: bytes to a record and diagnostics.
//!
//! [`Reader`] takes files one after another and works through them in slices, so that a caller can show progress
//! and stop. FHIR R4 JSON is read (R4B and R5 shapes where they differ little): Bundles of every type, NDJSON and
//! single resources, plain or in gzip. What cannot be read is refused with its place; what is read in part is said
//! in [`chartproof_record::Diagnostic`]s. The result does not depend on the order of files, entries or rows.
#![forbid(unsafe_code)]

mod fhir;
mod finish;
mod input;
mod load;
mod open;
mod reader;
mod worlds;

pub use input::{Input, Limits, Refusal, RefusalCode};
pub use reader::{Reader, Step, read_all};
