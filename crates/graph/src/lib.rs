//! The patient event graph.
#![forbid(unsafe_code)]
