//! The verification query, evidence items, the admissibility contract and the frozen bundle.
#![forbid(unsafe_code)]
