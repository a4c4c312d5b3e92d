//! Addresses as users write them: `owner/repo/package/version`.

use std::{fmt, str::FromStr};

/// A repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepoAddress {
    pub(crate) owner: String,
    pub(crate) repo: String,
}

/// A package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageAddress {
    pub(crate) repo: RepoAddress,
    pub(crate) package: String,
}

/// A version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionAddress {
    pub(crate) package: PackageAddress,
    pub(crate) version: String,
}

/// An address at any level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    Owner(String),
    Repo(RepoAddress),
    Package(PackageAddress),
    Version(VersionAddress),
}

impl RepoAddress {
    /// `owner/repo` as part of a URL path.
    pub(crate) fn path(&self) -> String {
        format!("{}/{}", encode(&self.owner), encode(&self.repo))
    }

    /// The file's part of a URL path, with its repository.
    pub(crate) fn file(&self, file_path: &str) -> String {
        format!("{}/{}", self.path(), encode_path(file_path))
    }
}

impl PackageAddress {
    /// `owner/repo/package` as part of a URL path.
    pub(crate) fn path(&self) -> String {
        format!("{}/{}", self.repo.path(), encode(&self.package))
    }

    /// The address of one of its versions.
    pub(crate) fn version(&self, version: &str) -> VersionAddress {
        VersionAddress { package: self.clone(), version: version.to_owned() }
    }
}

impl VersionAddress {
    /// `owner/repo/package/versions/version` as part of a URL path.
    pub(crate) fn path(&self) -> String {
        format!("{}/versions/{}", self.package.path(), encode(&self.version))
    }

    /// `owner/repo/package/version` as part of a URL path, for uploads.
    pub(crate) fn content_path(&self) -> String {
        format!("{}/{}", self.package.path(), encode(&self.version))
    }
}

impl fmt::Display for RepoAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.owner, self.repo)
    }
}

impl fmt::Display for PackageAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.repo, self.package)
    }
}

impl fmt::Display for VersionAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.package, self.version)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Owner(owner) => f.write_str(owner),
            Self::Repo(repo) => repo.fmt(f),
            Self::Package(package) => package.fmt(f),
            Self::Version(version) => version.fmt(f),
        }
    }
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts: Vec<&str> = text.split('/').collect();
        if parts.iter().any(|part| part.is_empty()) {
            return Err("a name is missing; addresses look like owner/repo/package/version".to_owned());
        }
        let repo = |owner: &str, repo: &str| RepoAddress { owner: owner.to_owned(), repo: repo.to_owned() };
        let package = |at: RepoAddress, name: &str| PackageAddress { repo: at, package: name.to_owned() };
        match parts[..] {
            [owner] => Ok(Self::Owner(owner.to_owned())),
            [owner, name] => Ok(Self::Repo(repo(owner, name))),
            [owner, name, of] => Ok(Self::Package(package(repo(owner, name), of))),
            [owner, name, of, version] => Ok(Self::Version(package(repo(owner, name), of).version(version))),
            _ => Err("the address has too many names; addresses look like owner/repo/package/version".to_owned()),
        }
    }
}

impl FromStr for RepoAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse()? {
            Address::Repo(repo) => Ok(repo),
            _ => Err("a repository is written as owner/repo".to_owned()),
        }
    }
}

impl FromStr for PackageAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse()? {
            Address::Package(package) => Ok(package),
            _ => Err("a package is written as owner/repo/package".to_owned()),
        }
    }
}

impl FromStr for VersionAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse()? {
            Address::Version(version) => Ok(version),
            _ => Err("a version is written as owner/repo/package/version".to_owned()),
        }
    }
}

/// Encodes a name as one segment of a path, or as a query value.
pub(crate) fn encode(name: &str) -> String {
    escaped(name, b"-._~")
}

/// Encodes a path in a repository; its slashes stay.
pub(crate) fn encode_path(path: &str) -> String {
    escaped(path, b"-._~/")
}

/// Escapes semicolons, too: the server treats a bare one as the start of a parameter.
fn escaped(text: &str, unescaped: &[u8]) -> String {
    let escape = |byte: u8| match byte {
        byte if byte.is_ascii_alphanumeric() || unescaped.contains(&byte) => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    text.bytes().map(escape).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_says_how_deep_it_goes() {
        let version: VersionAddress = "ada/tools/my cat/1.0+1".parse().expect("an address");
        assert_eq!(version.path(), "ada/tools/my%20cat/versions/1.0%2B1");
        assert_eq!(version.to_string(), "ada/tools/my cat/1.0+1");
        assert_eq!("ada".parse(), Ok(Address::Owner("ada".into())));
        for (text, reason) in [
            ("ada//x", "a name is missing"),
            ("", "a name is missing"),
            ("a/b/c/d/e", "the address has too many names"),
            ("ada/tools", "a version is written"),
        ] {
            assert!(text.parse::<VersionAddress>().is_err_and(|error| error.starts_with(reason)), "{text}");
        }
    }

    #[test]
    fn a_file_keeps_its_slashes_and_loses_its_semicolons() {
        let repo: RepoAddress = "ada/tools".parse().expect("an address");
        assert_eq!(repo.file("a b/c;d.txt"), "ada/tools/a%20b/c%3Bd.txt");
    }
}
