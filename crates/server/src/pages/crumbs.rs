//! The names above something, each with its address.

use model::{
    address::{PackageAddress, RepoAddress, VersionAddress},
    names::SubjectName,
};

use super::address;

/// A name with its address.
pub(super) type Crumb = (String, String);

/// Of a subject.
pub(super) fn of_subject(name: &SubjectName) -> Vec<Crumb> {
    vec![(name.to_string(), address::path([name.as_str()]))]
}

/// Down to a repository.
pub(super) fn of_repo(at: &RepoAddress) -> Vec<Crumb> {
    let mut crumbs = of_subject(&at.owner);
    crumbs.push((at.repo.to_string(), address::repo(at)));
    crumbs
}

/// Down to a package.
pub(super) fn of_package(at: &PackageAddress) -> Vec<Crumb> {
    let mut crumbs = of_repo(&at.repo);
    crumbs.push((at.package.to_string(), address::package(at)));
    crumbs
}

/// Down to a version.
pub(super) fn of_version(at: &VersionAddress) -> Vec<Crumb> {
    let mut crumbs = of_package(&at.package);
    crumbs.push((at.version.to_string(), address::version(at)));
    crumbs
}
