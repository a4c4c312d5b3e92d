//! Opens sessions: the credentials, the second factor where it is needed, and the start.

use database::{
    ScopedFutureExt, Tx,
    accounts::{second_factors, sessions as rows, sign_in_places, subjects},
};
use model::{id::SubjectId, subject::Subject};

use super::{
    PendingSignIn, SignIn, Token,
    client::{self, device},
    new_token, pending, proof,
};
use crate::{
    Caller, Error, House, Principal, Result, UserIdentity, access,
    accounts::{
        mails::{self, Message},
        second_factors::{self as factors, Used},
    },
    audit::{entry, record},
};

/// How a user proved who they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// With the password alone.
    Password,
    /// With the password and a code of the app.
    Code,
    /// With the password and a recovery code.
    RecoveryCode,
    /// With the API key.
    ApiKey,
    /// With the provider of single sign-on, which has its own second factor.
    SingleSignOn,
    /// In a session that a change of credentials has ended.
    Renewal,
}

impl Method {
    /// The name that the database stores.
    pub fn as_str(self) -> &'static str {
        match self {
            Method::Password => "password",
            Method::Code => "password and code",
            Method::RecoveryCode => "password and recovery code",
            Method::ApiKey => "API key",
            Method::SingleSignOn => "single sign-on",
            Method::Renewal => "renewed session",
        }
    }

    /// Returns whether a user with a second factor needs it after this. Only a password alone can be guessed; all
    /// ways to sign in ask here.
    fn needs_code(self) -> bool {
        self == Method::Password
    }
}

/// What follows right credentials.
#[derive(Debug)]
pub enum Opening {
    /// The session.
    Session(Token),
    /// The second factor is asked for.
    CodeNeeded(PendingSignIn),
}

/// The tokens of the browser that signs in.
#[derive(Clone, Copy)]
pub struct Browser<'b> {
    /// Identifies the browser that got the form.
    pub form: &'b Token,
    /// The session that it has, which ends, regardless of its user.
    pub before: Option<&'b Token>,
}

/// Signs in, or asks for the second factor.
#[boxed::future]
pub async fn open(house: &House, caller: &Caller, sign_in: SignIn<'_>, browser: Browser<'_>) -> Result<Opening> {
    let proof = &proof::find(house, caller, sign_in).await?;
    if let Some(password) = proof.password().filter(|_| proof.method().needs_code())
        && second_factors::is_confirmed(&house.db, proof.user_id()).await?
    {
        let pending = PendingSignIn::new(house, proof.user_id(), password, browser.form);
        return Ok(Opening::CodeNeeded(pending));
    }
    let before = &browser.before.map(|token| house.secrets.hash_session(token.expose()));
    let token = new_token(house);
    let hash = &house.secrets.hash_session(token.expose());
    house
        .db
        .write(|tx| {
            async move {
                let user = subjects::lock(tx, proof.user_id()).await?.ok_or_else(proof::wrong)?;
                proof.check_again(tx).await?;
                // It may have been turned on in the meantime.
                if proof.method().needs_code() && second_factors::is_confirmed(tx, user.id).await? {
                    return Err(proof::wrong());
                }
                start(tx, house, caller, &user, Start { hash, method: proof.method(), before: before.as_deref() }).await
            }
            .scope_boxed()
        })
        .await?;
    Ok(Opening::Session(token))
}

/// Completes a sign-in with a code of the app, or a recovery code.
#[boxed::future]
pub async fn open_with_code(
    house: &House,
    caller: &Caller,
    pending: &str,
    code: &str,
    browser: Browser<'_>,
) -> Result<Token> {
    let opened = &pending::open(house, pending, browser.form).await?;
    let guess_id = factors::begin_guess(house, caller, opened.user.name.as_str()).await?;
    let before = &browser.before.map(|token| house.secrets.hash_session(token.expose()));
    let token = new_token(house);
    let hash = &house.secrets.hash_session(token.expose());
    house
        .db
        .write(|tx| {
            async move {
                let user = subjects::lock(tx, opened.user.id).await?.ok_or_else(proof::wrong)?;
                opened.check_again(tx).await?;
                let method = match factors::use_code(tx, house, user.id, code).await? {
                    Some(Used::Code) => Method::Code,
                    Some(Used::RecoveryCode) => Method::RecoveryCode,
                    None => return Err(Error::Unauthenticated("The code is wrong, or was used before")),
                };
                start(tx, house, caller, &user, Start { hash, method, before: before.as_deref() }).await
            }
            .scope_boxed()
        })
        .await?;
    crate::guesses::end(house, guess_id).await?;
    Ok(token)
}

/// Signs in a user whom the provider of single sign-on has identified. The session of the browser ends, regardless of its
/// user.
pub(crate) async fn open_verified(
    house: &House,
    caller: &Caller,
    user_id: SubjectId,
    before: Option<&Token>,
) -> Result<Token> {
    let before = &before.map(|token| house.secrets.hash_session(token.expose()));
    let token = new_token(house);
    let hash = &house.secrets.hash_session(token.expose());
    let method = Method::SingleSignOn;
    house
        .db
        .write(|tx| {
            async move {
                let user = subjects::lock(tx, user_id).await?.ok_or_else(proof::wrong)?;
                start(tx, house, caller, &user, Start { hash, method, before: before.as_deref() }).await
            }
            .scope_boxed()
        })
        .await?;
    Ok(token)
}

/// Opens a new session for a user whose own action has just ended all sessions.
#[boxed::future]
pub async fn reopen(house: &House, caller: &Caller) -> Result<Token> {
    let user_id = access::identity(caller)?.id;
    let token = new_token(house);
    let hash = &house.secrets.hash_session(token.expose());
    house
        .db
        .write(|tx| {
            async move {
                let user = subjects::lock(tx, user_id).await?.ok_or_else(proof::wrong)?;
                start(tx, house, caller, &user, Start { hash, method: Method::Renewal, before: None }).await
            }
            .scope_boxed()
        })
        .await?;
    Ok(token)
}

/// A session to start.
#[derive(Clone, Copy)]
struct Start<'s> {
    hash: &'s str,
    method: Method,
    /// The hash of the session that ends.
    before: Option<&'s str>,
}

/// Starts the session of a locked user. Every session starts here.
async fn start(tx: &mut Tx, house: &House, caller: &Caller, user: &Subject, new: Start<'_>) -> Result<()> {
    if user.is_suspended {
        return Err(proof::wrong());
    }
    let caller = &as_user(caller, UserIdentity::from(user));
    let client = client::of(house, caller, new.method);
    let log = entry(house, caller, "session.create", &user.name, new.method.as_str());
    if let Some(before) = new.before {
        rows::delete(tx, before).await?;
    }
    rows::insert(tx, new.hash, user.id, &client, log.at).await?;
    let device = device(client.agent.as_deref().unwrap_or_default());
    let network = client::network(caller, &client);
    let (has_any, is_known) = sign_in_places::find(tx, user.id, &device, &network).await?;
    sign_in_places::upsert(tx, user.id, &device, &network, log.at).await?;
    if has_any && !is_known {
        let from = client.country.as_ref().map_or_else(String::new, |country| format!(" ({country})"));
        let place = format!("{}{from}", client.address.as_deref().unwrap_or_default());
        mails::enqueue(tx, house, user, &Message::NewDevice { device, place }).await?;
    }
    record(tx, &log).await
}

fn as_user(caller: &Caller, user: UserIdentity) -> Caller {
    Caller { principal: Principal::User(user), ..caller.clone() }
}
