//! Sessions on the pages. A session authenticates its user there only.

mod guesses;
mod proof;

use std::fmt;

use database::{
    ScopedFutureExt, Tx,
    accounts::{
        sessions::{self as rows, Session},
        subjects,
    },
};
use model::{digest::hex, timestamp::Timestamp};

use crate::{
    Caller, Error, House, Principal, Result, UserIdentity, access,
    audit::{entry, record},
};
pub use proof::SignIn;

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// The maximum lifetime of a session.
const LASTS_MS: i64 = 30 * DAY_MS;

/// The maximum time that a session may be idle.
const IDLE_MS: i64 = 7 * DAY_MS;

/// The minimum interval between two records of a session's use.
const TOUCH_EVERY_MS: i64 = 10 * 60 * 1_000;

/// The secret of a session in a browser. It is never stored anywhere else.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// A token as presented by a browser.
    pub fn presented(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// Returns the secret itself. Call it only where the secret is used.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(hidden)")
    }
}

/// Returns the user of a session that has not ended.
pub async fn find(house: &House, token: &Token) -> Result<Option<UserIdentity>> {
    let (hash, now) = (&house.secrets.hash_session(token.expose()), house.clock.now());
    let Some(session) = rows::find(&house.db, hash).await?.filter(|session| !is_over(session, now)) else {
        return Ok(None);
    };
    if now.millis() - session.used.millis() >= TOUCH_EVERY_MS {
        let touched: database::Result<()> = house.db.write(|tx| rows::touch(tx, hash, now).scope_boxed()).await;
        // Reading continues to work while the database accepts no writes.
        if let Err(error) = touched {
            tracing::warn!("recording the use of a session failed: {error}");
        }
    }
    Ok(Some(UserIdentity::from(&session.user)))
}

fn is_over(session: &Session, now: Timestamp) -> bool {
    now.millis() - session.created.millis() >= LASTS_MS || now.millis() - session.used.millis() >= IDLE_MS
}

/// Signs in. The browser's previous session ends, regardless of its user.
pub async fn open(house: &House, caller: &Caller, sign_in: SignIn<'_>, before: Option<&Token>) -> Result<Token> {
    let proof = &proof::find(house, caller, sign_in).await?;
    let token = new_token(house);
    let hash = &house.secrets.hash_session(token.expose());
    let before = &before.map(|token| house.secrets.hash_session(token.expose()));
    house
        .db
        .write(|tx| {
            async move {
                let user = subjects::lock(tx, proof.user_id()).await?.ok_or_else(proof::wrong)?;
                proof.check_again(tx).await?;
                if let Some(before) = before {
                    rows::delete(tx, before).await?;
                }
                insert(tx, house, &as_user(caller, UserIdentity::from(&user)), hash).await
            }
            .scope_boxed()
        })
        .await?;
    Ok(token)
}

/// Opens a new session for a user whose own action has just ended all sessions.
pub async fn reopen(house: &House, caller: &Caller) -> Result<Token> {
    let user_id = access::identity(caller)?.id;
    let token = new_token(house);
    let hash = &house.secrets.hash_session(token.expose());
    house
        .db
        .write(|tx| {
            async move {
                subjects::lock(tx, user_id).await?.ok_or_else(proof::wrong)?;
                insert(tx, house, caller, hash).await
            }
            .scope_boxed()
        })
        .await?;
    Ok(token)
}

async fn insert(tx: &mut Tx, house: &House, caller: &Caller, hash: &str) -> Result<()> {
    let user = access::identity(caller)?;
    let log = entry(house, caller, "session.create", &user.name, "");
    rows::insert(tx, hash, user.id, log.at).await?;
    record(tx, &log).await
}

/// Asks a signed-in user for the password or the API key again, before a sensitive action.
pub async fn confirm(house: &House, caller: &Caller, secret: &str) -> Result<()> {
    let user = access::identity(caller)?;
    proof::find(house, caller, SignIn { name: user.name.as_str(), secret }).await?;
    Ok(())
}

/// Signs out.
pub async fn close(house: &House, caller: &Caller, token: &Token) -> Result<()> {
    let user = access::identity(caller)?;
    let hash = &house.secrets.hash_session(token.expose());
    let log = &entry(house, caller, "session.delete", &user.name, "");
    house
        .db
        .write(|tx| {
            async move { if rows::delete(tx, hash).await? { record(tx, log).await } else { Ok(()) } }.scope_boxed()
        })
        .await
}

/// Returns the token that the forms of a session send back, and that other sites cannot know.
pub fn form_token(house: &House, token: &Token) -> String {
    house.secrets.form_token(&format!("session {}", house.secrets.hash_session(token.expose())))
}

/// Returns whether a form has sent back its token.
pub fn is_form_token(house: &House, token: &Token, given: &str) -> bool {
    house.secrets.is_same(form_token(house, token).as_bytes(), given.as_bytes())
}

/// Authenticates a notice that the browser of a session carries to its next page.
pub fn notice_mac(house: &House, token: &Token, notice: &str) -> String {
    house.secrets.form_token(&format!("notice {} {notice}", house.secrets.hash_session(token.expose())))
}

/// Returns whether this server issued a notice for this session.
pub fn is_notice_mac(house: &House, token: &Token, notice: &str, given: &str) -> bool {
    house.secrets.is_same(notice_mac(house, token, notice).as_bytes(), given.as_bytes())
}

/// Generates a secret for a browser, which cannot be guessed.
pub fn new_token(house: &House) -> Token {
    Token(hex(&house.entropy.bytes()))
}

/// Deletes expired sessions.
pub(crate) async fn delete_expired(house: &House) -> Result<()> {
    let now = house.clock.now().millis();
    let (made, used) = (Timestamp::from_millis(now - LASTS_MS), Timestamp::from_millis(now - IDLE_MS));
    let deleted = house.db.write(|tx| rows::delete_expired(tx, made, used).scope_boxed()).await;
    deleted.map_err(|error: database::Error| Error::from(error))?;
    crate::guesses::delete_expired(house).await
}

fn as_user(caller: &Caller, user: UserIdentity) -> Caller {
    Caller { principal: Principal::User(user), ..caller.clone() }
}
