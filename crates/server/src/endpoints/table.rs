//! All calls, section by section in the order of the contract; the modules beside this one list the calls of their
//! sections.

use super::{
    Endpoint, Endpoints, access, access_keys, accounts, attributes, catalogue, content, download_logs, products,
    public_sync, restrictions, sign_in, signed_urls, signing, statistics, stream, tokens, trusted_publishers, usage,
    webhooks,
};

/// The calls of the API, as data.
pub fn endpoints() -> Vec<Endpoint> {
    api().list
}

/// The calls with their router, section by section.
pub(crate) fn api() -> Endpoints {
    Endpoints::new()
        .section("Repositories", catalogue::repositories)
        .section("Packages", catalogue::packages)
        .section("Versions", catalogue::versions)
        .section("Attributes", attributes::attributes)
        .section("Readme and release notes", catalogue::documents)
        .section("Upload and publish", content::uploads)
        .section("Files", content::files)
        .section("Signed URLs", signed_urls::signed_urls)
        .section("Webhooks", webhooks::webhooks)
        .section("Public staging sync", public_sync::public_sync)
        .section("Signing", signing::signing)
        .section("Users", accounts::users)
        .section("Organizations", accounts::organizations)
        .section("Followers and ratings", accounts::followers_and_ratings)
        .section("Licenses", accounts::licenses)
        .section("Signing keys", signing::signing_keys)
        .section("Tokens", tokens::tokens)
        .section("Sessions", sign_in::sessions)
        .section("Trusted publishers", trusted_publishers::trusted_publishers)
        .section("Access keys", access_keys::access_keys)
        .section("Teams and permissions", access::teams)
        .section("Entitlements", access::entitlements)
        .section("Restrictions", restrictions::restrictions)
        .section("Products", products::products)
        .section("EULAs", products::eulas)
        .section("Logs", download_logs::download_logs)
        .section("Statistics", statistics::statistics)
        .section("Event stream", stream::stream)
        .section("Usage", usage::usage)
        .section("Usage thresholds", usage::thresholds)
        .section("Administration", accounts::administration)
        .section("Administration of users", sign_in::administration)
}
