//! The URLs of the measured pages.

use super::PACKAGES;
use crate::catalogue::REPO;
use crate::catalogue::packages::{CREATED_MS, FIRST_KEY, name, word};
use crate::owner::OWNER;

/// A name for the table, and how to create the URL from a number.
type Page = (&'static str, fn(u64) -> String);

/// The pages of the owner of the repository.
pub(super) const OWNER_PAGES: &[Page] = &[
    ("home", |_| "/".into()),
    ("search", |number| format!("/search?q={}", name(number % PACKAGES))),
    ("search with filters", |number| format!("/search?q={}&format=generic", name(number % PACKAGES))),
    ("search for a frequent word", |number| format!("/search?q={}", word(number))),
    ("suggestions", |number| format!("/-/suggest?q={}", name(number % PACKAGES))),
    ("newest releases", |_| "/-/explore".into()),
    ("newest releases of a format", |_| "/-/explore?format=generic".into()),
    ("newest releases with a label", |number| format!("/-/explore?label={}", word(number))),
    ("most downloaded", |_| "/-/explore?sort=downloads".into()),
    ("feed of the site", |_| "/-/explore.atom".into()),
    ("feed of a subject", |_| format!("/-/feed/{OWNER}")),
    ("feed of a repository", |_| format!("/-/feed/{OWNER}/{REPO}")),
    ("feed of a package", |_| format!("/-/feed/{OWNER}/{REPO}/guide")),
    ("a badge", |number| format!("/-/badge/{OWNER}/{REPO}/{}/version.svg", name(number % PACKAGES))),
    ("a user", |_| format!("/{OWNER}")),
    ("a repository", |_| format!("/{OWNER}/{REPO}")),
    ("a page in the middle of its list", |number| list("start_pos", number % PACKAGES)),
    ("its packages by their last change", |number| list("sort=updated&after", position(number))),
    ("its packages by licence", |number| list("sort=licence&after", format!("{}.~", id(number)))),
    ("its packages by downloads", |_| format!("/{OWNER}/{REPO}?sort=downloads")),
    ("packages without downloads", |number| list("sort=downloads&after", format!("name.{}", name(number % PACKAGES)))),
    ("its packages with a prefix by their last change", |number| {
        list("sort=updated&start_name", &name(number % PACKAGES)[..1])
    }),
    ("a package", |number| format!("/{OWNER}/{REPO}/{}", name(number % PACKAGES))),
    ("a package with a readme of 8 KiB", |_| format!("/{OWNER}/{REPO}/guide")),
    ("all versions of a package", |_| format!("/{OWNER}/{REPO}/guide?tab=versions")),
    ("files of a package", |_| format!("/{OWNER}/{REPO}/guide?tab=files")),
    ("a version with 20 files", |_| format!("/{OWNER}/{REPO}/guide/1.0")),
    ("a draft", |_| format!("/{OWNER}/{REPO}/guide/2.0")),
    ("a folder with 20 files", |_| format!("/-/files/{OWNER}/{REPO}/guide")),
    ("lines for a client", |_| format!("/-/setup/{OWNER}/{REPO}")),
    ("new repository", |_| format!("/-/new/repo/{OWNER}")),
    ("new package", |_| format!("/-/new/package/{OWNER}/{REPO}")),
    ("settings of a repository", |_| format!("/-/edit/repo/{OWNER}/{REPO}")),
    ("settings of a package", |_| format!("/-/edit/package/{OWNER}/{REPO}/guide")),
    ("editing a readme", |_| format!("/-/edit/readme/{OWNER}/{REPO}/guide")),
    ("attributes", |number| format!("/-/attributes/package/{OWNER}/{REPO}/{}", name(number % PACKAGES))),
    ("deleting a package", |_| format!("/-/delete/package/{OWNER}/{REPO}/guide")),
    ("download rules", |_| format!("/-/restrictions/{OWNER}/{REPO}")),
    ("webhooks of a repository", |_| format!("/-/webhooks/{OWNER}/{REPO}")),
    ("webhooks of a package", |_| format!("/-/webhooks/{OWNER}/{REPO}/guide")),
    ("download statistics", |_| format!("/-/numbers/{OWNER}/{REPO}/guide")),
    ("download logs", |_| format!("/-/logs/{OWNER}/{REPO}/guide")),
    ("usage of a subject", |_| format!("/-/usage/{OWNER}")),
    ("usage of a repository", |_| format!("/-/usage/{OWNER}/{REPO}")),
    ("entitlements", |_| format!("/-/entitlements/{OWNER}/{REPO}")),
    ("products", |_| format!("/-/products/{OWNER}")),
    ("EULAs", |_| format!("/-/products/{OWNER}/suite/eulas")),
    ("acceptances", |_| format!("/-/products/{OWNER}/suite/acceptances")),
    ("custom licences", |_| format!("/-/users/{OWNER}/licenses")),
    ("access keys", |_| format!("/-/users/{OWNER}/access_keys")),
    ("an access key", |_| format!("/-/users/{OWNER}/access_keys/guest")),
    ("tokens", |_| format!("/-/users/{OWNER}/tokens")),
    ("signing key", |_| format!("/-/users/{OWNER}/gpg_key")),
    ("own account", |_| "/account".into()),
    ("security of the account", |_| "/account/security".into()),
    ("an organization", |_| "/-/orgs/acme".into()),
    ("a team", |_| "/-/orgs/acme/teams/devs".into()),
    ("sign-in", |_| "/login".into()),
];

/// The pages of a customer, who has an access key.
pub(super) const CUSTOMER_PAGES: &[Page] = &[
    ("customer: what the key opens", |_| "/-/key".into()),
    ("customer: a package", |_| format!("/{OWNER}/{REPO}/guide")),
    ("customer: terms to accept", |_| format!("/eula/{OWNER}/suite/1.0")),
];

/// The pages of the administrator of the site.
pub(super) const ADMIN_PAGES: &[Page] = &[
    ("administration", |_| "/-/admin".into()),
    ("administration: users", |_| "/-/admin/users".into()),
    ("administration: a user", |_| format!("/-/admin/users/{OWNER}")),
    ("administration: audit log", |_| "/-/admin/audit".into()),
    ("administration: settings", |_| "/-/admin/settings".into()),
];

/// The URL of a list with a parameter.
fn list(parameter: &str, value: impl std::fmt::Display) -> String {
    format!("/{OWNER}/{REPO}?{parameter}={value}")
}

/// The position of a package in the list by the last change.
fn position(number: u64) -> String {
    format!("{CREATED_MS}.{}", id(number))
}

/// The id of a package.
fn id(number: u64) -> u64 {
    FIRST_KEY + number % PACKAGES
}
