//! What waits for a user: staged files in repositories where the user may publish, and the user's webhooks that fail.

use model::{
    attention::{FailingWebhook, StagedVersion},
    id::SubjectId,
    timestamp::Timestamp,
};

use crate::{
    Read, Result,
    engine::{lines::Lines, row::row, statement::select},
};

/// The number of staged files to look at: the bound of the work.
const FILES: i64 = 1_000;

row! {
    struct StagedVersionRow {
        owner: String = "s.name", repo: String = "r.name", kind: String = "r.type", is_private: bool = "r.is_private",
        package: String = "p.name", licenses: Lines = "p.licenses", custom_licenses: Lines = "p.custom_licenses",
        version: String = "v.name", is_draft: bool = "v.first_published IS NULL", created: i64 = "v.created",
        files: i64 = "CAST(COUNT(*) AS BIGINT)", bytes: i64 = "CAST(SUM(b.size) AS BIGINT)",
    }
}

impl From<StagedVersionRow> for StagedVersion {
    fn from(row: StagedVersionRow) -> Self {
        let (licenses, custom): (Vec<String>, Vec<String>) = (row.licenses.into(), row.custom_licenses.into());
        Self {
            owner: row.owner,
            repo: row.repo,
            kind: row.kind,
            is_private: row.is_private,
            is_draft: row.is_draft,
            package: row.package,
            licenses: licenses.into_iter().chain(custom).collect(),
            version: row.version,
            created: Timestamp::from_millis(row.created),
            files: row.files,
            bytes: row.bytes,
        }
    }
}

/// Returns versions with staged files in repositories where the user may publish, the newest first.
pub async fn list_staged(db: &dyn Read, user_id: SubjectId, limit: i64) -> Result<Vec<StagedVersion>> {
    let rows: Vec<StagedVersionRow> = db
        .all(select!(
            StagedVersionRow,
            "FROM (SELECT t.version_id, t.staged_blob_id FROM files t
               WHERE t.repo_id IN (SELECT w.repo_id FROM repo_grants w WHERE w.grantee_id = $1 AND w.granted >= 2)
                   AND t.staged_blob_id IS NOT NULL
               LIMIT $2) f
         JOIN blobs b ON b.id = f.staged_blob_id
         JOIN versions v ON v.id = f.version_id
         JOIN packages p ON p.id = v.package_id
         JOIN repos r ON r.id = p.repo_id
         JOIN subjects s ON s.id = r.owner_id
         GROUP BY v.id, v.name, v.first_published, v.created, p.name, p.licenses, p.custom_licenses, r.type, r.name,
             r.is_private, s.name
         ORDER BY v.id DESC
         LIMIT $3",
            user_id,
            FILES,
            limit,
        ))
        .await?;
    Ok(rows.into_iter().map(StagedVersion::from).collect())
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
