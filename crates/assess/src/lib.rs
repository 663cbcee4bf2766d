//! The dual-axis assessor: a bundle to an assessment.
#![forbid(unsafe_code)]
