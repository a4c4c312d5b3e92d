//! The databases that list a file, and their paths.

use super::index::ArchDatabase;

/// The architecture of packages that run on every one.
pub const ANY: &str = "any";

/// The stream of an architecture's database: `x86_64/db`.
pub fn stream(architecture: &str, database: ArchDatabase) -> String {
    format!("{architecture}/{}", database.extension())
}

/// The architecture and the database of a stream.
pub fn parse_stream(name: &str) -> Option<(&str, ArchDatabase)> {
    let (architecture, extension) = name.split_once('/')?;
    let database = ArchDatabase::ALL.into_iter().find(|database| database.extension() == extension)?;
    Some((architecture, database))
}

/// Whether all packages of one stream are also in another: those for `any` are in all databases.
pub fn shares(stream: &str, with: &str) -> bool {
    let (Some((from, database)), Some((to, other))) = (parse_stream(stream), parse_stream(with)) else { return false };
    from == ANY && to != ANY && database == other
}

/// The paths of a database under both of its names.
pub fn database_paths(architecture: &str, name: &str, database: ArchDatabase) -> [String; 2] {
    let kind = database.extension();
    [format!("{architecture}/{name}.{kind}"), format!("{architecture}/{name}.{kind}.tar.gz")]
}

/// Whether a file name ends like that of a database or of its signature.
pub fn is_database(file_name: &str) -> bool {
    let name = file_name.strip_suffix(".sig").unwrap_or(file_name);
    let name = name.strip_suffix(".tar.gz").unwrap_or(name);
    name.ends_with(".db") || name.ends_with(".files")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_for_any_are_in_all_databases() {
        assert!(shares("any/db", "x86_64/db") && shares("any/files", "aarch64/files"));
        assert!(!shares("any/db", "x86_64/files") && !shares("any/db", "any/db") && !shares("x86_64/db", "any/db"));
        assert_eq!(parse_stream(&stream("x86_64", ArchDatabase::Files)), Some(("x86_64", ArchDatabase::Files)));
        let paths = database_paths("x86_64", "acme", ArchDatabase::Packages);
        assert_eq!(paths, ["x86_64/acme.db", "x86_64/acme.db.tar.gz"]);
        assert!(paths.iter().all(|path| is_database(path)) && is_database("a.files.sig") && !is_database("a.dbx"));
    }
}
