//! The audit log: rows that are only ever added, each holding the hash of the one before.

use model::{digest::hex, prefix::NameRange, timestamp::Timestamp};
use sha2::{Digest, Sha256};

use crate::{
    Error, Read, Result, Tx,
    engine::{
        row::row,
        statement::{insert, select, sql},
    },
};

/// Something that was done, to be written down.
#[derive(Debug, Clone)]
pub struct NewAuditRecord {
    /// When.
    pub at: Timestamp,
    /// By whom: a user's name, or the server itself.
    pub actor: String,
    /// What: a noun and a verb, such as `user.create`.
    pub action: &'static str,
    /// To what.
    pub target: String,
    /// What else a reader wants to know. Never a secret.
    pub detail: String,
    /// From which network address.
    pub address: String,
    /// The request that did it.
    pub request_id: String,
}

row! {
    /// An entry as it stands in the log.
    pub struct AuditRecord {
        /// Its place, from 1, without gaps.
        seq: i64,
        /// When, in milliseconds.
        at: i64,
        /// By whom.
        actor: String,
        /// What.
        action: String,
        /// To what.
        target: String,
        /// What else.
        detail: String,
        /// From where.
        address: String,
        /// In which request.
        request_id: String,
        /// The hash over this entry and the hash before it.
        hash: String,
    }
}

row! {
    struct Head { seq: i64, hash: String }
}

/// Adds an entry. It must be the last thing a transaction does: it locks the end of the chain.
pub async fn insert(tx: &mut Tx, entry: &NewAuditRecord) -> Result<()> {
    // Not `UPDATE ... RETURNING`: before that SQLite copies every page that it writes, and writes out its search index.
    let head: Option<Head> = tx.one(select!(Head, "FROM audit_head WHERE id = 1").holding_rows()).await?;
    let head = head.ok_or_else(|| Error::Broken("the audit log has lost its head".into()))?;
    let recorded = AuditRecord {
        seq: head.seq + 1,
        at: entry.at.millis(),
        actor: entry.actor.clone(),
        action: entry.action.to_owned(),
        target: entry.target.clone(),
        detail: entry.detail.clone(),
        address: entry.address.clone(),
        request_id: entry.request_id.clone(),
        hash: String::new(),
    };
    let hash = recorded.chained(&head.hash);
    tx.run(insert!(audit {
        seq: recorded.seq,
        at: recorded.at,
        actor: recorded.actor,
        action: recorded.action,
        target: recorded.target,
        detail: recorded.detail,
        address: recorded.address,
        request_id: recorded.request_id,
        hash: &hash,
    }))
    .await?;
    tx.run(sql!("UPDATE audit_head SET seq = $1, hash = $2 WHERE id = 1", recorded.seq, hash)).await?;
    Ok(())
}

/// How many entries there are.
pub async fn count(db: &impl Read) -> Result<i64> {
    Ok(db.one(sql!("SELECT seq FROM audit_head WHERE id = 1")).await?.unwrap_or_default())
}

/// At most `limit` entries, newest first, from `last` downwards.
pub async fn list_down(db: &impl Read, last: i64, limit: i64) -> Result<Vec<AuditRecord>> {
    db.all(select!(
        AuditRecord,
        "FROM audit
         WHERE seq <= $1
         ORDER BY seq DESC
         LIMIT $2",
        last,
        limit,
    ))
    .await
}

/// What entries are looked for; an empty text is any.
#[derive(Debug, Clone)]
pub struct AuditFilter {
    /// By whom.
    pub actor: String,
    /// What: whole, such as `user.create`, or its noun.
    pub actions: NameRange,
    /// To what, as it begins.
    pub targets: NameRange,
}

/// At most `limit` entries that are wanted, newest first, among those from `last` downwards and after `first`.
pub async fn search(
    db: &impl Read,
    wanted: &AuditFilter,
    first: i64,
    last: i64,
    limit: i64,
) -> Result<Vec<AuditRecord>> {
    db.all(select!(
        AuditRecord,
        "FROM audit
         WHERE seq > $1 AND seq <= $2
             AND ($3 = '' OR actor = $3)
             AND action >= $4 AND action < $5
             AND target >= $6 AND target < $7
         ORDER BY seq DESC
         LIMIT $8",
        first,
        last,
        &wanted.actor,
        &wanted.actions.from,
        &wanted.actions.to,
        &wanted.targets.from,
        &wanted.targets.to,
        limit,
    ))
    .await
}

/// At most `limit` entries, oldest first, after `seq`.
async fn list_up(db: &impl Read, seq: i64, limit: i64) -> Result<Vec<AuditRecord>> {
    db.all(select!(
        AuditRecord,
        "FROM audit
         WHERE seq > $1
         ORDER BY seq
         LIMIT $2",
        seq,
        limit,
    ))
    .await
}

/// Walks the whole chain and returns its length, or the first place that does not fit.
pub async fn verify(db: &impl Read) -> Result<std::result::Result<i64, i64>> {
    let mut head = Head { seq: 0, hash: String::new() };
    loop {
        let page = list_up(db, head.seq, 1_000).await?;
        if page.is_empty() {
            break;
        }
        for entry in page {
            if entry.seq != head.seq + 1 || entry.hash != entry.chained(&head.hash) {
                return Ok(Err(head.seq + 1));
            }
            head = Head { seq: entry.seq, hash: entry.hash };
        }
    }
    let end: Option<Head> = db.one(select!(Head, "FROM audit_head WHERE id = 1")).await?;
    // Entries added during the walk only ever make the chain longer.
    Ok(if end.is_some_and(|end| end.seq > head.seq || (end.seq, &end.hash) == (head.seq, &head.hash)) {
        Ok(head.seq)
    } else {
        Err(head.seq + 1)
    })
}

impl AuditRecord {
    /// Each field stands with its length, so that no two entries read the same.
    fn chained(&self, previous: &str) -> String {
        let numbers = (self.seq.to_string(), self.at.to_string());
        let fields = [
            previous,
            &numbers.0,
            &numbers.1,
            &self.actor,
            &self.action,
            &self.target,
            &self.detail,
            &self.address,
            &self.request_id,
        ];
        let mut hash = Sha256::new();
        for field in fields {
            hash.update((field.len() as u64).to_be_bytes());
            hash.update(field);
        }
        hex(&hash.finalize())
    }
}
