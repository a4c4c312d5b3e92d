//! The results that tests leave behind.

use std::collections::BTreeMap;
use std::path::Path;

use super::files_below;
use crate::failure::{Attempt, Failure, Result};

/// For each client, whether all tests of a column passed on all stacks.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Results(BTreeMap<String, BTreeMap<String, bool>>);

impl Results {
    /// Reads the files of a run.
    pub fn read(folder: &Path) -> Result<Self> {
        let mut results = Self::default();
        for file in files_below(folder)? {
            let text = std::fs::read_to_string(&file).attempt("cannot read the result of a test")?;
            results.add(&text).ok_or_else(|| Failure::new(format!("{} is no result of a test", file.display())))?;
        }
        Ok(results)
    }

    /// Adds the result of a test: client, columns and result, with tabs between them.
    fn add(&mut self, text: &str) -> Option<()> {
        let mut fields = text.trim_end().split('\t');
        let (client, columns, result) = (fields.next()?, fields.next()?, fields.next()?);
        let cells = self.0.entry(client.to_owned()).or_default();
        for column in columns.split(", ") {
            *cells.entry(column.to_owned()).or_insert(true) &= result == "passed";
        }
        Some(())
    }

    /// The columns of a client, if it was tested.
    pub fn of(&self, client: &str) -> Option<&BTreeMap<String, bool>> {
        self.0.get(client)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_failure_fails_a_cell() {
        let mut results = Results::default();
        for text in ["npm\tpublish, install\tpassed\n", "npm\tinstall\tfailed\n", "npm\tinstall\tpassed\n"] {
            results.add(text).expect("a result");
        }
        let cells = results.of("npm").expect("a client");
        assert_eq!((cells["publish"], cells["install"], cells.get("yank")), (true, false, None));
        assert_eq!((results.add("npm"), results.of("pip")), (None, None));
    }
}
