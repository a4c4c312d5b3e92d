//! Tags that wait to be published, for publishers.

use database::oci::staged_manifests;
use model::{access::Right, address::RepoAddress, names::PackageName};

use crate::{Caller, House, Result, access};

/// The maximum number of tags in a list.
const TAGS: i64 = 100;

/// A tag that was pushed and waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingTag {
    /// The image.
    pub image: String,
    /// The tag.
    pub tag: String,
}

/// Lists the tags that wait in a repository, or in one of its images, for callers who may publish there.
#[boxed::future]
pub async fn list_waiting(
    house: &House,
    caller: &Caller,
    at: &RepoAddress,
    package: Option<&PackageName>,
) -> Result<Vec<WaitingTag>> {
    let repo = access::repo(&house.db, caller, at, Right::Publish).await?.repo;
    if !house.format(&repo.kind).holds_images() {
        return Ok(Vec::new());
    }
    let image = package.map(|package| package.as_str().replace(':', "/"));
    let found = staged_manifests::list_tags(&house.db, repo.id, image.as_deref(), TAGS).await?;
    Ok(found.into_iter().map(|(image, tag)| WaitingTag { image, tag }).collect())
}
