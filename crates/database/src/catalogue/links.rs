//! Links: packages that are listed in other repositories.

use std::collections::HashMap;

use model::{
    access::Viewer,
    address::{PackageAddress, RepoAddress},
    id::{PackageId, RepoId},
    names::{PackageName, RepoName, SubjectName},
    timestamp::Timestamp,
};

use crate::{
    Error, Read, Result, Tx,
    engine::{
        invalidation::Invalidation,
        keys,
        row::row,
        statement::{insert, select, sql},
    },
};

/// A package that is linked into another repository.
#[derive(Debug, Clone)]
pub struct Link {
    /// The id of the repository that it is linked into.
    pub repo_id: RepoId,
    /// The id of the package.
    pub package_id: PackageId,
    /// The package's name.
    pub name: PackageName,
    /// The folder whose files are included; all files when absent.
    pub path_prefix: Option<String>,
    /// When it was created.
    pub created: Timestamp,
}

row! {
    struct SourceRow { owner: String = "s.name", repo: String = "r.name" }
}

/// Returns the source repository of the package that is linked into the repository with this name.
pub async fn find_source(db: &dyn Read, repo_id: RepoId, name: &PackageName) -> Result<Option<RepoAddress>> {
    match (find_source_as(db, repo_id, name).await?, name.other_form()) {
        (None, Some(other)) => find_source_as(db, repo_id, &other).await,
        (found, _) => Ok(found),
    }
}

async fn find_source_as(db: &dyn Read, repo_id: RepoId, name: &PackageName) -> Result<Option<RepoAddress>> {
    let row: Option<SourceRow> = db
        .one(select!(
            SourceRow,
            "FROM links l
             JOIN packages p ON p.id = l.package_id
             JOIN repos r ON r.id = p.repo_id
             JOIN subjects s ON s.id = r.owner_id
             WHERE l.repo_id = $1 AND l.package_name = $2",
            repo_id,
            name,
        ))
        .await?;
    let damaged = |_| Error::Broken(format!("the source of a link in repository {repo_id} has a damaged row"));
    row.map(|row| {
        let owner = SubjectName::parse(&row.owner).map_err(damaged)?;
        Ok(RepoAddress { owner, repo: RepoName::parse(&row.repo).map_err(damaged)? })
    })
    .transpose()
}

/// Returns the folder of a package that is linked into the repository; empty for all files. `None` if the package is
/// not linked.
pub async fn find_folder(db: &dyn Read, showing: &RepoAddress, package_id: PackageId) -> Result<Option<String>> {
    db.one(sql!(
        "SELECT COALESCE(l.path_prefix, '')
         FROM subjects s
         JOIN repos r ON r.owner_id = s.id
         JOIN links l ON l.repo_id = r.id
         WHERE s.name = $1 AND r.name = $2 AND l.package_id = $3",
        &showing.owner,
        &showing.repo,
        package_id,
    ))
    .await
}

/// Returns whether a package with this name is linked into the repository, in any letter case.
pub async fn has_name(db: &dyn Read, repo_id: RepoId, name: &PackageName) -> Result<bool> {
    let found: Option<PackageId> = db
        .one(sql!("SELECT package_id FROM links WHERE repo_id = $1 AND folded_name = $2", repo_id, name.folded()))
        .await?;
    Ok(found.is_some())
}

/// Returns the repositories that each package is linked into and that the viewer may read, as `subject/repo`.
pub async fn list_of_packages(
    db: &dyn Read,
    package_ids: &[PackageId],
    reader: Viewer,
) -> Result<HashMap<PackageId, Vec<String>>> {
    let statement = sql!(
        "SELECT l.package_id, s.name || '/' || r.name
         FROM links l
         JOIN repos r ON r.id = l.repo_id
         JOIN subjects s ON s.id = r.owner_id
         WHERE l.package_id IN ($keys)
             AND (NOT r.is_private OR ($2 AND r.owner_id > 0)
                 OR EXISTS (SELECT 1 FROM repo_grants g WHERE g.repo_id = r.id AND g.grantee_id = $1))
         ORDER BY s.name, r.name",
        reader.id,
        reader.sees_everything,
    );
    Ok(keys::grouped(keys::all::<(PackageId, String)>(db, statement, package_ids).await?))
}

/// Adds a link. A package, or a name, that is already linked into the repository is a conflict.
pub async fn insert(tx: &mut Tx, link: &Link) -> Result<()> {
    tx.invalidate(Invalidation::Repo(link.repo_id));
    tx.run(insert!(links {
        repo_id: link.repo_id,
        package_id: link.package_id,
        package_name: &link.name,
        folded_name: link.name.folded(),
        path_prefix: link.path_prefix.as_deref(),
        created: link.created,
    }))
    .await?;
    Ok(())
}

/// Deletes the link to this package; returns whether it existed.
pub async fn delete(tx: &mut Tx, repo_id: RepoId, source: &PackageAddress) -> Result<bool> {
    tx.invalidate(Invalidation::Repo(repo_id));
    let removed = tx
        .run(
            sql!(
                "DELETE FROM links
             WHERE repo_id = $1 AND package_name = $4
                 AND package_id IN (
                     SELECT p.id
                     FROM subjects s
                     JOIN repos r ON r.owner_id = s.id
                     JOIN packages p ON p.repo_id = r.id
                     WHERE s.name = $2 AND r.name = $3 AND p.name = $4)",
                repo_id,
                &source.repo.owner,
                &source.repo.repo,
                &source.package,
            )
            .long(),
        )
        .await?;
    Ok(removed == 1)
}
