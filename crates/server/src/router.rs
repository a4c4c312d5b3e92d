//! All calls, section by section in the order of the contract; each submodule lists the calls of its sections.

mod access;
mod access_keys;
mod accounts;
mod attributes;
mod catalogue;
mod content;
mod download_logs;
mod products;
mod restrictions;
mod signed_urls;
mod signing;
mod staging;
mod statistics;
mod stream;
mod usage;
mod webhooks;

use axum::{
    Router,
    extract::{Request, State},
    response::Response,
};
use model::target::Target;
use tower::ServiceExt;
use web::{App, boxed::get};

use crate::{
    ServerState, docs, download,
    endpoints::{Endpoint, Endpoints},
    health,
    wrong_method::{nothing, wrong_method},
};

/// The calls of the API, as data.
pub fn endpoints() -> Vec<Endpoint> {
    api().list
}

fn api() -> Endpoints {
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
        .section("Public staging sync", staging::staging)
        .section("Signing", signing::signing)
        .section("Users", accounts::users)
        .section("Organizations", accounts::organizations)
        .section("Followers and ratings", accounts::followers_and_ratings)
        .section("Licenses", accounts::licenses)
        .section("Signing keys", signing::signing_keys)
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
}

/// The router behind the edge. It sees canonical paths only. Paths of no other surface may be pages.
pub(crate) fn router(state: ServerState) -> Router {
    let pages = pages::router(state.app().clone());
    api()
        .router
        .route("/api/openapi.json", get(docs::openapi))
        .route("/api/docs", get(docs::page))
        .route("/dl", get(download::download))
        .route("/dl/{*path}", get(download::download))
        .route("/assets/{asset}", get(pages::asset))
        .route("/livez", get(health::livez))
        .route("/readyz", get(health::readyz))
        .route("/metrics", get(health::metrics))
        .method_not_allowed_fallback(wrong_method)
        .fallback(move |State(app): State<App>, request: Request| page(pages.clone(), app, request))
        .with_state(state)
}

async fn page(pages: Router, app: App, request: Request) -> Response {
    if request.extensions().get::<Target>().is_some_and(pages::is_page) {
        pages.oneshot(request).await.unwrap_or_else(|never| match never {})
    } else {
        nothing(State(app), request).await
    }
}
