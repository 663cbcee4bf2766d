//! Corpus cases live in the integration tests of this package.
