//! Pseudo-random numbers from a seed.

/// A generator of pseudo-random numbers.
pub(crate) struct Dice(u64);

impl Dice {
    /// Creates the generator of a test with this seed, which `PACKHOUSE_TEST_SEED` overrides. A failed test prints the
    /// seed.
    pub(crate) fn of_this_run(seed: u64) -> Self {
        let seed = std::env::var("PACKHOUSE_TEST_SEED").map_or(seed, |seed| seed.parse().expect("a seed is a number"));
        println!("PACKHOUSE_TEST_SEED={seed}");
        Self(seed)
    }

    /// Creates an independent generator.
    pub(crate) fn split(&mut self) -> Self {
        Self(self.next())
    }

    /// Returns a number below `end`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// SplitMix64.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}
