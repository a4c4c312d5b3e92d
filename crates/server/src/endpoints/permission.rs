//! Who may make a call, in one line for its description. The operations decide; this says what they decide.

use axum::http::Method;

/// Open calls need no credentials.
pub(super) const EVERYONE: &str = "Everyone.";
/// Calls that read a repository need credentials for a private one only.
pub(super) const READERS: &str = "Callers who may read the repository; everyone if it is public.";
const LISTED: &str = "Everyone; private repositories are listed to callers who may read them.";
const NUMBERS: &str = "Publishers of the repository; everyone if the package has `public_download_numbers`.";
const SIGNED_IN: &str = "Any signed-in user.";
const SIGNED_IN_READERS: &str = "Any signed-in user who may read the repository.";
const PUBLISHERS: &str = "Publishers of the repository.";
const REPO_OWNERS: &str = "Owners of the repository: callers who may create it.";
const THE_USER: &str = "The user and site administrators.";
const USER_ALONE: &str = "The user.";
const ORG_ADMINS: &str = "Owners and admins of the organization, and site administrators.";
const ORG_OWNERS: &str = "Owners of the organization, and site administrators.";
const ORG_OWNERS_ALONE: &str = "Owners of the organization.";
const MANAGERS: &str =
    "Managers of the owner: the user, owners and admins of the organization, and site administrators.";
const SITE: &str = "Site administrators.";
const REGISTRATION: &str = "Site administrators; everyone if `open_registration` is on.";
const KEY_HOLDERS: &str = "Holders of an access key that may read a package of the product.";
const ENTITLED: &str = "Managers of what the entitlement belongs to.";

/// Returns the line for a call.
pub(super) fn of(method: &Method, path: &str) -> &'static str {
    let parts: Vec<&str> = path.split('/').skip(1).collect();
    let (is_get, is_post) = (*method == Method::GET, *method == Method::POST);
    let is_delete = *method == Method::DELETE;
    match parts[..] {
        _ if parts.contains(&"entitlements") => ENTITLED,
        ["search", "attributes", ..] => READERS,
        ["repos", "{subject}"] | ["search", "packages" | "file"] => LISTED,
        ["search", ..] => SIGNED_IN,
        ["licenses", "oss_licenses"] | ["keys", "gpg", "public.key"] => EVERYONE,
        ["users" | "orgs", _, "keys", "gpg", "public.key"] => EVERYONE,
        ["users" | "orgs", _, "keyring", _] => READERS,
        ["users" | "orgs", _, "keyring" | "keyring.gpg"] | ["oidc", "token"] | ["device_codes", ..] => EVERYONE,
        ["users", _, "suspension" | "password" | "second_factor"] | ["subjects"] => SITE,
        ["users"] if is_post => REGISTRATION,
        ["orgs"] | ["token"] | ["users", _, "follow"] => SIGNED_IN,
        ["users" | "orgs", _] | ["users" | "orgs", _, "licenses" | "followers"] if is_get => SIGNED_IN,
        ["users", _, "tokens" | "trusted_publishers", ..] if !is_get && !is_delete => USER_ALONE,
        ["users", ..] => THE_USER,
        ["orgs", _, "tokens" | "trusted_publishers", ..] if !is_get && !is_delete => ORG_OWNERS_ALONE,
        ["orgs", _, "tokens" | "trusted_publishers", ..] => ORG_OWNERS,
        ["orgs", _] if is_delete => ORG_OWNERS,
        ["orgs", ..] => ORG_ADMINS,
        ["packages", .., "follow" | "rating"] => SIGNED_IN_READERS,
        ["packages", .., "logs"] | ["packages", .., "logs", _] => PUBLISHERS,
        ["packages", .., "stats", _] => NUMBERS,
        ["packages", ..] if is_get => READERS,
        ["packages", ..] => PUBLISHERS,
        ["repos", _, _] | ["repos", _, _, "packages"] if is_get => READERS,
        ["repos", _, _, "quota"] if !is_get => SITE,
        ["repos" | "repository", ..] => REPO_OWNERS,
        ["content" | "maven" | "file_package" | "file_version" | "file_eula", ..] if is_get => READERS,
        ["products", .., "accept"] => KEY_HOLDERS,
        ["products", ..] | ["stream", ..] | ["usage", ..] | ["usage_threshold", ..] => MANAGERS,
        ["subjects", _, "keypair"] => MANAGERS,
        ["subjects", _, "quota"] if is_get => MANAGERS,
        ["subjects", ..] | ["audit"] => SITE,
        ["content" | "maven" | "calc_metadata" | "file_metadata" | "signed_url" | "webhooks" | "gpg", ..]
        | ["maven_public_sync", ..] => PUBLISHERS,
        _ => SIGNED_IN,
    }
}

/// Whether a call works without credentials.
pub(super) fn is_public(permission: &str) -> bool {
    [EVERYONE, READERS, LISTED, NUMBERS, REGISTRATION].contains(&permission)
}
