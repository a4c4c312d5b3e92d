//! Keys of usign signatures: at most one per subject. The private key arrives here sealed.

use model::{id::SubjectId, timestamp::Timestamp};

use crate::{
    Read, Result, Tx,
    engine::{
        row::row,
        statement::{insert, select, sql},
    },
};

row! {
    /// A key.
    pub struct UsignKeyRow {
        /// Its id.
        id: i64,
        /// The seed of the private key, sealed.
        sealed_seed: String,
        /// The number that clients find the key by, in hexadecimal digits.
        number: String,
    }
}

/// A new key.
#[derive(Debug, Clone)]
pub struct NewUsignKey {
    /// Its id.
    pub id: i64,
    /// The subject that it belongs to.
    pub subject_id: SubjectId,
    /// The seed of the private key, sealed.
    pub sealed_seed: String,
    /// The number that clients find the key by, in hexadecimal digits.
    pub number: String,
    /// When it was made.
    pub created: Timestamp,
}

/// Returns the key of a subject, if any.
pub async fn find(db: &dyn Read, subject_id: SubjectId) -> Result<Option<UsignKeyRow>> {
    db.one(select!(UsignKeyRow, "FROM usign_keys WHERE subject_id = $1", subject_id)).await
}

/// Stores the key of a subject that has none; returns whether it was stored.
pub async fn insert(tx: &mut Tx, key: &NewUsignKey) -> Result<bool> {
    let inserted = tx
        .run(insert!(
            usign_keys {
                id: key.id,
                subject_id: key.subject_id,
                sealed_seed: &key.sealed_seed,
                number: &key.number,
                created: key.created,
            },
            "ON CONFLICT (subject_id) DO NOTHING",
        ))
        .await?;
    Ok(inserted == 1)
}

/// Returns some of the keys, by id.
pub async fn list(db: &dyn Read, after_id: i64, limit: i64) -> Result<Vec<UsignKeyRow>> {
    db.all(select!(UsignKeyRow, "FROM usign_keys WHERE id > $1 ORDER BY id LIMIT $2", after_id, limit)).await
}

/// Replaces the sealed seed of a key.
pub async fn update_sealed(tx: &mut Tx, id: i64, sealed_seed: &str) -> Result<()> {
    tx.run(sql!("UPDATE usign_keys SET sealed_seed = $2 WHERE id = $1", id, sealed_seed)).await?;
    Ok(())
}
