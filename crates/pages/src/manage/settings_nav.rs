//! The forms about one object, beside each other.

use model::address::{PackageAddress, RepoAddress, VersionAddress};
use operations::access::products::ProductAddress;

use crate::{address, band::Tab};

/// The forms about a repository.
pub(super) fn of_repo(at: &RepoAddress, current: &str) -> Vec<Tab> {
    let page = address::repo(at);
    let forms = [
        ("sliders", "General", "edit/repo"),
        ("globe", "Download rules", "restrictions"),
        ("trash", "Delete", "delete/repo"),
    ];
    tabs(&forms, &page, current)
}

/// The forms about a package.
pub(super) fn of_package(at: &PackageAddress, current: &str) -> Vec<Tab> {
    let forms = [
        ("sliders", "General", "edit/package"),
        ("book", "Readme", "edit/readme"),
        ("file", "Release notes", "edit/notes"),
        ("tag", "Attributes", "attributes/package"),
        ("out", "Links", "link"),
        ("download", "Download logs", "logs"),
        ("trash", "Delete", "delete/package"),
    ];
    tabs(&forms, &address::package(at), current)
}

/// The forms about a version.
pub(super) fn of_version(at: &VersionAddress, current: &str) -> Vec<Tab> {
    let forms = [
        ("sliders", "General", "edit/version"),
        ("book", "Release notes", "edit/notes"),
        ("tag", "Attributes", "attributes/version"),
        ("trash", "Delete", "delete/version"),
    ];
    tabs(&forms, &address::version(at), current)
}

/// The pages of a product.
pub(super) fn of_product(at: &ProductAddress, current: &str) -> Vec<Tab> {
    let page = address::path(["-", "products", at.owner.as_str(), at.product.as_str()]);
    let pages = [
        ("sliders", "General", ""),
        ("scales", "Terms", "/eulas"),
        ("check", "Acceptances", "/acceptances"),
        ("key", "Access", "/entitlements"),
    ];
    let tab = |(icon, name, rest): (&'static str, &'static str, &str)| Tab {
        is_current: name == current,
        ..Tab::new(icon, name, format!("{page}{rest}"))
    };
    pages.into_iter().map(tab).collect()
}

fn tabs(forms: &[(&'static str, &'static str, &str)], page: &str, current: &str) -> Vec<Tab> {
    let tab = |&(icon, name, way): &(&'static str, &'static str, &str)| Tab {
        is_current: name == current,
        ..Tab::new(icon, name, format!("/-/{way}{page}"))
    };
    forms.iter().map(tab).collect()
}
