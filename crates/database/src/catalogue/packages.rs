//! Packages.

use model::{names::PackageName, text::fold, timestamp::Timestamp};

use crate::{
    Error, Read, Result, Tx,
    catalogue::{blocks, repos},
    engine::{
        epochs::Invalidation,
        lines,
        row::row,
        statement::{RowLock, sql},
    },
};

/// A package.
#[derive(Debug, Clone)]
pub struct Package {
    /// Its key in the database.
    pub id: i64,
    /// The key of its repository.
    pub repo_id: i64,
    /// Its name.
    pub name: PackageName,
    /// The sum of all ratings.
    pub rating_sum: i64,
    /// How many have rated it.
    pub rating_count: i64,
    /// How many follow it.
    pub followers_count: i64,
    /// When it was made.
    pub created: Timestamp,
    /// When it, or something in it, last changed.
    pub updated: Timestamp,
    /// What may change.
    pub profile: PackageProfile,
}

/// What of a package may change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PackageProfile {
    /// What it is.
    pub description: String,
    /// Words to find it by.
    pub labels: Vec<String>,
    /// Licences of the contract's list.
    pub licenses: Vec<String>,
    /// Licences of the owner's own list.
    pub custom_licenses: Vec<String>,
    /// Where to read more.
    pub website_url: Option<String>,
    /// Where to report problems.
    pub issue_tracker_url: Option<String>,
    /// Where the source is.
    pub vcs_url: Option<String>,
    /// The repository at GitHub.
    pub github_repo: Option<String>,
    /// The file of release notes there.
    pub github_release_notes_file: Option<String>,
    /// Whether everyone may see how often it was downloaded.
    pub public_download_numbers: bool,
}

row! {
    pub(crate) struct PackageRow {
        id: i64, repo_id: i64, name: String, rating_sum: i64, rating_count: i64, followers_count: i64, created: i64,
        updated: i64, description: String, labels: String, licenses: String, custom_licenses: String,
        website_url: Option<String>, issue_tracker_url: Option<String>, vcs_url: Option<String>,
        github_repo: Option<String>, github_release_notes_file: Option<String>, public_download_numbers: bool,
    }
}

impl TryFrom<PackageRow> for Package {
    type Error = Error;

    fn try_from(row: PackageRow) -> Result<Self> {
        let damaged = |_| Error::Broken(format!("package {} has a damaged row", row.id));
        Ok(Package {
            id: row.id,
            repo_id: row.repo_id,
            name: PackageName::stored(&row.name).map_err(damaged)?,
            rating_sum: row.rating_sum,
            rating_count: row.rating_count,
            followers_count: row.followers_count,
            created: Timestamp::from_millis(row.created),
            updated: Timestamp::from_millis(row.updated),
            profile: PackageProfile {
                description: row.description,
                labels: lines::split(&row.labels),
                licenses: lines::split(&row.licenses),
                custom_licenses: lines::split(&row.custom_licenses),
                website_url: row.website_url,
                issue_tracker_url: row.issue_tracker_url,
                vcs_url: row.vcs_url,
                github_repo: row.github_repo,
                github_release_notes_file: row.github_release_notes_file,
                public_download_numbers: row.public_download_numbers,
            },
        })
    }
}

/// The package of this name, if the repository has it, in whichever form its characters are kept.
pub async fn find(db: &impl Read, repo_id: i64, name: &PackageName) -> Result<Option<Package>> {
    match (find_as(db, repo_id, name).await?, name.other_form()) {
        (None, Some(other)) => find_as(db, repo_id, &other).await,
        (found, _) => Ok(found),
    }
}

async fn find_as(db: &impl Read, repo_id: i64, name: &PackageName) -> Result<Option<Package>> {
    let row: Option<PackageRow> = db
        .one(
            sql!(
            "SELECT id, repo_id, name, rating_sum, rating_count, followers_count, created, updated, description, labels,
                 licenses, custom_licenses, website_url, issue_tracker_url, vcs_url, github_repo,
                 github_release_notes_file, public_download_numbers
             FROM packages
             WHERE repo_id = $1 AND name = $2",
            repo_id,
            name,
        )
            .looking_up(),
        )
        .await?;
    row.map(Package::try_from).transpose()
}

/// Whether the repository has a package of this name, in any letter case and any form of its characters.
pub async fn has_name(db: &impl Read, repo_id: i64, name: &PackageName) -> Result<bool> {
    let found: Option<i64> =
        db.one(sql!("SELECT id FROM packages WHERE repo_id = $1 AND folded_name = $2", repo_id, name.folded())).await?;
    Ok(found.is_some() || has_other_form(db, repo_id, name).await?)
}

/// Whether the repository has a package of this name in the form in which names may be that were kept before they had one.
/// No index compares those with new ones.
pub async fn has_other_form(db: &impl Read, repo_id: i64, name: &PackageName) -> Result<bool> {
    match name.other_form() {
        Some(other) => Ok(find_as(db, repo_id, &other).await?.is_some()),
        None => Ok(false),
    }
}

/// Adds a package, and counts it. A name that differs by letter case alone is a conflict.
pub async fn insert(tx: &mut Tx, package: &Package) -> Result<()> {
    // The count comes first: it holds the repository, as everyone does who changes the blocks of its names.
    repos::add_to_package_count(tx, package.repo_id, 1).await?;
    insert_row(tx, package).await?;
    blocks::count_in(tx, package.repo_id, &package.name).await
}

async fn insert_row(tx: &mut Tx, package: &Package) -> Result<()> {
    let profile = &package.profile;
    tx.run(sql!(
        "INSERT INTO packages (id, repo_id, name, folded_name, description, folded_description, labels, licenses,
             custom_licenses, website_url, issue_tracker_url, vcs_url, github_repo, github_release_notes_file,
             public_download_numbers, rating_sum, rating_count, followers_count, last_ordinal, created, updated)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, 0, 0, 0, 0, $16, $17)",
        package.id,
        package.repo_id,
        &package.name,
        package.name.folded(),
        &profile.description,
        fold(&profile.description),
        lines::join(&profile.labels),
        lines::join(&profile.licenses),
        lines::join(&profile.custom_licenses),
        profile.website_url.as_deref(),
        profile.issue_tracker_url.as_deref(),
        profile.vcs_url.as_deref(),
        profile.github_repo.as_deref(),
        profile.github_release_notes_file.as_deref(),
        profile.public_download_numbers,
        package.created,
        package.updated,
    ))
    .await?;
    Ok(())
}

/// Changes what may change.
pub async fn update(tx: &mut Tx, id: i64, profile: &PackageProfile, now: Timestamp) -> Result<()> {
    tx.run(sql!(
        "UPDATE packages SET description = $2, folded_description = $3, labels = $4, licenses = $5,
             custom_licenses = $6, website_url = $7, issue_tracker_url = $8, vcs_url = $9, github_repo = $10,
             github_release_notes_file = $11, public_download_numbers = $12, updated = $13
         WHERE id = $1",
        id,
        &profile.description,
        fold(&profile.description),
        lines::join(&profile.labels),
        lines::join(&profile.licenses),
        lines::join(&profile.custom_licenses),
        profile.website_url.as_deref(),
        profile.issue_tracker_url.as_deref(),
        profile.vcs_url.as_deref(),
        profile.github_repo.as_deref(),
        profile.github_release_notes_file.as_deref(),
        profile.public_download_numbers,
        now,
    ))
    .await?;
    Ok(())
}

/// Holds a package until the transaction ends. Says whether it may have changed since it was read.
pub async fn hold(tx: &mut Tx, id: i64) -> Result<bool> {
    tx.hold(sql!("SELECT id FROM packages WHERE id = $1", id)).await
}

/// Keeps a package from being removed until the transaction ends; false when it is gone.
pub async fn keep(tx: &mut Tx, id: i64) -> Result<bool> {
    let package = sql!("SELECT id FROM packages WHERE id = $1", id);
    Ok(tx.one::<i64>(package.holding(RowLock::ForKeyShare)).await?.is_some())
}

/// Notes that something in the package changed.
pub async fn touch(tx: &mut Tx, id: i64, now: Timestamp) -> Result<()> {
    tx.run(sql!("UPDATE packages SET updated = $2 WHERE id = $1", id, now)).await?;
    Ok(())
}

/// The number of the package's next version, never given again. Holds the package until the transaction ends.
pub async fn next_ordinal(tx: &mut Tx, id: i64) -> Result<Option<i64>> {
    tx.one(sql!("UPDATE packages SET last_ordinal = last_ordinal + 1 WHERE id = $1 RETURNING last_ordinal", id)).await
}

/// Removes a package with everything in it, and counts it no longer.
pub async fn delete(tx: &mut Tx, package: &Package) -> Result<()> {
    tx.invalidate(Invalidation::Repo(package.repo_id));
    repos::add_to_package_count(tx, package.repo_id, -1).await?;
    tx.run(sql!("DELETE FROM packages WHERE id = $1", package.id)).await?;
    blocks::count_out(tx, package.repo_id, &package.name).await
}
