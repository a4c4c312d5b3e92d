//! Signing in and out.

use askama::Template;
use axum::{
    body::Body,
    extract::State,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Redirect, Response},
};
use operations::{
    Caller, Error, Principal,
    accounts::{
        second_factors,
        sessions::{self, Browser, Opening, SignIn, Token},
    },
};
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use super::{
    security,
    sign_in_code::{self, CodeForm},
    sso,
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
    /// The name of the provider of single sign-on, and the address that leads to it.
    provider: Option<(String, String)>,
    allows_passwords: bool,
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
        provider: sso::button(app, shown.next),
        allows_passwords: operations::accounts::sso::allows_passwords(app.house()),
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
    if !operations::accounts::sso::allows_passwords(app.house()) {
        return Err(Failure::new(StatusCode::FORBIDDEN, "People sign in with single sign-on only here"));
    }
    let (name, secret) = (submitted.trimmed("name")?, submitted.line("secret")?);
    let next = inside(submitted.line("next")?);
    let before = Cookie::Session.token(&app, &headers);
    let form_cookie = Cookie::Form.token(&app, &headers).unwrap_or_else(|| sessions::new_token(app.house()));
    let browser = Browser { form: &form_cookie, before: before.as_ref() };
    let opened = sessions::open(app.house(), &visitor.caller, SignIn { name, secret }, browser).await;
    match opened {
        Ok(Opening::Session(session)) => signed_in(&app, &visitor, &session, next).await,
        Ok(Opening::CodeNeeded(pending)) => {
            let asked = CodeForm { next, pending: pending.as_str(), notice: None };
            Ok(sign_in_code::form(&app, &visitor, &form_cookie, asked))
        }
        Err(error @ (Error::Unauthenticated(_) | Error::LimitReached { .. })) => {
            let failure = Failure::from(error);
            let notice = Some(Notice::problem(&failure));
            let response = form(&app, &visitor, &form_cookie, SignInForm { next, name, notice });
            Ok(with_retry(response, failure))
        }
        Err(error) => Err(error.into()),
    }
}

/// Adds when to try again, if a limit was reached.
pub(super) fn with_retry(mut response: Response, failure: Failure) -> Response {
    let kept = failure.into_response().headers().get(header::RETRY_AFTER).cloned();
    response.headers_mut().extend(kept.map(|value| (header::RETRY_AFTER, value)));
    response
}

/// Redirects to the page that the visitor wanted. A member who lacks the second factor that an organization requires sees
/// the page that asks for it first.
pub(super) async fn signed_in(app: &App, visitor: &Visitor, session: &Token, next: &str) -> Result<Response> {
    let is_waiting = match sessions::find(app.house(), session).await? {
        Some(user) => {
            let caller = Caller { principal: Principal::User(user), ..visitor.caller.clone() };
            !second_factors::show(app.house(), &caller).await?.waiting.is_empty()
        }
        None => false,
    };
    let mut response = Redirect::to(if is_waiting { security::ADDRESS } else { next }).into_response();
    let headers = response.headers_mut();
    headers.append(header::SET_COOKIE, Cookie::Session.set(app, session.expose()));
    headers.append(header::SET_COOKIE, Cookie::Form.clear(app));
    Ok(response)
}

/// Signs out.
pub(crate) async fn close(Submitted { app, visitor, .. }: Submitted) -> Result<Response> {
    sessions::close(app.house(), &visitor.caller, session_of(&visitor)?).await?;
    let mut response = Redirect::to("/").into_response();
    response.headers_mut().append(header::SET_COOKIE, Cookie::Session.clear(&app));
    Ok(response)
}

/// The target of the redirect: a path of this site; anything else leads to the home page.
pub(crate) fn inside(next: &str) -> &str {
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
