//! What happened, for those who follow it: rows of the same transaction as what caused them.

use model::timestamp::Timestamp;

use crate::{Read, Result, Tx, statement::sql};

/// Something that happened.
#[derive(Debug, Clone)]
pub struct Event {
    /// Its key, in the order of time.
    pub id: i64,
    /// Whose repository it concerns.
    pub subject_id: i64,
    /// When it happened.
    pub at: Timestamp,
    /// What it was.
    pub kind: Kind,
    /// The repository's name.
    pub repo: String,
    /// The package's name.
    pub package: String,
    /// The version's name.
    pub version: String,
    /// The file, where it was one.
    pub path: Option<String>,
    /// Who did it.
    pub actor: String,
    /// From which network address.
    pub address: String,
}

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A file was uploaded.
    Upload,
    /// Files of a version were published.
    Publish,
    /// A version was published for the first time.
    Release,
    /// A file, a version or more was deleted.
    Delete,
}

impl Kind {
    /// As it is kept.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Upload => "upload",
            Kind::Publish => "publish",
            Kind::Release => "release",
            Kind::Delete => "delete",
        }
    }
}

/// Writes an event down.
pub async fn insert(tx: &mut Tx, event: &Event) -> Result<()> {
    tx.run(sql!(
        "INSERT INTO events (id, subject_id, at, kind, repo, package, version, path, actor, address)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        event.id,
        event.subject_id,
        event.at,
        event.kind.as_str(),
        &event.repo,
        &event.package,
        &event.version,
        event.path.as_deref(),
        &event.actor,
        &event.address,
    ))
    .await?;
    Ok(())
}

/// How many events of a kind a subject has.
pub async fn count(db: &impl Read, subject_id: i64, kind: Kind) -> Result<i64> {
    let count = db
        .one(sql!(
            "SELECT CAST(COUNT(*) AS BIGINT) FROM events WHERE subject_id = $1 AND kind = $2",
            subject_id,
            kind.as_str(),
        ))
        .await?;
    Ok(count.unwrap_or_default())
}

/// Forgets events that are older than a time, some at once; says how many.
pub async fn delete_before(tx: &mut Tx, time: Timestamp, limit: i64) -> Result<u64> {
    tx.run(sql!(
        "DELETE FROM events WHERE id IN (SELECT id FROM events WHERE at < $1 ORDER BY at LIMIT $2)",
        time,
        limit,
    ))
    .await
}
