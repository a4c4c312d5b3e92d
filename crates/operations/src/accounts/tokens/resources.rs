//! Finds the resources of a token, as its maker sees them.

use database::{
    Read,
    accounts::{subjects, token_resources::ResourceIds},
};
use model::{
    access::Right,
    address::{PackageAddress, RepoAddress},
    token::{Resource, TokenTerms},
};

use super::change::unknown_resource;
use crate::{Caller, Error, Result, access};

/// Returns the ids of the resources of a token. One that does not exist, or is hidden from the caller, is rejected.
pub(in crate::accounts) async fn find(db: &dyn Read, caller: &Caller, terms: &TokenTerms) -> Result<Vec<ResourceIds>> {
    let mut found = Vec::new();
    for resource in terms.resources.iter().flatten() {
        found.push(find_one(db, caller, resource).await?);
    }
    Ok(found)
}

/// Returns the ids of a resource. One that does not exist, or is hidden from the caller, is rejected.
pub(in crate::accounts) async fn find_one(db: &dyn Read, caller: &Caller, resource: &Resource) -> Result<ResourceIds> {
    match look_up(db, caller, resource).await {
        Ok(Some(ids)) => Ok(ids),
        Ok(None) | Err(Error::NotFound { .. }) => Err(unknown(&resource.to_string())),
        Err(error) => Err(error),
    }
}

/// The error for a resource that does not exist, or that the caller may not know of.
pub(in crate::accounts) fn unknown(text: &str) -> Error {
    unknown_resource(text)
}

async fn look_up(db: &dyn Read, caller: &Caller, resource: &Resource) -> Result<Option<ResourceIds>> {
    let Resource { subject, repo, package } = resource;
    let Some(repo) = repo else {
        let subject = subjects::find(db, subject).await?;
        return Ok(subject.map(|subject| ResourceIds { subject_id: subject.id, repo_id: None, package_id: None }));
    };
    let at = RepoAddress { owner: subject.clone(), repo: repo.clone() };
    let Some(package) = package else {
        let repo = access::repo(db, caller, &at, Right::Read).await?.repo;
        return Ok(Some(ResourceIds { subject_id: repo.owner_id, repo_id: Some(repo.id), package_id: None }));
    };
    let at = PackageAddress { repo: at, package: package.clone() };
    let found = access::own_package(db, caller, &at, Right::Read).await?;
    let (repo, package) = (found.repo.repo, found.package);
    Ok(Some(ResourceIds { subject_id: repo.owner_id, repo_id: Some(repo.id), package_id: Some(package.id) }))
}
