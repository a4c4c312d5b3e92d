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
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use crate::{
    cookies::Cookie,
    form::{Form, Submitted, session_of},
    layout::{Layout, render},
    notice::Notice,
    visitor::Visitor,
};

#[derive(Template)]
#[template(path = "accounts/sign_in.html")]
struct Page {
    layout: Layout,
    form_token: String,
    next: String,
    name: String,
}

/// Shows the form. It is bound to the browser that asked for it, so that another site cannot sign somebody in to a
/// foreign account.
pub(crate) async fn show(
    State(app): State<App>,
    visitor: Visitor,
    path: PathNames,
    headers: HeaderMap,
) -> Result<Response> {
    let next = inside(path.query("next")?.unwrap_or_default());
    if visitor.session.is_some() {
        return Ok(Redirect::to(next).into_response());
    }
    let token = Cookie::Form.token(&app, &headers).unwrap_or_else(|| sessions::new_token(app.house()));
    Ok(form(&app, &visitor, &token, SignInForm { next, name: "", notice: None }))
}

/// The values of the form.
struct SignInForm<'t> {
    next: &'t str,
    name: &'t str,
    notice: Option<Notice>,
}

fn form(app: &App, visitor: &Visitor, token: &Token, shown: SignInForm<'_>) -> Response {
    let layout = visitor.layout(app).with_notice(shown.notice);
    let page = Page {
        form_token: sessions::form_token(app.house(), token),
        next: shown.next.to_owned(),
        name: shown.name.to_owned(),
        layout: layout.clone(),
    };
    let mut response = render(&layout, &page);
    response.headers_mut().append(header::SET_COOKIE, Cookie::Form.set(app, token.expose()));
    response
}

/// Signs in with a password or an API key, and redirects to the page that the visitor wanted.
pub(crate) async fn open(State(app): State<App>, visitor: Visitor, headers: HeaderMap, body: Body) -> Result<Response> {
    // The sign-in page made the form for this browser, even if it has a session by now.
    let visitor = Visitor { session: None, notice: None, ..visitor };
    let submitted = Form::read(&app, &visitor, &headers, body).await?;
    if !visitor.may_send_secrets {
        let reason = "Credentials are accepted over HTTPS only; this connection is not encrypted";
        return Err(Failure::new(StatusCode::FORBIDDEN, reason));
    }
    let (name, secret) = (submitted.trimmed("name")?, submitted.line("secret")?);
    let next = inside(submitted.line("next")?);
    let before = Cookie::Session.token(&app, &headers);
    let opened = sessions::open(app.house(), &visitor.caller, SignIn { name, secret }, before.as_ref()).await;
    match opened {
        Ok(session) => Ok(signed_in(&app, &session, next)),
        Err(error @ (Error::Unauthenticated(_) | Error::LimitReached { .. })) => {
            let failure = Failure::from(error);
            let token = Cookie::Form.token(&app, &headers).unwrap_or_else(|| sessions::new_token(app.house()));
            let notice = Some(Notice::problem(&failure));
            let mut response = form(&app, &visitor, &token, SignInForm { next, name, notice });
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
    headers.append(header::SET_COOKIE, Cookie::Session.set(app, session.expose()));
    headers.append(header::SET_COOKIE, Cookie::Form.clear(app));
    response
}

/// Signs out.
pub(crate) async fn close(Submitted { app, visitor, .. }: Submitted) -> Result<Response> {
    sessions::close(app.house(), &visitor.caller, session_of(&visitor)?).await?;
    let mut response = Redirect::to("/").into_response();
    response.headers_mut().append(header::SET_COOKIE, Cookie::Session.clear(&app));
    Ok(response)
}

/// The target of the redirect: a path of this site; anything else leads to the home page.
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
