//! Paid downloads of access keys with a download limit: the bytes that are left of each, by content.

use model::{
    download_quota::{Paid, PaidContent},
    id::KeyId,
    timestamp::Timestamp,
};

use crate::{Read, Result, Tx, engine::statement::sql};

/// Returns the bytes left of the downloads of this content that a key has paid for.
pub async fn find(db: &dyn Read, key_id: KeyId, content: PaidContent) -> Result<Paid> {
    let statement = sql!(
        "SELECT bytes_left FROM access_key_transfers WHERE key_id = $1 AND blob_id = $2",
        key_id,
        content.blob_id,
    );
    Ok(Paid::new(content.size, db.one(statement).await?.unwrap_or_default()))
}

/// Locks a key until the transaction ends, so that only one transaction at a time changes its remaining bytes.
async fn lock(tx: &mut Tx, key_id: KeyId) -> Result<()> {
    tx.lock(sql!("SELECT id FROM access_keys WHERE id = $1", key_id)).await?;
    Ok(())
}

/// Takes bytes of content from the downloads that a key has paid for, and pays for more downloads if they are not
/// enough. Returns false and changes nothing if the key has too few downloads left.
pub async fn take(tx: &mut Tx, key_id: KeyId, content: PaidContent, bytes: i64, now: Timestamp) -> Result<bool> {
    lock(tx, key_id).await?;
    let mut paid = find(tx, key_id, content).await?;
    let price = paid.price(bytes);
    let has_paid = price == 0
        || tx
            .run(sql!(
                "UPDATE access_keys SET spent_downloads = spent_downloads + $2
                 WHERE id = $1 AND spent_downloads + $2 <= max_downloads",
                key_id,
                price,
            ))
            .await?
            == 1;
    if has_paid {
        paid.send(price, bytes);
        set(tx, key_id, content, paid, now).await?;
    }
    Ok(has_paid)
}

/// Gives back bytes that were taken but not sent. Ignores a key that was deleted meanwhile.
pub async fn give_back(tx: &mut Tx, key_id: KeyId, content: PaidContent, bytes: i64, now: Timestamp) -> Result<()> {
    lock(tx, key_id).await?;
    let mut paid = find(tx, key_id, content).await?;
    let downloads = paid.give_back(bytes);
    if downloads > 0 {
        tx.run(sql!("UPDATE access_keys SET spent_downloads = spent_downloads - $2 WHERE id = $1", key_id, downloads,))
            .await?;
    }
    set(tx, key_id, content, paid, now).await
}

async fn set(tx: &mut Tx, key_id: KeyId, content: PaidContent, paid: Paid, now: Timestamp) -> Result<()> {
    if paid.left() == 0 || content.size == 0 {
        tx.run(
            sql!("DELETE FROM access_key_transfers WHERE key_id = $1 AND blob_id = $2", key_id, content.blob_id,)
                .long(),
        )
        .await?;
        return Ok(());
    }
    tx.run(sql!(
        "INSERT INTO access_key_transfers (key_id, blob_id, bytes_left, updated)
         SELECT k.id, $2, $3, $4
         FROM access_keys k
         WHERE k.id = $1
         ON CONFLICT (key_id, blob_id) DO UPDATE SET bytes_left = excluded.bytes_left, updated = excluded.updated",
        key_id,
        content.blob_id,
        paid.left(),
        now,
    ))
    .await?;
    Ok(())
}

/// Deletes what is left of paid downloads from before a time.
pub async fn delete_old(tx: &mut Tx, before: Timestamp) -> Result<()> {
    tx.run(sql!("DELETE FROM access_key_transfers WHERE updated < $1", before).long()).await?;
    Ok(())
}
