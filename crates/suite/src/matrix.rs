//! What each test shows about a client. `cargo xtask test-clients` makes the table in `docs/clients/README.md` of it.

use std::{fs, path::PathBuf, thread};

/// The columns of the table.
const COLUMNS: [&str; 8] = ["publish", "install", "private", "key holder", "yank", "staged", "signed", "counted"];

/// Records the result of a test when it ends.
#[derive(Debug)]
pub struct Shown {
    client: &'static str,
    columns: &'static str,
}

/// Says that a test shows this about a client: names of columns, separated by commas. Both are literals, because a test
/// compares them with the table.
#[must_use]
pub fn shows(client: &'static str, columns: &'static str) -> Shown {
    let unknown = columns.split(", ").find(|column| !COLUMNS.contains(column));
    assert_eq!(unknown, None, "no column of the table");
    Shown { client, columns }
}

impl Drop for Shown {
    fn drop(&mut self) {
        let Some(folder) = std::env::var_os("PACKHOUSE_TEST_CLIENT_RESULTS") else { return };
        let stack = std::env::var("PACKHOUSE_TEST_STACK").unwrap_or_default();
        let test = thread::current().name().unwrap_or("unnamed").replace("::", "-");
        let result = if thread::panicking() { "failed" } else { "passed" };
        let file = PathBuf::from(folder).join(format!("{stack}-{test}-{}", self.client.replace(' ', "-")));
        fs::write(file, format!("{}\t{}\t{result}\n", self.client, self.columns)).expect("the result is stored");
    }
}
