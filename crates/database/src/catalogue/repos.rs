//! Repositories.

use std::collections::HashMap;

use model::{
    access::{Right, Viewer},
    id::{GranteeId, RepoId, SubjectId},
    names::{RepoName, SubjectName},
    plan::Plan,
    repo::{Repo, RepoListItem, RepoProfile, RepoQuotas, RepoWithRight, WindowHistory},
    text::fold,
    timestamp::Timestamp,
};

use crate::{
    Error, Read, Result, Tx,
    catalogue::blocks,
    engine::{
        invalidation::Invalidation,
        keys, lines,
        row::row,
        statement::{insert, select, sql, update},
    },
};

row! {
    /// A repository `r` of the subject `s`. `$1` is the caller. Owners have the highest grant, without a look at the
    /// others. The highest of the others is the first one: PostgreSQL would plan a `MAX` over all parts of the view twice.
    pub(crate) struct RepoRow in "r" {
        id: RepoId, owner_id: SubjectId, owner: String = "s.name", plan: String = "s.plan", name: String, created: i64,
        package_count: i64, kind: String = "r.type", closed_before: i64 = "COALESCE(r.closed_before, 0)",
        window_changed: i64 = "COALESCE(r.window_changed, 0)", repo_quota: Option<i64> = "r.quota_bytes",
        owner_quota: Option<i64> = "s.quota_bytes",
        granted: Option<i64> =
            "CASE WHEN r.owner_id = $1 THEN CAST(3 AS BIGINT)
                 ELSE (SELECT g.granted FROM repo_grants g WHERE g.repo_id = r.id AND g.grantee_id = $1
                       ORDER BY g.granted DESC LIMIT 1) END",
        ..profile: RepoProfileRow,
    }
}

row! {
    pub(crate) struct RepoProfileRow in "r" {
        is_private: bool, description: String, labels: String, gpg_sign_metadata: bool, gpg_sign_files: bool,
        gpg_use_owner_key: bool, version_update_max_days: Option<i64>, default_debian_distribution: Option<String>,
        default_debian_component: Option<String>, default_debian_architecture: Option<String>,
        yum_metadata_depth: Option<i64>, debian_valid_days: Option<i64>, debian_contents: bool,
        native_staged: bool, untagged_days: Option<i64>,
    }
}

impl TryFrom<RepoRow> for RepoWithRight {
    type Error = Error;

    fn try_from(row: RepoRow) -> Result<Self> {
        let damaged = || Error::Broken(format!("repository {} has a damaged row", row.id));
        let repo = Repo {
            id: row.id,
            owner_id: row.owner_id,
            owner: SubjectName::parse(&row.owner).map_err(|_| damaged())?,
            plan: Plan::parse(&row.plan).ok_or_else(damaged)?,
            name: RepoName::parse(&row.name).map_err(|_| damaged())?,
            created: Timestamp::from_millis(row.created),
            package_count: row.package_count,
            kind: row.kind,
            window: WindowHistory {
                closed_before: Timestamp::from_millis(row.closed_before),
                changed: Timestamp::from_millis(row.window_changed),
            },
            quotas: RepoQuotas { of_repo: row.repo_quota, of_owner: row.owner_quota },
            profile: row.profile.into(),
        };
        Ok(RepoWithRight { repo, granted: row.granted.map_or(Right::None, Right::from_number) })
    }
}

impl From<RepoProfileRow> for RepoProfile {
    fn from(row: RepoProfileRow) -> Self {
        Self {
            is_private: row.is_private,
            description: row.description,
            labels: lines::split(&row.labels),
            gpg_sign_metadata: row.gpg_sign_metadata,
            gpg_sign_files: row.gpg_sign_files,
            gpg_use_owner_key: row.gpg_use_owner_key,
            version_update_max_days: row.version_update_max_days,
            default_debian_distribution: row.default_debian_distribution,
            default_debian_component: row.default_debian_component,
            default_debian_architecture: row.default_debian_architecture,
            yum_metadata_depth: row.yum_metadata_depth,
            debian_valid_days: row.debian_valid_days,
            debian_contents: row.debian_contents,
            native_staged: row.native_staged,
            untagged_days: row.untagged_days,
        }
    }
}

impl From<RepoProfile> for RepoProfileRow {
    fn from(profile: RepoProfile) -> Self {
        Self {
            is_private: profile.is_private,
            description: profile.description,
            labels: lines::join(&profile.labels),
            gpg_sign_metadata: profile.gpg_sign_metadata,
            gpg_sign_files: profile.gpg_sign_files,
            gpg_use_owner_key: profile.gpg_use_owner_key,
            version_update_max_days: profile.version_update_max_days,
            default_debian_distribution: profile.default_debian_distribution,
            default_debian_component: profile.default_debian_component,
            default_debian_architecture: profile.default_debian_architecture,
            yum_metadata_depth: profile.yum_metadata_depth,
            debian_valid_days: profile.debian_valid_days,
            debian_contents: profile.debian_contents,
            native_staged: profile.native_staged,
            untagged_days: profile.untagged_days,
        }
    }
}

/// Returns the repository with this name and the caller's right in it, with one look-up.
pub async fn find(
    db: &dyn Read,
    owner: &SubjectName,
    name: &RepoName,
    grantee_id: Option<GranteeId>,
) -> Result<Option<RepoWithRight>> {
    let statement = select!(
        RepoRow,
        "FROM subjects s
         JOIN repos r ON r.owner_id = s.id
         WHERE s.name = $2 AND r.name = $3",
        grantee_id,
        owner,
        name,
    );
    let row: Option<RepoRow> = db.one(statement.looking_up()).await?;
    row.map(RepoWithRight::try_from).transpose()
}

/// Returns the type of the repository with this name, with one look-up.
pub async fn find_kind(db: &dyn Read, owner: &SubjectName, name: &RepoName) -> Result<Option<String>> {
    let statement = sql!(
        "SELECT r.type FROM subjects s JOIN repos r ON r.owner_id = s.id WHERE s.name = $1 AND r.name = $2",
        owner,
        name,
    );
    db.one(statement.looking_up()).await
}

/// Like [`find`], for a repository whose existence the caller may not know. If it does not exist, another repository is
/// returned instead, with `false`: the time that the look-up takes must not reveal whether it exists. Returns `None`
/// only if no repository exists at all.
pub async fn find_alike(
    db: &dyn Read,
    owner: &SubjectName,
    name: &RepoName,
    grantee_id: Option<GranteeId>,
) -> Result<Option<(RepoWithRight, bool)>> {
    let statement = select!(
        RepoRow,
        "FROM repos r
         JOIN subjects s ON s.id = r.owner_id
         WHERE r.id = (
             SELECT ABS(MAX(n.id))
             FROM (
                 SELECT o.id FROM subjects w JOIN repos o ON o.owner_id = w.id WHERE w.name = $2 AND o.name = $3
                 UNION ALL
                 SELECT -(SELECT m.id FROM repos m WHERE m.id > 0 AND m.owner_id > 0 ORDER BY m.id LIMIT 1)) n)",
        grantee_id,
        owner,
        name,
    );
    let row: Option<RepoRow> = db.one(statement.looking_up()).await?;
    let Some(found) = row.map(RepoWithRight::try_from).transpose()? else { return Ok(None) };
    let is_it = found.repo.owner == *owner && found.repo.name == *name;
    Ok(Some((found, is_it)))
}

/// Returns the repositories with these ids, with the caller's right in each.
pub async fn list_by_ids(db: &dyn Read, ids: &[RepoId], grantee_id: Option<GranteeId>) -> Result<Vec<RepoWithRight>> {
    let statement = select!(
        RepoRow,
        "FROM repos r
         JOIN subjects s ON s.id = r.owner_id
         WHERE r.id IN ($keys) AND r.owner_id > 0
         ORDER BY r.id",
        grantee_id,
    );
    let rows: Vec<RepoRow> = keys::all(db, statement, ids).await?;
    rows.into_iter().map(RepoWithRight::try_from).collect()
}

row! {
    struct RepoListRow in "r" => RepoListItem {
        name: String, owner: String = "s.name",
    }
}

/// Returns the repositories that a subject may write to and that the viewer may see: its own, and those in which it may
/// publish.
pub async fn list_writeable(db: &dyn Read, subject_id: SubjectId, reader: Viewer) -> Result<Vec<RepoListItem>> {
    db.all(select!(
        RepoListRow,
        "FROM repos r
         JOIN subjects s ON s.id = r.owner_id
         WHERE r.id IN (SELECT w.repo_id FROM repo_grants w WHERE w.grantee_id = $1 AND w.granted >= 2)
             AND (NOT r.is_private OR ($3 AND r.owner_id > 0)
                 OR EXISTS (SELECT 1 FROM repo_grants g WHERE g.repo_id = r.id AND g.grantee_id = $2))
         ORDER BY s.name, r.name",
        subject_id,
        reader.id,
        reader.sees_everything,
    ))
    .await
}

/// Returns the names of each subject's own repositories that the viewer may see.
pub async fn list_names_of(
    db: &dyn Read,
    owner_ids: &[SubjectId],
    reader: Viewer,
) -> Result<HashMap<SubjectId, Vec<String>>> {
    let statement = sql!(
        "SELECT r.owner_id, r.name
         FROM repos r
         WHERE r.owner_id IN ($keys)
             AND (NOT r.is_private OR ($2 AND r.owner_id > 0)
                 OR EXISTS (SELECT 1 FROM repo_grants g WHERE g.repo_id = r.id AND g.grantee_id = $1))
         ORDER BY r.owner_id, r.name",
        reader.id,
        reader.sees_everything,
    );
    Ok(keys::grouped(keys::all::<(SubjectId, String)>(db, statement, owner_ids).await?))
}

/// Adds a repository. A name that differs by letter case alone is a conflict.
pub async fn insert(tx: &mut Tx, repo: &Repo) -> Result<()> {
    tx.run(insert!(repos {
        id: repo.id,
        owner_id: repo.owner_id,
        name: &repo.name,
        folded_name: repo.name.folded(),
        type: &repo.kind,
        folded_description: fold(&repo.profile.description),
        package_count: 0,
        created: repo.created,
        ..RepoProfileRow::from(repo.profile.clone())
    }))
    .await?;
    blocks::insert_first(tx, repo.id).await
}

/// Updates the editable fields.
pub async fn update(tx: &mut Tx, id: RepoId, profile: &RepoProfile) -> Result<()> {
    tx.invalidate(Invalidation::Repo(id));
    tx.run(update!(
        repos { folded_description: fold(&profile.description), ..RepoProfileRow::from(profile.clone()) },
        "WHERE id = $1",
        id,
    ))
    .await?;
    Ok(())
}

/// Records that the upload window changes now: versions that were first published before `closed_before` stay closed.
pub async fn move_window(tx: &mut Tx, id: RepoId, closed_before: Timestamp, now: Timestamp) -> Result<()> {
    tx.invalidate(Invalidation::Repo(id));
    tx.run(sql!(
        "UPDATE repos SET window_changed = $3,
             closed_before = CASE WHEN closed_before > $2 THEN closed_before ELSE $2 END
         WHERE id = $1",
        id,
        closed_before,
        now,
    ))
    .await?;
    Ok(())
}

/// Like [`move_window`], for all repositories without a window of their own.
pub async fn move_default_window(tx: &mut Tx, closed_before: Timestamp, now: Timestamp) -> Result<()> {
    tx.run(sql!(
        "UPDATE repos SET window_changed = $2,
             closed_before = CASE WHEN closed_before > $1 THEN closed_before ELSE $1 END
         WHERE version_update_max_days IS NULL",
        closed_before,
        now,
    ))
    .await?;
    Ok(())
}

/// Returns the repositories of a subject.
pub async fn list_of_owner(db: &dyn Read, owner_id: SubjectId) -> Result<Vec<Repo>> {
    let ids: Vec<RepoId> = db.all(sql!("SELECT id FROM repos WHERE owner_id = $1 ORDER BY id", owner_id)).await?;
    Ok(list_by_ids(db, &ids, None).await?.into_iter().map(|found| found.repo).collect())
}

/// Locks a repository until the transaction ends. Returns whether it may have changed since it was read.
pub async fn lock(tx: &mut Tx, id: RepoId) -> Result<bool> {
    tx.lock(sql!("SELECT id FROM repos WHERE id = $1", id)).await
}

/// Changes the package count. Locks the repository until the transaction ends.
pub(crate) async fn add_to_package_count(tx: &mut Tx, id: RepoId, change: i64) -> Result<()> {
    tx.run(sql!("UPDATE repos SET package_count = package_count + $2 WHERE id = $1", id, change)).await?;
    Ok(())
}

/// Deletes a repository and everything in it, which takes as long as it has rows.
pub async fn delete(tx: &mut Tx, id: RepoId) -> Result<()> {
    tx.invalidate(Invalidation::Repo(id));
    tx.run(sql!("DELETE FROM repos WHERE id = $1", id).long()).await?;
    Ok(())
}
