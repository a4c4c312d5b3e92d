//! Responses to unknown URLs, and to methods that a URL does not accept.
//!
//! Credentials are checked even here: wrong ones are rejected everywhere, and every response to a caller with a daily
//! quota reports what is left of it.

use std::{collections::BTreeSet, sync::LazyLock};

use axum::{
    extract::{FromRequestParts, MatchedPath, Request, State},
    http::{HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Response},
};
use model::target::Target;
use web::{
    App,
    caller::RequestCaller,
    error::{Failure, Result},
};

use crate::endpoints::{Endpoint, endpoints};

/// The calls, without the parts that only their description needs.
static CALLS: LazyLock<Vec<(String, Method, &'static str)>> = LazyLock::new(|| {
    let call = |endpoint: Endpoint| (endpoint.route(), endpoint.method.clone(), endpoint.path);
    endpoints().into_iter().map(call).collect()
});

/// Answers a request for an unknown URL.
pub(crate) async fn nothing(State(app): State<App>, request: Request) -> Response {
    match look_at_caller(&app, request).await {
        Ok(_) => Failure::nothing().into_response(),
        Err(failure) => failure.into_response(),
    }
}

/// Answers a request with a method that its URL does not accept.
pub(crate) async fn wrong_method(State(app): State<App>, request: Request) -> Response {
    let allowed = allowed(&request);
    if let Err(failure) = look_at_caller(&app, request).await {
        return failure.into_response();
    }
    let failure = Failure::new(StatusCode::METHOD_NOT_ALLOWED, "This URL does not support this method");
    let mut response = failure.into_response();
    // All other URLs have one meaning each, and the router knows their methods.
    if let Some(allowed) = allowed {
        response.headers_mut().insert(header::ALLOW, allowed);
    }
    response
}

/// Checks the caller. The call is not charged, because it asks for no resource, even if its path names one.
async fn look_at_caller(app: &App, request: Request) -> Result<RequestCaller> {
    let (mut parts, _) = request.into_parts();
    parts.extensions.remove::<MatchedPath>();
    RequestCaller::from_request_parts(&mut parts, app).await
}

/// The methods of the calls that match the URL of a request. Several kinds of URLs may share one route.
fn allowed(request: &Request) -> Option<HeaderValue> {
    let (route, target) = (request.extensions().get::<MatchedPath>()?, request.extensions().get::<Target>()?);
    let here = CALLS.iter().filter(|(known, _, path)| known == route.as_str() && fits(path, target));
    let mut methods: BTreeSet<&str> = here.map(|(_, method, _)| method.as_str()).collect();
    if methods.contains("GET") {
        methods.insert("HEAD");
    }
    let methods: Vec<&str> = methods.into_iter().collect();
    HeaderValue::from_str(&methods.join(", ")).ok().filter(|methods| !methods.is_empty())
}

/// Whether a target matches the path of a call: the same number of segments, and equal fixed ones.
pub(crate) fn fits(path: &str, target: &Target) -> bool {
    let segments = target.segments.get(1..).unwrap_or_default();
    let mut parts = path.split('/').skip(1).collect::<Vec<_>>();
    let has_rest = parts.pop_if(|part| *part == "{file_path}").is_some();
    let is_same = |(part, segment): (&&str, &String)| part.starts_with('{') || *part == segment.as_str();
    let is_as_long = if has_rest { segments.len() > parts.len() } else { segments.len() == parts.len() };
    is_as_long && parts.iter().zip(segments).all(is_same)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_fits_by_its_fixed_parts_and_its_length() {
        let fits = |path: &str, target: &str| fits(path, &Target::parse(target, "").expect("well formed"));
        let publish = "/content/{subject}/{repo}/{package}/{version}/publish";
        assert!(fits(publish, "/api/content/a/b/c/d/publish"));
        assert!(!fits(publish, "/api/content/a/b/c/d/e"));
        assert!(!fits(publish, "/api/content/a/b/c/d/publish/x"));
        assert!(!fits(publish, "/api/content/a/b/publish"));
        let file = "/content/{subject}/{repo}/{file_path}";
        assert!(fits(file, "/api/content/a/b/c") && fits(file, "/api/content/a/b/c/d/publish"));
        assert!(!fits(file, "/api/content/a/b"));
    }
}
