//! GPG keys: one per subject, and the server's own. The private key arrives here sealed.

use model::{access::Viewer, id::SubjectId, timestamp::Timestamp};

use crate::{
    Error, Read, Result, Tx,
    engine::{
        row::row,
        statement::{insert, select, sql},
    },
};

/// The id of the row with the server's own key.
pub const OWN: i64 = 0;

/// A GPG key.
#[derive(Debug, Clone)]
pub struct GpgKey {
    /// Its database id; [`OWN`] for the server's.
    pub id: i64,
    /// The id of the subject it belongs to; `None` for the server's.
    pub subject_id: Option<SubjectId>,
    /// The signing part of the private key, sealed.
    pub sealed_key: String,
    /// The public key, armoured.
    pub public_key: String,
    /// The fingerprint of the public key.
    pub fingerprint: String,
    /// Whether the private key is protected by a passphrase.
    pub needs_passphrase: bool,
    /// When it expires.
    pub expiry: Option<Timestamp>,
    /// When it was added to the server.
    pub created: Timestamp,
}

row! {
    struct GpgKeyRow {
        id: i64, subject_id: Option<SubjectId>, sealed_key: String, public_key: String, fingerprint: String,
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

/// Returns the key of a subject, if any.
pub async fn find(db: &dyn Read, subject_id: SubjectId) -> Result<Option<GpgKey>> {
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

/// Returns the server's own key, once it has been created.
pub async fn find_own(db: &dyn Read) -> Result<Option<GpgKey>> {
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

/// Returns whether a repository of a subject that the viewer may see signs its indexes with the server's own key:
/// because the subject has no key, or because the repository does not use it.
pub async fn needs_own(db: &dyn Read, subject_id: SubjectId, has_key: bool, reader: Viewer) -> Result<bool> {
    let found: Option<i64> = db
        .one(sql!(
            "SELECT r.id
             FROM repos r
             WHERE r.owner_id = $1 AND r.gpg_sign_metadata AND NOT (r.gpg_use_owner_key AND $2)
                 AND (NOT r.is_private OR ($4 AND r.owner_id > 0)
                     OR EXISTS (SELECT 1 FROM repo_grants g WHERE g.repo_id = r.id AND g.grantee_id = $3))
             LIMIT 1",
            subject_id,
            has_key,
            reader.id,
            reader.sees_everything,
        ))
        .await?;
    Ok(found.is_some())
}

/// Sets the key of a subject and replaces an earlier one. The server's own key is never replaced. Returns whether the
/// key was stored.
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

/// Deletes the key of a subject; returns whether it existed.
pub async fn delete(tx: &mut Tx, subject_id: SubjectId) -> Result<bool> {
    Ok(tx.run(sql!("DELETE FROM gpg_keys WHERE subject_id = $1", subject_id).long()).await? > 0)
}

row! {
    /// A sealed text, and its row.
    pub struct Sealed {
        /// The id of the row.
        id: i64,
        /// The text.
        text: String = "sealed_key",
    }
}

/// Returns some of the sealed keys, by id.
pub async fn list_sealed(db: &dyn Read, after_id: i64, limit: i64) -> Result<Vec<Sealed>> {
    db.all(select!(Sealed, "FROM gpg_keys WHERE id > $1 ORDER BY id LIMIT $2", after_id, limit)).await
}

/// Replaces the sealed text of a key.
pub async fn update_sealed(tx: &mut Tx, id: i64, sealed_key: &str) -> Result<()> {
    tx.run(sql!("UPDATE gpg_keys SET sealed_key = $2 WHERE id = $1", id, sealed_key)).await?;
    Ok(())
}

row! {
    /// A key that expires, with its subject.
    pub struct ExpiringKey in "k" {
        /// Its id.
        id: i64,
        /// The id of its subject; `None` for the server's own.
        subject_id: Option<SubjectId>,
        /// The name of its subject.
        subject: Option<String> = "s.name",
        /// The fingerprint of the key.
        fingerprint: String,
        /// When it expires, in milliseconds since 1970.
        expiry: i64,
    }
}

/// Returns the keys that expire before a time, in order of expiry, up to a limit that is enough for callers.
pub async fn list_ending(db: &dyn Read, before: Timestamp) -> Result<Vec<ExpiringKey>> {
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
