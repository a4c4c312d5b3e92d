//! Messages to users that a job sends.

use model::timestamp::Timestamp;

use crate::{
    Read, Result, Tx,
    engine::{
        row::row,
        statement::{insert, select, sql},
    },
};

row! {
    /// A message.
    pub struct Mail {
        /// Its database id.
        id: i64,
        /// What it is about.
        kind: String,
        /// The e-mail address that it goes to.
        recipient: String,
        /// Its subject line.
        title: String,
        /// Its text.
        body: String,
        /// When it was written, in milliseconds since 1970.
        created: i64,
        /// When to send it, or until when it is leased.
        due: i64,
        /// How often it was tried.
        attempts: i64,
    }
}

/// Adds a message.
pub async fn insert(tx: &mut Tx, mail: &Mail) -> Result<()> {
    tx.run(insert!(mails {
        id: mail.id,
        kind: &mail.kind,
        recipient: &mail.recipient,
        title: &mail.title,
        body: &mail.body,
        created: mail.created,
        due: mail.due,
        attempts: mail.attempts,
    }))
    .await?;
    Ok(())
}

/// Counts the messages of a kind to a recipient after a time, up to a limit.
pub async fn count(db: &dyn Read, recipient: &str, kind: &str, after: Timestamp, limit: i64) -> Result<i64> {
    let count = db
        .one(sql!(
            "SELECT CAST(COUNT(*) AS BIGINT)
             FROM (
                 SELECT id
                 FROM mails
                 WHERE recipient = $1 AND created > $3 AND kind = $2
                 ORDER BY created
                 LIMIT $4
             ) recent",
            recipient,
            kind,
            after,
            limit,
        ))
        .await?;
    Ok(count.unwrap_or_default())
}

/// Returns the messages that are due, in order, up to a limit.
pub async fn list_due(db: &dyn Read, now: Timestamp, limit: i64) -> Result<Vec<Mail>> {
    db.all(select!(Mail, "FROM mails WHERE sent IS NULL AND due <= $1 ORDER BY due, id LIMIT $2", now, limit)).await
}

/// Leases a message until a time; returns false if another node has it.
pub async fn lease(tx: &mut Tx, mail: &Mail, until: Timestamp) -> Result<bool> {
    let statement = sql!(
        "UPDATE mails SET due = $3, attempts = attempts + 1 WHERE id = $1 AND due = $2 AND sent IS NULL",
        mail.id,
        mail.due,
        until,
    );
    Ok(tx.run(statement).await? > 0)
}

/// Records that a message was sent, or that it is given up. Its text is not needed any more.
pub async fn settle(tx: &mut Tx, id: i64, now: Timestamp) -> Result<()> {
    tx.run(sql!("UPDATE mails SET sent = $2, title = '', body = '' WHERE id = $1", id, now)).await?;
    Ok(())
}

/// Sends a leased message again at a time.
pub async fn postpone(tx: &mut Tx, id: i64, due: Timestamp) -> Result<()> {
    tx.run(sql!("UPDATE mails SET due = $2 WHERE id = $1", id, due)).await?;
    Ok(())
}

/// Deletes messages from before a time.
pub async fn delete_expired(tx: &mut Tx, before: Timestamp) -> Result<()> {
    tx.run(sql!("DELETE FROM mails WHERE created <= $1", before).long()).await?;
    Ok(())
}
