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
pub(super) async fn find(db: &impl Read, caller: &Caller, terms: &TokenTerms) -> Result<Vec<ResourceIds>> {
    let mut found = Vec::new();
    for resource in terms.resources.iter().flatten() {
        match find_one(db, caller, resource).await {
            Ok(Some(ids)) => found.push(ids),
            Ok(None) | Err(Error::NotFound { .. }) => return Err(unknown_resource(&resource.to_string())),
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}

async fn find_one(db: &impl Read, caller: &Caller, resource: &Resource) -> Result<Option<ResourceIds>> {
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
