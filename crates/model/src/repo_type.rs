//! What kind of packages a repository holds.

/// Every type that a repository may have. One whose index the server does not build behaves as generic.
pub const REPO_TYPES: [&str; 13] = [
    "generic", "maven", "debian", "rpm", "docker", "npm", "pypi", "cargo", "nuget", "helm", "conan", "vagrant", "opkg",
];

/// The type of a repository that names none.
pub const DEFAULT_REPO_TYPE: &str = "generic";

/// The type of this name.
pub fn parse(text: &str) -> Option<&'static str> {
    REPO_TYPES.into_iter().find(|name| *name == text)
}
