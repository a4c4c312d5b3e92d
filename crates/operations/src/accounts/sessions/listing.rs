//! The sessions of a user, each of which can be ended.

use database::{ScopedFutureExt, accounts::sessions as rows};
use model::{
    access::Action,
    names::SubjectName,
    subject::{Subject, SubjectKind},
    timestamp::Timestamp,
};

use super::{Token, client::device, is_over_at};
use crate::{
    Caller, Error, House, Result, access,
    audit::{entry, record},
};

/// The maximum number of sessions in a list.
const SESSIONS: i64 = 200;

/// The number of characters of the hash that identify a session.
const ID_CHARS: usize = 16;

/// A session of a user.
#[derive(Debug, Clone)]
pub struct SessionDetail {
    /// Identifies it among the user's sessions.
    pub id: String,
    /// The device in a few words.
    pub device: String,
    /// The IP address that it was opened from.
    pub address: Option<String>,
    /// The country of that address.
    pub country: Option<String>,
    /// How the user signed in.
    pub method: Option<String>,
    /// When it was opened.
    pub created: Timestamp,
    /// When it was last used, to about ten minutes.
    pub used: Timestamp,
    /// Whether it is the one that asks.
    pub is_current: bool,
}

/// Lists the sessions of a user, for the user and for site administrators.
#[boxed::future]
pub async fn list(
    house: &House,
    caller: &Caller,
    name: &SubjectName,
    current: Option<&Token>,
) -> Result<Vec<SessionDetail>> {
    let user = user(house, caller, name).await?;
    let current = current.map(|token| house.secrets.hash_session(token.expose()));
    let now = house.clock.now();
    let found = rows::list(&house.db, user.id, SESSIONS).await?;
    let open = found.into_iter().filter(|session| !is_over_at(session.created, session.used, now));
    let detail = |session: rows::SessionListItem| SessionDetail {
        is_current: current.as_ref() == Some(&session.hash),
        id: session.hash.chars().take(ID_CHARS).collect(),
        device: device(session.client.agent.as_deref().unwrap_or_default()),
        address: session.client.address,
        country: session.client.country,
        method: session.client.method,
        created: session.created,
        used: session.used,
    };
    Ok(open.map(detail).collect())
}

/// Ends a session of a user.
#[boxed::future]
pub async fn end(house: &House, caller: &Caller, name: &SubjectName, id: &str) -> Result<()> {
    let user = user(house, caller, name).await?;
    let not_found = || Error::NotFound { what: "Session", name: id.chars().take(40).collect() };
    let found = rows::list(&house.db, user.id, SESSIONS).await?;
    let is_meant = |session: &rows::SessionListItem| id.len() == ID_CHARS && session.hash.starts_with(id);
    let session = &found.into_iter().find(is_meant).ok_or_else(not_found)?;
    let log = &entry(house, caller, "session.delete", name, format!("session {id}"));
    house
        .db
        .write(|tx| {
            async move { if rows::delete(tx, &session.hash).await? { record(tx, log).await } else { Err(not_found()) } }
                .scope_boxed()
        })
        .await
}

/// Ends all sessions of a user, but the one that asks.
#[boxed::future]
pub async fn end_all(house: &House, caller: &Caller, name: &SubjectName, current: Option<&Token>) -> Result<()> {
    let user = &user(house, caller, name).await?;
    let kept = &current.map(|token| house.secrets.hash_session(token.expose())).unwrap_or_default();
    let log = &entry(house, caller, "session.delete_all", name, "");
    house
        .db
        .write(|tx| {
            async move {
                rows::delete_others(tx, user.id, kept).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}

/// Returns the user whose sessions the caller manages.
async fn user(house: &House, caller: &Caller, name: &SubjectName) -> Result<Subject> {
    access::account(&house.db, caller, SubjectKind::User, name, Action::RevokeTokens).await
}
