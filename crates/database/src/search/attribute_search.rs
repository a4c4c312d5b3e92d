//! Searches for packages and versions by their attributes. `Condition::matches` defines the result; a test compares the
//! statements with it.

use model::{
    attribute_query::Clause,
    id::{PackageId, RepoId},
    package::Package,
    page::PageRequest,
    version::Version,
};

use crate::{
    Read, Result,
    catalogue::{packages::PackageRow, versions::VersionRow},
    search::attribute_statement::{Query, values_up_to},
};

/// The objects to search for, and where.
#[derive(Debug, Clone, Copy)]
pub enum AttributeSearchScope {
    /// Packages of the repository with this id.
    Repo(RepoId),
    /// Versions of the package with this id.
    Package(PackageId),
    /// Versions of the package with this id without drafts, which only publishers may see.
    ShownVersions(PackageId),
}

/// The bounds up to which the hits of clauses are counted: the next bound is used only if no clause has fewer hits. So
/// counting costs no more than the search.
const BOUNDS: [i64; 4] = [100, 1_000, 10_000, 100_000];

/// Sorts the clauses by their number of hits. Searches look up the first in an index and test the others on each hit.
pub async fn fewest_hits_first(db: &dyn Read, scope: AttributeSearchScope, clauses: &[Clause]) -> Result<Vec<Clause>> {
    let mut ordered: Vec<(i64, &Clause)> = clauses.iter().map(|clause| (0, clause)).collect();
    let bounds = if clauses.len() > 1 { &BOUNDS[..] } else { &[] };
    for bound in bounds {
        let counts: Vec<(i64, i64)> = db.all(values_up_to(*bound, scope, clauses)).await?;
        ordered = counts.iter().map(|(_, hits)| *hits).zip(clauses).collect();
        if counts.iter().any(|(_, hits)| hits < bound) {
            break;
        }
    }
    ordered.sort_by_key(|(hits, _)| *hits);
    Ok(ordered.into_iter().map(|(_, clause)| clause.clone()).collect())
}

/// Returns a page of the packages of a repository that match all clauses, by name.
pub async fn list_packages(
    db: &dyn Read,
    repo_id: RepoId,
    clauses: &[Clause],
    window: PageRequest,
) -> Result<Vec<Package>> {
    let rows: Vec<PackageRow> = db.all(Query::new(AttributeSearchScope::Repo(repo_id), clauses).list(window)).await?;
    rows.into_iter().map(Package::try_from).collect()
}

/// Returns a page of the versions of a package that match all clauses, newest first.
pub async fn list_versions(
    db: &dyn Read,
    scope: AttributeSearchScope,
    clauses: &[Clause],
    window: PageRequest,
) -> Result<Vec<Version>> {
    let rows: Vec<VersionRow> = db.all(Query::new(scope, clauses).list(window)).await?;
    rows.into_iter().map(Version::try_from).collect()
}

/// Counts the packages, or versions, that match all clauses.
pub async fn count(db: &dyn Read, scope: AttributeSearchScope, clauses: &[Clause]) -> Result<i64> {
    Ok(db.one(Query::new(scope, clauses).count()).await?.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use model::{
        attribute::{Attribute, Scalar},
        attribute_query::Condition,
    };

    use super::*;
    use crate::{
        ScopedFutureExt,
        catalogue::{
            attributes::{self, AttributeLocation},
            blocks::tests::{REPO, package, start},
        },
    };

    #[tokio::test]
    async fn the_clause_with_the_fewest_hits_is_looked_up() {
        let names = ["one", "two", "three"].map(str::to_owned);
        let (_scratch, db) = start(&names).await;
        for name in &names {
            let place = AttributeLocation::Package { id: package(name).id, repo_id: REPO };
            let given = &[attribute("channel", "stable"), attribute("colour", name)];
            db.write(|tx| attributes::insert(tx, place, given).scope_boxed()).await.expect("written");
        }
        let clause = |name: &str, value: &str| Clause {
            name: name.into(),
            condition: Condition::of_scalar(Scalar::Text(value.into())).expect("a condition"),
        };
        let (often, once, never) = (clause("channel", "stable"), clause("colour", "two"), clause("size", "[1,2]"));
        let clauses = [often.clone(), once.clone(), never.clone()];
        let ordered = fewest_hits_first(&db, AttributeSearchScope::Repo(REPO), &clauses).await.expect("counted");
        assert_eq!(format!("{ordered:?}"), format!("{:?}", [never, once, often]));
    }

    fn attribute(name: &str, value: &str) -> Attribute {
        Attribute::new(name, Some(vec![Scalar::Text(value.into())]), None).expect("an attribute")
    }
}
