//! Where things lie on a time axis: pure functions of the data, without a document.

pub(crate) mod axis;
pub(crate) mod chain;
pub(crate) mod civil;
pub(crate) mod lanes;
