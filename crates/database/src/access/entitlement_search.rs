//! Searches for entitlements by access key or tag, among those that the caller manages.

use model::{
    access::Viewer,
    id::{PackageId, RepoId, SubjectId, VersionId},
    names::AccessKeyName,
};

use crate::{
    Read, Result,
    engine::{
        row::row,
        statement::{Statement, select, sql},
    },
};

/// A search among the entitlements of one owner.
#[derive(Debug, Clone)]
pub struct EntitlementQuery {
    /// The id of the owner.
    pub owner_id: SubjectId,
    /// The id of a repository.
    pub repo_id: Option<RepoId>,
    /// The id of a package.
    pub package_id: Option<PackageId>,
    /// The id of a version.
    pub version_id: Option<VersionId>,
    /// The name of an access key that has the entitlement.
    pub access_key: Option<AccessKeyName>,
    /// A tag of the entitlement.
    pub tag: Option<String>,
    /// The caller: one who sees everything manages all entitlements of the owner, others those in repositories that
    /// they own.
    pub manager: Viewer,
}

row! {
    /// An entitlement that was found, with its scope.
    pub struct EntitlementHit in "e" {
        /// Its database id.
        id: i64,
        /// The name of the repository.
        repo: Option<String> = "r.name",
        /// The name of the package.
        package: Option<String> = "p.name",
        /// The name of the version.
        version: Option<String> = "v.name",
        /// The name of the product.
        product: Option<String> = "o.name",
        /// The file or folder of the repository.
        path: Option<String>,
        /// The right of the access keys, as a number.
        granted: i64,
    }
}

/// Counts the results.
pub async fn count(db: &dyn Read, terms: &EntitlementQuery) -> Result<i64> {
    let statement = sql!(
        "SELECT CAST(COUNT(*) AS BIGINT)
         FROM entitlements e
         WHERE e.owner_id = $1
             AND (e.repo_id = $2 OR CAST($2 AS BIGINT) IS NULL)
             AND (e.package_id = $3 OR CAST($3 AS BIGINT) IS NULL)
             AND (e.version_id = $4 OR CAST($4 AS BIGINT) IS NULL)
             AND (CAST($5 AS ctext) IS NULL OR EXISTS (
                 SELECT 1 FROM entitlement_keys k JOIN access_keys a ON a.id = k.key_id
                 WHERE k.entitlement_id = e.id AND a.name = $5))
             AND (CAST($6 AS ctext) IS NULL OR EXISTS (
                 SELECT 1 FROM entitlement_tags t WHERE t.entitlement_id = e.id AND t.tag = $6))
             AND ($8 OR EXISTS (
                 SELECT 1 FROM repo_grants g
                 WHERE g.repo_id = e.repo_id AND g.grantee_id = $7 AND g.granted >= 3))"
    );
    Ok(db.one(terms.fill(statement)).await?.unwrap_or_default())
}

/// Returns a page of the results, oldest first.
pub async fn list(db: &dyn Read, terms: &EntitlementQuery, start: i64, limit: i64) -> Result<Vec<EntitlementHit>> {
    let statement = select!(
        EntitlementHit,
        "FROM entitlements e
         LEFT JOIN repos r ON r.id = e.repo_id
         LEFT JOIN packages p ON p.id = e.package_id
         LEFT JOIN versions v ON v.id = e.version_id
         LEFT JOIN products o ON o.id = e.product_id
         WHERE e.owner_id = $1
             AND (e.repo_id = $2 OR CAST($2 AS BIGINT) IS NULL)
             AND (e.package_id = $3 OR CAST($3 AS BIGINT) IS NULL)
             AND (e.version_id = $4 OR CAST($4 AS BIGINT) IS NULL)
             AND (CAST($5 AS ctext) IS NULL OR EXISTS (
                 SELECT 1 FROM entitlement_keys k JOIN access_keys a ON a.id = k.key_id
                 WHERE k.entitlement_id = e.id AND a.name = $5))
             AND (CAST($6 AS ctext) IS NULL OR EXISTS (
                 SELECT 1 FROM entitlement_tags t WHERE t.entitlement_id = e.id AND t.tag = $6))
             AND ($8 OR EXISTS (
                 SELECT 1 FROM repo_grants g
                 WHERE g.repo_id = e.repo_id AND g.grantee_id = $7 AND g.granted >= 3))
         ORDER BY e.id
         LIMIT $10 OFFSET $9",
    );
    let mut statement = terms.fill(statement);
    statement.arguments.extend([start.into(), limit.into()]);
    db.all(statement).await
}

impl EntitlementQuery {
    /// Adds the arguments that both statements begin with.
    fn fill(&self, mut statement: Statement) -> Statement {
        statement.arguments = vec![
            self.owner_id.into(),
            self.repo_id.into(),
            self.package_id.into(),
            self.version_id.into(),
            self.access_key.as_ref().map(AccessKeyName::as_str).into(),
            self.tag.as_deref().into(),
            self.manager.id.into(),
            self.manager.sees_everything.into(),
        ];
        statement
    }
}
