//! Counts of packages by blocks of names, so that a place in a long list is found without walking there.
//!
//! A name begins a block, or does not, by itself: about one in a hundred begins a small block, and of these one in a
//! hundred begins a large one, too. So the blocks follow from which packages there are, however they came and went.
//! Who writes holds the row of the repository: its blocks change one writer after the other.

use model::{names::PackageName, prefix::NameRange};
use sha2::{Digest, Sha256};

use crate::{Error, Read, Result, Tx, row::row, statement::sql};

/// Names of a small block, on average, and small blocks of a large one.
const BLOCK_SIZE: u64 = 100;

/// The level of small blocks.
pub(crate) const SMALL: i64 = 1;

/// The level of large blocks.
pub(crate) const LARGE: i64 = 2;

/// Small blocks first: large ones are counted by them.
const LEVELS: [i64; 2] = [SMALL, LARGE];

row! {
    /// A block of names.
    #[derive(PartialEq, Eq)]
    pub(crate) struct Block {
        /// Whether it is small or large.
        level: i64,
        /// The name it begins with, up to the next block of its level.
        first_name: String,
        /// How many packages are in it.
        count: i64,
    }
}

/// The blocks of a repository, small ones first, by name.
pub(crate) async fn list(db: &impl Read, repo_id: i64) -> Result<Vec<Block>> {
    db.all(sql!(
        "SELECT level, first_name, count FROM package_blocks WHERE repo_id = $1 ORDER BY level, first_name",
        repo_id,
    ))
    .await
}

/// Gives a new repository its first blocks, which are empty.
pub(crate) async fn insert_first(tx: &mut Tx, repo_id: i64) -> Result<()> {
    for block in Tally::default().finish() {
        insert(tx, repo_id, &block).await?;
    }
    Ok(())
}

/// Counts a package that the repository has got.
pub(crate) async fn count_in(tx: &mut Tx, repo_id: i64, name: &PackageName) -> Result<()> {
    add(tx, repo_id, &LEVELS, name, 1).await?;
    for level in begun_by(name) {
        let count = count_from(tx, repo_id, level, name).await?;
        add(tx, repo_id, &[level], name, -count).await?;
        insert(tx, repo_id, &Block { level, first_name: name.to_string(), count }).await?;
    }
    Ok(())
}

/// Counts a package no longer that the repository had.
pub(crate) async fn count_out(tx: &mut Tx, repo_id: i64, name: &PackageName) -> Result<()> {
    for level in begun_by(name) {
        let count = delete(tx, repo_id, level, name).await?;
        add(tx, repo_id, &[level], name, count).await?;
    }
    add(tx, repo_id, &LEVELS, name, -1).await
}

/// The levels of which a name begins a block: none for most names.
fn begun_by(name: &PackageName) -> impl Iterator<Item = i64> {
    let highest = level_of(name.as_str());
    LEVELS.into_iter().filter(move |level| *level <= highest)
}

/// Moves the counts of the blocks of some levels that a name is in.
async fn add(tx: &mut Tx, repo_id: i64, levels: &[i64], name: &PackageName, change: i64) -> Result<()> {
    tx.run(sql!(
        "UPDATE package_blocks SET count = count + $3
         WHERE repo_id = $1 AND level = 1 AND $4 AND first_name = (
                 SELECT MAX(first_name) FROM package_blocks WHERE repo_id = $1 AND level = 1 AND first_name <= $2)
             OR repo_id = $1 AND level = 2 AND $5 AND first_name = (
                 SELECT MAX(first_name) FROM package_blocks WHERE repo_id = $1 AND level = 2 AND first_name <= $2)",
        repo_id,
        name,
        change,
        levels.contains(&SMALL),
        levels.contains(&LARGE),
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
    let end = next.unwrap_or_else(|| NameRange::beginning_with("").to);
    let count = match level {
        SMALL => sql!(
            "SELECT CAST(COUNT(*) AS BIGINT) FROM packages WHERE repo_id = $1 AND name >= $2 AND name < $3",
            repo_id,
            name,
            end,
        ),
        _ => sql!(
            "SELECT CAST(COALESCE(SUM(count), 0) AS BIGINT)
             FROM package_blocks
             WHERE repo_id = $1 AND level = 1 AND first_name >= $2 AND first_name < $3",
            repo_id,
            name,
            end,
        ),
    };
    Ok(tx.one(count).await?.unwrap_or_default())
}

pub(crate) async fn insert(tx: &mut Tx, repo_id: i64, block: &Block) -> Result<()> {
    tx.run(sql!(
        "INSERT INTO package_blocks (repo_id, level, first_name, count) VALUES ($1, $2, $3, $4)",
        repo_id,
        block.level,
        &block.first_name,
        block.count,
    ))
    .await?;
    Ok(())
}

/// Removes the block that begins with a name, and returns its count.
async fn delete(tx: &mut Tx, repo_id: i64, level: i64, name: &PackageName) -> Result<i64> {
    let count = tx
        .one(sql!(
            "DELETE FROM package_blocks WHERE repo_id = $1 AND level = $2 AND first_name = $3 RETURNING count",
            repo_id,
            level,
            name,
        ))
        .await?;
    count.ok_or_else(|| Error::Broken(format!("a block of names is missing in repository {repo_id}")))
}

/// The highest level of which a name begins a block; 0 for most. The databases there are depend on it.
pub(crate) fn level_of(name: &str) -> i64 {
    let digest = Sha256::digest(name.as_bytes());
    let number = digest.iter().take(8).fold(0, |number: u64, byte| (number << 8) | u64::from(*byte));
    match number {
        _ if number.is_multiple_of(BLOCK_SIZE * BLOCK_SIZE) => LARGE,
        _ if number.is_multiple_of(BLOCK_SIZE) => SMALL,
        _ => 0,
    }
}

/// How many packages all blocks of a repository have.
pub(crate) fn total(blocks: &[Block]) -> i64 {
    blocks.iter().filter(|block| block.level == LARGE).map(|block| block.count).sum()
}

/// Makes blocks of names that come in their order.
pub(crate) struct Tally([Vec<Block>; 2]);

impl Default for Tally {
    fn default() -> Self {
        Self(LEVELS.map(|level| vec![Block { level, first_name: String::new(), count: 0 }]))
    }
}

impl Tally {
    pub(crate) fn count(&mut self, name: &str) {
        for (level, blocks) in LEVELS.into_iter().zip(&mut self.0) {
            match blocks.last_mut() {
                Some(last) if level > level_of(name) => last.count += 1,
                _ => blocks.push(Block { level, first_name: name.to_owned(), count: 1 }),
            }
        }
    }

    /// All of them, in the order of [`list`].
    pub(crate) fn finish(self) -> Vec<Block> {
        self.0.concat()
    }
}
