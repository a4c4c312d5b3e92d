//! Signatures of EULAs: the access key, the text, the time and the address.

use model::{eula::ListedSignature, id::KeyId, timestamp::Timestamp};

use crate::{
    Read, Result, Tx,
    engine::{
        row::row,
        statement::{insert, select, sql},
    },
};

/// An access key's agreement to a EULA.
#[derive(Debug, Clone)]
pub struct SignedEula {
    /// The id of the product.
    pub product_id: i64,
    /// The id of the access key.
    pub key_id: KeyId,
    /// The login name of the access key.
    pub key_name: String,
    /// The version that it applies to.
    pub version: String,
    /// The id of the EULA.
    pub eula_id: i64,
    /// The name of the EULA.
    pub eula: String,
    /// The SHA-256 of its text.
    pub eula_sha256: String,
    /// When it was signed.
    pub at: Timestamp,
    /// The address it was signed from.
    pub address: String,
}

row! {
    struct ListedSignatureRow => ListedSignature {
        eula: String, version: String, key_name: String, at: i64, address: String,
    }
}

/// Records a signature; returns false if the key has already signed.
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

/// Returns the SHA-256 of each text that a key has agreed to for a version of a product.
pub async fn list_of_key(db: &dyn Read, product_id: i64, key_id: KeyId, version: &str) -> Result<Vec<String>> {
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

/// Counts the signatures of all EULAs of a product.
pub async fn count(db: &dyn Read, product_id: i64) -> Result<i64> {
    let count =
        db.one(sql!("SELECT CAST(COUNT(*) AS BIGINT) FROM signed_eulas WHERE product_id = $1", product_id)).await?;
    Ok(count.unwrap_or_default())
}

/// Returns a page of the signatures of a product's EULAs, newest first.
pub async fn list(db: &dyn Read, product_id: i64, start: i64, limit: i64) -> Result<Vec<ListedSignature>> {
    db.all(select!(
        ListedSignatureRow,
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
