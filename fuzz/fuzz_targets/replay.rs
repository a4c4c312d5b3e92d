//! No script of bytes makes a replayed response differ from an ordinary one.

#![no_main]

use edge::testing::{differential, script};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    if let Err(difference) = runtime.block_on(differential(&script(bytes))) {
        panic!("{difference}");
    }
});
