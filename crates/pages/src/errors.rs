//! Failures as pages for browsers. Programs get the response of the API.

use askama::Template;
use axum::{
    extract::{FromRequestParts, Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Redirect, Response},
};
use operations::Error;
use web::{
    App,
    error::{ErrorMessage, Result},
    refusal::refuse_download,
};

use crate::{
    address::{self, query_value},
    layout::{Layout, render},
    visitor::Visitor,
};

#[derive(Template)]
#[template(path = "error.html")]
struct Page {
    layout: Layout,
    title: &'static str,
    text: String,
    /// The URL of the terms to accept first; empty if there are none.
    terms: String,
    /// Whether a visitor who signs in may get further.
    offers_sign_in: bool,
}

/// Turns a failure into a page if the visitor reads HTML.
pub(crate) async fn as_pages(State(app): State<App>, request: Request, next: Next) -> Response {
    if !reads_html(request.headers()) {
        return next.run(request).await;
    }
    let (mut parts, body) = request.into_parts();
    let response = next.run(Request::from_parts(parts.clone(), body)).await;
    let Some(ErrorMessage(message)) = response.extensions().get::<ErrorMessage>().cloned() else { return response };
    if response.status() == StatusCode::UNAUTHORIZED && may_sign_in(&parts) {
        // EULAs are for key holders.
        let way = if parts.uri.path().starts_with("/eula/") { "/-/key" } else { "/login" };
        return Redirect::to(&format!("{way}?next={}", query_value(parts.uri.path()))).into_response();
    }
    let layout = if asks_for_basic(&parts) {
        Layout::bare()
    } else {
        let visitor = Visitor::from_request_parts(&mut parts, &app).await;
        visitor.map_or_else(|_| Layout::bare(), |visitor| visitor.layout(&app))
    };
    let layout = Layout { nonce: String::new(), notice: None, clear_notice: None, ..layout };
    let mut page = page(layout, response, message);
    if !asks_for_basic(&parts) {
        page.headers_mut().remove(header::WWW_AUTHENTICATE);
    }
    page
}

/// Turns a rejection from before the router into a page if the visitor reads HTML.
pub fn refusal(headers: &HeaderMap, refused: Response) -> Response {
    match refused.extensions().get::<ErrorMessage>().cloned() {
        Some(ErrorMessage(message)) if reads_html(headers) => page(Layout::bare(), refused, message),
        _ => refused,
    }
}

/// Turns the rejection of a download, which needs an agreement first, into a page if the visitor reads HTML.
pub fn agreement(app: &App, headers: &HeaderMap, error: Error) -> Response {
    let terms = match &error {
        Error::AgreementNeeded { owner, product, version } if reads_html(headers) => {
            address::path(["eula", owner, product, version])
        }
        _ => return refuse_download(app, error).into_response(),
    };
    let (layout, text) = (Layout::bare(), error.to_string());
    let page = Page { layout: layout.clone(), title: "Accept the terms first", text, terms, offers_sign_in: false };
    let mut response = render(&layout, &page);
    *response.status_mut() = StatusCode::FORBIDDEN;
    response
}

/// A part of a page; `None` if it does not exist or the visitor may not see it.
pub(crate) fn allowed<T>(found: operations::Result<T>) -> Result<Option<T>> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(Error::NotFound { .. } | Error::Denied(_) | Error::Unauthenticated(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn reads_html(headers: &HeaderMap) -> bool {
    headers.get_all(header::ACCEPT).iter().any(|value| value.to_str().is_ok_and(|text| text.contains("text/html")))
}

/// Whether the browser should ask for credentials itself, because it has sent some.
fn asks_for_basic(parts: &Parts) -> bool {
    parts.headers.contains_key(header::AUTHORIZATION)
}

fn may_sign_in(parts: &Parts) -> bool {
    (parts.method == Method::GET || parts.method == Method::HEAD) && !asks_for_basic(parts)
}

/// The failure as a page, with its status and headers.
fn page(layout: Layout, refused: Response, message: String) -> Response {
    let status = refused.status();
    let (title, text) = match status {
        // One text for hidden and for missing things.
        StatusCode::NOT_FOUND => ("Not found", NOT_FOUND.to_owned()),
        StatusCode::FORBIDDEN => ("Not allowed", message),
        StatusCode::UNAUTHORIZED => ("Sign in", message),
        StatusCode::TOO_MANY_REQUESTS => ("Too many requests", message),
        status if status.is_server_error() => ("Something went wrong", message),
        _ => ("This did not work", message),
    };
    // Somebody else may see more, but makes the same mistakes.
    let offers_sign_in = [StatusCode::NOT_FOUND, StatusCode::FORBIDDEN, StatusCode::UNAUTHORIZED].contains(&status);
    let page = Page { layout: layout.clone(), title, text, terms: String::new(), offers_sign_in };
    let mut response = render(&layout, &page);
    *response.status_mut() = status;
    let kept = [header::WWW_AUTHENTICATE, header::RETRY_AFTER, header::ALLOW];
    let kept = kept.into_iter().filter_map(|name| Some((name.clone(), refused.headers().get(name)?.clone())));
    response.headers_mut().extend(kept.collect::<Vec<(_, HeaderValue)>>());
    response
}

const NOT_FOUND: &str = "This page does not exist, or you may not see it.";
