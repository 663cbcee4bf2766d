//! Stable sorting with one compiled body for all types: every instance of the standard library's costs some 4 KB of
//! wasm, and the core sorts short lists in many places.

use std::cmp::Ordering;

/// Stable sorting of slices.
pub trait InOrder<T> {
    /// Sorts by comparison.
    fn order_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);

    /// Sorts by a key.
    fn order_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.order_by(|a, b| key(a).cmp(&key(b)));
    }

    /// Sorts by the type's own order.
    fn order(&mut self)
    where
        T: Ord,
    {
        self.order_by(T::cmp);
    }
}

impl<T> InOrder<T> for [T] {
    fn order_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        let items = &*self;
        let mut places = places(items.len(), &mut |a, b| compare(&items[a], &items[b]));
        for at in 0..self.len() {
            while places[at] != at {
                let to = places[at];
                self.swap(at, to);
                places.swap(at, to);
            }
        }
    }
}

/// The place of each item in sorted order.
fn places(count: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut sorted: Vec<usize> = (0..count).collect();
    sorted.sort_by(|a, b| compare(*a, *b));
    let mut places = vec![0; count];
    for (place, item) in sorted.into_iter().enumerate() {
        places[item] = place;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::InOrder as _;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn is_the_stable_order(items in proptest::collection::vec((0_u8..6, any::<u16>()), 0..40)) {
            let mut expected = items.clone();
            expected.sort_by_key(|i| i.0);
            let mut found = items.clone();
            found.order_by_key(|i| i.0);
            prop_assert_eq!(found, expected);
            let mut all = items.clone();
            all.order();
            prop_assert!(all.is_sorted());
        }
    }
}
