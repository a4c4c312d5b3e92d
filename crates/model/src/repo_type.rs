//! The types of repositories.

/// Every type that a repository can have. A repository whose type has no format in the server behaves like a generic
/// one; new ones get only types with a format.
pub const REPO_TYPES: [&str; 20] = [
    "generic", "maven", "debian", "rpm", "docker", "npm", "pypi", "cargo", "nuget", "helm", "conan", "vagrant", "opkg",
    "rubygems", "go", "alpine", "arch", "conda", "cran", "composer",
];

/// The type of a repository that was created without one.
pub const DEFAULT_REPO_TYPE: &str = "generic";

/// Returns the type with this name, or with this other name.
pub fn parse(text: &str) -> Option<&'static str> {
    let text = if text == "oci" { "docker" } else { text };
    REPO_TYPES.into_iter().find(|name| *name == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_is_found_by_its_name_and_images_by_another() {
        assert!(REPO_TYPES.into_iter().all(|name| parse(name) == Some(name)));
        assert_eq!((parse("oci"), parse("Maven"), parse("")), (Some("docker"), None, None));
        assert_eq!(parse(DEFAULT_REPO_TYPE), Some(REPO_TYPES[0]));
    }
}
