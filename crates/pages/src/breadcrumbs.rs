//! Breadcrumbs: the names above an object, each with its URL.

use model::{
    address::{PackageAddress, RepoAddress, VersionAddress},
    names::SubjectName,
};

use crate::address;

/// A name with its URL.
pub(crate) type Breadcrumb = (String, String);

/// Breadcrumbs of a subject.
pub(crate) fn of_subject(name: &SubjectName) -> Vec<Breadcrumb> {
    vec![(name.to_string(), address::path([name.as_str()]))]
}

/// Breadcrumbs down to a repository.
pub(crate) fn of_repo(at: &RepoAddress) -> Vec<Breadcrumb> {
    let mut breadcrumbs = of_subject(&at.owner);
    breadcrumbs.push((at.repo.to_string(), address::repo(at)));
    breadcrumbs
}

/// Breadcrumbs down to a package.
pub(crate) fn of_package(at: &PackageAddress) -> Vec<Breadcrumb> {
    let mut breadcrumbs = of_repo(&at.repo);
    breadcrumbs.push((at.package.to_string(), address::package(at)));
    breadcrumbs
}

/// Breadcrumbs down to a version.
pub(crate) fn of_version(at: &VersionAddress) -> Vec<Breadcrumb> {
    let mut breadcrumbs = of_package(&at.package);
    breadcrumbs.push((at.version.to_string(), address::version(at)));
    breadcrumbs
}
