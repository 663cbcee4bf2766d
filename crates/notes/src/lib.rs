//! Clinical text: sentences and assertion.
#![forbid(unsafe_code)]
