//! Blocks of streams, and their bytes.

use crate::{
    Read, Result, Tx,
    engine::{
        keys,
        row::row,
        statement::{insert, select, sql},
    },
};

row! {
    /// A block.
    pub struct IndexBlock in "b" {
        /// Its database id.
        id: i64,
        /// Its place in the stream.
        place: i64,
        /// The number of its entries.
        entries: i64,
        /// The size of its text.
        plain_size: i64,
        /// The size of its stored bytes.
        size: i64,
        /// The size of the facts that it is rendered from.
        facts_size: i64,
        /// The states of the digests after it.
        states: Option<Vec<u8>>,
    }
}

/// Lists the blocks of the newest generation in their order.
pub async fn list_live(db: &dyn Read, stream_id: i64) -> Result<Vec<IndexBlock>> {
    db.all(select!(
        IndexBlock,
        "FROM index_blocks b WHERE b.stream_id = $1 AND b.last_generation IS NULL ORDER BY b.place",
        stream_id,
    ))
    .await
}

/// Returns the last block of the newest generation.
pub async fn find_last(db: &dyn Read, stream_id: i64) -> Result<Option<IndexBlock>> {
    db.one(select!(
        IndexBlock,
        "FROM index_blocks b WHERE b.stream_id = $1 AND b.last_generation IS NULL ORDER BY b.place DESC LIMIT 1",
        stream_id,
    ))
    .await
}

/// Lists the ids of the blocks of a generation in their order, with the sizes of their texts.
pub async fn list_at(db: &dyn Read, stream_id: i64, generation: i64) -> Result<Vec<(i64, i64)>> {
    db.all(sql!(
        "SELECT b.id, b.plain_size FROM index_blocks b
         WHERE b.stream_id = $1 AND b.first_generation <= $2
             AND (b.last_generation IS NULL OR b.last_generation > $2)
         ORDER BY b.place",
        stream_id,
        generation,
    ))
    .await
}

/// Returns the stored bytes of a block.
pub async fn find_bytes(db: &dyn Read, block_id: i64) -> Result<Option<Vec<u8>>> {
    db.one(sql!("SELECT bytes FROM index_block_bytes WHERE block_id = $1", block_id)).await
}

/// Adds a block with its bytes, which is part of the newest generation from this one on.
pub async fn insert(tx: &mut Tx, stream_id: i64, generation: i64, block: &IndexBlock, bytes: &[u8]) -> Result<()> {
    let IndexBlock { id, place, entries, plain_size, size, facts_size, states } = block;
    tx.run(insert!(index_blocks {
        id: *id,
        stream_id,
        place: *place,
        entries: *entries,
        plain_size: *plain_size,
        size: *size,
        facts_size: *facts_size,
        first_generation: generation,
        states: states.as_deref(),
    }))
    .await?;
    tx.run(insert!(index_block_bytes { block_id: *id, bytes })).await?;
    Ok(())
}

/// Ends blocks: they are part of no generation from this one on.
pub async fn end(tx: &mut Tx, ids: &[i64], generation: i64) -> Result<()> {
    for part in ids.chunks(keys::KEYS) {
        let ended = sql!("UPDATE index_blocks SET last_generation = $1 WHERE id IN ($keys)", generation);
        tx.run(keys::about(ended, part)).await?;
    }
    Ok(())
}

/// Sets the states of the digests after a block.
pub async fn set_states(tx: &mut Tx, id: i64, states: &[u8]) -> Result<()> {
    tx.run(sql!("UPDATE index_blocks SET states = $2 WHERE id = $1", id, states)).await?;
    Ok(())
}

/// Deletes the ended blocks of a stream that no file of an index needs.
pub async fn delete_unneeded(tx: &mut Tx, stream_id: i64) -> Result<()> {
    tx.run(
        sql!(
            "DELETE FROM index_blocks
             WHERE stream_id = $1 AND last_generation IS NOT NULL AND NOT EXISTS (
                 SELECT 1 FROM index_files f
                 WHERE f.stream_id = $1 AND f.generation >= first_generation AND f.generation < last_generation)
                 AND NOT EXISTS (
                 SELECT 1 FROM index_files f
                 WHERE f.second_stream_id = $1 AND f.generation >= first_generation
                     AND f.generation < last_generation)",
            stream_id,
        )
        .long(),
    )
    .await?;
    Ok(())
}
