//! The types of repositories.

/// Every type that a repository can have. Types for which the server builds no index behave like generic ones.
pub const REPO_TYPES: [&str; 13] = [
    "generic", "maven", "debian", "rpm", "docker", "npm", "pypi", "cargo", "nuget", "helm", "conan", "vagrant", "opkg",
];

/// The type of a repository that was created without one.
pub const DEFAULT_REPO_TYPE: &str = "generic";

/// Returns the type with this name; `oci` is another name of `docker`.
pub fn parse(text: &str) -> Option<&'static str> {
    let text = if text == "oci" { "docker" } else { text };
    REPO_TYPES.into_iter().find(|name| *name == text)
}
