//! Signing in and out.

use askama::Template;
use axum::{
    body::Body,
    extract::State,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Redirect, Response},
};
use operations::{
    Error,
    accounts::sessions::{self, SignIn, Token},
};

use super::{
    cookies::Cookie,
    forms::{Form, session_of},
    layout::{Layout, render},
    posted::Submitted,
    visitor::Visitor,
};
use crate::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

#[derive(Template)]
#[template(path = "sign_in.html")]
struct Page {
    layout: Layout,
    form_token: String,
    next: String,
    name: String,
    problem: String,
}

/// The form. It belongs to the browser that asked for it, so that nobody is signed in by another site as somebody else.
pub(super) async fn show(
    State(app): State<App>,
    visitor: Visitor,
    path: PathNames,
    headers: HeaderMap,
) -> Result<Response> {
    let next = inside(path.query("next")?.unwrap_or_default());
    if visitor.session.is_some() {
        return Ok(Redirect::to(next).into_response());
    }
    let token = Cookie::Form.read(&app, &headers).unwrap_or_else(|| sessions::new_token(app.house()));
    Ok(form(&app, &visitor, &token, Tried { next, name: "", problem: "" }))
}

/// What the form says when it is shown again.
struct Tried<'t> {
    next: &'t str,
    name: &'t str,
    problem: &'t str,
}

fn form(app: &App, visitor: &Visitor, token: &Token, tried: Tried<'_>) -> Response {
    let layout = visitor.layout(app);
    let page = Page {
        form_token: sessions::form_token(app.house(), token),
        next: tried.next.to_owned(),
        name: tried.name.to_owned(),
        problem: tried.problem.to_owned(),
        layout: layout.clone(),
    };
    let mut response = render(&layout, &page);
    response.headers_mut().append(header::SET_COOKIE, Cookie::Form.set(app, token));
    response
}

/// Signs in with a password or an API key, and goes on to where the visitor wanted to go.
pub(super) async fn open(State(app): State<App>, visitor: Visitor, headers: HeaderMap, body: Body) -> Result<Response> {
    let sent = Form::read(body).await?;
    let stale = || Failure::new(StatusCode::FORBIDDEN, "The form is out of date; open the page again");
    let token = Cookie::Form.read(&app, &headers).ok_or_else(stale)?;
    sent.check_token(&app, &token)?;
    if !visitor.may_send_secrets {
        let reason = "Credentials are accepted over HTTPS only; this connection is not encrypted";
        return Err(Failure::new(StatusCode::FORBIDDEN, reason));
    }
    let (name, secret, next) = (sent.field("name")?.trim(), sent.field("secret")?, inside(sent.field("next")?));
    let before = Cookie::Session.read(&app, &headers);
    let opened = sessions::open(app.house(), &visitor.caller, SignIn { name, secret }, before.as_ref()).await;
    match opened {
        Ok(session) => Ok(signed_in(&app, &session, next)),
        Err(error @ (Error::Unauthenticated(_) | Error::LimitReached { .. })) => {
            let failure = Failure::from(error);
            let mut response = form(&app, &visitor, &token, Tried { next, name, problem: failure.message() });
            *response.status_mut() = failure.status();
            let kept = failure.into_response().headers().get(header::RETRY_AFTER).cloned();
            response.headers_mut().extend(kept.map(|value| (header::RETRY_AFTER, value)));
            Ok(response)
        }
        Err(error) => Err(error.into()),
    }
}

fn signed_in(app: &App, session: &Token, next: &str) -> Response {
    let mut response = Redirect::to(next).into_response();
    let headers = response.headers_mut();
    headers.append(header::SET_COOKIE, Cookie::Session.set(app, session));
    headers.append(header::SET_COOKIE, Cookie::Form.clear(app));
    response
}

/// Signs out.
pub(super) async fn close(Submitted { app, visitor, .. }: Submitted<Form>) -> Result<Response> {
    let session = session_of(&visitor)?;
    sessions::close(app.house(), &visitor.caller, &session).await?;
    let mut response = Redirect::to("/").into_response();
    response.headers_mut().append(header::SET_COOKIE, Cookie::Session.clear(&app));
    Ok(response)
}

/// A path of this site; anything else leads to the front door.
fn inside(next: &str) -> &str {
    let is_path = next.starts_with('/') && !next.starts_with("//") && next.bytes().all(|byte| byte.is_ascii_graphic());
    if is_path && !next.contains('\\') && HeaderValue::from_str(next).is_ok() { next } else { "/" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_led_to_another_site() {
        for good in ["/", "/ada/tools/a%20b", "/account"] {
            assert_eq!(inside(good), good);
        }
        for bad in ["", "//evil.example", "/\\evil.example", "https://evil.example", "ada", "/a b", "/a\r\nX: y", "/ü"]
        {
            assert_eq!(inside(bad), "/", "{bad}");
        }
    }
}
