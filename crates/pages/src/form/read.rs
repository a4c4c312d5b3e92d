//! Reading a form from a request.

use axum::{
    body::{Body, to_bytes},
    http::{HeaderMap, StatusCode},
};
use web::{
    App,
    error::{Failure, Result, too_slow_answer},
};

use super::{Form, token};
use crate::visitor::Visitor;

/// The most bytes of a form without a session.
const ANONYMOUS_BYTES: usize = 4 * 1024;

/// The most bytes of text in a form: the limit for a JSON body of the API.
const TEXT_BYTES: usize = 256 * 1024;

/// The most bytes of an encoded form in a session. An encoded byte takes three.
const SESSION_BYTES: usize = 3 * TEXT_BYTES;

impl Form {
    /// Reads a form that a page of this site made for this visitor: for the session, or before it for the sign-in.
    pub(crate) async fn read(app: &App, visitor: &Visitor, headers: &HeaderMap, body: Body) -> Result<Self> {
        let bytes = if visitor.session.is_some() { SESSION_BYTES } else { ANONYMOUS_BYTES };
        let form = Self::read_fields(bytes, body).await?;
        token::check_form(app, visitor, headers, form.text("form_token"))?;
        Ok(form)
    }

    /// Reads the form of a EULA. Key holders have no session: the form has a token for the key and for the text, which
    /// the operation checks.
    pub(crate) async fn read_agreement(body: Body) -> Result<Self> {
        Self::read_fields(ANONYMOUS_BYTES, body).await
    }

    async fn read_fields(bytes: usize, body: Body) -> Result<Self> {
        let unreadable = |error: axum::Error| {
            too_slow_answer(&error).unwrap_or_else(|| Failure::bad_request("The form is too large or broken"))
        };
        let text = to_bytes(body, bytes).await.map_err(unreadable)?;
        let text = std::str::from_utf8(&text).map_err(|_| Failure::bad_request("The form is not UTF-8"))?;
        let form = Self::parse(text)?;
        if form.text_bytes() > TEXT_BYTES {
            return Err(Failure::new(StatusCode::PAYLOAD_TOO_LARGE, "The form contains more than 256 KiB of text"));
        }
        Ok(form)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn status(bytes: usize, text: String) -> Option<StatusCode> {
        Form::read_fields(bytes, Body::from(text)).await.err().map(|failure| failure.status())
    }

    #[tokio::test]
    async fn a_form_is_bounded_as_it_arrives_and_as_text() {
        let of = |letters: usize| format!("a={}", "x".repeat(letters));
        assert_eq!(status(ANONYMOUS_BYTES, of(ANONYMOUS_BYTES - 2)).await, None);
        assert_eq!(status(ANONYMOUS_BYTES, of(ANONYMOUS_BYTES - 1)).await, Some(StatusCode::BAD_REQUEST));
        assert_eq!(status(SESSION_BYTES, of(TEXT_BYTES)).await, None);
        assert_eq!(status(SESSION_BYTES, of(TEXT_BYTES + 1)).await, Some(StatusCode::PAYLOAD_TOO_LARGE));
        let encoded = format!("a={}", "%41".repeat(TEXT_BYTES - 1));
        assert_eq!(status(SESSION_BYTES, encoded).await, None);
        assert_eq!(status(SESSION_BYTES, "%".repeat(SESSION_BYTES + 1)).await, Some(StatusCode::BAD_REQUEST));
    }

    #[tokio::test]
    async fn a_form_is_utf8() {
        let form = Form::read_fields(ANONYMOUS_BYTES, Body::from(vec![b'a', b'=', 0xff])).await;
        assert_eq!(form.err().map(|failure| failure.status()), Some(StatusCode::BAD_REQUEST));
    }
}
