//! The verification query, evidence items, the admissibility contract and the frozen bundle.
#![forbid(unsafe_code)]

mod executable;
pub mod query;

pub use executable::{NotExecutable, executable};
