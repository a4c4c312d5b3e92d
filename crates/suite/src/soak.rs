//! How long tests go on that find more the longer they run.

/// How often such a test repeats what it does: `usual` times in the suite, `soak` times with `cargo xtask soak`.
pub fn rounds(usual: u64, soak: u64) -> u64 {
    match std::env::var_os("PACKHOUSE_TEST_SOAK") {
        Some(_) => soak,
        None => usual,
    }
}
