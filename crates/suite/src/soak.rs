//! The number of rounds of tests that find more the longer they run.

/// Returns the number of rounds: `usual` in the suite, `soak` with `cargo xtask soak`.
pub fn rounds(usual: u64, soak: u64) -> u64 {
    match std::env::var_os("PACKHOUSE_TEST_SOAK") {
        Some(_) => soak,
        None => usual,
    }
}
