//! Places in the list of a repository's packages, found by the counts of their blocks: from the largest blocks down to
//! the smallest, about a hundred rows are read, however long the list is.

use model::prefix::NameRange;

use crate::{
    Read, Result,
    catalogue::blocks::{LEVELS, count_names, list_within},
};

/// A place in the list from where another is near.
pub(crate) struct ListAnchor {
    /// The name to begin with, whether or not a package has it.
    pub(crate) first_name: String,
    /// How many packages come before it.
    pub(crate) position: i64,
}

/// The start of the smallest block that a position is in. `None` when there are not so many packages.
pub(crate) async fn find_start(db: &impl Read, repo_id: i64, position: i64) -> Result<Option<ListAnchor>> {
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

/// How many packages of the repository have smaller names.
pub(crate) async fn count_before(db: &impl Read, repo_id: i64, name: &str) -> Result<i64> {
    if name.is_empty() {
        return Ok(0);
    }
    let mut rest = NameRange { from: String::new(), to: name.to_owned() };
    let mut count = 0;
    for level in LEVELS.into_iter().rev() {
        let mut blocks = list_within(db, repo_id, level, &rest).await?;
        // The last one reaches to the name or beyond: smaller blocks tell how much of it comes before.
        rest.from = blocks.pop().map_or(rest.from, |last| last.first_name);
        count += blocks.iter().map(|block| block.count).sum::<i64>();
    }
    Ok(count + count_names(db, repo_id, &rest).await?)
}
