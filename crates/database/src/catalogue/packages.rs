//! Packages.

use model::{
    id::{PackageId, RepoId},
    names::PackageName,
    package::{Package, PackageProfile},
    text::fold,
    timestamp::Timestamp,
};

use crate::{
    Error, Read, Result, Tx,
    catalogue::{blocks, repos},
    engine::{
        invalidation::Invalidation,
        lines::{self, Lines},
        row::row,
        statement::{RowLock, insert, select, sql, update},
    },
};

row! {
    pub(crate) struct PackageRow in "p" {
        id: PackageId, repo_id: RepoId, name: String, rating_sum: i64, rating_count: i64, followers_count: i64, created: i64,
        updated: i64, ..profile: PackageProfileRow,
    }
}

row! {
    pub(crate) struct PackageProfileRow in "p" <=> PackageProfile {
        description: String, labels: Lines, licenses: Lines, custom_licenses: Lines, website_url: Option<String>,
        issue_tracker_url: Option<String>, vcs_url: Option<String>, github_repo: Option<String>,
        github_release_notes_file: Option<String>, public_download_numbers: bool,
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
            profile: row.profile.into(),
        })
    }
}

/// Returns the package with this name, if the repository has it, in any Unicode form of its characters.
pub async fn find(db: &dyn Read, repo_id: RepoId, name: &PackageName) -> Result<Option<Package>> {
    match (find_as(db, repo_id, name).await?, name.other_form()) {
        (None, Some(other)) => find_as(db, repo_id, &other).await,
        (found, _) => Ok(found),
    }
}

async fn find_as(db: &dyn Read, repo_id: RepoId, name: &PackageName) -> Result<Option<Package>> {
    let statement = select!(PackageRow, "FROM packages p WHERE p.repo_id = $1 AND p.name = $2", repo_id, name);
    let row: Option<PackageRow> = db.one(statement.looking_up()).await?;
    row.map(Package::try_from).transpose()
}

/// Returns the packages of a repository from one name to another, by name. The caller has read the names, so that their
/// number has a limit.
pub async fn list_between(db: &dyn Read, repo_id: RepoId, first: &str, last: &str) -> Result<Vec<Package>> {
    let statement = select!(
        PackageRow,
        "FROM packages p WHERE p.repo_id = $1 AND p.name >= $2 AND p.name <= $3 ORDER BY p.name",
        repo_id,
        first,
        last,
    );
    let rows: Vec<PackageRow> = db.all(statement).await?;
    rows.into_iter().map(Package::try_from).collect()
}

/// Returns the package with this id.
pub async fn find_by_id(db: &dyn Read, id: PackageId) -> Result<Option<Package>> {
    let row: Option<PackageRow> =
        db.one(select!(PackageRow, "FROM packages p WHERE p.id = $1", id).looking_up()).await?;
    row.map(Package::try_from).transpose()
}

/// Returns whether the repository has a package with this name, in any letter case and any Unicode form.
pub async fn has_name(db: &dyn Read, repo_id: RepoId, name: &PackageName) -> Result<bool> {
    let found: Option<PackageId> =
        db.one(sql!("SELECT id FROM packages WHERE repo_id = $1 AND folded_name = $2", repo_id, name.folded())).await?;
    Ok(found.is_some() || has_other_form(db, repo_id, name).await?)
}

/// Returns whether the repository has a package with this name in another Unicode form. Such names were stored before a
/// form was required, and no index compares them with new names.
pub async fn has_other_form(db: &dyn Read, repo_id: RepoId, name: &PackageName) -> Result<bool> {
    match name.other_form() {
        Some(other) => Ok(find_as(db, repo_id, &other).await?.is_some()),
        None => Ok(false),
    }
}

/// Adds a package, and counts it. A name that differs by letter case alone is a conflict.
pub async fn insert(tx: &mut Tx, package: &Package) -> Result<()> {
    // The count comes first: it locks the repository, as every change of its name blocks does.
    repos::add_to_package_count(tx, package.repo_id, 1).await?;
    insert_row(tx, package).await?;
    blocks::count_in(tx, package.repo_id, &package.name).await
}

async fn insert_row(tx: &mut Tx, package: &Package) -> Result<()> {
    tx.run(insert!(packages {
        id: package.id,
        repo_id: package.repo_id,
        name: &package.name,
        folded_name: package.name.folded(),
        folded_description: fold(&package.profile.description),
        folded_labels: folded_labels(&package.profile),
        rating_sum: 0,
        rating_count: 0,
        followers_count: 0,
        last_ordinal: 0,
        created: package.created,
        updated: package.updated,
        ..PackageProfileRow::from(package.profile.clone())
    }))
    .await?;
    Ok(())
}

/// The labels as searches compare them.
fn folded_labels(profile: &PackageProfile) -> String {
    fold(&lines::join(&profile.labels))
}

/// Updates the editable fields.
pub async fn update(tx: &mut Tx, id: PackageId, profile: &PackageProfile, now: Timestamp) -> Result<()> {
    tx.run(update!(
        packages {
            folded_description: fold(&profile.description),
            folded_labels: folded_labels(profile),
            updated: now,
            ..PackageProfileRow::from(profile.clone())
        },
        "WHERE id = $1",
        id,
    ))
    .await?;
    Ok(())
}

/// Locks a package until the transaction ends. Returns whether it may have changed since it was read.
pub async fn lock(tx: &mut Tx, id: PackageId) -> Result<bool> {
    tx.lock(sql!("SELECT id FROM packages WHERE id = $1", id)).await
}

/// Protects a package from deletion until the transaction ends; returns false if it no longer exists.
pub async fn lock_shared(tx: &mut Tx, id: PackageId) -> Result<bool> {
    let package = sql!("SELECT id FROM packages WHERE id = $1", id);
    Ok(tx.one::<PackageId>(package.locking(RowLock::ForKeyShare)).await?.is_some())
}

/// Records that something in the package changed.
pub async fn touch(tx: &mut Tx, id: PackageId, now: Timestamp) -> Result<()> {
    tx.run(sql!("UPDATE packages SET updated = $2 WHERE id = $1", id, now)).await?;
    Ok(())
}

/// Returns the ordinal of the package's next version, which is never reused. Locks the package until the transaction
/// ends.
pub async fn next_ordinal(tx: &mut Tx, id: PackageId) -> Result<Option<i64>> {
    tx.one(sql!("UPDATE packages SET last_ordinal = last_ordinal + 1 WHERE id = $1 RETURNING last_ordinal", id)).await
}

/// Deletes a package and everything in it, and subtracts it from the count.
pub async fn delete(tx: &mut Tx, package: &Package) -> Result<()> {
    tx.invalidate(Invalidation::Repo(package.repo_id));
    repos::add_to_package_count(tx, package.repo_id, -1).await?;
    tx.run(sql!("DELETE FROM packages WHERE id = $1", package.id).long()).await?;
    blocks::count_out(tx, package.repo_id, &package.name).await
}
