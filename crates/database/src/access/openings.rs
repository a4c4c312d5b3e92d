//! What an access key opens.

use model::{
    id::{GranteeId, PackageId, RepoId},
    overview::{OpenedPart, OpenedRepo},
};

use crate::{
    Read, Result,
    engine::{lines::Lines, row::row, statement::select},
};

row! {
    struct OpenedRepoRow => OpenedRepo {
        id: RepoId = "r.id", owner: String = "s.name", name: String = "r.name", kind: String = "r.type",
        description: String = "r.description", package_count: i64 = "r.package_count",
    }
}

/// Returns the repositories that a key may read as a whole through its entitlements, by owner and name.
pub async fn list_repos(db: &dyn Read, key_id: GranteeId, limit: i64) -> Result<Vec<OpenedRepo>> {
    db.all(select!(
        OpenedRepoRow,
        "FROM repos r
         JOIN subjects s ON s.id = r.owner_id
         WHERE r.id IN (SELECT g.repo_id FROM repo_grants g WHERE g.grantee_id = $1)
         ORDER BY s.name, r.name
         LIMIT $2",
        key_id,
        limit,
    ))
    .await
}

row! {
    struct OpenedPartRow {
        owner: String = "s.name", repo: String = "r.name", kind: String = "r.type",
        package_id: Option<PackageId> = "p.id", package: Option<String> = "p.name",
        description: Option<String> = "p.description",
        licenses: Lines = "COALESCE(p.licenses, '')", custom_licenses: Lines = "COALESCE(p.custom_licenses, '')",
        version: Option<String> = "(SELECT v.name FROM versions v WHERE v.id = partial_grants.version_id)",
        is_yanked: bool = "EXISTS (SELECT 1 FROM marks m
            WHERE m.version_id = partial_grants.version_id AND m.name = 'yanked')",
        path: Option<String> = "partial_grants.path",
    }
}

impl From<OpenedPartRow> for OpenedPart {
    fn from(row: OpenedPartRow) -> Self {
        let (licenses, custom): (Vec<String>, Vec<String>) = (row.licenses.into(), row.custom_licenses.into());
        Self {
            owner: row.owner,
            repo: row.repo,
            kind: row.kind,
            package_id: row.package_id,
            package: row.package,
            description: row.description,
            licenses: licenses.into_iter().chain(custom).collect(),
            version: row.version,
            is_yanked: row.is_yanked,
            path: row.path,
        }
    }
}

/// Returns the parts of repositories that a key may read, by repository, package, version and path.
pub async fn list_parts(db: &dyn Read, key_id: GranteeId, limit: i64) -> Result<Vec<OpenedPart>> {
    let rows: Vec<OpenedPartRow> = db
        .all(select!(
            OpenedPartRow,
            "FROM partial_grants
             JOIN repos r ON r.id = partial_grants.repo_id
             JOIN subjects s ON s.id = r.owner_id
             LEFT JOIN packages p ON p.id = partial_grants.package_id
             WHERE partial_grants.key_id = $1
             ORDER BY s.name, r.name, p.name, partial_grants.version_id, partial_grants.path
             LIMIT $2",
            key_id,
            limit,
        ))
        .await?;
    Ok(rows.into_iter().map(OpenedPart::from).collect())
}

row! {
    struct OpenedPackageRow {
        owner: String = "s.name", repo: String = "r.name", kind: String = "r.type",
        package_id: PackageId = "p.id", package: String = "p.name", description: String = "p.description",
        licenses: Lines = "p.licenses", custom_licenses: Lines = "p.custom_licenses",
    }
}

impl From<OpenedPackageRow> for OpenedPart {
    fn from(row: OpenedPackageRow) -> Self {
        let (licenses, custom): (Vec<String>, Vec<String>) = (row.licenses.into(), row.custom_licenses.into());
        Self {
            owner: row.owner,
            repo: row.repo,
            kind: row.kind,
            package_id: Some(row.package_id),
            package: Some(row.package),
            description: Some(row.description),
            licenses: licenses.into_iter().chain(custom).collect(),
            version: None,
            is_yanked: false,
            path: None,
        }
    }
}

/// Returns the first packages of a repository that a key may read as a whole, by name.
pub async fn list_packages(db: &dyn Read, repo_id: RepoId, limit: i64) -> Result<Vec<OpenedPart>> {
    let rows: Vec<OpenedPackageRow> = db
        .all(select!(
            OpenedPackageRow,
            "FROM packages p
             JOIN repos r ON r.id = p.repo_id
             JOIN subjects s ON s.id = r.owner_id
             WHERE p.repo_id = $1
             ORDER BY p.name
             LIMIT $2",
            repo_id,
            limit,
        ))
        .await?;
    Ok(rows.into_iter().map(OpenedPart::from).collect())
}
