//! What tests say that they show.

use std::fs;
use std::path::PathBuf;

use super::{COLUMNS, Declared, files_below};
use crate::failure::{Attempt, Failure, Result};

/// The call in a test.
const CALL: &str = "shows(\"";

/// Reads the calls in the tests below some folders.
pub fn declared(folders: &[PathBuf]) -> Result<Declared> {
    let mut declared = Declared::new();
    let mut files = Vec::new();
    for folder in folders {
        files.extend(files_below(folder)?);
    }
    for path in files {
        let source = fs::read_to_string(&path).attempt("cannot read a test")?;
        for call in source.split(CALL).skip(1) {
            let invalid = || Failure::new(format!("{} has a call of `shows` without two literals", path.display()));
            let (client, columns) = arguments(call).ok_or_else(invalid)?;
            let shown = declared.entry(client.to_owned()).or_default();
            for column in columns.split(", ") {
                if !COLUMNS.contains(&column) {
                    return Err(Failure::new(format!("{} names '{column}', which is no column", path.display())));
                }
                shown.insert(column.to_owned());
            }
        }
    }
    Ok(declared)
}

/// The two literals of a call, from behind its first quote.
fn arguments(call: &str) -> Option<(&str, &str)> {
    let (client, rest) = call.split_once('"')?;
    let columns = rest.strip_prefix(", \"")?.split_once('"')?.0;
    Some((client, columns))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_have_two_literals() {
        assert_eq!(arguments("npm\", \"publish, install\");"), Some(("npm", "publish, install")));
        assert_eq!((arguments("npm\", columns);"), arguments("npm")), (None, None));
    }
}
