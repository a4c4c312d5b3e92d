//! Changes of a repository that its indexes show.

use model::{access::Right, address::RepoAddress};

use crate::{
    Caller, House, Result, access,
    catalogue::repos::{self, RepoChange},
    indexes::settle,
    signing::SigningOptions,
};

/// Changes a repository, and waits for its indexes if they may look different then.
#[boxed::future]
pub async fn edit_repo(house: &House, caller: &Caller, at: &RepoAddress, change: RepoChange) -> Result<()> {
    let is_shown = change.debian_contents.is_some();
    repos::edit(house, caller, at, change).await?;
    if is_shown {
        let repo = access::repo(&house.db, caller, at, Right::Own).await?.repo;
        settle(house, caller, &repo, &SigningOptions::default()).await;
    }
    Ok(())
}
