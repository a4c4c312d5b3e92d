//! Lists webhooks, for users who may publish in their repositories.

use database::{accounts::subjects, events::webhooks};
use model::{access::Right, address::RepoAddress, names::SubjectName, webhook::WebhookListItem};

use crate::{Caller, Error, House, Result, access};

/// Lists the webhooks in those repositories of a subject in which the caller may publish.
#[boxed::future]
pub async fn list(house: &House, caller: &Caller, owner: &SubjectName) -> Result<Vec<WebhookListItem>> {
    access::identity(caller)?;
    let not_found = || Error::NotFound { what: "Subject", name: owner.to_string() };
    let owner = subjects::find(&house.db, owner).await?.ok_or_else(not_found)?;
    Ok(webhooks::list_of_owner(&house.db, owner.id, access::reader(caller)).await?)
}

/// Lists the webhooks in a repository.
#[boxed::future]
pub async fn list_of_repo(house: &House, caller: &Caller, at: &RepoAddress) -> Result<Vec<WebhookListItem>> {
    let repo = access::repo(&house.db, caller, at, Right::Publish).await?.repo;
    access::identity(caller)?;
    Ok(webhooks::list_of_repo(&house.db, repo.id).await?)
}
