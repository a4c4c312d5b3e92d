//! The data that signed URLs are made from.

use model::{
    digest::Digest,
    file_path::FilePath,
    id::{PackageId, SubjectId},
    names::{RepoName, SubjectName},
    timestamp::Timestamp,
};

use crate::{
    Error, Read, Result, Tx,
    engine::{
        invalidation::Invalidation,
        row::row,
        statement::{select, sql},
    },
};

/// The signed facts about a published file, and the generation of the owner's key that signs them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignedFile {
    /// The id of the owner.
    pub owner_id: SubjectId,
    /// The generation of the key that currently signs the owner's URLs.
    pub generation: i64,
    /// The digest of its content.
    pub sha256: Digest,
    /// When it was published.
    pub published: Timestamp,
}

row! {
    struct SignedRow in "b" {
        owner_id: SubjectId = "s.id", generation: i64 = "s.url_key_generation", sha256: String,
        published: i64 = "f.published",
    }
}

/// Returns the facts that would be signed about the file at a path now, with one look-up for every outcome.
pub async fn find(db: &dyn Read, owner: &SubjectName, repo: &RepoName, path: &FilePath) -> Result<Option<SignedFile>> {
    match (find_as(db, owner, repo, path).await?, path.other_form()) {
        (None, Some(other)) => find_as(db, owner, repo, &other).await,
        (found, _) => Ok(found),
    }
}

async fn find_as(db: &dyn Read, owner: &SubjectName, repo: &RepoName, path: &FilePath) -> Result<Option<SignedFile>> {
    let row: Option<SignedRow> = db
        .one(select!(
            SignedRow,
            "FROM subjects s
             JOIN repos r ON r.owner_id = s.id
             JOIN files f ON f.repo_id = r.id
             JOIN blobs b ON b.id = f.published_blob_id
             WHERE s.name = $1 AND r.name = $2 AND f.path = $3",
            owner,
            repo,
            path,
        ))
        .await?;
    let Some(row) = row else { return Ok(None) };
    let damaged = |_| Error::Broken(format!("blob {} has a damaged row", row.sha256));
    Ok(Some(SignedFile {
        owner_id: row.owner_id,
        generation: row.generation,
        sha256: row.sha256.parse().map_err(damaged)?,
        published: Timestamp::from_millis(row.published),
    }))
}

/// Moves a subject to its next key: URLs signed with earlier keys become invalid.
pub async fn renew_key(tx: &mut Tx, subject_id: SubjectId) -> Result<()> {
    tx.invalidate(Invalidation::Accounts);
    tx.run(sql!("UPDATE subjects SET url_key_generation = url_key_generation + 1 WHERE id = $1", subject_id)).await?;
    Ok(())
}

/// Returns the shortest lifetime, in seconds, that the products of a package set for signed URLs of its files.
pub async fn find_life_secs(db: &dyn Read, package_id: PackageId) -> Result<Option<i64>> {
    db.one(sql!(
        "SELECT p.sign_url_expiry
         FROM product_packages o
         JOIN products p ON p.id = o.product_id
         WHERE o.package_id = $1 AND p.sign_url_expiry IS NOT NULL
         ORDER BY p.sign_url_expiry
         LIMIT 1",
        package_id,
    ))
    .await
}
