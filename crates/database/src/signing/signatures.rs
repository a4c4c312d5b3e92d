//! Signatures made by this server, and the content that they sign.

use model::id::BlobId;

use crate::{
    Read, Result, Tx,
    engine::{
        row::row,
        statement::{insert, select},
    },
};

row! {
    /// A signature made by this server.
    pub struct Signature {
        /// The id of its blob.
        blob_id: BlobId,
        /// The id of the signed blob.
        signed_blob_id: BlobId,
        /// The fingerprint of the key that made it.
        fingerprint: String,
    }
}

/// Returns the signature record of this content, if it is a signature made by this server.
pub async fn find(db: &dyn Read, blob_id: BlobId) -> Result<Option<Signature>> {
    db.one(select!(Signature, "FROM signatures WHERE blob_id = $1", blob_id)).await
}

/// Records the content that a signature signs.
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
