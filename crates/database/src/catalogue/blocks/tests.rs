//! Compares the name blocks with the packages that they count, and the pages found through them with pages cut from the
//! whole list.

use std::collections::BTreeMap;

use model::{
    id::{PackageId, RepoId, SubjectId},
    names::{PackageName, RepoName, SubjectName},
    package::{Package, PackageListItem, PackageProfile},
    page::PageRequest,
    plan::Plan,
    prefix::NameRange,
    repo::{Repo, RepoProfile, RepoQuotas, WindowHistory},
    subject::{Subject, SubjectKind},
    timestamp::Timestamp,
};
use proptest::{
    collection::vec,
    prelude::*,
    sample::select,
    test_runner::{Config, TestRunner},
};

use crate::{
    Database, Error, Result, ScopedFutureExt,
    accounts::subjects,
    catalogue::{
        blocks::{self, BlockBuilder, check::find_damage, levels_begun_by},
        package_list::{count_own, list},
        packages, repos,
    },
    engine::statement::sql,
    testing::scratch::Scratch,
};

pub(crate) const REPO: RepoId = RepoId::new(7);
const NOW_MS: i64 = 1_750_000_000_000;

/// The names to add or delete, in groups that may be rolled back, and the pages to compare afterwards.
type Round = (Vec<(Vec<usize>, bool)>, Vec<Look>);

#[derive(Debug, Clone)]
struct Look {
    prefix: &'static str,
    linked: usize,
    window: PageRequest,
}

#[test]
fn blocks_and_pages_follow_whatever_comes_and_goes() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let names = names();
    let (_scratch, db) = runtime.block_on(start(&names));
    let config = Config { cases: 25, failure_persistence: None, ..Config::default() };
    let changes = vec((vec(0..names.len(), 1..30), prop::bool::weighted(0.2)), 1..5);
    let mut runner = TestRunner::new(config);
    let result = runner.run(&(changes, vec(look(), 15)), |round| runtime.block_on(check(&db, &names, round)));
    if let Err(error) = result {
        panic!("{error}");
    }
}

#[tokio::test]
async fn writers_at_once_leave_blocks_that_fit() {
    let names = names();
    let (_scratch, db) = start(&[]).await;
    let writers: Vec<_> = names
        .chunks(names.len().div_ceil(8))
        .map(|names| {
            let (db, names) = (db.clone(), names.to_vec());
            tokio::spawn(async move {
                for name in &names {
                    toggle(&db, &BTreeMap::new(), std::slice::from_ref(name), false).await.expect("written");
                }
                let there = names.iter().map(|name| (name.clone(), package(name))).collect();
                for name in names.iter().step_by(2) {
                    toggle(&db, &there, std::slice::from_ref(name), false).await.expect("removed");
                }
            })
        })
        .collect();
    for writer in writers {
        writer.await.expect("no panic");
    }
    assert_eq!(find_damage(&db).await.expect("it looks"), [""; 0]);
}

#[tokio::test]
async fn counts_that_do_not_fit_are_found() {
    let (_scratch, db) = start(&names()[..5]).await;
    assert_eq!(find_damage(&db).await.expect("it looks"), [""; 0]);
    db.write(|tx| async move { tx.run(sql!("UPDATE package_blocks SET count = count + 1")).await }.scope_boxed())
        .await
        .expect("written");
    let found = find_damage(&db).await.expect("it looks");
    assert_eq!(found, ["the counts of packages in repository 7 do not fit its packages"]);
}

/// Returns names of which many begin a block; with ordinary names, that would take very many.
fn names() -> Vec<String> {
    let of_levels = |levels: usize, count: usize| {
        (0..)
            .map(|number: u32| format!("{}{number:x}", ["a", "ab", "b", "é"][number as usize % 4]))
            .filter(move |name| levels_begun_by(name).count() == levels)
            .take(count)
    };
    of_levels(0, 400).chain(of_levels(1, 150)).chain(of_levels(2, 40)).chain(of_levels(3, 10)).collect()
}

fn look() -> impl Strategy<Value = Look> {
    let prefix = select(vec!["", "", "a", "a", "a1", "ab", "b", "b0", "é", "zz"]);
    let window = (0i64..400, 0i64..60).prop_map(|(start, limit)| PageRequest { start, limit });
    (prefix, 0usize..40, window).prop_map(|(prefix, linked, window)| Look { prefix, linked, window })
}

async fn check(db: &Database, names: &[String], (changes, looks): Round) -> std::result::Result<(), TestCaseError> {
    for (numbers, is_undone) in changes {
        let mut changed: Vec<String> = numbers.into_iter().map(|number| names[number].clone()).collect();
        changed.sort();
        changed.dedup();
        let result = toggle(db, &there(db).await, &changed, is_undone).await;
        prop_assert_eq!(result.is_err(), is_undone);
    }
    let there: Vec<String> = there(db).await.into_keys().collect();
    let mut tally = BlockBuilder::default();
    there.iter().for_each(|name| tally.count(name));
    prop_assert_eq!(blocks::list(db, REPO).await.expect("read"), tally.finish());
    prop_assert_eq!(find_damage(db).await.expect("it looks"), Vec::<String>::new());
    for Look { prefix, linked, window } in looks {
        let range = NameRange::beginning_with(prefix);
        let linked: Vec<String> = (0..linked).map(|number| format!("{prefix}{number:x}-linked")).collect();
        let found = list(db, REPO, &range, sorted(linked.clone()), window).await.expect("read");
        let own: Vec<String> = there.iter().filter(|name| name.starts_with(prefix)).cloned().collect();
        prop_assert_eq!(count_own(db, REPO, &range).await.expect("read"), own.len() as i64);
        prop_assert_eq!(found, plain(own, linked, window), "{:?} of {:?}", window, prefix);
    }
    Ok(())
}

/// Cuts a page from the whole list.
fn plain(own: Vec<String>, linked: Vec<String>, window: PageRequest) -> Vec<PackageListItem> {
    let all = sorted([own, linked.clone()].concat()).into_iter();
    let all = all.map(|name| PackageListItem { is_linked: linked.contains(&name), name });
    let number = |value: i64| usize::try_from(value).expect("not negative");
    all.skip(number(window.start)).take(number(window.limit)).collect()
}

fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort();
    names
}

async fn there(db: &Database) -> BTreeMap<String, Package> {
    let names: Vec<String> = db.all(sql!("SELECT name FROM packages WHERE repo_id = $1", REPO)).await.expect("read");
    names.into_iter().map(|name| (name.clone(), package(&name))).collect()
}

/// Adds the missing names and deletes the existing ones in one transaction, which may be rolled back.
async fn toggle(db: &Database, there: &BTreeMap<String, Package>, names: &[String], is_undone: bool) -> Result<()> {
    db.write(|tx| {
        async move {
            for name in names {
                match there.get(name) {
                    Some(package) => packages::delete(tx, package).await?,
                    None => packages::insert(tx, &package(name)).await?,
                }
            }
            if is_undone { Err(Error::Broken("undone".into())) } else { Ok(()) }
        }
        .scope_boxed()
    })
    .await
}

/// Returns a package whose id is derived from its name.
pub(crate) fn package(name: &str) -> Package {
    let id = name.bytes().fold(7, |id: i64, byte| id * 131 % 1_000_000_007 + i64::from(byte));
    Package {
        id: PackageId::new(id),
        repo_id: REPO,
        name: PackageName::parse(name).expect("a name"),
        rating_sum: 0,
        rating_count: 0,
        followers_count: 0,
        created: Timestamp::from_millis(NOW_MS),
        updated: Timestamp::from_millis(NOW_MS),
        profile: PackageProfile::default(),
    }
}

pub(crate) async fn start(names: &[String]) -> (Scratch, Database) {
    let scratch = Scratch::create().await;
    let db = scratch.open().await;
    db.migrate(Timestamp::from_millis(NOW_MS)).await.expect("migrated");
    let owner = Subject {
        id: SubjectId::new(1),
        kind: SubjectKind::User,
        name: SubjectName::parse("ada").expect("a name"),
        full_name: "Ada".into(),
        email: None,
        has_verified_email: false,
        plan: Plan::Free,
        is_site_admin: false,
        is_suspended: false,
        requires_second_factor: false,
        requires_single_sign_on: false,
        registered: Timestamp::from_millis(NOW_MS),
    };
    let repo = Repo {
        window: WindowHistory::default(),
        quotas: RepoQuotas::default(),
        id: REPO,
        owner_id: SubjectId::new(1),
        owner: owner.name.clone(),
        plan: owner.plan,
        name: RepoName::parse("tools").expect("a name"),
        created: Timestamp::from_millis(NOW_MS),
        package_count: 0,
        kind: "generic".into(),
        profile: RepoProfile::default(),
    };
    let (owner, repo) = (&owner, &repo);
    let made: Result<()> = db
        .write(|tx| {
            async move {
                subjects::insert(tx, owner, None).await?;
                repos::insert(tx, repo).await
            }
            .scope_boxed()
        })
        .await;
    made.expect("written");
    toggle(&db, &BTreeMap::new(), names, false).await.expect("written");
    (scratch, db)
}
