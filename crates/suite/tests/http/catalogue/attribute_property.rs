//! Compares the SQL of attribute search with the rule in the model.

use database::{
    ScopedFutureExt,
    catalogue::{
        attributes::{self, AttributeLocation},
        packages, repos, versions,
    },
    search::attribute_search::{AttributeSearchScope, count, fewest_hits_first, list_packages, list_versions},
};
use model::{
    attribute::{Attribute, AttributeType, Number, Scalar},
    attribute_query::{Clause, Condition},
    id::{PackageId, RepoId},
    names::{PackageName, RepoName, SubjectName, VersionName},
    page::PageRequest,
};
use proptest::{
    collection::vec,
    prelude::*,
    sample::select,
    test_runner::{Config, TestRunner},
};
use suite::TestHouse;

use crate::catalogue::{new_package, new_repo, new_version};

/// The packages, and the versions of the first one, that have attributes.
const OBJECTS: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

/// The attributes of each object in a round, and the queries.
type Round = (Vec<Vec<Attribute>>, Vec<Vec<Clause>>);

#[test]
fn the_search_finds_what_the_rule_says() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let (house, places) = runtime.block_on(start());
    let config = Config { cases: 60, failure_persistence: None, ..Config::default() };
    let rounds = (vec(object(), OBJECTS.len()), vec(vec(clause(), 1..4), 8));
    let result = TestRunner::new(config).run(&rounds, |round| runtime.block_on(check(&house, &places, round)));
    if let Err(error) = result {
        panic!("{error}");
    }
}

/// The ids of the objects: the packages' repository, the versions' package, and each package and version.
struct Places {
    repo_id: RepoId,
    package_id: PackageId,
    packages: Vec<AttributeLocation>,
    versions: Vec<AttributeLocation>,
}

async fn start() -> (TestHouse, Places) {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    let db = &house.app().house().db;
    let (owner, repo) = (SubjectName::parse("ada").expect("a name"), RepoName::parse("tools").expect("a name"));
    let repo_id = repos::find(db, &owner, &repo, None).await.expect("read").expect("there").repo.id;
    let mut places = Places { repo_id, package_id: PackageId::NONE, packages: Vec::new(), versions: Vec::new() };
    for name in OBJECTS {
        new_package(&ada, "ada/tools", name).await;
        let name = PackageName::parse(name).expect("a name");
        let id = packages::find(db, repo_id, &name).await.expect("read").expect("there").id;
        places.packages.push(AttributeLocation::Package { id, repo_id });
        places.package_id = if places.package_id == PackageId::NONE { id } else { places.package_id };
    }
    for name in OBJECTS {
        new_version(&ada, "ada/tools/a", name).await;
        let name = VersionName::parse(name).expect("a name");
        let id = versions::find(db, places.package_id, &name).await.expect("read").expect("there").id;
        places.versions.push(AttributeLocation::Version { id, package_id: places.package_id });
    }
    (house, places)
}

async fn check(house: &TestHouse, places: &Places, (objects, searches): Round) -> Result<(), TestCaseError> {
    let db = &house.app().house().db;
    for (number, given) in objects.iter().enumerate() {
        for place in [places.packages[number], places.versions[number]] {
            replace(house, place, given).await;
            prop_assert_eq!(&attributes::list(db, place.owner()).await.expect("read"), given);
        }
    }
    let window = PageRequest { start: 0, limit: 50 };
    for clauses in &searches {
        let expected: Vec<&str> = OBJECTS
            .into_iter()
            .zip(&objects)
            .filter(|(_, given)| is_hit(given, clauses))
            .map(|(name, _)| name)
            .collect();
        let ordered =
            fewest_hits_first(db, AttributeSearchScope::Repo(places.repo_id), clauses).await.expect("counted");
        prop_assert_eq!(ordered.len(), clauses.len());
        let packages = list_packages(db, places.repo_id, &ordered, window).await.expect("searched");
        let found: Vec<&str> = packages.iter().map(|package| package.name.as_str()).collect();
        prop_assert_eq!(&found, &expected, "packages by {:?}", clauses);
        let mut versions = list_versions(db, AttributeSearchScope::Package(places.package_id), clauses, window)
            .await
            .expect("searched");
        versions.reverse();
        let found: Vec<&str> = versions.iter().map(|version| version.name.as_str()).collect();
        prop_assert_eq!(&found, &expected, "versions by {:?}", clauses);
        let counts = (
            count(db, AttributeSearchScope::Repo(places.repo_id), clauses).await.expect("counted"),
            count(db, AttributeSearchScope::Package(places.package_id), clauses).await.expect("counted"),
        );
        let hits = i64::try_from(expected.len()).expect("few");
        prop_assert_eq!(counts, (hits, hits));
    }
    Ok(())
}

async fn replace(house: &TestHouse, place: AttributeLocation, given: &[Attribute]) {
    let written = house.app().house().db.write(|tx| {
        async move {
            attributes::delete_all(tx, place.owner()).await?;
            attributes::insert(tx, place, given).await
        }
        .scope_boxed()
    });
    written.await.expect("written");
}

fn is_hit(given: &[Attribute], clauses: &[Clause]) -> bool {
    let matches = |clause: &Clause| {
        given.iter().any(|attribute| attribute.name() == clause.name && clause.condition.matches(attribute))
    };
    clauses.iter().all(matches)
}

/// Generates the attributes of one object: each name has values of one type, or none.
fn object() -> impl Strategy<Value = Vec<Attribute>> {
    let attribute = |name: &'static str| {
        let null = prop_oneof![3 => Just(None), 1 => Just(Some(Scalar::Null))];
        let values = (values(), null).prop_map(|(mut values, null)| {
            values.extend(null);
            values
        });
        let values = prop_oneof![8 => values.prop_map(Some), 1 => Just(None)];
        let kind = select(vec![None, None, Some(AttributeType::String), Some(AttributeType::Version)]);
        proptest::option::weighted(0.8, (values, kind)).prop_map(move |given| {
            let (values, kind) = given?;
            let typed = Attribute::new(name, values.clone(), kind);
            Some(typed.or_else(|_| Attribute::new(name, values, None)).expect("values of one kind"))
        })
    };
    [attribute("x"), attribute("y")].prop_map(|both| both.into_iter().flatten().collect())
}

fn values() -> impl Strategy<Value = Vec<Scalar>> {
    let of = |pool: Vec<Scalar>| vec(select(pool), 0..4);
    prop_oneof![of(numbers()), of(texts()), of(dates()), of(vec![Scalar::Boolean(true), Scalar::Boolean(false)])]
}

fn clause() -> impl Strategy<Value = Clause> {
    let pool =
        [numbers(), texts(), dates(), vec![Scalar::Boolean(true), Scalar::Boolean(false), Scalar::Null]].concat();
    let single = select(pool.clone()).prop_map(Condition::Is);
    let mixed = vec(select(pool), 0..4).prop_map(Condition::Among);
    let alike = values().prop_map(Condition::Among);
    let condition = prop_oneof![2 => single, 1 => mixed, 3 => alike, 3 => interval()];
    (select(vec!["x", "y", "z"]), condition).prop_map(|(name, condition)| Clause { name: name.to_owned(), condition })
}

fn interval() -> impl Strategy<Value = Condition> {
    let bounds = |pool: &[&'static str]| (select(pool.to_vec()), select(pool.to_vec()));
    let numbers = bounds(&["", "-1", "0", "1", "2.5", "1e300"]);
    let dates = bounds(&["", "2026-01-02", "2026-01-02T00:00:00Z", "2026-01-02T02:00:00+01:00", "2026-01-03"]);
    let bounds = prop_oneof![numbers, dates];
    (bounds, select(vec!["[", "]"]), select(vec!["[", "]"])).prop_map(|((from, to), open, close)| {
        Condition::of_scalar(Scalar::Text(format!("{open}{from},{to}{close}"))).expect("an interval")
    })
}

fn numbers() -> Vec<Scalar> {
    ["-1", "0", "-0.0", "1", "1.0", "2.5", "1e+300"]
        .map(|n| Scalar::Number(Number::parse(n).expect("a number")))
        .to_vec()
}

fn texts() -> Vec<Scalar> {
    let long = "x".repeat(3000);
    ["", "a", "A", "1", "true", "é%_'", &long].map(|text| Scalar::Text(text.to_owned())).to_vec()
}

fn dates() -> Vec<Scalar> {
    ["2026-01-02T00:00:00Z", "2026-01-02T01:00:00+01:00", "2026-01-02T01:00:00.000Z", "2026-01-02T02:00:00+0100"]
        .map(|text| Scalar::Text(text.to_owned()))
        .to_vec()
}
