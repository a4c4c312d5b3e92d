//! The router behind the edge: the calls, their description, downloads, assets, health, and the pages.

use axum::{
    Router,
    extract::{Request, State},
    response::Response,
    routing::{MethodFilter, MethodRouter},
};
use model::target::Target;
use tower::ServiceExt;
use web::{
    App,
    boxed::{Handler, any, get},
};

use crate::{
    ServerState, accounts, docs, downloads,
    endpoints::{api, nothing, wrong_method},
    health, native, oci,
};

/// Builds the router. It sees canonical paths only. Paths of no other surface may be pages.
pub(crate) fn router(state: ServerState) -> Router {
    let pages = pages::router(state.app().clone());
    api()
        .router
        .route("/api", get(docs::to_page))
        .route("/api/openapi.json", get(docs::openapi))
        .route("/api/docs", get(docs::page))
        .route("/dl", get(downloads::download))
        .route("/dl/{*path}", any(native::handle))
        .route("/v2", registry())
        .route("/v2/{*path}", registry())
        .route("/_/oidc/audience", get(accounts::show_audience))
        .route("/_/oidc/mint-token", accounts::mint_for_pypi.on(MethodFilter::POST))
        .route("/assets/{asset}", get(pages::asset))
        .route("/livez", get(health::livez))
        .route("/readyz", get(health::readyz))
        .route("/metrics", get(health::metrics))
        .method_not_allowed_fallback(wrong_method)
        .fallback(move |State(app): State<App>, request: Request| page(pages.clone(), app, request))
        .with_state(state)
}

/// The registry decides itself what a method means at a path.
fn registry() -> MethodRouter<ServerState> {
    let methods = [MethodFilter::POST, MethodFilter::PUT, MethodFilter::PATCH, MethodFilter::DELETE];
    oci::registry.on(methods.into_iter().fold(MethodFilter::GET, MethodFilter::or))
}

async fn page(pages: Router, app: App, request: Request) -> Response {
    if request.extensions().get::<Target>().is_some_and(pages::is_page) {
        pages.oneshot(request).await.unwrap_or_else(|never| match never {})
    } else {
        nothing(State(app), request).await
    }
}
