//! The content that stands for each package of a repository, by what clients of its indexes know the package by.

use model::id::{BlobId, PackageId, RepoId};

use crate::{
    Read, Result, Tx,
    engine::{keys, row::row, statement::sql},
};

row! {
    /// A file whose content stands for a package, or did.
    pub struct IdentityHolder {
        /// What clients know the package by.
        identity: String,
        /// The content.
        blob_id: BlobId,
        /// The package of the catalogue that the file belongs to.
        package_id: PackageId,
        /// The path of the file.
        path: String,
        /// The facts in its row.
        facts: Option<String>,
    }
}

/// Returns the files of a repository whose newest content stands for one of these packages.
pub async fn list_holders(db: &dyn Read, repo_id: RepoId, identities: &[&str]) -> Result<Vec<IdentityHolder>> {
    let statement = sql!(
        "SELECT i.identity, i.blob_id, f.package_id, f.path, f.published_facts
         FROM package_identities i
         JOIN files f ON f.published_blob_id = i.blob_id AND f.repo_id = i.repo_id
         WHERE i.repo_id = $1 AND i.identity IN ($keys) AND f.published_blob_id IS NOT NULL AND f.staged_blob_id IS NULL
         UNION ALL
         SELECT i.identity, i.blob_id, f.package_id, f.path, f.staged_facts
         FROM package_identities i
         JOIN files f ON f.staged_blob_id = i.blob_id AND f.repo_id = i.repo_id
         WHERE i.repo_id = $1 AND i.identity IN ($keys) AND f.staged_blob_id IS NOT NULL
         ORDER BY 4
         LIMIT 1000",
        repo_id,
    );
    keys::all(db, statement, identities).await
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
