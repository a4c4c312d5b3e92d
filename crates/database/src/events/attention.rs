//! What waits for a user: staged files in repositories where the user may publish, and the user's webhooks that fail.

use model::{
    attention::{FailingWebhook, StagedVersion},
    id::SubjectId,
};

use crate::{
    Read, Result,
    engine::{row::row, statement::select},
};

/// The number of staged files to look at: the bound of the work.
const FILES: i64 = 1_000;

row! {
    struct StagedVersionRow => StagedVersion {
        owner: String = "s.name", repo: String = "r.name", kind: String = "r.type", package: String = "p.name",
        version: String = "v.name", files: i64 = "CAST(COUNT(*) AS BIGINT)",
    }
}

/// Returns versions with staged files in repositories where the user may publish, the newest first.
pub async fn list_staged(db: &dyn Read, user_id: SubjectId, limit: i64) -> Result<Vec<StagedVersion>> {
    db.all(select!(
        StagedVersionRow,
        "FROM (SELECT t.version_id FROM files t
               WHERE t.repo_id IN (SELECT w.repo_id FROM repo_grants w WHERE w.grantee_id = $1 AND w.granted >= 2)
                   AND t.staged_blob_id IS NOT NULL
               LIMIT $2) f
         JOIN versions v ON v.id = f.version_id
         JOIN packages p ON p.id = v.package_id
         JOIN repos r ON r.id = p.repo_id
         JOIN subjects s ON s.id = r.owner_id
         GROUP BY v.id, v.name, p.name, r.type, r.name, s.name
         ORDER BY v.id DESC
         LIMIT $3",
        user_id,
        FILES,
        limit,
    ))
    .await
}

row! {
    struct FailingWebhookRow => FailingWebhook {
        owner: String = "s.name", repo: String = "r.name", package: String = "p.name", url: String = "w.url",
        failures: i64 = "w.failure_count", is_active: bool = "w.is_active",
    }
}

/// Returns the webhooks of a user whose last callbacks failed, where the user may still publish.
pub async fn list_failing(db: &dyn Read, user_id: SubjectId, limit: i64) -> Result<Vec<FailingWebhook>> {
    db.all(select!(
        FailingWebhookRow,
        "FROM webhooks w
         JOIN packages p ON p.id = w.package_id
         JOIN repos r ON r.id = w.repo_id
         JOIN subjects s ON s.id = r.owner_id
         WHERE w.user_id = $1 AND (w.failure_count > 0 OR NOT w.is_active)
             AND EXISTS (SELECT 1 FROM repo_grants g
                 WHERE g.repo_id = r.id AND g.grantee_id = $1 AND g.granted >= 2)
         ORDER BY w.id DESC
         LIMIT $2",
        user_id,
        limit,
    ))
    .await
}
