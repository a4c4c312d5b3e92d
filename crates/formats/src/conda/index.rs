//! The records of repodata.json and the text around them.

use serde_json::{Map, Value};

use super::inspect::CondaFacts;
use crate::indexed::IndexedFile;

/// The text between two records.
pub const BETWEEN: &str = ",\n";

/// The text between the records of .tar.bz2 files and those of .conda files.
pub const MIDDLE: &str = "\n},\"packages.conda\":{\n";

/// The text before the first record.
pub fn before(subdir: &str) -> String {
    format!("{{\"info\":{{\"subdir\":{}}},\"packages\":{{\n", Value::from(subdir))
}

/// The text after the last record, with the names of removed files.
pub fn after(removed: &[&str]) -> String {
    format!("\n}},\"removed\":{},\"repodata_version\":1}}\n", Value::from(removed.to_vec()))
}

/// Returns whether a file is in `packages.conda`, and not in `packages`.
pub fn is_conda(file_name: &str) -> bool {
    file_name.ends_with(".conda")
}

/// The record of a file: that of the package, with size and digests of the store.
pub fn record(facts: &CondaFacts, file: &IndexedFile<'_>) -> Map<String, Value> {
    let mut record = facts.record.clone();
    if let Some(md5) = file.md5 {
        record.insert("md5".to_owned(), Value::from(md5));
    }
    record.insert("sha256".to_owned(), Value::from(file.sha256));
    record.insert("size".to_owned(), Value::from(file.size_bytes));
    record
}

/// The entry of a file, on one line, without a line end.
pub fn entry(facts: &CondaFacts, file: &IndexedFile<'_>) -> String {
    format!("{}:{}", Value::from(file.name()), Value::Object(record(facts, file)))
}

/// The entries of a block.
pub fn block<'a>(files: impl IntoIterator<Item = (&'a CondaFacts, IndexedFile<'a>)>) -> String {
    let lines: Vec<String> = files.into_iter().map(|(facts, file)| entry(facts, &file)).collect();
    lines.join(BETWEEN)
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            inspect::tests::look,
            samples::{INDEX, conda},
        },
        *,
    };
    use crate::indexed::tests::file;

    #[test]
    fn repodata_is_json() {
        let facts = look(conda(&INDEX.replace("MIT", "a\\\"},\\n\\u2028"))).expect("valid");
        let old = block([(&facts, file("linux-64/a.tar.bz2"))]);
        let new = block([(&facts, file("linux-64/a.conda")), (&facts, file("linux-64/b.conda"))]);
        assert_eq!(new.lines().count(), 2);
        let text = [&before("linux-64"), &old, MIDDLE, &new, &after(&["c.conda"])].concat();
        let value: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(value["info"]["subdir"], "linux-64");
        assert_eq!(value["removed"][0], "c.conda");
        let record = &value["packages.conda"]["b.conda"];
        assert_eq!(
            (&record["sha256"], &record["md5"], &record["size"]),
            (&"9f86".into(), &"5d41".into(), &1412.into())
        );
        assert_eq!((&record["name"], &record["depends"][0]), (&"hello".into(), &"python >=3.9".into()));
        assert!(value["packages"]["a.tar.bz2"].is_object());
        let empty: Value = serde_json::from_str(&[&before("noarch"), MIDDLE, &after(&[])].concat()).expect("JSON");
        assert_eq!(empty["packages.conda"], Value::Object(Map::new()));
        assert!(is_conda("a.conda") && !is_conda("a.tar.bz2"));
    }
}
