//! Coordinates of a repository, a package or a version.

use std::fmt;

use crate::names::{PackageName, RepoName, SubjectName, VersionName};

/// `owner/repo`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RepoAddress {
    /// The subject that owns it.
    pub owner: SubjectName,
    /// Its name.
    pub repo: RepoName,
}

/// `owner/repo/package`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PackageAddress {
    /// The repository it is in.
    pub repo: RepoAddress,
    /// Its name.
    pub package: PackageName,
}

/// `owner/repo/package/version`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct VersionAddress {
    /// The package it belongs to.
    pub package: PackageAddress,
    /// Its name.
    pub version: VersionName,
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
