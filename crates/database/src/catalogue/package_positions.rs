//! Positions in the list of a repository's packages, found by the counts of the name blocks: from the largest blocks
//! down to the smallest, this reads about a hundred rows, however long the list is.

use model::{id::RepoId, prefix::NameRange};

use crate::{
    Read, Result,
    catalogue::blocks::{LEVELS, list_within},
    engine::statement::sql,
};

/// A known position in the list, from which to walk to another one.
pub(crate) struct ListAnchor {
    /// The name to start at, whether or not a package has it.
    pub(crate) first_name: String,
    /// The number of packages before it.
    pub(crate) position: i64,
}

/// Returns the start of the smallest block that contains a position. `None` if the list is shorter.
pub(crate) async fn find_start(db: &dyn Read, repo_id: RepoId, position: i64) -> Result<Option<ListAnchor>> {
    let mut range = NameRange::beginning_with("");
    let mut before = 0;
    for level in LEVELS.into_iter().rev() {
        let mut blocks = list_within(db, repo_id, level, &range).await?.into_iter();
        let Some(block) = blocks.by_ref().find(|block| {
            before += block.count;
            before > position
        }) else {
            return Ok(None);
        };
        before -= block.count;
        range = NameRange { from: block.first_name, to: blocks.next().map_or(range.to, |next| next.first_name) };
    }
    Ok(Some(ListAnchor { first_name: range.from, position: before }))
}

/// Counts the packages of the repository with smaller names, in one statement: the large blocks before the one that
/// contains the name, then the medium ones inside that one, and so on down to single names.
pub(crate) async fn count_before(db: &dyn Read, repo_id: RepoId, name: &str) -> Result<i64> {
    if name.is_empty() {
        return Ok(0);
    }
    let statement = sql!(
        "SELECT CAST(
             (SELECT COALESCE(SUM(b.count), 0) FROM package_blocks b
              WHERE b.repo_id = $1 AND b.level = 3 AND b.first_name < o.large)
             + (SELECT COALESCE(SUM(b.count), 0) FROM package_blocks b
                WHERE b.repo_id = $1 AND b.level = 2 AND b.first_name >= o.large AND b.first_name < o.medium)
             + (SELECT COALESCE(SUM(b.count), 0) FROM package_blocks b
                WHERE b.repo_id = $1 AND b.level = 1 AND b.first_name >= o.medium AND b.first_name < o.small)
             + (SELECT COUNT(*) FROM packages p WHERE p.repo_id = $1 AND p.name >= o.small AND p.name < $2)
             AS BIGINT)
         FROM (
             SELECT
                 (SELECT MAX(first_name) FROM package_blocks
                  WHERE repo_id = $1 AND level = 3 AND first_name < $2) AS large,
                 (SELECT MAX(first_name) FROM package_blocks
                  WHERE repo_id = $1 AND level = 2 AND first_name < $2) AS medium,
                 (SELECT MAX(first_name) FROM package_blocks
                  WHERE repo_id = $1 AND level = 1 AND first_name < $2) AS small
         ) o",
        repo_id,
        name,
    );
    let count = db.one(statement.looking_up()).await?;
    Ok(count.unwrap_or_default())
}
