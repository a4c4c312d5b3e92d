//! What keys for outsiders may do, and where. Each stands at one level: a repository, a package, a version, a product.

use model::{access::Right, timestamp::Timestamp};

use crate::{
    Error, Read, Result, Tx,
    engine::{
        epochs::Invalidation,
        row::row,
        statement::{insert, select, sql},
    },
};

/// Where an entitlement stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EntitlementScope {
    /// The repository of this key, or a path of it.
    Repo(i64),
    /// The package of this key.
    Package(i64),
    /// The version of this key.
    Version(i64),
    /// The product of this key.
    Product(i64),
}

/// What keys may do somewhere.
#[derive(Debug, Clone)]
pub struct Entitlement {
    /// Its key in the database.
    pub id: i64,
    /// Where it stands.
    pub level: EntitlementScope,
    /// The file or the folder of the repository that it is about; all of it without.
    pub path: Option<String>,
    /// What the keys may do there.
    pub right: Right,
}

/// A new entitlement, with all that its level lies in.
#[derive(Debug, Clone)]
pub struct NewEntitlement {
    /// Its key in the database.
    pub id: i64,
    /// The key of the owner.
    pub owner_id: i64,
    /// The key of the repository; none for a product.
    pub repo_id: Option<i64>,
    /// The key of the package.
    pub package_id: Option<i64>,
    /// The key of the version.
    pub version_id: Option<i64>,
    /// The key of the product.
    pub product_id: Option<i64>,
    /// The file or the folder of the repository.
    pub path: Option<String>,
    /// What the keys may do there.
    pub right: Right,
    /// When it was made.
    pub created: Timestamp,
}

row! {
    pub(crate) struct EntitlementRow {
        id: i64, repo_id: Option<i64>, package_id: Option<i64>, version_id: Option<i64>, product_id: Option<i64>,
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

/// The entitlement of this key.
pub async fn find(db: &impl Read, id: i64) -> Result<Option<Entitlement>> {
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
    note(tx, new.id).await
}

/// Changes what may be done, and where in its repository.
pub async fn update(tx: &mut Tx, entitlement: &Entitlement) -> Result<()> {
    note(tx, entitlement.id).await?;
    tx.run(sql!(
        "UPDATE entitlements SET path = $2, granted = $3 WHERE id = $1",
        entitlement.id,
        entitlement.path.as_deref(),
        entitlement.right.number(),
    ))
    .await?;
    Ok(())
}

/// Removes an entitlement.
pub async fn delete(tx: &mut Tx, id: i64) -> Result<()> {
    note(tx, id).await?;
    tx.run(sql!("DELETE FROM entitlements WHERE id = $1", id).long()).await?;
    Ok(())
}

/// Tells those who keep answers about the repositories in which an entitlement holds.
async fn note(tx: &mut Tx, id: i64) -> Result<()> {
    let repos: Vec<i64> = tx
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
