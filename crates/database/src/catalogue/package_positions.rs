//! Positions in the list of a repository's packages, found by the counts of the name blocks: from the largest blocks
//! down to the smallest, this reads about a hundred rows, however long the list is.

use model::{id::RepoId, prefix::NameRange};

use crate::{
    Read, Result,
    catalogue::blocks::{LEVELS, count_names, list_within},
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

/// Counts the packages of the repository with smaller names.
pub(crate) async fn count_before(db: &dyn Read, repo_id: RepoId, name: &str) -> Result<i64> {
    if name.is_empty() {
        return Ok(0);
    }
    let mut rest = NameRange { from: String::new(), to: name.to_owned() };
    let mut count = 0;
    for level in LEVELS.into_iter().rev() {
        let mut blocks = list_within(db, repo_id, level, &rest).await?;
        // The last block extends to the name or beyond it: smaller blocks determine how much of it comes before.
        rest.from = blocks.pop().map_or(rest.from, |last| last.first_name);
        count += blocks.iter().map(|block| block.count).sum::<i64>();
    }
    Ok(count + count_names(db, repo_id, &rest).await?)
}
