//! Points at which a test can stop the process, to verify that nothing is lost there. Only in development builds.

/// Ends the process here, as `kill -9` would, if `PACKHOUSE_TEST_FAULT` names this point.
pub(crate) fn point(name: &str) {
    if cfg!(debug_assertions) && std::env::var_os("PACKHOUSE_TEST_FAULT").is_some_and(|asked| asked == name) {
        std::process::abort();
    }
}
