//! Usage thresholds: the amounts above which an event is recorded.

use model::{
    id::{RepoId, SubjectId},
    names::SubjectName,
    plan::Plan,
    usage::{Thresholds, UsageScope},
};

use crate::{
    Error, Read, Result, Tx,
    engine::{
        row::row,
        statement::{insert, select, sql},
    },
};

row! {
    struct ThresholdsRow => Thresholds {
        monthly_storage_bytes: Option<i64>, monthly_download_bytes: Option<i64>, daily_download_bytes: Option<i64>,
    }
}

impl From<Thresholds> for ThresholdsRow {
    fn from(thresholds: Thresholds) -> Self {
        Self {
            monthly_storage_bytes: thresholds.monthly_storage_bytes,
            monthly_download_bytes: thresholds.monthly_download_bytes,
            daily_download_bytes: thresholds.daily_download_bytes,
        }
    }
}

/// Thresholds, with their owner.
#[derive(Debug, Clone)]
pub struct OwnedThresholds {
    /// Their database id.
    pub id: i64,
    /// The scope that is measured.
    pub scope: UsageScope,
    /// The name of the subject.
    pub owner: SubjectName,
    /// The plan of the subject.
    pub plan: Plan,
    /// The name of the repository, if they apply to one.
    pub repo: Option<String>,
    /// The thresholds.
    pub thresholds: Thresholds,
}

row! {
    struct WatchedRow in "t" {
        id: i64, subject_id: SubjectId, repo_id: Option<RepoId>, owner: String = "s.name", plan: String = "s.plan",
        repo: Option<String> = "r.name", monthly_storage_bytes: Option<i64>, monthly_download_bytes: Option<i64>,
        daily_download_bytes: Option<i64>,
    }
}

impl TryFrom<WatchedRow> for OwnedThresholds {
    type Error = Error;

    fn try_from(row: WatchedRow) -> Result<Self> {
        let damaged = || Error::Broken(format!("usage threshold {} has a damaged row", row.id));
        Ok(OwnedThresholds {
            id: row.id,
            scope: UsageScope { owner_id: row.subject_id, repo_id: row.repo_id },
            owner: SubjectName::parse(&row.owner).map_err(|_| damaged())?,
            plan: Plan::parse(&row.plan).ok_or_else(damaged)?,
            repo: row.repo,
            thresholds: Thresholds {
                monthly_storage_bytes: row.monthly_storage_bytes,
                monthly_download_bytes: row.monthly_download_bytes,
                daily_download_bytes: row.daily_download_bytes,
            },
        })
    }
}

/// Returns the id of the thresholds of a scope.
pub async fn find_id(db: &dyn Read, scope: UsageScope) -> Result<Option<i64>> {
    match scope.repo_id {
        Some(repo_id) => db.one(sql!("SELECT id FROM usage_thresholds WHERE repo_id = $1", repo_id)).await,
        None => {
            let statement =
                sql!("SELECT id FROM usage_thresholds WHERE subject_id = $1 AND repo_id IS NULL", scope.owner_id);
            db.one(statement).await
        }
    }
}

/// Returns the thresholds with this id.
pub async fn find(db: &dyn Read, id: i64) -> Result<Option<Thresholds>> {
    db.one(select!(
        ThresholdsRow,
        "FROM usage_thresholds
         WHERE id = $1",
        id,
    ))
    .await
}

/// Returns a page of all thresholds, by id, after an id.
pub async fn list(db: &dyn Read, after: i64, limit: i64) -> Result<Vec<OwnedThresholds>> {
    let rows: Vec<WatchedRow> = db
        .all(select!(
            WatchedRow,
            "FROM usage_thresholds t
             JOIN subjects s ON s.id = t.subject_id
             LEFT JOIN repos r ON r.id = t.repo_id
             WHERE t.id > $1
             ORDER BY t.id
             LIMIT $2",
            after,
            limit,
        ))
        .await?;
    rows.into_iter().map(OwnedThresholds::try_from).collect()
}

/// Adds thresholds. A second set for the same scope is a conflict.
pub async fn insert(tx: &mut Tx, id: i64, scope: UsageScope, thresholds: &Thresholds) -> Result<()> {
    tx.run(insert!(usage_thresholds {
        id,
        subject_id: scope.owner_id,
        repo_id: scope.repo_id,
        ..ThresholdsRow::from(*thresholds)
    }))
    .await?;
    Ok(())
}

/// Updates thresholds.
pub async fn update(tx: &mut Tx, id: i64, thresholds: &Thresholds) -> Result<()> {
    tx.run(sql!(
        "UPDATE usage_thresholds
         SET monthly_storage_bytes = $2, monthly_download_bytes = $3, daily_download_bytes = $4
         WHERE id = $1",
        id,
        thresholds.monthly_storage_bytes,
        thresholds.monthly_download_bytes,
        thresholds.daily_download_bytes,
    ))
    .await?;
    Ok(())
}

/// Deletes thresholds.
pub async fn delete(tx: &mut Tx, id: i64) -> Result<()> {
    tx.run(sql!("DELETE FROM usage_thresholds WHERE id = $1", id).long()).await?;
    Ok(())
}

/// Returns whether the crossing of a threshold was recorded for the period that begins on a day.
pub async fn is_crossed(db: &dyn Read, id: i64, measure: &str, period: i64) -> Result<bool> {
    let found: Option<i64> = db
        .one(sql!(
            "SELECT period FROM usage_crossings WHERE threshold_id = $1 AND measure = $2 AND period = $3",
            id,
            measure,
            period,
        ))
        .await?;
    Ok(found.is_some())
}

/// Records the crossing of a threshold; returns false if it was recorded before, or the thresholds were deleted.
pub async fn cross(tx: &mut Tx, id: i64, measure: &str, period: i64) -> Result<bool> {
    let crossed = tx
        .run(sql!(
            "INSERT INTO usage_crossings (threshold_id, measure, period)
             SELECT t.id, $2, $3
             FROM usage_thresholds t
             WHERE t.id = $1
             ON CONFLICT (threshold_id, measure, period) DO NOTHING",
            id,
            measure,
            period,
        ))
        .await?;
    Ok(crossed == 1)
}

/// Deletes the crossings of a threshold after its value has changed.
pub async fn delete_crossings(tx: &mut Tx, id: i64, measure: &str) -> Result<()> {
    tx.run(sql!("DELETE FROM usage_crossings WHERE threshold_id = $1 AND measure = $2", id, measure).long()).await?;
    Ok(())
}

/// Deletes the crossings in periods that began before a day.
pub async fn delete_expired_crossings(tx: &mut Tx, id: i64, before: i64) -> Result<()> {
    tx.run(sql!("DELETE FROM usage_crossings WHERE threshold_id = $1 AND period < $2", id, before).long()).await?;
    Ok(())
}
