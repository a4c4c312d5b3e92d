//! The architectures whose databases list a file.

/// The path of a package's file: `x86_64/hello-1.0-1-x86_64.pkg.tar.zst`.
pub fn path(architecture: &str, file_name: &str) -> String {
    format!("{architecture}/{file_name}")
}

/// The architectures whose databases list a package. One for `any` is in those of all known architectures, and in its
/// own if no other is known.
pub fn architectures(package: &str, known: &[String]) -> Vec<String> {
    let others: Vec<String> = known.iter().filter(|name| *name != "any").cloned().collect();
    if package == "any" && !others.is_empty() { others } else { vec![package.to_owned()] }
}

/// The paths of a database under both of its names.
pub fn database_paths(architecture: &str, name: &str, kind: &str) -> [String; 2] {
    [format!("{architecture}/{name}.{kind}"), format!("{architecture}/{name}.{kind}.tar.gz")]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_for_any_are_in_all_databases() {
        let known = ["x86_64".to_owned(), "any".to_owned(), "aarch64".to_owned()];
        assert_eq!(architectures("any", &known), ["x86_64", "aarch64"]);
        assert_eq!(architectures("any", &[]), ["any"]);
        assert_eq!(architectures("x86_64", &known), ["x86_64"]);
        assert_eq!(path("any", "a"), "any/a");
        assert_eq!(database_paths("x86_64", "acme", "db"), ["x86_64/acme.db", "x86_64/acme.db.tar.gz"]);
    }
}
