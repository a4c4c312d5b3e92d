//! Grants of access keys, and of tokens for packages, in a repository.

use model::{
    access::{Grant, GrantScope, Right},
    id::{GranteeId, PackageId, RepoId, VersionId},
};

use crate::{
    Read, Result,
    engine::{row::row, statement::select},
};

row! {
    struct GrantRow { granted: i64, package_id: Option<PackageId>, version_id: Option<VersionId>, path: Option<String> }
}

/// Returns the grants of an access key or a token in parts of a repository.
pub async fn list(db: &dyn Read, repo_id: RepoId, grantee_id: GranteeId) -> Result<Vec<Grant>> {
    let rows: Vec<GrantRow> = db
        .all(
            select!(
                GrantRow,
                "FROM partial_grants
             WHERE repo_id = $1 AND key_id = $2",
                repo_id,
                grantee_id,
            )
            .looking_up(),
        )
        .await?;
    Ok(rows.into_iter().filter_map(GrantRow::grant).collect())
}

impl GrantRow {
    fn grant(self) -> Option<Grant> {
        let part = match self {
            GrantRow { path: Some(path), .. } => GrantScope::Path(path),
            GrantRow { version_id: Some(id), .. } => GrantScope::Version(id),
            GrantRow { package_id: Some(id), .. } => GrantScope::Package(id),
            _ => return None,
        };
        Some(Grant { part, right: Right::from_number(self.granted) })
    }
}
