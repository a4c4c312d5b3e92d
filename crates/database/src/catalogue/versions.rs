//! Versions of packages.

use std::collections::HashMap;

use model::{
    id::{PackageId, RepoId, SubjectId, VersionId},
    names::VersionName,
    timestamp::Timestamp,
    version::{Version, VersionListItem, VersionProfile},
};

use crate::{
    Error, Read, Result, Tx,
    engine::{
        invalidation::Invalidation,
        keys, lines,
        row::row,
        statement::{Statement, insert, select, sql, update},
    },
};

row! {
    pub(crate) struct VersionRow in "v" {
        id: VersionId, package_id: PackageId, name: String, ordinal: i64, created: i64, updated: i64, published_files: i64,
        first_published: Option<i64>,
        is_draft: bool = "v.first_published IS NULL AND EXISTS (SELECT 1 FROM files f
            WHERE f.version_id = v.id AND f.staged_blob_id IS NOT NULL)",
        ..profile: VersionProfileRow,
    }
}

row! {
    pub(crate) struct VersionProfileRow in "v" {
        description: String, labels: String, vcs_tag: Option<String>, github_use_tag_release_notes: bool,
        github_release_notes_file: Option<String>, released: Option<i64>,
    }
}

impl TryFrom<VersionRow> for Version {
    type Error = Error;

    fn try_from(row: VersionRow) -> Result<Self> {
        let damaged = |_| Error::Broken(format!("version {} has a damaged row", row.id));
        Ok(Version {
            id: row.id,
            package_id: row.package_id,
            name: VersionName::stored(&row.name).map_err(damaged)?,
            ordinal: row.ordinal,
            created: Timestamp::from_millis(row.created),
            updated: Timestamp::from_millis(row.updated),
            published_files: row.published_files,
            first_published: row.first_published.map(Timestamp::from_millis),
            is_draft: row.is_draft,
            profile: row.profile.into(),
        })
    }
}

impl From<VersionProfileRow> for VersionProfile {
    fn from(row: VersionProfileRow) -> Self {
        Self {
            description: row.description,
            labels: lines::split(&row.labels),
            vcs_tag: row.vcs_tag,
            github_use_tag_release_notes: row.github_use_tag_release_notes,
            github_release_notes_file: row.github_release_notes_file,
            released: row.released.map(Timestamp::from_millis),
        }
    }
}

impl From<VersionProfile> for VersionProfileRow {
    fn from(profile: VersionProfile) -> Self {
        Self {
            description: profile.description,
            labels: lines::join(&profile.labels),
            vcs_tag: profile.vcs_tag,
            github_use_tag_release_notes: profile.github_use_tag_release_notes,
            github_release_notes_file: profile.github_release_notes_file,
            released: profile.released.map(Timestamp::millis),
        }
    }
}

/// Returns the version with this name, if the package has it, in any Unicode form of its characters.
pub async fn find(db: &dyn Read, package_id: PackageId, name: &VersionName) -> Result<Option<Version>> {
    match (find_as(db, package_id, name).await?, name.other_form()) {
        (None, Some(other)) => find_as(db, package_id, &other).await,
        (found, _) => Ok(found),
    }
}

async fn find_as(db: &dyn Read, package_id: PackageId, name: &VersionName) -> Result<Option<Version>> {
    let statement = select!(VersionRow, "FROM versions v WHERE v.package_id = $1 AND v.name = $2", package_id, name);
    let row: Option<VersionRow> = db.one(statement.looking_up()).await?;
    row.map(Version::try_from).transpose()
}

/// Returns the version with this id.
pub async fn find_by_id(db: &dyn Read, id: VersionId) -> Result<Option<Version>> {
    let row: Option<VersionRow> =
        db.one(select!(VersionRow, "FROM versions v WHERE v.id = $1", id).looking_up()).await?;
    row.map(Version::try_from).transpose()
}

/// Returns the versions of a package that have published files, in the order of their creation.
pub async fn list_published(db: &dyn Read, package_id: PackageId) -> Result<Vec<Version>> {
    let rows: Vec<VersionRow> = db
        .all(select!(
            VersionRow,
            "FROM versions v WHERE v.package_id = $1 AND v.published_files > 0 ORDER BY v.ordinal",
            package_id,
        ))
        .await?;
    rows.into_iter().map(Version::try_from).collect()
}

row! {
    struct VersionListRow in "v" => VersionListItem {
        id: VersionId, package_id: PackageId, name: String, is_published: bool = "v.published_files > 0",
        is_draft: bool = "v.first_published IS NULL AND EXISTS (SELECT 1 FROM files f
            WHERE f.version_id = v.id AND f.staged_blob_id IS NOT NULL)",
    }
}

/// Returns the versions of each package, newest first.
pub async fn list_of_packages(
    db: &dyn Read,
    package_ids: &[PackageId],
) -> Result<HashMap<PackageId, Vec<VersionListItem>>> {
    let statement =
        select!(VersionListRow, "FROM versions v WHERE v.package_id IN ($keys) ORDER BY v.package_id, v.ordinal DESC");
    let rows: Vec<VersionListItem> = keys::all(db, statement, package_ids).await?;
    Ok(keys::grouped(rows.into_iter().map(|version| (version.package_id, version))))
}

/// Adds a version.
pub async fn insert(tx: &mut Tx, version: &Version) -> Result<()> {
    tx.run(insert!(versions {
        id: version.id,
        package_id: version.package_id,
        name: &version.name,
        published_files: 0,
        ordinal: version.ordinal,
        created: version.created,
        updated: version.updated,
        ..VersionProfileRow::from(version.profile.clone())
    }))
    .await?;
    Ok(())
}

/// Updates the editable fields.
pub async fn update(tx: &mut Tx, id: VersionId, profile: &VersionProfile, now: Timestamp) -> Result<()> {
    tx.run(update!(versions { updated: now, ..VersionProfileRow::from(profile.clone()) }, "WHERE id = $1", id)).await?;
    Ok(())
}

/// Records that something in the version changed.
pub async fn touch(tx: &mut Tx, id: VersionId, now: Timestamp) -> Result<()> {
    tx.run(sql!("UPDATE versions SET updated = $2 WHERE id = $1", id, now)).await?;
    Ok(())
}

/// Records that files were published. `new_files` is the number of files that were published for the first time. The
/// first publish dates the version.
pub async fn publish(tx: &mut Tx, version: &Version, new_files: i64, now: Timestamp) -> Result<()> {
    let statement = match version.first_published {
        // The dates stay, so that the index on them is not written.
        Some(_) => add_published_files(version.id, new_files, now),
        None => sql!(
            "UPDATE versions SET published_files = published_files + $2, updated = $3,
                 first_published = COALESCE(first_published, $3),
                 released = CASE WHEN first_published IS NULL THEN COALESCE(released, $3) ELSE released END
             WHERE id = $1",
            version.id,
            new_files,
            now,
        ),
    };
    tx.run(statement).await?;
    Ok(())
}

/// Records that published files were deleted.
pub async fn unpublish(tx: &mut Tx, id: VersionId, files: i64, now: Timestamp) -> Result<()> {
    tx.run(add_published_files(id, -files, now)).await?;
    Ok(())
}

fn add_published_files(id: VersionId, files: i64, now: Timestamp) -> Statement {
    sql!("UPDATE versions SET published_files = published_files + $2, updated = $3 WHERE id = $1", id, files, now)
}

row! {
    /// A version that was published long ago.
    pub struct OldVersion in "v" {
        /// Its name.
        name: String,
        /// When it was first published.
        first_published: i64,
    }
}

/// Returns the oldest version of a package that was first published before a time, if any.
pub async fn find_old_in_package(
    db: &dyn Read,
    package_id: PackageId,
    before: Timestamp,
) -> Result<Option<OldVersion>> {
    db.one(select!(
        OldVersion,
        "FROM versions v
         WHERE v.package_id = $1 AND v.first_published < $2
         ORDER BY v.first_published
         LIMIT 1",
        package_id,
        before,
    ))
    .await
}

/// Returns one of a repository's versions that was first published before a time, if any.
pub async fn find_old_in_repo(db: &dyn Read, repo_id: RepoId, before: Timestamp) -> Result<Option<OldVersion>> {
    db.one(select!(
        OldVersion,
        "FROM packages p
         JOIN versions v ON v.package_id = p.id AND v.first_published < $2
         WHERE p.repo_id = $1
         ORDER BY p.name, v.first_published
         LIMIT 1",
        repo_id,
        before,
    ))
    .await
}

/// Returns one of a subject's versions that was first published before a time, if any.
pub async fn find_old_of_owner(db: &dyn Read, owner_id: SubjectId, before: Timestamp) -> Result<Option<OldVersion>> {
    db.one(select!(
        OldVersion,
        "FROM repos r
         JOIN packages p ON p.repo_id = r.id
         JOIN versions v ON v.package_id = p.id AND v.first_published < $2
         WHERE r.owner_id = $1
         ORDER BY r.name, p.name, v.first_published
         LIMIT 1",
        owner_id,
        before,
    ))
    .await
}

/// Deletes a version and everything in it.
pub async fn delete(tx: &mut Tx, repo_id: RepoId, id: VersionId) -> Result<bool> {
    tx.invalidate(Invalidation::Repo(repo_id));
    Ok(tx.run(sql!("DELETE FROM versions WHERE id = $1", id).long()).await? == 1)
}
