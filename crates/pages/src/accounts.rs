//! Pages for managing accounts: sessions, the own account, organizations with members and teams, tokens, access keys and
//! their entitlements, and the signing key.

mod access_key;
mod access_keys;
mod account;
mod device;
mod email;
mod entitlements;
pub(crate) mod gpg_key;
mod gpg_keys;
mod invitations;
mod key_fields;
mod members;
mod org;
pub(crate) mod own_account;
mod profile;
mod security;
pub(crate) mod sign_in;
mod sign_in_code;
pub(crate) mod sso;
mod team;
mod team_repos;
mod teams;
mod tokens;
mod trusted_publishers;

use axum::Router;
use web::{
    App,
    boxed::{form, get, post},
};

pub(crate) use profile::email;

/// The scopes of entitlements.
const SCOPES: [&str; 4] = [
    "/-/entitlements/{subject}/{repo}",
    "/-/entitlements/{subject}/{repo}/{package}",
    "/-/entitlements/{subject}/{repo}/{package}/{version}",
    "/-/products/{subject}/{product}/entitlements",
];

/// The routes of these pages.
pub(crate) fn routes() -> Router<App> {
    let own = Router::new()
        .route("/login", form(sign_in::show, sign_in::open))
        .route("/login/code", post(sign_in_code::open))
        .route("/login/sso", get(sso::begin))
        .route("/login/sso/callback", get(sso::finish))
        .route("/logout", post(sign_in::close))
        .route("/-/device", form(device::show, device::confirm))
        .route("/-/device/decide", post(device::decide))
        .route("/account/sso", post(sso::link))
        .route("/account/sso/remove", post(sso::unlink))
        .route("/account", get(own_account::show))
        .route("/account/api_key", post(own_account::rotate_key))
        .route("/account/password", post(own_account::change_password))
        .route("/account/password/remove", post(own_account::remove_password))
        .route("/account/email", form(email::show, email::verify))
        .route("/account/email/send", post(email::request))
        .route("/account/security", get(security::show))
        .route("/account/second_factor", post(security::begin))
        .route("/account/second_factor/confirm", post(security::confirm))
        .route("/account/second_factor/codes", post(security::renew_codes))
        .route("/account/second_factor/disable", post(security::disable))
        .route("/account/sessions/end", post(security::end_session))
        .route("/account/sessions/end_all", post(security::end_sessions));
    let orgs = own
        .route("/account/profile", post(profile::edit))
        .route("/account/orgs", post(org::create))
        .route("/-/orgs/{org}", form(org::show, org::edit))
        .route("/-/orgs/{org}/second_factor", post(org::require_second_factor))
        .route("/-/orgs/{org}/single_sign_on", post(org::require_single_sign_on))
        .route("/-/orgs/{org}/delete", post(org::delete))
        .route("/-/orgs/{org}/members", post(members::set))
        .route("/-/orgs/{org}/members/remove", post(members::remove))
        .route("/-/orgs/{org}/invitations", post(invitations::create))
        .route("/-/orgs/{org}/invitations/{invitation}/revoke", post(invitations::revoke))
        .route("/-/invitation", form(invitations::show, invitations::accept))
        .route("/-/orgs/{org}/teams", post(teams::create))
        .route("/-/orgs/{org}/teams/{team}", form(team::show, team::edit))
        .route("/-/orgs/{org}/teams/{team}/delete", post(team::delete))
        .route("/-/orgs/{org}/teams/{team}/repos", post(team_repos::permit))
        .route("/-/orgs/{org}/teams/{team}/repos/remove", post(team_repos::forbid));
    let accounts = ["/-/users/{user}", "/-/orgs/{org}"].into_iter().fold(orgs, of_account);
    let scope = |router: Router<App>, scope| router.route(scope, form(entitlements::show, entitlements::change));
    SCOPES.into_iter().fold(accounts, scope)
}

/// Adds the routes that users and organizations share.
fn of_account(router: Router<App>, account: &str) -> Router<App> {
    let at = |page: &str| format!("{account}/{page}");
    router
        .route(&at("gpg_key"), form(gpg_keys::show, gpg_keys::store))
        .route(&at("gpg_key/generate"), post(gpg_keys::generate))
        .route(&at("gpg_key/delete"), post(gpg_keys::delete))
        .route(&at("tokens"), form(tokens::show, tokens::create))
        .route(&at("tokens/{token}/rotate"), post(tokens::rotate))
        .route(&at("tokens/{token}/revoke"), post(tokens::revoke))
        .route(&at("trusted_publishers"), form(trusted_publishers::show, trusted_publishers::create))
        .route(&at("trusted_publishers/{publisher}/delete"), post(trusted_publishers::delete))
        .route(&at("access_keys"), form(access_keys::show, access_keys::create))
        .route(&at("access_keys/{access_key}"), form(access_key::show, access_key::edit))
        .route(&at("access_keys/{access_key}/password"), post(access_key::renew_password))
        .route(&at("access_keys/{access_key}/delete"), post(access_key::delete))
}
