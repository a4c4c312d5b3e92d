//! The packages of products, and read access to them.

use model::{
    id::{KeyId, PackageId, RepoId},
    names::VersionName,
};

use crate::{
    Read, Result, Tx,
    engine::{
        invalidation::Invalidation,
        statement::{insert, sql},
    },
};

/// Returns the packages of a product as `repo/package`, in the order in which they were given.
pub async fn list(db: &dyn Read, product_id: i64) -> Result<Vec<String>> {
    db.all(sql!(
        "SELECT r.name || '/' || p.name
         FROM product_packages o
         JOIN packages p ON p.id = o.package_id
         JOIN repos r ON r.id = p.repo_id
         WHERE o.product_id = $1
         ORDER BY o.position, o.package_id",
        product_id,
    ))
    .await
}

/// Returns whether one of a product's packages has a version with this name in which an access key may read something.
pub async fn has_version(db: &dyn Read, product_id: i64, version: &VersionName, key_id: KeyId) -> Result<bool> {
    let found: Option<i64> = db
        .one(sql!(
            "SELECT v.id
             FROM product_packages o
             JOIN packages p ON p.id = o.package_id
             JOIN repos r ON r.id = p.repo_id
             JOIN versions v ON v.package_id = p.id
             WHERE o.product_id = $1 AND v.name = $2
                 AND (v.first_published IS NOT NULL OR NOT EXISTS (SELECT 1 FROM files d
                     WHERE d.version_id = v.id AND d.staged_blob_id IS NOT NULL))
                 AND (NOT r.is_private
                     OR EXISTS (SELECT 1 FROM repo_grants g WHERE g.repo_id = r.id AND g.grantee_id = $3)
                     OR EXISTS (SELECT 1 FROM partial_grants g WHERE g.repo_id = r.id AND g.key_id = $3
                         AND g.package_id = p.id AND (g.version_id IS NULL OR g.version_id = v.id))
                     OR EXISTS (SELECT 1 FROM partial_grants g
                         JOIN files f ON f.version_id = v.id
                         WHERE g.repo_id = r.id AND g.key_id = $3 AND f.published_blob_id IS NOT NULL
                             AND (f.path = g.path OR (f.path > g.path || '/' AND f.path < g.path || '0'))))
             ORDER BY v.id
             LIMIT 1",
            product_id,
            version,
            key_id,
        ))
        .await?;
    Ok(found.is_some())
}

/// Returns whether an access key may read something in one of a product's packages.
pub async fn is_open_to_key(db: &dyn Read, product_id: i64, key_id: KeyId) -> Result<bool> {
    let found: Option<i64> = db
        .one(sql!(
            "SELECT o.package_id
             FROM product_packages o
             JOIN packages p ON p.id = o.package_id
             JOIN repos r ON r.id = p.repo_id
             WHERE o.product_id = $1
                 AND (NOT r.is_private
                     OR EXISTS (SELECT 1 FROM repo_grants g WHERE g.repo_id = r.id AND g.grantee_id = $2)
                     OR EXISTS (SELECT 1 FROM partial_grants g WHERE g.repo_id = r.id AND g.key_id = $2
                         AND g.package_id = p.id)
                     OR EXISTS (SELECT 1 FROM partial_grants g
                         JOIN files f ON f.package_id = p.id
                         WHERE g.repo_id = r.id AND g.key_id = $2 AND f.published_blob_id IS NOT NULL
                             AND (f.path = g.path OR (f.path > g.path || '/' AND f.path < g.path || '0'))))
             ORDER BY o.package_id
             LIMIT 1",
            product_id,
            key_id,
        ))
        .await?;
    Ok(found.is_some())
}

/// Replaces the packages of a product. A package that no longer exists is [`Error::Missing`](crate::Error::Missing).
pub async fn set(tx: &mut Tx, id: i64, package_ids: &[PackageId]) -> Result<()> {
    changed(tx, id).await?;
    tx.run(sql!("DELETE FROM product_packages WHERE product_id = $1", id).long()).await?;
    for (position, package_id) in (0_i64..).zip(package_ids) {
        tx.run(insert!(product_packages { product_id: id, package_id: *package_id, position })).await?;
    }
    changed(tx, id).await
}

/// Invalidates cached answers about downloads of a product's packages.
pub(crate) async fn changed(tx: &mut Tx, id: i64) -> Result<()> {
    let repo_ids: Vec<RepoId> = tx
        .all(sql!(
            "SELECT DISTINCT p.repo_id
             FROM product_packages o
             JOIN packages p ON p.id = o.package_id
             WHERE o.product_id = $1
             ORDER BY p.repo_id",
            id,
        ))
        .await?;
    for repo_id in repo_ids {
        tx.invalidate(Invalidation::Repo(repo_id));
    }
    Ok(())
}
