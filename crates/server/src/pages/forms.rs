//! Forms: read with a bound. The edge has refused those that a browser calls another site's.

use axum::{
    body::{Body, to_bytes},
    http::StatusCode,
};
use operations::accounts::sessions::{self, Token};

use super::{form_fields::Fields, posted::OfSession, visitor::Visitor};
use crate::{
    App,
    error::{Failure, Result, too_slow_answer},
};

/// The most bytes of a form.
const FORM_BYTES: usize = 4 * 1024;

/// The same for forms with texts: lists of names, or a private key.
const LONG_FORM_BYTES: usize = 256 * 1024;

/// The fields of a form.
pub(super) struct Form(Fields);

impl Form {
    /// Reads a form.
    pub(super) async fn read(body: Body) -> Result<Self> {
        Self::read_up_to(FORM_BYTES, body).await
    }

    async fn read_up_to(bytes: usize, body: Body) -> Result<Self> {
        let form = to_bytes(body, bytes).await;
        let form = form.map_err(|error| unread(&error))?;
        let form = std::str::from_utf8(&form).map_err(|_| Failure::bad_request("The form is not UTF-8"))?;
        Ok(Self(Fields::parse(form)?))
    }

    /// Refuses a form that was not made for whoever has this token.
    pub(super) fn check_token(&self, app: &App, token: &Token) -> Result<()> {
        check_token(app, token, self.field("form_token")?)
    }

    /// A field of one line; empty when it is absent.
    pub(super) fn field(&self, name: &str) -> Result<&str> {
        self.0.line(name)
    }

    /// A field, however many lines it has.
    pub(super) fn text(&self, name: &str) -> Result<&str> {
        self.0.text(name)
    }

    /// The lines of a field that are not empty.
    pub(super) fn lines(&self, name: &str) -> Result<Vec<String>> {
        self.0.lines(name)
    }

    /// Whether a box was ticked.
    pub(super) fn is_ticked(&self, name: &str) -> Result<bool> {
        Ok(!self.0.line(name)?.is_empty())
    }

    /// A field without blanks around it; `None` when there is nothing else in it.
    pub(super) fn given(&self, name: &str) -> Result<Option<&str>> {
        Ok(Some(self.0.line(name)?.trim()).filter(|text| !text.is_empty()))
    }

    /// A whole number, where one is given.
    pub(super) fn number(&self, name: &str) -> Result<Option<i64>> {
        let wrong = |_| Failure::bad_request(format!("{name}: it must be a whole number"));
        self.given(name)?.map(|text| text.parse().map_err(wrong)).transpose()
    }

    /// Refuses a form that does not repeat the name of what it destroys.
    pub(super) fn check_confirmed(&self, name: &str) -> Result<()> {
        if self.field("confirm")?.trim() == name {
            Ok(())
        } else {
            Err(Failure::bad_request(format!("Type '{name}' to confirm")))
        }
    }
}

impl OfSession for Form {
    /// Only those who have signed in may send long texts.
    async fn read_of(app: &App, visitor: &Visitor, body: Body) -> Result<Self> {
        let bytes = if visitor.session.is_some() { LONG_FORM_BYTES } else { FORM_BYTES };
        let form = Self::read_up_to(bytes, body).await?;
        form.check_token(app, &session_of(visitor)?)?;
        Ok(form)
    }
}

/// What is answered to a form that could not be read.
pub(super) fn unread(error: &axum::Error) -> Failure {
    too_slow_answer(error).unwrap_or_else(|| Failure::bad_request("The form is too large or broken"))
}

/// The session of a visitor who changes something.
pub(super) fn session_of(visitor: &Visitor) -> Result<Token> {
    let signed_out = || Failure::new(StatusCode::UNAUTHORIZED, "Your session is over; sign in again");
    visitor.session.clone().ok_or_else(signed_out)
}

/// Refuses what was not made for this session.
pub(super) fn check_token(app: &App, token: &Token, given: &str) -> Result<()> {
    if sessions::is_form_token(app.house(), token, given) {
        Ok(())
    } else {
        Err(Failure::new(StatusCode::FORBIDDEN, "The form is out of date; open the page again"))
    }
}
