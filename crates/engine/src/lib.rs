//! Algorithm 1 as resumable steps with progress and cancel.
#![forbid(unsafe_code)]
