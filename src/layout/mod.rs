//! Where things lie on a time axis: pure functions of the data, without a document.

pub(crate) mod axis;
pub(crate) mod chain;
pub(crate) mod civil;
pub(crate) mod lanes;

/// Indices in the order of their keys; equal keys keep their order. One sort for all, for the sake of weight.
pub(crate) fn order(keys: impl Iterator<Item = (i64, i64)>) -> Vec<usize> {
    let mut keyed: Vec<(i64, i64, usize)> = keys.enumerate().map(|(at, (first, then))| (first, then, at)).collect();
    sort(&mut keyed);
    keyed.into_iter().map(|(_, _, at)| at).collect()
}

fn sort(keyed: &mut [(i64, i64, usize)]) {
    keyed.sort_unstable();
}
