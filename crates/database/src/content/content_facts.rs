//! Facts that a repository format has read from content. They belong to the content, so files that share it share them.

use std::collections::HashMap;

use model::id::BlobId;

use crate::{
    Read, Result, Tx,
    engine::{
        keys,
        statement::{insert, sql},
    },
};

/// Stores the facts of one format about some content. Facts of the same content are the same, so the first ones stay.
pub async fn insert(tx: &mut Tx, blob_id: BlobId, format: &str, about: &[u8]) -> Result<()> {
    tx.run(insert!(content_facts { blob_id, format, about }, "ON CONFLICT (blob_id, format) DO NOTHING")).await?;
    Ok(())
}

/// Returns the facts of one format about some content.
pub async fn find(db: &dyn Read, blob_id: BlobId, format: &str) -> Result<Option<Vec<u8>>> {
    db.one(sql!("SELECT about FROM content_facts WHERE blob_id = $1 AND format = $2", blob_id, format).looking_up())
        .await
}

/// Returns the facts of one format about these contents.
pub async fn find_all(db: &dyn Read, blob_ids: &[BlobId], format: &str) -> Result<HashMap<BlobId, Vec<u8>>> {
    let statement = sql!("SELECT blob_id, about FROM content_facts WHERE format = $1 AND blob_id IN ($keys)", format);
    Ok(keys::all(db, statement, blob_ids).await?.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use model::timestamp::Timestamp;

    use super::*;
    use crate::{Database, ScopedFutureExt, testing::scratch::Scratch};

    async fn with_blob(scratch: &Scratch) -> Database {
        let db = scratch.open().await;
        db.migrate(Timestamp::EPOCH).await.expect("the schema can be made");
        let blob = "INSERT INTO blobs (id, sha256, sha1, size, is_going) VALUES (1, 'a', 'b', 3, FALSE)";
        db.write(|tx| async move { tx.batch(blob).await }.scope_boxed()).await.expect("a blob");
        db
    }

    async fn put(db: &Database, format: &'static str, about: &'static [u8]) {
        db.write(|tx| async move { insert(tx, BlobId::new(1), format, about).await }.scope_boxed())
            .await
            .expect("facts are stored");
    }

    #[tokio::test]
    async fn facts_are_any_bytes_of_a_format_and_end_with_their_content() {
        let scratch = Scratch::create().await;
        let db = with_blob(&scratch).await;
        put(&db, "pypi", b"\0\xff not text").await;
        put(&db, "pypi", b"later").await;
        put(&db, "npm", b"").await;
        assert_eq!(
            find(&db, BlobId::new(1), "pypi").await.expect("a look-up").as_deref(),
            Some(&b"\0\xff not text"[..])
        );
        assert_eq!(find(&db, BlobId::new(1), "npm").await.expect("a look-up").as_deref(), Some(&b""[..]));
        assert_eq!(find(&db, BlobId::new(1), "cargo").await.expect("a look-up"), None);
        let all = find_all(&db, &[BlobId::new(1), BlobId::new(2)], "npm").await.expect("a look-up");
        assert_eq!(all, HashMap::from([(BlobId::new(1), Vec::new())]));
        db.write(|tx| async move { tx.batch("DELETE FROM blobs").await }.scope_boxed()).await.expect("it goes");
        assert_eq!(find(&db, BlobId::new(1), "pypi").await.expect("a look-up"), None);
    }
}
