//! Names of images and their tags.

use model::{
    access::Viewer,
    address::RepoAddress,
    id::PackageId,
    names::{RepoName, SubjectName},
};

use crate::{Error, Read, Result, engine::statement::sql};

/// Returns the repository with these names, whatever their letter case is.
pub async fn find_repo(db: &impl Read, owner: &SubjectName, repo: &RepoName) -> Result<Option<RepoAddress>> {
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
pub async fn list_tags(db: &impl Read, package_id: PackageId, after: &str, limit: i64) -> Result<Vec<String>> {
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
pub async fn list(db: &impl Read, kind: &str, after: &str, reader: Viewer, limit: i64) -> Result<Vec<String>> {
    let statement = sql!(
        "SELECT s.folded_name || '/' || r.folded_name || '/' || REPLACE(p.name, ':', '/') AS image
         FROM repos r
         JOIN subjects s ON s.id = r.owner_id
         JOIN packages p ON p.repo_id = r.id
         WHERE r.type = $1 AND s.folded_name || '/' || r.folded_name || '/' || REPLACE(p.name, ':', '/') > $2
             AND (NOT r.is_private OR $4
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
