//! The content that stands for each package of a repository, by what clients of its indexes know the package by.

use std::collections::BTreeSet;

use model::id::{BlobId, PackageId, RepoId};

use crate::{
    Read, Result, Tx,
    engine::{
        keys,
        row::row,
        statement::{select, sql},
    },
};

/// A file whose content stands for a package, or did.
#[derive(Debug)]
pub struct IdentityHolder {
    /// What clients know the package by.
    pub identity: String,
    /// The content.
    pub blob_id: BlobId,
    /// The package of the catalogue that the file belongs to.
    pub package_id: PackageId,
    /// The path of the file.
    pub path: String,
    /// The facts in its row.
    pub facts: Option<String>,
}

row! {
    struct IdentityRow in "i" { identity: String, blob_id: BlobId }
}

row! {
    struct HolderRow { blob_id: BlobId, package_id: PackageId, path: String, facts: Option<String> }
}

/// Returns the files of a repository whose newest content stands for one of these packages.
///
/// Two statements instead of one: PostgreSQL would read all files for each package, as long as it has no statistics of
/// a repository that grows fast.
pub async fn list_holders(db: &dyn Read, repo_id: RepoId, identities: &[&str]) -> Result<Vec<IdentityHolder>> {
    let statement =
        select!(IdentityRow, "FROM package_identities i WHERE i.repo_id = $1 AND i.identity IN ($keys)", repo_id,);
    let known: Vec<IdentityRow> = keys::all(db, statement, identities).await?;
    let blob_ids: BTreeSet<BlobId> = known.iter().map(|row| row.blob_id).collect();
    let blob_ids: Vec<BlobId> = blob_ids.into_iter().collect();
    let files = sql!(
        "SELECT f.published_blob_id, f.package_id, f.path, f.published_facts
         FROM files f
         WHERE f.published_blob_id IN ($keys) AND f.repo_id = $1 AND f.staged_blob_id IS NULL
         UNION ALL
         SELECT f.staged_blob_id, f.package_id, f.path, f.staged_facts
         FROM files f
         WHERE f.staged_blob_id IN ($keys) AND f.repo_id = $1
         ORDER BY 3
         LIMIT 1000",
        repo_id,
    );
    let files: Vec<HolderRow> = keys::all(db, files, &blob_ids).await?;
    let files = keys::grouped(files.into_iter().map(|file| (file.blob_id, file)));
    let holder = |row: &IdentityRow, file: &HolderRow| IdentityHolder {
        identity: row.identity.clone(),
        blob_id: row.blob_id,
        package_id: file.package_id,
        path: file.path.clone(),
        facts: file.facts.clone(),
    };
    let of_row = |row: &IdentityRow| {
        files.get(&row.blob_id).into_iter().flatten().map(|file| holder(row, file)).collect::<Vec<_>>()
    };
    Ok(known.iter().flat_map(of_row).collect())
}

/// Locks a package until the transaction ends, and returns the content that stands for it: this one, if there is none.
pub async fn lock(tx: &mut Tx, repo_id: RepoId, identity: &str, blob_id: BlobId) -> Result<Option<BlobId>> {
    tx.one(sql!(
        "INSERT INTO package_identities (repo_id, identity, blob_id)
         VALUES ($1, $2, $3)
         ON CONFLICT (repo_id, identity) DO UPDATE SET identity = excluded.identity
         RETURNING blob_id",
        repo_id,
        identity,
        blob_id,
    ))
    .await
}

/// Lets other content stand for a package.
pub async fn replace(tx: &mut Tx, repo_id: RepoId, identity: &str, blob_id: BlobId) -> Result<()> {
    tx.run(sql!(
        "UPDATE package_identities SET blob_id = $3 WHERE repo_id = $1 AND identity = $2",
        repo_id,
        identity,
        blob_id,
    ))
    .await?;
    Ok(())
}

/// Records content that was published before identities were. Content that stands for the package already stays.
pub async fn insert(tx: &mut Tx, repo_id: RepoId, identity: &str, sha256: &str) -> Result<()> {
    tx.run(sql!(
        "INSERT INTO package_identities (repo_id, identity, blob_id)
         SELECT $1, $2, b.id FROM blobs b WHERE b.sha256 = $3
         ON CONFLICT (repo_id, identity) DO NOTHING",
        repo_id,
        identity,
        sha256,
    ))
    .await?;
    Ok(())
}
