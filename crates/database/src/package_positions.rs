//! Places in the list of a repository's packages, found by the counts of their blocks.

use model::prefix::NameRange;

use crate::{
    Read, Result,
    package_blocks::{LARGE, SMALL},
    row::row,
    statement::sql,
};

row! {
    /// A part of the list: a block of names.
    pub(crate) struct Part {
        /// The name it begins with, whether or not a package has it.
        first_name: String,
        /// The name that the next one begins with.
        next_name: String,
        /// How many packages come before it.
        position: i64,
    }
}

/// The small block that a position is in. `None` when there are not so many packages.
pub(crate) async fn find_block(db: &impl Read, repo_id: i64, position: i64) -> Result<Option<Part>> {
    let whole = Part { first_name: String::new(), next_name: NameRange::beginning_with("").to, position: 0 };
    match find_within(db, repo_id, LARGE, whole, position).await? {
        Some(large) => find_within(db, repo_id, SMALL, large, position).await,
        None => Ok(None),
    }
}

/// The block of a level that a position is in, among those of a larger part.
async fn find_within(db: &impl Read, repo_id: i64, level: i64, part: Part, position: i64) -> Result<Option<Part>> {
    db.one(sql!(
        "SELECT first_name, COALESCE(next_name, $4), $5 + ends - count
         FROM (
             SELECT first_name, LEAD(first_name) OVER (ORDER BY first_name) AS next_name, count,
                 CAST(SUM(count) OVER (ORDER BY first_name) AS BIGINT) AS ends
             FROM package_blocks
             WHERE repo_id = $1 AND level = $2 AND first_name >= $3 AND first_name < $4) blocks
         WHERE $5 + ends > $6
         ORDER BY first_name
         LIMIT 1",
        repo_id,
        level,
        part.first_name,
        part.next_name,
        part.position,
        position,
    ))
    .await
}

/// How many packages of the repository have smaller names: large blocks, then small ones, then names are counted.
pub(crate) async fn count_before(db: &impl Read, repo_id: i64, name: &str) -> Result<i64> {
    if name.is_empty() {
        return Ok(0);
    }
    let count = db
        .one(sql!(
            "SELECT CAST(
                 (SELECT COALESCE(SUM(count), 0)
                  FROM package_blocks
                  WHERE repo_id = $1 AND level = 2 AND first_name < (
                      SELECT MAX(first_name) FROM package_blocks WHERE repo_id = $1 AND level = 2 AND first_name <= $2))
                 +
                 (SELECT COALESCE(SUM(count), 0)
                  FROM package_blocks
                  WHERE repo_id = $1 AND level = 1 AND first_name >= (
                      SELECT MAX(first_name) FROM package_blocks WHERE repo_id = $1 AND level = 2 AND first_name <= $2)
                  AND first_name < (
                      SELECT MAX(first_name) FROM package_blocks WHERE repo_id = $1 AND level = 1 AND first_name <= $2))
                 +
                 (SELECT COUNT(*)
                  FROM packages
                  WHERE repo_id = $1 AND name < $2 AND name >= (
                      SELECT MAX(first_name) FROM package_blocks WHERE repo_id = $1 AND level = 1 AND first_name <= $2))
                 AS BIGINT)",
            repo_id,
            name,
        ))
        .await?;
    Ok(count.unwrap_or_default())
}
