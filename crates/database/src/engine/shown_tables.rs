//! The tables that public objects and lists are made from. A transaction that writes to one of them invalidates cached
//! objects, without a line in each function that writes: an object shows so many tables that one would be forgotten.

/// The tables whose rows objects and lists show, in the order of their names. Tables of rights and of
/// files are not among them: those who write them declare what they invalidate, and staged content invalidates nothing.
const TABLES: [&str; 18] = [
    "attribute_values",
    "attributes",
    "custom_license_uses",
    "custom_licenses",
    "followers",
    "links",
    "marks",
    "members",
    "package_documents",
    "package_followers",
    "packages",
    "ratings",
    "repos",
    "subjects",
    "tags",
    "version_builds",
    "version_release_notes",
    "versions",
];

/// Returns whether a statement writes to one of the tables. Rows that the engine deletes along with others follow from
/// a deletion in one of these tables.
pub(crate) fn are_written_by(sql: &str) -> bool {
    let starts = ["INSERT INTO ", "UPDATE ", "DELETE FROM "];
    let Some(rest) = starts.into_iter().find_map(|start| sql.strip_prefix(start)) else { return false };
    let rest = rest.trim_start();
    let end = rest.find(|part: char| !part.is_ascii_lowercase() && part != '_').unwrap_or(rest.len());
    TABLES.binary_search(&&rest[..end]).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::statement_source::Sources;

    #[test]
    fn writes_to_shown_tables_are_recognized() {
        assert!(TABLES.is_sorted());
        for sql in [
            "INSERT INTO versions (id) VALUES ($1)",
            "UPDATE packages SET updated = $2 WHERE id = $1",
            "DELETE FROM tags WHERE package_id = $1",
            "INSERT INTO attribute_values\n SELECT 1",
        ] {
            assert!(are_written_by(sql), "{sql}");
        }
        for sql in [
            "SELECT name FROM packages",
            "UPDATE packages_search SET a = 1",
            "INSERT INTO download_counts (a) VALUES (1)",
            "DELETE FROM sessions WHERE id = $1",
        ] {
            assert!(!are_written_by(sql), "{sql}");
        }
    }

    #[test]
    fn no_statement_writes_to_them_unnoticed() {
        let statements = Sources::read().statements();
        for table in TABLES {
            let begins = ["INSERT INTO", "UPDATE", "DELETE FROM"].map(|start| format!("{start} {table} "));
            let mut writes = statements.iter().filter(|found| begins.iter().any(|begin| found.sql.contains(begin)));
            assert!(writes.clone().next().is_some(), "nothing writes to {table}");
            let unnoticed = writes.find(|found| !are_written_by(&found.sql));
            assert!(unnoticed.is_none(), "{:?}", unnoticed.map(|found| (&found.file, &found.sql)));
        }
    }
}
