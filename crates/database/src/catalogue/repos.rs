//! Repositories.

use std::collections::HashMap;

use model::{
    access::Right,
    names::{RepoName, SubjectName},
    plan::Plan,
    text::fold,
    timestamp::Timestamp,
};

pub use model::access::Viewer;

use crate::{
    Error, Read, Result, Tx,
    accounts::storage_quotas::RepoQuotas,
    catalogue::blocks,
    engine::{epochs::Invalidation, keys, lines, row::row, statement::sql},
};

/// A repository.
#[derive(Debug, Clone)]
pub struct Repo {
    /// Its key in the database.
    pub id: i64,
    /// The key of its owner.
    pub owner_id: i64,
    /// The name of its owner.
    pub owner: SubjectName,
    /// What its owner has booked.
    pub plan: Plan,
    /// Its name.
    pub name: RepoName,
    /// When it was made.
    pub created: Timestamp,
    /// How many packages it has of its own.
    pub package_count: i64,
    /// What kind of packages it holds.
    pub kind: String,
    /// How its upload window has moved.
    pub window: WindowHistory,
    /// How many bytes it and its owner may store.
    pub quotas: RepoQuotas,
    /// What may change.
    pub profile: RepoProfile,
}

/// How the upload window of a repository has moved: what was closed stays closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WindowHistory {
    /// Versions that were first published before this are closed, however long the window is now.
    pub closed_before: Timestamp,
    /// When the window last changed.
    pub changed: Timestamp,
}

impl Default for WindowHistory {
    fn default() -> Self {
        Self { closed_before: Timestamp::EPOCH, changed: Timestamp::EPOCH }
    }
}

/// What of a repository may change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RepoProfile {
    /// Hidden from those who may not read it.
    pub is_private: bool,
    /// What it is for.
    pub description: String,
    /// Words to find it by.
    pub labels: Vec<String>,
    /// Whether index files are signed.
    pub gpg_sign_metadata: bool,
    /// Whether files are signed.
    pub gpg_sign_files: bool,
    /// Whether the owner's key signs, rather than the server's.
    pub gpg_use_owner_key: bool,
    /// Its own upload window, in days.
    pub version_update_max_days: Option<i64>,
    /// For Debian repositories.
    pub default_debian_distribution: Option<String>,
    /// For Debian repositories.
    pub default_debian_component: Option<String>,
    /// For Debian repositories.
    pub default_debian_architecture: Option<String>,
    /// For RPM repositories.
    pub yum_metadata_depth: Option<i64>,
}

row! {
    pub(crate) struct RepoRow {
        id: i64, owner_id: i64, owner: String, plan: String, name: String, created: i64, package_count: i64,
        kind: String, is_private: bool, description: String, labels: String, gpg_sign_metadata: bool,
        gpg_sign_files: bool, gpg_use_owner_key: bool, version_update_max_days: Option<i64>,
        default_debian_distribution: Option<String>, default_debian_component: Option<String>,
        default_debian_architecture: Option<String>, yum_metadata_depth: Option<i64>, closed_before: i64,
        window_changed: i64, repo_quota: Option<i64>, owner_quota: Option<i64>, granted: Option<i64>,
    }
}

/// A repository, and what the caller may do in all of it.
#[derive(Debug, Clone)]
pub struct RepoWithRight {
    /// The repository.
    pub repo: Repo,
    /// What the caller was granted there.
    pub granted: Right,
}

impl TryFrom<RepoRow> for RepoWithRight {
    type Error = Error;

    fn try_from(row: RepoRow) -> Result<Self> {
        let damaged = || Error::Broken(format!("repository {} has a damaged row", row.id));
        let profile = RepoProfile {
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
        };
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
            profile,
        };
        Ok(RepoWithRight { repo, granted: row.granted.map_or(Right::None, Right::from_number) })
    }
}

/// The repository of this name, with what the caller may do there, in one look-up.
pub async fn find(
    db: &impl Read,
    owner: &SubjectName,
    name: &RepoName,
    grantee_id: Option<i64>,
) -> Result<Option<RepoWithRight>> {
    let row: Option<RepoRow> = db
        .one(
            sql!(
                "SELECT r.id, r.owner_id, s.name, s.plan, r.name, r.created, r.package_count, r.type, r.is_private,
                 r.description, r.labels, r.gpg_sign_metadata, r.gpg_sign_files, r.gpg_use_owner_key,
                 r.version_update_max_days, r.default_debian_distribution, r.default_debian_component,
                 r.default_debian_architecture, r.yum_metadata_depth, COALESCE(r.closed_before, 0),
                 COALESCE(r.window_changed, 0), r.quota_bytes, s.quota_bytes,
                 (SELECT MAX(g.granted) FROM repo_grants g WHERE g.repo_id = r.id AND g.grantee_id = $3)
             FROM subjects s
             JOIN repos r ON r.owner_id = s.id
             WHERE s.name = $1 AND r.name = $2",
                owner,
                name,
                grantee_id,
            )
            .looking_up(),
        )
        .await?;
    row.map(RepoWithRight::try_from).transpose()
}

/// The same for one that the caller may not know of. Where there is no such repository, another one stands in for it, and
/// `false` says so: whether there is one is not to be seen from how long the look-up takes. `None` only where there are no
/// repositories at all.
pub async fn find_alike(
    db: &impl Read,
    owner: &SubjectName,
    name: &RepoName,
    grantee_id: Option<i64>,
) -> Result<Option<(RepoWithRight, bool)>> {
    let row: Option<RepoRow> = db
        .one(
            sql!(
                "SELECT r.id, r.owner_id, s.name, s.plan, r.name, r.created, r.package_count, r.type, r.is_private,
                 r.description, r.labels, r.gpg_sign_metadata, r.gpg_sign_files, r.gpg_use_owner_key,
                 r.version_update_max_days, r.default_debian_distribution, r.default_debian_component,
                 r.default_debian_architecture, r.yum_metadata_depth, COALESCE(r.closed_before, 0),
                 COALESCE(r.window_changed, 0), r.quota_bytes, s.quota_bytes,
                 (SELECT MAX(g.granted) FROM repo_grants g WHERE g.repo_id = r.id AND g.grantee_id = $3)
             FROM repos r
             JOIN subjects s ON s.id = r.owner_id
             WHERE r.id = (
                 SELECT ABS(MAX(n.id))
                 FROM (
                     SELECT o.id FROM subjects w JOIN repos o ON o.owner_id = w.id WHERE w.name = $1 AND o.name = $2
                     UNION ALL
                     SELECT -MIN(m.id) FROM repos m) n)",
                owner,
                name,
                grantee_id,
            )
            .looking_up(),
        )
        .await?;
    let Some(found) = row.map(RepoWithRight::try_from).transpose()? else { return Ok(None) };
    let is_it = found.repo.owner == *owner && found.repo.name == *name;
    Ok(Some((found, is_it)))
}

/// The repositories of these keys, with what the caller may do in each.
pub async fn list_by_ids(db: &impl Read, ids: &[i64], grantee_id: Option<i64>) -> Result<Vec<RepoWithRight>> {
    let statement = sql!(
        "SELECT r.id, r.owner_id, s.name, s.plan, r.name, r.created, r.package_count, r.type, r.is_private,
             r.description, r.labels, r.gpg_sign_metadata, r.gpg_sign_files, r.gpg_use_owner_key,
             r.version_update_max_days, r.default_debian_distribution, r.default_debian_component,
             r.default_debian_architecture, r.yum_metadata_depth, COALESCE(r.closed_before, 0),
             COALESCE(r.window_changed, 0), r.quota_bytes, s.quota_bytes,
             (SELECT MAX(g.granted) FROM repo_grants g WHERE g.repo_id = r.id AND g.grantee_id = $1)
         FROM repos r
         JOIN subjects s ON s.id = r.owner_id
         WHERE r.id IN ($keys)
         ORDER BY r.id",
        grantee_id,
    );
    let rows: Vec<RepoRow> = keys::all(db, statement, ids).await?;
    rows.into_iter().map(RepoWithRight::try_from).collect()
}

row! {
    /// A repository in a list.
    pub struct RepoListItem {
        /// Its name.
        name: String,
        /// Its owner's name.
        owner: String,
    }
}

/// The repositories that a subject may write to, as far as the reader may see them: its own, and those in which it may
/// publish.
pub async fn list_writeable(db: &impl Read, subject_id: i64, reader: Viewer) -> Result<Vec<RepoListItem>> {
    db.all(sql!(
        "SELECT r.name, s.name
         FROM repos r
         JOIN subjects s ON s.id = r.owner_id
         WHERE r.id IN (SELECT w.repo_id FROM repo_grants w WHERE w.grantee_id = $1 AND w.granted >= 2)
             AND (NOT r.is_private OR $3
                 OR EXISTS (SELECT 1 FROM repo_grants g WHERE g.repo_id = r.id AND g.grantee_id = $2))
         ORDER BY s.name, r.name",
        subject_id,
        reader.id,
        reader.sees_everything,
    ))
    .await
}

/// The names of each subject's own repositories, as far as the reader may see them.
pub async fn list_names_of(db: &impl Read, owner_ids: &[i64], reader: Viewer) -> Result<HashMap<i64, Vec<String>>> {
    let statement = sql!(
        "SELECT r.owner_id, r.name
         FROM repos r
         WHERE r.owner_id IN ($keys)
             AND (NOT r.is_private OR $2
                 OR EXISTS (SELECT 1 FROM repo_grants g WHERE g.repo_id = r.id AND g.grantee_id = $1))
         ORDER BY r.owner_id, r.name",
        reader.id,
        reader.sees_everything,
    );
    Ok(keys::grouped(keys::all::<(i64, String)>(db, statement, owner_ids).await?))
}

/// Adds a repository. A name that differs by letter case alone is a conflict.
pub async fn insert(tx: &mut Tx, repo: &Repo) -> Result<()> {
    let profile = &repo.profile;
    tx.run(sql!(
        "INSERT INTO repos (id, owner_id, name, folded_name, type, is_private, description, folded_description, labels,
             gpg_sign_metadata, gpg_sign_files, gpg_use_owner_key, version_update_max_days,
             default_debian_distribution, default_debian_component, default_debian_architecture, yum_metadata_depth,
             package_count, created)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, 0, $18)",
        repo.id,
        repo.owner_id,
        &repo.name,
        repo.name.folded(),
        &repo.kind,
        profile.is_private,
        &profile.description,
        fold(&profile.description),
        lines::join(&profile.labels),
        profile.gpg_sign_metadata,
        profile.gpg_sign_files,
        profile.gpg_use_owner_key,
        profile.version_update_max_days,
        profile.default_debian_distribution.as_deref(),
        profile.default_debian_component.as_deref(),
        profile.default_debian_architecture.as_deref(),
        profile.yum_metadata_depth,
        repo.created,
    ))
    .await?;
    blocks::insert_first(tx, repo.id).await
}

/// Changes what may change.
pub async fn update(tx: &mut Tx, id: i64, profile: &RepoProfile) -> Result<()> {
    tx.invalidate(Invalidation::Repo(id));
    tx.run(sql!(
        "UPDATE repos SET is_private = $2, description = $3, folded_description = $4, labels = $5,
             gpg_sign_metadata = $6, gpg_sign_files = $7, gpg_use_owner_key = $8, version_update_max_days = $9,
             default_debian_distribution = $10, default_debian_component = $11, default_debian_architecture = $12,
             yum_metadata_depth = $13
         WHERE id = $1",
        id,
        profile.is_private,
        &profile.description,
        fold(&profile.description),
        lines::join(&profile.labels),
        profile.gpg_sign_metadata,
        profile.gpg_sign_files,
        profile.gpg_use_owner_key,
        profile.version_update_max_days,
        profile.default_debian_distribution.as_deref(),
        profile.default_debian_component.as_deref(),
        profile.default_debian_architecture.as_deref(),
        profile.yum_metadata_depth,
    ))
    .await?;
    Ok(())
}

/// Notes that the upload window changes now: versions that were first published before a moment stay closed.
pub async fn move_window(tx: &mut Tx, id: i64, closed_before: Timestamp, now: Timestamp) -> Result<()> {
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

/// The same for all repositories that have no window of their own.
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

/// The repositories of a subject.
pub async fn list_of_owner(db: &impl Read, owner_id: i64) -> Result<Vec<Repo>> {
    let ids: Vec<i64> = db.all(sql!("SELECT id FROM repos WHERE owner_id = $1 ORDER BY id", owner_id)).await?;
    Ok(list_by_ids(db, &ids, None).await?.into_iter().map(|found| found.repo).collect())
}

/// Holds a repository until the transaction ends. Says whether it may have changed since it was read.
pub async fn hold(tx: &mut Tx, id: i64) -> Result<bool> {
    tx.hold(sql!("SELECT id FROM repos WHERE id = $1", id)).await
}

/// Moves the number of packages. Holds the repository until the transaction ends.
pub(crate) async fn add_to_package_count(tx: &mut Tx, id: i64, change: i64) -> Result<()> {
    tx.run(sql!("UPDATE repos SET package_count = package_count + $2 WHERE id = $1", id, change)).await?;
    Ok(())
}

/// Removes a repository with everything in it.
pub async fn delete(tx: &mut Tx, id: i64) -> Result<()> {
    tx.invalidate(Invalidation::Repo(id));
    tx.run(sql!("DELETE FROM repos WHERE id = $1", id)).await?;
    Ok(())
}
