//! Counts of packages by blocks of names, so that a place in a long list is found without walking there.
//!
//! A name begins a block, or does not, by itself: about one in 32 begins a small block, of these about one in 32 begins
//! a middle one, too, and so on. So the blocks follow from which packages there are, however they came and went. Who
//! writes holds the row of the repository: its blocks change one writer after the other.

pub mod check;

#[cfg(test)]
pub(crate) mod tests;

use model::{names::PackageName, prefix::NameRange};
use sha2::{Digest, Sha256};

use crate::{
    Error, Read, Result, Tx,
    engine::{
        row::row,
        statement::{insert, select, sql},
    },
};

/// Of so many names, or blocks, one begins a block of the next level, on average. The databases there are depend on it.
const BLOCK_SIZE: u64 = 32;

/// From the small blocks to the large ones: each level is counted by the one before.
pub(crate) const LEVELS: [i64; 3] = [1, 2, 3];

row! {
    /// A block of names.
    #[derive(PartialEq, Eq)]
    pub(crate) struct NameBlock {
        /// How large it is: one of [`LEVELS`].
        level: i64,
        /// The name it begins with, up to the next block of its level.
        first_name: String,
        /// How many packages are in it.
        count: i64,
    }
}

/// The blocks of a repository, small ones first, by name.
pub(crate) async fn list(db: &impl Read, repo_id: i64) -> Result<Vec<NameBlock>> {
    db.all(select!(NameBlock, "FROM package_blocks WHERE repo_id = $1 ORDER BY level, first_name", repo_id)).await
}

/// The blocks of a level that begin in a range, by name. They come as one text, since fetching a row costs more than
/// reading it; no name has a slash.
pub(crate) async fn list_within(db: &impl Read, repo_id: i64, level: i64, range: &NameRange) -> Result<Vec<NameBlock>> {
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

/// Gives a new repository its first blocks, which are empty.
pub(crate) async fn insert_first(tx: &mut Tx, repo_id: i64) -> Result<()> {
    for block in BlockBuilder::default().finish() {
        insert(tx, repo_id, &block).await?;
    }
    Ok(())
}

/// Counts a package that the repository has got.
pub(crate) async fn count_in(tx: &mut Tx, repo_id: i64, name: &PackageName) -> Result<()> {
    add(tx, repo_id, &LEVELS, name, 1).await?;
    for level in levels_begun_by(name.as_str()) {
        let count = count_from(tx, repo_id, level, name).await?;
        add(tx, repo_id, &[level], name, -count).await?;
        insert(tx, repo_id, &NameBlock { level, first_name: name.to_string(), count }).await?;
    }
    Ok(())
}

/// Counts a package no longer that the repository had.
pub(crate) async fn count_out(tx: &mut Tx, repo_id: i64, name: &PackageName) -> Result<()> {
    for level in levels_begun_by(name.as_str()) {
        let count = delete(tx, repo_id, level, name).await?;
        add(tx, repo_id, &[level], name, count).await?;
    }
    add(tx, repo_id, &LEVELS, name, -1).await
}

/// Moves the counts of the blocks of some levels that a name is in.
async fn add(tx: &mut Tx, repo_id: i64, levels: &[i64], name: &PackageName, change: i64) -> Result<()> {
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

/// How many packages there are from a name on, up to the next block of the level.
async fn count_from(tx: &mut Tx, repo_id: i64, level: i64, name: &PackageName) -> Result<i64> {
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

/// How many packages have names in a range, counted one by one.
pub(crate) async fn count_names(db: &impl Read, repo_id: i64, range: &NameRange) -> Result<i64> {
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

pub(crate) async fn insert(tx: &mut Tx, repo_id: i64, block: &NameBlock) -> Result<()> {
    tx.run(insert!(package_blocks { repo_id, level: block.level, first_name: &block.first_name, count: block.count }))
        .await?;
    Ok(())
}

/// Removes the block that begins with a name, and returns its count.
async fn delete(tx: &mut Tx, repo_id: i64, level: i64, name: &PackageName) -> Result<i64> {
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

/// The levels of which a name begins a block: none for most names.
pub(crate) fn levels_begun_by(name: &str) -> impl Iterator<Item = i64> {
    let digest = Sha256::digest(name.as_bytes());
    let mut number = digest.iter().take(8).fold(0, |number: u64, byte| (number << 8) | u64::from(*byte));
    LEVELS.into_iter().take_while(move |_| {
        let begins = number.is_multiple_of(BLOCK_SIZE);
        number /= BLOCK_SIZE;
        begins
    })
}

/// Makes blocks of names that come in their order.
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

    /// All of them, in the order of [`list`].
    pub(crate) fn finish(self) -> Vec<NameBlock> {
        self.0.concat()
    }
}

/// How many packages all blocks of a repository have.
pub(crate) fn total(blocks: &[NameBlock]) -> i64 {
    blocks.iter().filter(|block| block.level == LEVELS[0]).map(|block| block.count).sum()
}
