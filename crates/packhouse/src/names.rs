//! How the static program looks up names of hosts and users: in the files of the system, and in the DNS.
//!
//! `/etc/nsswitch.conf` may name other sources. Each is a library of the system, and the C library in this program can
//! only use those of its own version. So it asks none of them.

/// Settles where names are looked up. Comes first, before anything looks one up.
#[cfg(all(target_env = "gnu", target_feature = "crt-static"))]
pub(crate) fn configure() {
    for (database, sources) in [(c"hosts", c"files dns"), (c"passwd", c"files")] {
        configure_lookup(database, sources);
    }
}

#[cfg(not(all(target_env = "gnu", target_feature = "crt-static")))]
pub(crate) fn configure() {}

#[cfg(all(target_env = "gnu", target_feature = "crt-static"))]
#[expect(unsafe_code, reason = "no library offers this function")]
fn configure_lookup(database: &std::ffi::CStr, sources: &std::ffi::CStr) {
    use std::ffi::{c_char, c_int};

    unsafe extern "C" {
        /// Replaces what `/etc/nsswitch.conf` says about a database. Returns -1 for one that it does not know.
        fn __nss_configure_lookup(database: *const c_char, sources: *const c_char) -> c_int;
    }
    // SAFETY: both are texts that end with a zero byte, and the function keeps neither.
    let outcome = unsafe { __nss_configure_lookup(database.as_ptr(), sources.as_ptr()) };
    assert_eq!(outcome, 0, "the C library refuses {sources:?} as the sources of {database:?}");
}
