//! The visitor of a page: the user of a session, the caller of an `Authorization` header, or an anonymous caller.

use axum::{
    extract::FromRequestParts,
    http::{header, request::Parts},
};
use model::names::SubjectName;
use operations::{
    Caller, Principal, Via,
    accounts::sessions::{self, Token},
};
use web::{
    App, Client, RequestId,
    caller::{RequestCaller, agent, sign_in},
    error::{Failure, Result},
};

use crate::{
    cookies::Cookie,
    layout::Layout,
    notice::{self, Notice},
};

/// The visitor of a page.
pub(crate) struct Visitor {
    /// The caller, for operations.
    pub(crate) caller: Caller,
    /// The session, if the visitor signed in with one.
    pub(crate) session: Option<Token>,
    /// Whether the connection is safe for sending secrets.
    pub(crate) may_send_secrets: bool,
    /// The notice about the last action.
    pub(crate) notice: Option<Notice>,
}

impl FromRequestParts<App> for Visitor {
    type Rejection = Failure;

    /// Credentials in a header take precedence over the cookie: wrong ones end the request here, as everywhere.
    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let client = parts.extensions.get::<Client>().cloned().unwrap_or_default();
        let may_send_secrets = client.may_send_secrets;
        if parts.headers.contains_key(header::AUTHORIZATION) {
            let RequestCaller(caller) = RequestCaller::from_request_parts(parts, app).await?;
            return Ok(Self { caller, session: None, may_send_secrets, notice: None });
        }
        let token = Cookie::Session.token(app, &parts.headers).filter(|_| may_send_secrets);
        let user = match &token {
            Some(token) => sessions::find(app.house(), token).await?,
            None => None,
        };
        let session = token.filter(|_| user.is_some());
        if session.is_some() {
            sign_in(parts);
        }
        let request_id = parts.extensions.get::<RequestId>().map(RequestId::to_string).unwrap_or_default();
        let principal = user.map_or(Principal::Anonymous, Principal::User);
        let via = Via::Network { address: client.address, country: client.country };
        let caller = Caller { principal, via, agent: agent(&parts.headers), request_id };
        let notice = session.as_ref().and_then(|session| notice::read(app, session, &parts.headers));
        Ok(Self { caller, session, may_send_secrets, notice })
    }
}

impl Visitor {
    /// The name of the signed-in user, or the failure that asks to sign in.
    pub(crate) fn user_name(&self) -> Result<SubjectName> {
        self.caller.check_signed_in()?;
        let denied =
            || operations::Error::Denied("This page is for users, and you are signed in with an access key".into());
        Ok(self.caller.user().ok_or_else(denied)?.name.clone())
    }

    /// Whether the visitor can change something: this needs a session, which forms are bound to.
    pub(crate) fn may_change(&self) -> bool {
        self.session.is_some()
    }

    /// The layout of pages for this visitor.
    pub(crate) fn layout(&self, app: &App) -> Layout {
        Layout::new(app, self)
    }
}
