//! Sessions of the web pages, identified by the keyed hash of their token. The token itself is not stored.

use model::{id::SubjectId, subject::Subject, timestamp::Timestamp};

use crate::{
    Read, Result, Tx,
    accounts::subjects,
    engine::{
        row::row,
        statement::{insert, select, sql},
    },
};

/// A session and its user.
#[derive(Debug, Clone)]
pub struct Session {
    /// The user who has signed in.
    pub user: Subject,
    /// When the user signed in.
    pub created: Timestamp,
    /// When the session was last recorded as used.
    pub used: Timestamp,
}

/// The client that opened a session, as far as it is known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SessionClient {
    /// Its IP address.
    pub address: Option<String>,
    /// Its country.
    pub country: Option<String>,
    /// Its user agent.
    pub agent: Option<String>,
    /// How the user proved who they are.
    pub method: Option<String>,
}

/// A session in the list of its user.
#[derive(Debug, Clone)]
pub struct SessionListItem {
    /// The hash of its token.
    pub hash: String,
    /// When the user signed in.
    pub created: Timestamp,
    /// When the session was last recorded as used.
    pub used: Timestamp,
    /// Who opened it.
    pub client: SessionClient,
}

row! {
    struct SessionRow { user_id: SubjectId, created: i64, used: i64 }
}

row! {
    struct ListRow {
        hash: String, created: i64, used: i64, address: Option<String>, country: Option<String>, agent: Option<String>,
        method: Option<String>,
    }
}

/// Returns the session whose token has this hash. Suspended users have none.
pub async fn find(db: &dyn Read, hash: &str) -> Result<Option<Session>> {
    let row: Option<SessionRow> =
        db.one(select!(SessionRow, "FROM sessions WHERE hash = $1", hash).looking_up()).await?;
    let Some(row) = row else { return Ok(None) };
    let user = subjects::find_active(db, row.user_id).await?;
    let session =
        |user| Session { user, created: Timestamp::from_millis(row.created), used: Timestamp::from_millis(row.used) };
    Ok(user.map(session))
}

/// Adds a session of a user.
pub async fn insert(tx: &mut Tx, hash: &str, user_id: SubjectId, client: &SessionClient, now: Timestamp) -> Result<()> {
    tx.run(insert!(sessions {
        hash,
        user_id,
        created: now,
        used: now,
        address: client.address.as_deref(),
        country: client.country.as_deref(),
        agent: client.agent.as_deref(),
        method: client.method.as_deref(),
    }))
    .await?;
    Ok(())
}

/// Returns the sessions of a user, the last used first, up to a limit.
pub async fn list(db: &dyn Read, user_id: SubjectId, limit: i64) -> Result<Vec<SessionListItem>> {
    let rows: Vec<ListRow> = db
        .all(select!(
            ListRow,
            "FROM sessions
             WHERE user_id = $1
             ORDER BY used DESC, hash
             LIMIT $2",
            user_id,
            limit,
        ))
        .await?;
    let item = |row: ListRow| SessionListItem {
        hash: row.hash,
        created: Timestamp::from_millis(row.created),
        used: Timestamp::from_millis(row.used),
        client: SessionClient { address: row.address, country: row.country, agent: row.agent, method: row.method },
    };
    Ok(rows.into_iter().map(item).collect())
}

/// Records that a session is used.
pub async fn touch(tx: &mut Tx, hash: &str, now: Timestamp) -> Result<()> {
    tx.run(sql!("UPDATE sessions SET used = $2 WHERE hash = $1", hash, now)).await?;
    Ok(())
}

/// Ends a session; returns whether it existed.
pub async fn delete(tx: &mut Tx, hash: &str) -> Result<bool> {
    Ok(tx.run(sql!("DELETE FROM sessions WHERE hash = $1", hash).long()).await? > 0)
}

/// Ends all sessions of a user.
pub async fn delete_all(tx: &mut Tx, user_id: SubjectId) -> Result<()> {
    tx.run(sql!("DELETE FROM sessions WHERE user_id = $1", user_id).long()).await?;
    Ok(())
}

/// Ends all sessions of a user but one.
pub async fn delete_others(tx: &mut Tx, user_id: SubjectId, kept: &str) -> Result<()> {
    tx.run(sql!("DELETE FROM sessions WHERE user_id = $1 AND hash <> $2", user_id, kept).long()).await?;
    Ok(())
}

/// Deletes the sessions that were created, or last used, before a time.
pub async fn delete_expired(tx: &mut Tx, made_before: Timestamp, used_before: Timestamp) -> Result<()> {
    tx.run(sql!("DELETE FROM sessions WHERE created <= $1", made_before).long()).await?;
    tx.run(sql!("DELETE FROM sessions WHERE used <= $1", used_before).long()).await?;
    Ok(())
}
