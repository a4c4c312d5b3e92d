//! The newest releases that a caller may see: of the server, of a subject, of a repository or of a package.

use database::{
    accounts::subjects,
    catalogue::{overviews, releases, releases::ReleaseWindow},
};
use model::{
    access::Right,
    address::{PackageAddress, RepoAddress},
    id::{RepoId, VersionId},
    names::SubjectName,
    overview::{PackageFilter, ReleaseOverview},
    timestamp::Timestamp,
};

use crate::{Caller, Error, House, Result, access, ids};

/// How far back releases are looked for.
const RELEASE_MS: i64 = 180 * 24 * 60 * 60 * 1_000;

/// The number of the newest versions to look at.
const RECENT: i64 = 200;

/// The number of the newest versions to look at for those of some packages or of large repositories.
const RECENT_OF_SOME: i64 = 2_000;

/// Repositories with more packages together are looked for among the newest versions of the server.
const PACKAGES: i64 = 2_000;

/// Lists the newest releases of all packages that the caller may see and the filter allows.
#[boxed::future]
pub async fn list(
    house: &House,
    caller: &Caller,
    packages: PackageFilter<'_>,
    limit: i64,
) -> Result<Vec<ReleaseOverview>> {
    let recent = if packages.is_empty() { RECENT } else { RECENT_OF_SOME };
    let from = VersionId::new(ids::before(since(house)));
    let window = ReleaseWindow { from, recent, packages, limit };
    Ok(releases::list(&house.db, window, access::reader(caller)).await?)
}

/// Lists the newest releases in the repositories that a subject may write to and the caller may see.
#[boxed::future]
pub async fn list_of_subject(
    house: &House,
    caller: &Caller,
    subject: &SubjectName,
    limit: i64,
) -> Result<Vec<ReleaseOverview>> {
    let not_found = || Error::NotFound { what: "Subject", name: subject.to_string() };
    let subject = subjects::find(&house.db, subject).await?.ok_or_else(not_found)?;
    let repos = overviews::list_repos(&house.db, subject.id, access::reader(caller)).await?;
    let packages = repos.iter().map(|repo| repo.package_count).sum();
    let ids: Vec<RepoId> = repos.iter().map(|repo| repo.id).collect();
    list_of_repos(house, caller, &ids, packages, limit).await
}

/// Lists the newest releases of a repository.
#[boxed::future]
pub async fn list_of_repo(
    house: &House,
    caller: &Caller,
    at: &RepoAddress,
    limit: i64,
) -> Result<Vec<ReleaseOverview>> {
    let repo = access::repo(&house.db, caller, at, Right::Read).await?.repo;
    list_of_repos(house, caller, &[repo.id], repo.package_count, limit).await
}

async fn list_of_repos(
    house: &House,
    caller: &Caller,
    ids: &[RepoId],
    packages: i64,
    limit: i64,
) -> Result<Vec<ReleaseOverview>> {
    let mut found = if packages > PACKAGES {
        let from = VersionId::new(ids::before(since(house)));
        let all = PackageFilter::default();
        let window = ReleaseWindow { from, recent: RECENT_OF_SOME, packages: all, limit: RECENT_OF_SOME };
        let mut found = releases::list(&house.db, window, access::reader(caller)).await?;
        found.retain(|release| ids.contains(&release.repo_id));
        found
    } else {
        releases::list_of_repos(&house.db, ids, since(house), limit).await?
    };
    found.sort_by_key(|release| std::cmp::Reverse(release.published.millis()));
    found.truncate(usize::try_from(limit).unwrap_or_default());
    Ok(found)
}

/// Lists the newest releases of a package, as it is named in this repository.
#[boxed::future]
pub async fn list_of_package(
    house: &House,
    caller: &Caller,
    at: &PackageAddress,
    limit: i64,
) -> Result<Vec<ReleaseOverview>> {
    let access = access::package(&house.db, caller, at, Right::Read).await?;
    let found = releases::list_of_package(&house.db, access.package.id, limit).await?;
    let named = |release: ReleaseOverview| ReleaseOverview {
        owner: at.repo.owner.to_string(),
        repo: at.repo.repo.to_string(),
        package: at.package.to_string(),
        ..release
    };
    Ok(found.into_iter().map(named).collect())
}

fn since(house: &House) -> Timestamp {
    Timestamp::from_millis(house.clock.now().millis() - RELEASE_MS)
}
