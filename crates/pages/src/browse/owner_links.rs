//! Links to the management pages of an object, for visitors with the right to use them.

use model::{
    access::Right,
    address::{PackageAddress, RepoAddress},
};

use crate::address;

/// Pages about a repository, for visitors with this right in it.
pub(crate) fn of_repo(at: &RepoAddress, right: Right) -> Vec<(&'static str, String)> {
    links(&address::repo(at), right, &[("Webhooks", "webhooks"), ("Entitlements", "entitlements"), ("Usage", "usage")])
}

/// Pages about a package, for visitors with this right in it.
pub(crate) fn of_package(at: &PackageAddress, right: Right) -> Vec<(&'static str, String)> {
    links(&address::package(at), right, &[("Webhooks", "webhooks"), ("Entitlements", "entitlements")])
}

/// The links for this right: publishers manage webhooks; the rest is for owners.
fn links(page: &str, right: Right, pages: &[(&'static str, &str)]) -> Vec<(&'static str, String)> {
    let needed = |name: &str| if name == "webhooks" { Right::Publish } else { Right::Own };
    let allowed = pages.iter().filter(|(_, name)| right >= needed(name));
    allowed.map(|(title, name)| (*title, format!("/-/{name}{page}"))).collect()
}
