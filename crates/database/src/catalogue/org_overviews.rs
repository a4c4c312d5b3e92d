//! What lists show of organizations.

use model::{access::Viewer, id::SubjectId, overview::OrgOverview};

use crate::{
    Read, Result,
    engine::{row::row, statement::select},
};

row! {
    struct OrgOverviewRow in "s" => OrgOverview {
        name: String, repos: i64 = "CAST(COUNT(r.id) AS BIGINT)",
        packages: i64 = "CAST(COALESCE(SUM(r.package_count), 0) AS BIGINT)",
    }
}

/// Returns the first organizations by name that have a repository which the viewer may see.
pub async fn list(db: &dyn Read, reader: Viewer, limit: i64) -> Result<Vec<OrgOverview>> {
    // The sign keeps the engines from starting with all repositories.
    db.all(select!(
        OrgOverviewRow,
        "FROM subjects s
         JOIN repos r ON r.owner_id = +s.id
         WHERE s.kind = 'org' AND s.name >= ''
             AND (NOT r.is_private OR ($2 AND r.owner_id > 0)
                 OR EXISTS (SELECT 1 FROM repo_grants g WHERE g.repo_id = r.id AND g.grantee_id = $1))
         GROUP BY s.name
         ORDER BY s.name
         LIMIT $3",
        reader.id,
        reader.sees_everything,
        limit,
    ))
    .await
}

/// Returns the organizations of a user by name, with what the user may see of them.
pub async fn list_of_user(db: &dyn Read, user_id: SubjectId, reader: Viewer) -> Result<Vec<OrgOverview>> {
    db.all(select!(
        OrgOverviewRow,
        "FROM active_members m
         JOIN subjects s ON s.id = m.org_id
         LEFT JOIN repos r ON r.owner_id = s.id
             AND (NOT r.is_private OR ($3 AND r.owner_id > 0)
                 OR EXISTS (SELECT 1 FROM repo_grants g WHERE g.repo_id = r.id AND g.grantee_id = $2))
         WHERE m.user_id = $1
         GROUP BY s.name
         ORDER BY s.name",
        user_id,
        reader.id,
        reader.sees_everything,
    ))
    .await
}
