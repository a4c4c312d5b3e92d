//! Forms: read with a bound, from our own pages only.

use axum::{
    body::{Body, to_bytes},
    http::{HeaderMap, HeaderName, StatusCode, header},
};
use model::target::Target;
use operations::sessions::{self, Token};

use super::visitor::Visitor;
use crate::{
    App,
    error::{Failure, Result},
};

/// The most bytes of a form.
const FORM_BYTES: usize = 4 * 1024;

/// Where browsers tell who has made a request.
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The fields of a form.
pub(super) struct Form(Target);

impl Form {
    /// Reads a form that was sent from one of our pages.
    pub(super) async fn read(app: &App, headers: &HeaderMap, body: Body) -> Result<Self> {
        check_own_site(app, headers)?;
        let form = to_bytes(body, FORM_BYTES).await;
        let form = form.map_err(|_| Failure::bad_request("The form is too large or broken"))?;
        let form = std::str::from_utf8(&form).map_err(|_| Failure::bad_request("The form is not UTF-8"))?;
        Ok(Self(Target::parse("/", form)?))
    }

    /// Reads a form of a visitor's session, and makes sure that it is.
    pub(super) async fn read_of(
        app: &App,
        visitor: &Visitor,
        headers: &HeaderMap,
        body: Body,
    ) -> Result<(Self, Token)> {
        let form = Self::read(app, headers, body).await?;
        let signed_out = || Failure::new(StatusCode::UNAUTHORIZED, "Your session is over; sign in again");
        let token = visitor.session.clone().ok_or_else(signed_out)?;
        form.check_token(app, &token)?;
        Ok((form, token))
    }

    /// Refuses a form that was not made for whoever has this token.
    pub(super) fn check_token(&self, app: &App, token: &Token) -> Result<()> {
        match sessions::is_form_token(app.house(), token, self.field("form_token")?) {
            true => Ok(()),
            false => Err(Failure::new(StatusCode::FORBIDDEN, "The form is out of date; open the page again")),
        }
    }

    /// A field; empty when it is absent.
    pub(super) fn field(&self, name: &str) -> Result<&str> {
        Ok(self.0.query(name)?.unwrap_or_default())
    }
}

/// Whether the browser says that the form is ours. One that says nothing has to know the token, like everyone.
/// Nobody acts by visiting another site while a browser remembers who they are.
pub(crate) fn check_own_site(app: &App, headers: &HeaderMap) -> Result<()> {
    match is_own_site(app, headers) {
        true => Ok(()),
        false => Err(Failure::new(StatusCode::FORBIDDEN, "The form was sent from another site")),
    }
}

fn is_own_site(app: &App, headers: &HeaderMap) -> bool {
    if let Some(site) = headers.get(SEC_FETCH_SITE) {
        return site == "same-origin";
    }
    let Some(origin) = headers.get(header::ORIGIN) else { return true };
    let Ok(origin) = origin.to_str() else { return false };
    let public = app.settings().public_url();
    let public: Vec<&str> = public.split('/').take(3).collect();
    let is_public = public.join("/").eq_ignore_ascii_case(origin);
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let authority = origin.split_once("://").map(|(_, authority)| authority);
    is_public || (host.is_some() && authority == host)
}
