//! What a key holder may read, for the page that welcomes them.

use std::collections::{BTreeMap, HashMap, HashSet};

use database::{
    access::{access_key_downloads, access_keys, openings as rows},
    catalogue::overviews,
};
use model::{
    access_key::{AccessKey, AccessKeyUsage},
    id::PackageId,
    overview::{OpenedPart, OpenedRepo, VersionOverview},
};

use crate::{
    AccessKeyIdentity, Caller, Error, House, Result,
    access::agreements::{self, VersionTerms},
};

/// The most repositories and parts that are listed.
const LISTED: i64 = 100;

/// The most repositories whose packages are listed.
const OPENED_REPOS: usize = 5;

/// The most packages that are listed of each.
const OPENED_PACKAGES: i64 = 10;

/// What an access key opens.
#[derive(Debug)]
pub struct Openings {
    /// The key.
    pub key: AccessKey,
    /// How it was used; `None` if it never was.
    pub usage: Option<AccessKeyUsage>,
    /// The repositories that it may read as a whole.
    pub repos: Vec<OpenedRepo>,
    /// The parts of repositories that it may read, and the first packages of those that it may read as a whole.
    pub parts: Vec<OpenedPart>,
    /// The latest versions of the packages.
    pub latest: HashMap<PackageId, VersionOverview>,
    /// The agreements about the latest versions.
    pub terms: Vec<VersionTerms>,
}

/// Lists what the access key of the caller opens.
#[boxed::future]
pub async fn list(house: &House, caller: &Caller) -> Result<Openings> {
    caller.check_signed_in()?;
    let denied = || Error::Denied("This page is for holders of access keys".into());
    let identity = caller.key().ok_or_else(denied)?;
    let (key, _) = access_keys::find_by_id(&house.db, identity.id).await?.ok_or_else(Error::sign_in)?;
    let grantee = caller.grantee_id().ok_or_else(denied)?;
    let repos = rows::list_repos(&house.db, grantee, LISTED).await?;
    let mut parts = rows::list_parts(&house.db, grantee, LISTED).await?;
    let listed: HashSet<PackageId> = parts.iter().filter_map(|part| part.package_id).collect();
    for repo in repos.iter().take(OPENED_REPOS) {
        let packages = rows::list_packages(&house.db, repo.id, OPENED_PACKAGES).await?;
        parts.extend(packages.into_iter().filter(|part| part.package_id.is_none_or(|id| !listed.contains(&id))));
    }
    let ids: Vec<PackageId> = parts.iter().filter_map(|part| part.package_id).collect();
    let latest: HashMap<PackageId, VersionOverview> =
        overviews::list_latest(&house.db, &ids).await?.into_iter().collect();
    Ok(Openings {
        usage: access_key_downloads::find_usage(&house.db, identity.id).await?,
        repos,
        terms: terms(house, identity, &latest).await?,
        latest,
        parts,
        key,
    })
}

/// The agreements about these versions, each once.
async fn terms(
    house: &House,
    key: &AccessKeyIdentity,
    latest: &HashMap<PackageId, VersionOverview>,
) -> Result<Vec<VersionTerms>> {
    let mut found = BTreeMap::new();
    for version in latest.values() {
        for terms in agreements::list_of_version(&house.db, key, version.id).await? {
            found.insert((terms.owner.clone(), terms.product.clone(), terms.version.clone()), terms);
        }
    }
    Ok(found.into_values().collect())
}
