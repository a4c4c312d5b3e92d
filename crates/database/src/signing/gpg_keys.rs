//! Keys that sign: one a subject, and the server's own. The private part is sealed before it comes here.

use model::timestamp::Timestamp;

use crate::{
    Error, Read, Result, Tx,
    engine::{
        row::row,
        statement::{insert, select, sql},
    },
};

/// The key of the row that holds the server's own key.
pub const OWN: i64 = 0;

/// A key that signs.
#[derive(Debug, Clone)]
pub struct GpgKey {
    /// Its key in the database; [`OWN`] for the server's.
    pub id: i64,
    /// The key of the subject it belongs to; `None` for the server's.
    pub subject_id: Option<i64>,
    /// The part of the private key that signs, sealed.
    pub sealed_key: String,
    /// The public key, armoured.
    pub public_key: String,
    /// What the public key is known by.
    pub fingerprint: String,
    /// Whether the private key opens with a passphrase only.
    pub needs_passphrase: bool,
    /// Until when it signs.
    pub expiry: Option<Timestamp>,
    /// When the server got it.
    pub created: Timestamp,
}

row! {
    struct GpgKeyRow {
        id: i64, subject_id: Option<i64>, sealed_key: String, public_key: String, fingerprint: String,
        needs_passphrase: bool, expiry: Option<i64>, created: i64,
    }
}

impl From<GpgKeyRow> for GpgKey {
    fn from(row: GpgKeyRow) -> Self {
        GpgKey {
            id: row.id,
            subject_id: row.subject_id,
            sealed_key: row.sealed_key,
            public_key: row.public_key,
            fingerprint: row.fingerprint,
            needs_passphrase: row.needs_passphrase,
            expiry: row.expiry.map(Timestamp::from_millis),
            created: Timestamp::from_millis(row.created),
        }
    }
}

/// The key of a subject, if it has one.
pub async fn find(db: &impl Read, subject_id: i64) -> Result<Option<GpgKey>> {
    let row: Option<GpgKeyRow> = db
        .one(select!(
            GpgKeyRow,
            "FROM gpg_keys
             WHERE subject_id = $1",
            subject_id,
        ))
        .await?;
    Ok(row.map(GpgKey::from))
}

/// The server's own key, once it has been made.
pub async fn find_own(db: &impl Read) -> Result<Option<GpgKey>> {
    let row: Option<GpgKeyRow> = db
        .one(select!(
            GpgKeyRow,
            "FROM gpg_keys
             WHERE id = $1",
            OWN,
        ))
        .await?;
    Ok(row.map(GpgKey::from))
}

/// Keeps a key in the place of the one that the subject had. The server's own, once made, stays: says whether it was kept.
pub async fn insert(tx: &mut Tx, key: &GpgKey) -> Result<bool> {
    if let Some(subject_id) = key.subject_id {
        delete(tx, subject_id).await?;
    }
    let inserted = tx
        .run(insert!(
            gpg_keys {
                id: key.id,
                subject_id: key.subject_id,
                sealed_key: &key.sealed_key,
                public_key: &key.public_key,
                fingerprint: &key.fingerprint,
                needs_passphrase: key.needs_passphrase,
                expiry: key.expiry,
                created: key.created,
            },
            "ON CONFLICT (id) DO NOTHING",
        ))
        .await?;
    match (inserted, key.subject_id) {
        (0, Some(_)) => Err(Error::Broken(format!("the number {} was given to two keys", key.id))),
        _ => Ok(inserted == 1),
    }
}

/// Removes the key of a subject; says whether there was one.
pub async fn delete(tx: &mut Tx, subject_id: i64) -> Result<bool> {
    Ok(tx.run(sql!("DELETE FROM gpg_keys WHERE subject_id = $1", subject_id).long()).await? > 0)
}

row! {
    /// A sealed text, and the row it is in.
    pub struct Sealed {
        /// The key of the row.
        id: i64,
        /// The text.
        text: String = "sealed_key",
    }
}

/// Some of the sealed keys, by their rows.
pub async fn list_sealed(db: &impl Read, after_id: i64, limit: i64) -> Result<Vec<Sealed>> {
    db.all(select!(Sealed, "FROM gpg_keys WHERE id > $1 ORDER BY id LIMIT $2", after_id, limit)).await
}

/// Puts another sealed text in the place of a key.
pub async fn update_sealed(tx: &mut Tx, id: i64, sealed_key: &str) -> Result<()> {
    tx.run(sql!("UPDATE gpg_keys SET sealed_key = $2 WHERE id = $1", id, sealed_key)).await?;
    Ok(())
}

row! {
    /// A key that ends, and whose it is.
    pub struct ExpiringKey in "k" {
        /// The name of its subject; `None` for the server's own.
        subject: Option<String> = "s.name",
        /// What the key is known by.
        fingerprint: String,
        /// When it ends, in milliseconds since 1970.
        expiry: i64,
    }
}

/// The keys that end before a time, those first that end first, as far as anyone needs to look.
pub async fn list_ending(db: &impl Read, before: Timestamp) -> Result<Vec<ExpiringKey>> {
    db.all(select!(
        ExpiringKey,
        "FROM gpg_keys k
         LEFT JOIN subjects s ON s.id = k.subject_id
         WHERE k.expiry < $1
         ORDER BY k.expiry, k.id
         LIMIT 1000",
        before,
    ))
    .await
}
