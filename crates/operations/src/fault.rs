//! Places where a process may be made to stop, to see that nothing is lost there. Only in builds for development.

/// Ends the process here, as `kill -9` would, when `PACKHOUSE_TEST_FAULT` names this place.
pub(crate) fn point(name: &str) {
    if cfg!(debug_assertions) && std::env::var_os("PACKHOUSE_TEST_FAULT").is_some_and(|asked| asked == name) {
        std::process::abort();
    }
}
