//! The table of clients in `docs/clients/README.md`. Tests say what they show about a client; the last run of
//! `cargo xtask test-clients` fills the cells.

mod declared;
mod results;
mod table;
mod versions;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::cargo;
use crate::failure::{Attempt, Result};

pub use declared::declared;
pub use results::Results;
pub use table::{Row, Table};

/// The columns of the table, as tests name them.
pub const COLUMNS: [&str; 8] = ["publish", "install", "private", "key holder", "yank", "staged", "signed", "counted"];

/// Clients with the columns that tests show.
pub type Declared = BTreeMap<String, BTreeSet<String>>;

/// Returns the document with the table.
pub fn document() -> PathBuf {
    cargo::workspace_root().join("docs/clients/README.md")
}

/// Returns the folders with the tests that say what they show.
pub fn tests() -> [PathBuf; 2] {
    ["packhouse", "suite"].map(|name| cargo::workspace_root().join("crates").join(name).join("tests/clients"))
}

/// Writes the results of a run into the table. Rows of clients that it did not test stay as they are.
pub fn update(results: &Results, last_run: &str) -> Result<()> {
    let declared = declared(&tests())?;
    let path = document();
    let text = fs::read_to_string(&path).attempt("cannot read the document with the table")?;
    let table = Table::find(&text)?;
    let mut rows = BTreeMap::new();
    for (client, columns) in &declared {
        let before = table.rows.get(client).cloned().unwrap_or_default();
        let row = match results.of(client) {
            Some(passed) => {
                Row { version: versions::of(client)?, last_run: last_run.to_owned(), cells: passed.clone() }
            }
            None => before,
        };
        rows.insert(client.clone(), row.only(columns));
    }
    fs::write(&path, Table { rows }.put_into(&text)?).attempt("cannot write the document with the table")
}

/// Lists the files in a folder and below it.
fn files_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).attempt("cannot read the folder of tests")? {
        let path = entry.attempt("cannot read the folder of tests")?.path();
        if path.is_dir() { files.extend(files_below(&path)?) } else { files.push(path) }
    }
    files.sort();
    Ok(files)
}
