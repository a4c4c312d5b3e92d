//! The second step of signing in: the code.

use askama::Template;
use axum::{
    body::Body,
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Redirect, Response},
};
use operations::{
    Error,
    accounts::sessions::{self, Browser, Token},
};
use web::{
    App,
    error::{Failure, Result},
};

use super::sign_in::{inside, signed_in, with_retry};
use crate::{
    cookies::Cookie,
    form::Form,
    layout::{Layout, render},
    notice::Notice,
    visitor::Visitor,
};

#[derive(Template)]
#[template(path = "accounts/sign_in_code.html")]
struct Page {
    layout: Layout,
    form_token: String,
    pending: String,
    next: String,
}

/// The values of the form.
pub(super) struct CodeForm<'t> {
    pub(super) next: &'t str,
    pub(super) pending: &'t str,
    pub(super) notice: Option<Notice>,
}

/// The form, for a browser whose password was right.
pub(super) fn form(app: &App, visitor: &Visitor, token: &Token, shown: CodeForm<'_>) -> Response {
    let layout = visitor.layout(app).with_notice(shown.notice);
    let page = Page {
        form_token: sessions::form_token(app.house(), token),
        pending: shown.pending.to_owned(),
        next: shown.next.to_owned(),
        layout: layout.clone(),
    };
    let mut response = render(&layout, &page);
    response.headers_mut().append(header::SET_COOKIE, Cookie::Form.set(app, token.expose()));
    response
}

/// Completes the sign-in.
pub(super) async fn open(State(app): State<App>, visitor: Visitor, headers: HeaderMap, body: Body) -> Result<Response> {
    let visitor = Visitor { session: None, notice: None, ..visitor };
    let submitted = Form::read(&app, &visitor, &headers, body).await?;
    if !visitor.may_send_secrets {
        let reason = "Credentials are accepted over HTTPS only; this connection is not encrypted";
        return Err(Failure::new(StatusCode::FORBIDDEN, reason));
    }
    let Some(token) = Cookie::Form.token(&app, &headers) else { return Ok(Redirect::to("/login").into_response()) };
    let (pending, next) = (submitted.line("pending")?, inside(submitted.line("next")?));
    let before = Cookie::Session.token(&app, &headers);
    let browser = Browser { form: &token, before: before.as_ref() };
    let code = submitted.line("code")?;
    match sessions::open_with_code(app.house(), &visitor.caller, pending, code, browser).await {
        Ok(session) => signed_in(&app, &visitor, &session, next).await,
        Err(error @ (Error::Unauthenticated(_) | Error::LimitReached { .. })) => {
            let failure = Failure::from(error);
            let notice = Some(Notice::problem(&failure));
            Ok(with_retry(form(&app, &visitor, &token, CodeForm { next, pending, notice }), failure))
        }
        Err(error) => Err(error.into()),
    }
}
