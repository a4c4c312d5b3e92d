//! The token of a form: it proves that a page of this site made the form for the browser that submits it.

use axum::http::{HeaderMap, StatusCode};
use operations::accounts::sessions::{self, Token};
use web::{
    App,
    error::{Failure, Result},
};

use crate::{cookies::Cookie, visitor::Visitor};

/// Checks the token of a form: against the session, or without one against the cookie of the sign-in page.
pub(super) fn check_form(app: &App, visitor: &Visitor, headers: &HeaderMap, given: &str) -> Result<()> {
    match &visitor.session {
        Some(session) => check_token(app, session, given),
        None => check_token(app, &Cookie::Form.token(app, headers).ok_or_else(out_of_date)?, given),
    }
}

/// The session of a visitor who changes something.
pub(crate) fn session_of(visitor: &Visitor) -> Result<&Token> {
    let signed_out = || Failure::new(StatusCode::UNAUTHORIZED, "Your session is over; sign in again");
    visitor.session.as_ref().ok_or_else(signed_out)
}

/// Rejects a token that was not made for this browser.
pub(crate) fn check_token(app: &App, browser: &Token, given: &str) -> Result<()> {
    if sessions::is_form_token(app.house(), browser, given) { Ok(()) } else { Err(out_of_date()) }
}

fn out_of_date() -> Failure {
    Failure::new(StatusCode::FORBIDDEN, "The form is out of date; open the page again")
}
