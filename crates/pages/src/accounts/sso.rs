//! Single sign-on: the way to the provider and back.

use askama::Template;
use axum::{
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Redirect, Response},
};
use operations::accounts::sso::{self, Returned, Started};
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use super::sign_in::{inside, signed_in};
use crate::{
    address::query_value,
    cookies::Cookie,
    form::Submitted,
    layout::{Layout, render},
    notice::{self, Notice},
    visitor::Visitor,
};

/// The page that leads a signed-in user to the provider. A form may not redirect to another site.
#[derive(Template)]
#[template(path = "accounts/sso.html")]
struct Page {
    layout: Layout,
    label: String,
    url: String,
}

/// The name of the provider, and the address that leads to it.
pub(super) fn button(app: &App, next: &str) -> Option<(String, String)> {
    let config = sso::config(app.house())?;
    Some((config.label.clone(), format!("/login/sso?next={}", query_value(next))))
}

/// Leads to the provider.
pub(crate) async fn begin(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let next = inside(path.query("next")?.unwrap_or_default());
    if visitor.session.is_some() {
        return Ok(Redirect::to(next).into_response());
    }
    check_connection(&visitor)?;
    let started = sso::begin(app.house(), &app.settings().public_url(), None, next).await?;
    let response = Redirect::to(&started.url).into_response();
    Ok(with_cookie(&app, &started, response))
}

/// Shows a signed-in user the way to the provider, to sign in with it from then on.
pub(crate) async fn link(Submitted { app, visitor, .. }: Submitted) -> Result<Response> {
    let label = sso::config(app.house()).map(|config| config.label.clone()).ok_or_else(Failure::nothing)?;
    let site = app.settings().public_url();
    let started = sso::begin(app.house(), &site, Some(&visitor.caller), "/account").await?;
    let layout = visitor.layout(&app);
    let page = Page { layout: layout.clone(), label, url: started.url.clone() };
    Ok(with_cookie(&app, &started, render(&layout, &page)))
}

/// Removes the identity of a user at the provider.
pub(crate) async fn unlink(Submitted { app, visitor, .. }: Submitted) -> Result<Response> {
    let notice = match sso::unlink(app.house(), &visitor.caller).await {
        Ok(()) => Notice::success("You no longer sign in with single sign-on."),
        Err(error) => Notice::from_failure(error.into())?,
    };
    Ok(notice::redirect(&app, &visitor, "/account", notice))
}

/// Takes somebody back from the provider. Whatever the outcome, the sign-in is over.
pub(crate) async fn finish(
    State(app): State<App>,
    visitor: Visitor,
    path: PathNames,
    headers: HeaderMap,
) -> Result<Response> {
    check_connection(&visitor)?;
    let returned = Returned {
        code: path.query("code")?,
        state: path.query("state")?.unwrap_or_default(),
        issuer: path.query("iss")?,
        error: path.query("error")?,
        cookie: Cookie::SingleSignOn.read(&app, &headers).unwrap_or_default(),
    };
    let (site, before) = (app.settings().public_url(), Cookie::Session.token(&app, &headers));
    let finished = sso::finish(app.house(), &site, &visitor.caller, &returned, before.as_ref()).await;
    let mut response = match finished {
        Ok(person) => signed_in(&app, &visitor, &person.session, inside(&person.next)).await?,
        Err(error) => Failure::from(error).into_response(),
    };
    response.headers_mut().append(header::SET_COOKIE, Cookie::SingleSignOn.clear(&app));
    Ok(response)
}

fn with_cookie(app: &App, started: &Started, mut response: Response) -> Response {
    response.headers_mut().append(header::SET_COOKIE, Cookie::SingleSignOn.set(app, &started.cookie));
    response
}

fn check_connection(visitor: &Visitor) -> Result<()> {
    let reason = "Credentials are accepted over HTTPS only; this connection is not encrypted";
    if visitor.may_send_secrets { Ok(()) } else { Err(Failure::new(StatusCode::FORBIDDEN, reason)) }
}
