//! Fixtures and the seeded record generator.
#![forbid(unsafe_code)]
