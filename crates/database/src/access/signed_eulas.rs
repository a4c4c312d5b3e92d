//! Who has agreed to what, when and from where.

use model::timestamp::Timestamp;

use crate::{
    Read, Result, Tx,
    engine::{
        row::row,
        statement::{insert, select, sql},
    },
};

/// A key's word for a text.
#[derive(Debug, Clone)]
pub struct SignedEula {
    /// The key of the product.
    pub product_id: i64,
    /// The key of the access key.
    pub key_id: i64,
    /// How the access key signs in.
    pub key_name: String,
    /// The version that it is about.
    pub version: String,
    /// The key of the agreement.
    pub eula_id: i64,
    /// The agreement's name.
    pub eula: String,
    /// The SHA-256 of its text.
    pub eula_sha256: String,
    /// When it was given.
    pub at: Timestamp,
    /// From where.
    pub address: String,
}

row! {
    /// A key's word in a list.
    pub struct ListedSignature {
        /// The agreement's name.
        eula: String,
        /// The version.
        version: String,
        /// How the access key signs in.
        key_name: String,
        /// When, in milliseconds since the start of 1970.
        at: i64,
        /// From where.
        address: String,
    }
}

/// Keeps a key's word; false when it was given already.
pub async fn insert(tx: &mut Tx, signed: &SignedEula) -> Result<bool> {
    let added = tx
        .run(insert!(
            signed_eulas {
                product_id: signed.product_id,
                key_id: signed.key_id,
                version: &signed.version,
                eula: &signed.eula,
                eula_id: signed.eula_id,
                eula_sha256: &signed.eula_sha256,
                key_name: &signed.key_name,
                at: signed.at,
                address: &signed.address,
            },
            "ON CONFLICT (product_id, key_id, version, eula_sha256) DO NOTHING",
        ))
        .await?;
    Ok(added == 1)
}

/// What a key has agreed to for a version of a product: the SHA-256 of each text.
pub async fn list_of_key(db: &impl Read, product_id: i64, key_id: i64, version: &str) -> Result<Vec<String>> {
    db.all(sql!(
        "SELECT eula_sha256
         FROM signed_eulas
         WHERE product_id = $1 AND key_id = $2 AND version = $3
         ORDER BY eula_sha256",
        product_id,
        key_id,
        version,
    ))
    .await
}

/// How often anything of a product was agreed to.
pub async fn count(db: &impl Read, product_id: i64) -> Result<i64> {
    let count =
        db.one(sql!("SELECT CAST(COUNT(*) AS BIGINT) FROM signed_eulas WHERE product_id = $1", product_id)).await?;
    Ok(count.unwrap_or_default())
}

/// Who has agreed to something of a product, newest first.
pub async fn list(db: &impl Read, product_id: i64, start: i64, limit: i64) -> Result<Vec<ListedSignature>> {
    db.all(select!(
        ListedSignature,
        "FROM signed_eulas
         WHERE product_id = $1
         ORDER BY at DESC, key_id, version, eula_sha256
         LIMIT $3 OFFSET $2",
        product_id,
        start,
        limit,
    ))
    .await
}
