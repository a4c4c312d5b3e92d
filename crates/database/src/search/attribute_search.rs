//! Packages and versions by their attributes. `Condition::matches` is the rule; a test holds the statements to it.

use model::attribute_query::Clause;

use crate::{
    Read, Result,
    catalogue::{
        package_list::PageRequest,
        packages::{Package, PackageRow},
        versions::{Version, VersionRow},
    },
    search::attribute_statement::{Query, values_up_to},
};

/// Where is searched, and for what.
#[derive(Debug, Clone, Copy)]
pub enum Scope {
    /// For packages of the repository of this key.
    Repo(i64),
    /// For versions of the package of this key.
    Package(i64),
    /// The same without drafts, which only publishers know of.
    ShownVersions(i64),
}

/// How far the hits of clauses are counted: on, until one has fewer. So the counting costs no more than the search.
const BOUNDS: [i64; 4] = [100, 1_000, 10_000, 100_000];

/// The clauses in the order of their hits. Searches look up the first in an index, and ask the others of each hit.
pub async fn fewest_hits_first(db: &impl Read, scope: Scope, clauses: &[Clause]) -> Result<Vec<Clause>> {
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

/// The packages of a repository that all clauses match, by name.
pub async fn list_packages(
    db: &impl Read,
    repo_id: i64,
    clauses: &[Clause],
    window: PageRequest,
) -> Result<Vec<Package>> {
    let rows: Vec<PackageRow> = db.all(Query::new(Scope::Repo(repo_id), clauses).list(window)).await?;
    rows.into_iter().map(Package::try_from).collect()
}

/// The versions of a package that all clauses match, newest first.
pub async fn list_versions(
    db: &impl Read,
    scope: Scope,
    clauses: &[Clause],
    window: PageRequest,
) -> Result<Vec<Version>> {
    let rows: Vec<VersionRow> = db.all(Query::new(scope, clauses).list(window)).await?;
    rows.into_iter().map(Version::try_from).collect()
}

/// How many packages, or versions, all clauses match.
pub async fn count(db: &impl Read, scope: Scope, clauses: &[Clause]) -> Result<i64> {
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
        let ordered = fewest_hits_first(&db, Scope::Repo(REPO), &clauses).await.expect("counted");
        assert_eq!(format!("{ordered:?}"), format!("{:?}", [never, once, often]));
    }

    fn attribute(name: &str, value: &str) -> Attribute {
        Attribute::new(name, Some(vec![Scalar::Text(value.into())]), None).expect("an attribute")
    }
}
