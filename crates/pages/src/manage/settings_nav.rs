//! The forms about one object, beside each other.

use model::address::{PackageAddress, RepoAddress, VersionAddress};

use crate::{address, band::Tab};

/// The forms about a repository.
pub(super) fn of_repo(at: &RepoAddress, current: &str) -> Vec<Tab> {
    let page = address::repo(at);
    let forms = [("sliders", "General", "edit/repo"), ("trash", "Delete", "delete/repo")];
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

fn tabs(forms: &[(&'static str, &'static str, &str)], page: &str, current: &str) -> Vec<Tab> {
    let tab = |&(icon, name, way): &(&'static str, &'static str, &str)| Tab {
        is_current: name == current,
        ..Tab::new(icon, name, format!("/-/{way}{page}"))
    };
    forms.iter().map(tab).collect()
}
