//! What happens in repositories: their downloads by day, their newest change, releases and deletions. One statement for
//! a whole page.

use model::{
    access::Viewer,
    id::RepoId,
    overview::{ActivityKind, RepoEvent},
    plan::Plan,
    timestamp::Timestamp,
};

use crate::{
    Read, Result,
    engine::{keys, row::row, statement::select},
};

row! {
    struct RepoStateRow in "r" {
        id: RepoId, plan: String = "s.plan",
        is_publisher: bool = "$2 OR EXISTS (SELECT 1 FROM repo_grants g
            WHERE g.repo_id = r.id AND g.grantee_id = $1 AND g.granted >= 2)",
        updated: Option<i64> = "(SELECT MAX(u.updated) FROM package_updates u WHERE u.repo_id = r.id)",
    }
}

/// What a list shows of a repository beside its profile.
#[derive(Debug, Clone, Copy)]
pub struct RepoState {
    /// The id of the repository.
    pub id: RepoId,
    /// The plan of its owner; the smallest one if it is unknown.
    pub plan: Plan,
    /// Whether the viewer may publish in it.
    pub is_publisher: bool,
    /// When something in its packages last changed.
    pub updated: Option<Timestamp>,
}

/// Returns the states of repositories.
pub async fn list_states(db: &dyn Read, repo_ids: &[RepoId], reader: Viewer) -> Result<Vec<RepoState>> {
    let statement = select!(
        RepoStateRow,
        "FROM repos r JOIN subjects s ON s.id = r.owner_id WHERE r.id IN ($keys)",
        reader.id,
        reader.sees_everything,
    );
    let rows: Vec<RepoStateRow> = keys::all(db, statement, repo_ids).await?;
    let state = |row: RepoStateRow| RepoState {
        id: row.id,
        plan: Plan::parse(&row.plan).unwrap_or(Plan::Free),
        is_publisher: row.is_publisher,
        updated: row.updated.map(Timestamp::from_millis),
    };
    Ok(rows.into_iter().map(state).collect())
}

row! {
    /// The downloads from a repository on a day.
    pub struct RepoDownloadDay in "d" {
        /// The id of the repository.
        repo_id: RepoId,
        /// The day, as a number of days since the start of 1970.
        day: i64,
        /// The number of downloads.
        count: i64,
    }
}

/// Returns the downloads from repositories by day.
pub async fn list_downloads(
    db: &dyn Read,
    repo_ids: &[RepoId],
    first_day: i64,
    last_day: i64,
) -> Result<Vec<RepoDownloadDay>> {
    let statement = select!(
        RepoDownloadDay,
        "FROM download_days d WHERE d.repo_id IN ($keys) AND d.day >= $1 AND d.day <= $2",
        first_day,
        last_day,
    );
    keys::all(db, statement, repo_ids).await
}

/// The number of the newest events of an owner to look at: the bound of the work.
const RECENT: i64 = 50;

row! {
    struct RepoEventRow in "e" {
        at: i64, kind: String, owner: String = "s.name", repo: String, package: String, version: String,
        path: Option<String>, actor: String,
        is_there: bool = "EXISTS (SELECT 1 FROM packages p JOIN versions v ON v.package_id = p.id
            WHERE p.repo_id = r.id AND p.name = e.package AND v.name = e.version)",
    }
}

impl From<RepoEventRow> for RepoEvent {
    fn from(row: RepoEventRow) -> Self {
        Self {
            at: Timestamp::from_millis(row.at),
            kind: if row.kind == "release" { ActivityKind::Release } else { ActivityKind::Deletion },
            owner: row.owner,
            repo: row.repo,
            package: row.package,
            version: row.version,
            path: row.path,
            actor: row.actor,
            is_there: row.is_there,
        }
    }
}

/// Returns the newest releases and deletions in repositories, the newest first.
pub async fn list_events(db: &dyn Read, repo_ids: &[RepoId], limit: i64) -> Result<Vec<RepoEvent>> {
    let statement = select!(
        RepoEventRow,
        "FROM repos r
         JOIN subjects s ON s.id = r.owner_id
         JOIN events e ON e.subject_id = r.owner_id AND e.repo = r.name AND (e.kind = 'release' OR e.kind = 'delete')
             AND e.id >= COALESCE((SELECT n.id FROM events n
                 WHERE n.subject_id = r.owner_id AND (n.kind = 'release' OR n.kind = 'delete')
                 ORDER BY n.id DESC LIMIT 1 OFFSET $1), 0)
         WHERE r.id IN ($keys)
         ORDER BY e.id DESC
         LIMIT $2",
        RECENT,
        limit,
    );
    let rows: Vec<RepoEventRow> = keys::all(db, statement, repo_ids).await?;
    Ok(rows.into_iter().map(RepoEvent::from).collect())
}
