//! Entitlements: the rights of access keys. Each has one scope: a repository, a package, a version or a product.

use model::{
    access::Right,
    entitlement::{Entitlement, EntitlementScope},
    id::{PackageId, RepoId, SubjectId, VersionId},
    timestamp::Timestamp,
};

use crate::{
    Error, Read, Result, Tx,
    engine::{
        invalidation::Invalidation,
        row::row,
        statement::{insert, select, sql},
    },
};

/// A new entitlement, with all parents of its scope.
#[derive(Debug, Clone)]
pub struct NewEntitlement {
    /// Its database id.
    pub id: i64,
    /// The id of the owner.
    pub owner_id: SubjectId,
    /// The id of the repository; none for a product.
    pub repo_id: Option<RepoId>,
    /// The id of the package.
    pub package_id: Option<PackageId>,
    /// The id of the version.
    pub version_id: Option<VersionId>,
    /// The id of the product.
    pub product_id: Option<i64>,
    /// The file or folder of the repository.
    pub path: Option<String>,
    /// The right of the access keys.
    pub right: Right,
    /// When it was created.
    pub created: Timestamp,
}

row! {
    pub(crate) struct EntitlementRow {
        id: i64, repo_id: Option<RepoId>, package_id: Option<PackageId>, version_id: Option<VersionId>, product_id: Option<i64>,
        path: Option<String>, granted: i64,
    }
}

impl TryFrom<EntitlementRow> for Entitlement {
    type Error = Error;

    fn try_from(row: EntitlementRow) -> Result<Self> {
        let damaged = || Error::Broken(format!("entitlement {} has a damaged row", row.id));
        let level = match (row.version_id, row.package_id, row.product_id, row.repo_id) {
            (Some(id), ..) => EntitlementScope::Version(id),
            (_, Some(id), ..) => EntitlementScope::Package(id),
            (_, _, Some(id), _) => EntitlementScope::Product(id),
            (_, _, _, id) => EntitlementScope::Repo(id.ok_or_else(damaged)?),
        };
        Ok(Entitlement { id: row.id, level, path: row.path, right: Right::from_number(row.granted) })
    }
}

/// Returns the entitlement with this id.
pub async fn find(db: &dyn Read, id: i64) -> Result<Option<Entitlement>> {
    let row: Option<EntitlementRow> = db
        .one(select!(
            EntitlementRow,
            "FROM entitlements
             WHERE id = $1",
            id,
        ))
        .await?;
    row.map(Entitlement::try_from).transpose()
}

/// Adds an entitlement.
pub async fn insert(tx: &mut Tx, new: &NewEntitlement) -> Result<()> {
    tx.run(insert!(entitlements {
        id: new.id,
        owner_id: new.owner_id,
        repo_id: new.repo_id,
        package_id: new.package_id,
        version_id: new.version_id,
        product_id: new.product_id,
        path: new.path.as_deref(),
        granted: new.right.number(),
        created: new.created,
    }))
    .await?;
    invalidate_repos(tx, new.id).await
}

/// Updates the right and the path in the repository.
pub async fn update(tx: &mut Tx, entitlement: &Entitlement) -> Result<()> {
    invalidate_repos(tx, entitlement.id).await?;
    tx.run(sql!(
        "UPDATE entitlements SET path = $2, granted = $3 WHERE id = $1",
        entitlement.id,
        entitlement.path.as_deref(),
        entitlement.right.number(),
    ))
    .await?;
    Ok(())
}

/// Deletes an entitlement.
pub async fn delete(tx: &mut Tx, id: i64) -> Result<()> {
    invalidate_repos(tx, id).await?;
    tx.run(sql!("DELETE FROM entitlements WHERE id = $1", id).long()).await?;
    Ok(())
}

/// Invalidates cached answers about the repositories that an entitlement applies to.
async fn invalidate_repos(tx: &mut Tx, id: i64) -> Result<()> {
    let repos: Vec<RepoId> = tx
        .all(sql!(
            "SELECT e.repo_id
             FROM entitlements e
             WHERE e.id = $1 AND e.repo_id IS NOT NULL
             UNION
             SELECT p.repo_id
             FROM entitlements e
             JOIN product_packages o ON o.product_id = e.product_id
             JOIN packages p ON p.id = o.package_id
             WHERE e.id = $1
             ORDER BY 1",
            id,
        ))
        .await?;
    repos.into_iter().for_each(|repo_id| tx.invalidate(Invalidation::Repo(repo_id)));
    Ok(())
}
