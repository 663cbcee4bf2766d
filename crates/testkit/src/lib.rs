//! Fixtures and the seeded record generator.
//!
//! Everything here is invented. The same seed and size give the same bytes on every machine.
#![forbid(unsafe_code)]

mod generate;
mod json;

pub use generate::{generate, generate_bundle, one_megabyte_note};
pub use json::{Json, bundle, coded, ndjson, quantity, reference};

/// A small deterministic generator of numbers (xorshift64*).
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// A generator with a seed; 0 is as good as any.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03)
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        if self.0 == 0 {
            self.0 = 0x9E37_79B9_7F4A_7C15;
        }
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `end` (which is at least 1).
    pub fn below(&mut self, end: u64) -> u64 {
        (self.next_u64() >> 11) % end.max(1)
    }

    /// One of the items; the first when there is a single one.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u64) as usize]
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
}
