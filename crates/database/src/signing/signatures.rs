//! Content that is a signature made here, and what it signs.

use crate::{
    Read, Result, Tx,
    engine::{
        row::row,
        statement::{insert, select},
    },
};

row! {
    /// A signature that was made here.
    pub struct Signature {
        /// The key of its content.
        blob_id: i64,
        /// The key of the content that it signs.
        signed_blob_id: i64,
        /// What the key that made it is known by.
        fingerprint: String,
    }
}

/// What this content signs, when it is a signature that was made here.
pub async fn find(db: &impl Read, blob_id: i64) -> Result<Option<Signature>> {
    db.one(select!(Signature, "FROM signatures WHERE blob_id = $1", blob_id)).await
}

/// Remembers what a signature signs.
pub async fn insert(tx: &mut Tx, signature: &Signature) -> Result<()> {
    tx.run(insert!(
        signatures {
            blob_id: signature.blob_id,
            signed_blob_id: signature.signed_blob_id,
            fingerprint: &signature.fingerprint,
        },
        "ON CONFLICT (blob_id) DO UPDATE SET signed_blob_id = excluded.signed_blob_id",
    ))
    .await?;
    Ok(())
}
