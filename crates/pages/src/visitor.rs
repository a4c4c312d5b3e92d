//! The visitor of a page: the user of a session, the caller of an `Authorization` header, or an anonymous caller.

use axum::{
    extract::FromRequestParts,
    http::{header, request::Parts},
};
use model::{access::Scope, api_key::ApiKey, names::SubjectName};
use operations::{
    AccessKeyIdentity, Caller, PresentedCredentials, Principal, Via,
    accounts::{
        key_sessions,
        sessions::{self, Token},
    },
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
    /// The session of a key holder, if the visitor signed in with an access key.
    pub(crate) key_session: Option<Token>,
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
            return Ok(Self { caller, session: None, key_session: None, may_send_secrets, notice: None });
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
        let key_token = Cookie::Key.token(app, &parts.headers).filter(|_| may_send_secrets && session.is_none());
        let holder = match &key_token {
            Some(token) => key_holder(app, token, &client, parts, &request_id).await?,
            None => None,
        };
        let key_session = key_token.filter(|_| holder.is_some());
        let principal = match (user, holder) {
            (Some(user), _) => Principal::User(user),
            (None, Some(holder)) => Principal::Key(Box::new(holder)),
            (None, None) => Principal::Anonymous,
        };
        let via = Via::Network { address: client.address, country: client.country };
        let caller = Caller { principal, via, agent: agent(&parts.headers), request_id };
        let notice = session.as_ref().and_then(|session| notice::read(app, session, &parts.headers));
        Ok(Self { caller, session, key_session, may_send_secrets, notice })
    }
}

/// The key holder of a session, if the key may be used from the client's address.
async fn key_holder(
    app: &App,
    token: &Token,
    client: &Client,
    parts: &Parts,
    request_id: &str,
) -> Result<Option<AccessKeyIdentity>> {
    let agent = agent(&parts.headers);
    let presented = PresentedCredentials {
        name: None,
        password: &ApiKey::presented(""),
        address: client.address,
        is_shared: client.is_shared,
        agent: agent.as_deref(),
        request_id,
        scope: Scope::Read,
    };
    Ok(key_sessions::find(app.house(), token, presented).await?)
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
