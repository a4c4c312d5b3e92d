//! The audit log: rows are only ever added, and each contains the hash of the one before.

use model::{
    audit::{AuditFilter, AuditRecord, NewAuditRecord},
    digest::hex,
};
use sha2::{Digest, Sha256};

use crate::{
    Error, Read, Result, Tx,
    engine::{
        row::row,
        statement::{insert, select, sql},
    },
};

row! {
    struct AuditRow => AuditRecord {
        seq: i64, at: i64, actor: String, action: String, target: String, detail: String, address: String,
        request_id: String, hash: String,
    }
}

row! {
    struct Head { seq: i64, hash: String }
}

/// Adds an entry. It must be the last step of a transaction, because it locks the end of the chain.
pub async fn insert(tx: &mut Tx, entry: &NewAuditRecord) -> Result<()> {
    // Not `UPDATE ... RETURNING`: before that, SQLite copies every page that it writes, and flushes its search index.
    let head: Option<Head> = tx.one(select!(Head, "FROM audit_head WHERE id = 1").locking_rows()).await?;
    let head = head.ok_or_else(|| Error::Broken("the head of the audit log is missing".into()))?;
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
    let hash = chained(&recorded, &head.hash);
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

/// Counts the entries.
pub async fn count(db: &dyn Read) -> Result<i64> {
    Ok(db.one(sql!("SELECT seq FROM audit_head WHERE id = 1")).await?.unwrap_or_default())
}

/// Returns at most `limit` entries, newest first, from `last` downwards.
pub async fn list_down(db: &dyn Read, last: i64, limit: i64) -> Result<Vec<AuditRecord>> {
    db.all(select!(
        AuditRow,
        "FROM audit
         WHERE seq <= $1
         ORDER BY seq DESC
         LIMIT $2",
        last,
        limit,
    ))
    .await
}

/// Returns at most `limit` matching entries, newest first, from `last` downwards to `first`, which is excluded.
pub async fn search(
    db: &dyn Read,
    wanted: &AuditFilter,
    first: i64,
    last: i64,
    limit: i64,
) -> Result<Vec<AuditRecord>> {
    db.all(select!(
        AuditRow,
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

/// Returns at most `limit` entries after `seq`, oldest first.
async fn list_up(db: &dyn Read, seq: i64, limit: i64) -> Result<Vec<AuditRecord>> {
    db.all(select!(
        AuditRow,
        "FROM audit
         WHERE seq > $1
         ORDER BY seq
         LIMIT $2",
        seq,
        limit,
    ))
    .await
}

/// Verifies the whole chain. Returns its length, or the number of the first entry that does not match.
pub async fn verify(db: &dyn Read) -> Result<std::result::Result<i64, i64>> {
    let mut head = Head { seq: 0, hash: String::new() };
    loop {
        let page = list_up(db, head.seq, 1_000).await?;
        if page.is_empty() {
            break;
        }
        for entry in page {
            if entry.seq != head.seq + 1 || entry.hash != chained(&entry, &head.hash) {
                return Ok(Err(head.seq + 1));
            }
            head = Head { seq: entry.seq, hash: entry.hash };
        }
    }
    let end: Option<Head> = db.one(select!(Head, "FROM audit_head WHERE id = 1")).await?;
    // Entries added during the walk only make the chain longer.
    Ok(if end.is_some_and(|end| end.seq > head.seq || (end.seq, &end.hash) == (head.seq, &head.hash)) {
        Ok(head.seq)
    } else {
        Err(head.seq + 1)
    })
}

/// Returns the hash of an entry. Each field is hashed with its length, so that different entries never hash the same
/// input.
fn chained(entry: &AuditRecord, previous: &str) -> String {
    let numbers = (entry.seq.to_string(), entry.at.to_string());
    let fields = [
        previous,
        &numbers.0,
        &numbers.1,
        &entry.actor,
        &entry.action,
        &entry.target,
        &entry.detail,
        &entry.address,
        &entry.request_id,
    ];
    let mut hash = Sha256::new();
    for field in fields {
        hash.update((field.len() as u64).to_be_bytes());
        hash.update(field);
    }
    hex(&hash.finalize())
}
