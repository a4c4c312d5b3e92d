//! Counts of packages in blocks of names, so that a position in a long list is found without walking there.
//!
//! Whether a name begins a block depends on the name alone: about one in 32 begins a small block, about one in 32 of
//! these also begins a medium one, and so on. So the blocks follow from the existing packages, regardless of the order
//! of additions and deletions. A writer locks the row of the repository, so the blocks are changed by one writer at a
//! time.

pub mod check;

#[cfg(test)]
pub(crate) mod tests;

use model::{id::RepoId, names::PackageName, prefix::NameRange};
use sha2::{Digest, Sha256};

use crate::{
    Error, Read, Result, Tx,
    engine::{
        row::row,
        statement::{insert, select, sql},
    },
};

/// On average, one in this many names, or blocks, begins a block of the next level. Existing databases depend on the
/// value.
const BLOCK_SIZE: u64 = 32;

/// The levels, from small to large blocks. The counts of each level are computed from the level below.
pub(crate) const LEVELS: [i64; 3] = [1, 2, 3];

row! {
    /// A block of names.
    #[derive(PartialEq, Eq)]
    pub(crate) struct NameBlock {
        /// Its size: one of [`LEVELS`].
        level: i64,
        /// Its first name; it extends to the next block of its level.
        first_name: String,
        /// The number of packages in it.
        count: i64,
    }
}

/// Returns the blocks of a repository, small ones first, by name.
pub(crate) async fn list(db: &dyn Read, repo_id: RepoId) -> Result<Vec<NameBlock>> {
    db.all(select!(NameBlock, "FROM package_blocks WHERE repo_id = $1 ORDER BY level, first_name", repo_id)).await
}

/// Returns the blocks of a level that begin in a range, by name. They are fetched as one text, because fetching a row
/// costs more than reading it; no name contains a slash.
pub(crate) async fn list_within(
    db: &dyn Read,
    repo_id: RepoId,
    level: i64,
    range: &NameRange,
) -> Result<Vec<NameBlock>> {
    let text: Option<String> = db
        .one(sql!(
            "SELECT COALESCE(STRING_AGG(count || '/' || first_name, '/'), '')
             FROM (
                 SELECT first_name, count
                 FROM package_blocks
                 WHERE repo_id = $1 AND level = $2 AND first_name >= $3 AND first_name < $4
                 ORDER BY first_name
             ) blocks",
            repo_id,
            level,
            &range.from,
            &range.to,
        ))
        .await?;
    read_blocks(level, &text.unwrap_or_default())
}

fn read_blocks(level: i64, text: &str) -> Result<Vec<NameBlock>> {
    let mut parts = text.split('/');
    let mut blocks = Vec::new();
    while let (Some(count), Some(first_name)) = (parts.next(), parts.next()) {
        let count = count.parse().map_err(|_| Error::Broken(format!("'{count}' is not the count of a block")))?;
        blocks.push(NameBlock { level, first_name: first_name.to_owned(), count });
    }
    Ok(blocks)
}

/// Adds the first blocks of a new repository, which are empty.
pub(crate) async fn insert_first(tx: &mut Tx, repo_id: RepoId) -> Result<()> {
    for block in BlockBuilder::default().finish() {
        insert(tx, repo_id, &block).await?;
    }
    Ok(())
}

/// Counts a package that was added to the repository.
pub(crate) async fn count_in(tx: &mut Tx, repo_id: RepoId, name: &PackageName) -> Result<()> {
    add(tx, repo_id, &LEVELS, name, 1).await?;
    for level in levels_begun_by(name.as_str()) {
        let count = count_from(tx, repo_id, level, name).await?;
        add(tx, repo_id, &[level], name, -count).await?;
        insert(tx, repo_id, &NameBlock { level, first_name: name.to_string(), count }).await?;
    }
    Ok(())
}

/// Subtracts a package that was deleted from the repository.
pub(crate) async fn count_out(tx: &mut Tx, repo_id: RepoId, name: &PackageName) -> Result<()> {
    for level in levels_begun_by(name.as_str()) {
        let count = delete(tx, repo_id, level, name).await?;
        add(tx, repo_id, &[level], name, count).await?;
    }
    add(tx, repo_id, &LEVELS, name, -1).await
}

/// Changes the counts of the blocks that contain a name, on some levels.
async fn add(tx: &mut Tx, repo_id: RepoId, levels: &[i64], name: &PackageName, change: i64) -> Result<()> {
    let [small, middle, large] = LEVELS.map(|level| levels.contains(&level));
    tx.run(sql!(
        "UPDATE package_blocks SET count = count + $3
         WHERE repo_id = $1 AND level = 1 AND $4 AND first_name = (
                 SELECT MAX(first_name) FROM package_blocks WHERE repo_id = $1 AND level = 1 AND first_name <= $2)
             OR repo_id = $1 AND level = 2 AND $5 AND first_name = (
                 SELECT MAX(first_name) FROM package_blocks WHERE repo_id = $1 AND level = 2 AND first_name <= $2)
             OR repo_id = $1 AND level = 3 AND $6 AND first_name = (
                 SELECT MAX(first_name) FROM package_blocks WHERE repo_id = $1 AND level = 3 AND first_name <= $2)",
        repo_id,
        name,
        change,
        small,
        middle,
        large,
    ))
    .await?;
    Ok(())
}

/// Counts the packages from a name up to the next block of the level.
async fn count_from(tx: &mut Tx, repo_id: RepoId, level: i64, name: &PackageName) -> Result<i64> {
    let next: Option<String> = tx
        .one(sql!(
            "SELECT first_name
             FROM package_blocks
             WHERE repo_id = $1 AND level = $2 AND first_name > $3
             ORDER BY first_name
             LIMIT 1",
            repo_id,
            level,
            name,
        ))
        .await?;
    let rest = NameRange { from: name.to_string(), to: next.unwrap_or_else(|| NameRange::beginning_with("").to) };
    match LEVELS.into_iter().rfind(|lower| *lower < level) {
        Some(lower) => Ok(list_within(tx, repo_id, lower, &rest).await?.iter().map(|block| block.count).sum()),
        None => count_names(tx, repo_id, &rest).await,
    }
}

/// Counts the packages with names in a range, one by one.
pub(crate) async fn count_names(db: &dyn Read, repo_id: RepoId, range: &NameRange) -> Result<i64> {
    let count = db
        .one(sql!(
            "SELECT CAST(COUNT(*) AS BIGINT) FROM packages WHERE repo_id = $1 AND name >= $2 AND name < $3",
            repo_id,
            &range.from,
            &range.to,
        ))
        .await?;
    Ok(count.unwrap_or_default())
}

pub(crate) async fn insert(tx: &mut Tx, repo_id: RepoId, block: &NameBlock) -> Result<()> {
    tx.run(insert!(package_blocks { repo_id, level: block.level, first_name: &block.first_name, count: block.count }))
        .await?;
    Ok(())
}

/// Deletes the block that begins with a name, and returns its count.
async fn delete(tx: &mut Tx, repo_id: RepoId, level: i64, name: &PackageName) -> Result<i64> {
    let count = tx
        .one(
            sql!(
                "DELETE FROM package_blocks WHERE repo_id = $1 AND level = $2 AND first_name = $3 RETURNING count",
                repo_id,
                level,
                name,
            )
            .long(),
        )
        .await?;
    count.ok_or_else(|| Error::Broken(format!("a block of names is missing in repository {repo_id}")))
}

/// Returns the levels on which a name begins a block: none for most names.
pub(crate) fn levels_begun_by(name: &str) -> impl Iterator<Item = i64> {
    let digest = Sha256::digest(name.as_bytes());
    let mut number = digest.iter().take(8).fold(0, |number: u64, byte| (number << 8) | u64::from(*byte));
    LEVELS.into_iter().take_while(move |_| {
        let begins = number.is_multiple_of(BLOCK_SIZE);
        number /= BLOCK_SIZE;
        begins
    })
}

/// Builds blocks from names in sorted order.
pub(crate) struct BlockBuilder([Vec<NameBlock>; LEVELS.len()]);

impl Default for BlockBuilder {
    fn default() -> Self {
        Self(LEVELS.map(|level| vec![NameBlock { level, first_name: String::new(), count: 0 }]))
    }
}

impl BlockBuilder {
    pub(crate) fn count(&mut self, name: &str) {
        for (level, blocks) in levels_begun_by(name).zip(&mut self.0) {
            blocks.push(NameBlock { level, first_name: name.to_owned(), count: 0 });
        }
        self.0.iter_mut().filter_map(|blocks| blocks.last_mut()).for_each(|last| last.count += 1);
    }

    /// Returns all blocks, in the order of [`list`].
    pub(crate) fn finish(self) -> Vec<NameBlock> {
        self.0.concat()
    }
}

/// Returns the number of packages in all blocks of a repository.
pub(crate) fn total(blocks: &[NameBlock]) -> i64 {
    blocks.iter().filter(|block| block.level == LEVELS[0]).map(|block| block.count).sum()
}
