//! Names of images and their tags.

use model::{
    access::Viewer,
    address::RepoAddress,
    id::{PackageId, VersionId},
    names::{RepoName, SubjectName},
};

use crate::{
    Error, Read, Result,
    engine::{
        keys,
        row::row,
        statement::{select, sql},
    },
};

row! {
    /// A manifest of a version.
    pub struct VersionManifest {
        /// The id of the version.
        version_id: VersionId = "f.version_id",
        /// The path of the manifest.
        path: String = "f.path",
        /// The facts about it.
        facts: Option<String> = "f.published_facts",
    }
}

/// Returns the repository with these names, whatever their letter case is.
pub async fn find_repo(db: &dyn Read, owner: &SubjectName, repo: &RepoName) -> Result<Option<RepoAddress>> {
    let found: Option<(String, String)> = db
        .one(
            sql!(
                "SELECT s.name, r.name
                 FROM subjects s
                 JOIN repos r ON r.owner_id = s.id
                 WHERE s.folded_name = $1 AND r.folded_name = $2",
                owner.folded(),
                repo.folded(),
            )
            .looking_up(),
        )
        .await?;
    let damaged = |_| Error::Broken(format!("the repository '{owner}/{repo}' has a damaged row"));
    found
        .map(|(owner, repo)| {
            let (owner, repo) = (SubjectName::stored(&owner), RepoName::stored(&repo));
            Ok(RepoAddress { owner: owner.map_err(damaged)?, repo: repo.map_err(damaged)? })
        })
        .transpose()
}

/// Returns the tags of an image after a name, by their bytes. Versions named by a digest are not tags.
pub async fn list_tags(db: &dyn Read, package_id: PackageId, after: &str, limit: i64) -> Result<Vec<String>> {
    db.all(sql!(
        "SELECT name FROM versions
         WHERE package_id = $1 AND name > $2 AND published_files > 0 AND name NOT LIKE 'sha256:%'
         ORDER BY name
         LIMIT $3",
        package_id,
        after,
        limit,
    ))
    .await
}

/// Returns the images in repositories of a type that the viewer may see, after a name, by their bytes.
pub async fn list(db: &dyn Read, kind: &str, after: &str, reader: Viewer, limit: i64) -> Result<Vec<String>> {
    let statement = sql!(
        "SELECT s.folded_name || '/' || r.folded_name || '/' || REPLACE(p.name, ':', '/') AS image
         FROM repos r
         JOIN subjects s ON s.id = r.owner_id
         JOIN packages p ON p.repo_id = r.id
         WHERE r.type = $1 AND s.folded_name || '/' || r.folded_name || '/' || REPLACE(p.name, ':', '/') > $2
             AND (NOT r.is_private OR ($4 AND r.owner_id > 0)
                 OR EXISTS (SELECT 1 FROM repo_grants g WHERE g.repo_id = r.id AND g.grantee_id = $3))
         ORDER BY image
         LIMIT $5",
        kind,
        after,
        reader.id,
        reader.sees_everything,
        limit,
    );
    db.all(statement.long()).await
}

/// Returns the published manifests of these versions.
pub async fn list_manifests(db: &dyn Read, ids: &[VersionId]) -> Result<Vec<VersionManifest>> {
    let statement = select!(
        VersionManifest,
        "FROM files f
         WHERE f.version_id IN ($keys) AND f.published_blob_id IS NOT NULL AND f.path LIKE '%/manifests/%'
         ORDER BY f.version_id, f.path",
    );
    keys::all(db, statement, ids).await
}

/// Returns the sizes of the configurations and layers that these versions reach.
pub async fn list_sizes(db: &dyn Read, ids: &[VersionId]) -> Result<Vec<(VersionId, i64)>> {
    let statement = sql!(
        "SELECT u.version_id, CAST(SUM(b.size) AS BIGINT)
         FROM oci_uses u
         JOIN files f ON f.id = u.file_id
         JOIN blobs b ON b.id = f.published_blob_id
         WHERE u.version_id IN ($keys) AND f.path LIKE '%/blobs/%'
         GROUP BY u.version_id
         ORDER BY u.version_id",
    );
    keys::all(db, statement, ids).await
}
