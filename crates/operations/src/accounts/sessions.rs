//! Sessions on the pages. A session authenticates its user there only.

mod client;
mod guesses;
mod listing;
mod opening;
mod pending;
mod proof;

use std::fmt;

use database::{
    ScopedFutureExt,
    accounts::{
        sessions::{self as rows, Session},
        sign_in_places,
    },
};
use model::{digest::hex, timestamp::Timestamp};

use crate::{
    Caller, Error, House, Result, UserIdentity, access,
    audit::{entry, record},
};
pub use client::device;
pub use listing::{SessionDetail, end, end_all, list};
pub(crate) use opening::open_verified;
pub use opening::{Browser, Method, Opening, open, open_with_code, reopen};
pub use pending::PendingSignIn;
pub use proof::SignIn;

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// The maximum lifetime of a session.
const LASTS_MS: i64 = 30 * DAY_MS;

/// The maximum time that a session may be idle.
const IDLE_MS: i64 = 7 * DAY_MS;

/// How long a device and a network are remembered after a sign-in.
const PLACES_MS: i64 = 90 * DAY_MS;

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
#[boxed::future]
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
    is_over_at(session.created, session.used, now)
}

fn is_over_at(created: Timestamp, used: Timestamp, now: Timestamp) -> bool {
    now.millis() - created.millis() >= LASTS_MS || now.millis() - used.millis() >= IDLE_MS
}

/// Asks a signed-in user for the password or the API key again, before a sensitive action.
#[boxed::future]
pub async fn confirm(house: &House, caller: &Caller, secret: &str) -> Result<()> {
    let user = access::identity(caller)?;
    proof::find(house, caller, SignIn { name: user.name.as_str(), secret }).await?;
    Ok(())
}

/// Signs out.
#[boxed::future]
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
    let places = Timestamp::from_millis(now - PLACES_MS);
    let deleted = house
        .db
        .write(|tx| {
            async move {
                rows::delete_expired(tx, made, used).await?;
                sign_in_places::delete_expired(tx, places).await
            }
            .scope_boxed()
        })
        .await;
    deleted.map_err(|error: database::Error| Error::from(error))?;
    crate::guesses::delete_expired(house).await
}
