//! The number of statements of a publish without signing.

use std::time::Duration;

use suite::{Call, Person, TestHouse};

use crate::content::{
    archives::tar,
    cat,
    maven::{lib, pom, put},
};

/// The number of repetitions of each call: one of them coincides with no background work.
const ROUNDS: usize = 8;

/// The additional statements on PostgreSQL: locks of the repository and the package, and a second read of both.
const LOCKS: u64 = 4;

/// Longer than a notification of the previous call takes: one that arrives during a call empties caches that it uses.
const NOTIFIED: Duration = Duration::from_millis(100);

fn statements(house: &TestHouse) -> u64 {
    house.apps().map(|app| app.house().db.statements_run()).sum()
}

/// Asserts that the cheapest of some calls takes at most this many statements, plus locks on PostgreSQL.
/// `before` is not counted.
async fn costs(house: &TestHouse, most: u64, before: impl AsyncFn(usize), call: impl Fn(usize) -> Call) {
    let mut fewest = u64::MAX;
    for round in 0..ROUNDS {
        before(round).await;
        if house.stack().is_cluster() {
            tokio::time::sleep(NOTIFIED).await;
        }
        let began = statements(house);
        let answer = call(round).await;
        fewest = fewest.min(statements(house) - began);
        assert!(answer.status < 300, "{}", answer.text());
    }
    let locks = if house.stack().is_cluster() { LOCKS } else { 0 };
    assert!(fewest <= most + locks, "{fewest} statements, not {most} and {locks} for locks");
}

async fn stage(ada: &Person, round: usize, content: &str) {
    for file in 0..3 {
        let path = format!("/content/ada/tools/cat/{round}/{round}-{file}?override=1");
        ada.put(&path).body(format!("{content} {round} {file}")).await.expect(201);
    }
}

async fn nothing(_: usize) {}

#[tokio::test]
async fn publishing_without_signatures_costs_few_statements() {
    let (house, ada) = cat().await;
    let publish = |round| ada.post(&format!("/content/ada/tools/cat/{round}/publish"));
    costs(&house, 19, async |round| stage(&ada, round, "new").await, publish).await;
    costs(&house, 26, async |round| stage(&ada, round, "other").await, publish).await;
    let upload = |flags: &'static str, content: &'static str| {
        let ada = &ada;
        move |round| ada.put(&format!("/content/ada/tools/cat/1/u{round}{flags}")).body(format!("{content} {round}"))
    };
    costs(&house, 16, nothing, |round| ada.put(&format!("/content/ada/tools/cat/1/s{round}")).body(format!("{round}")))
        .await;
    costs(&house, 20, nothing, upload("?publish=1", "new")).await;
    costs(&house, 23, nothing, upload("?publish=1&override=1", "other")).await;
    costs(&house, 20, nothing, |round| ada.delete(&format!("/content/ada/tools/u{round}"))).await;
    // Two of them ask whether the version is so large that it is deleted in steps.
    costs(&house, 20, nothing, |round| ada.delete(&format!("/packages/ada/tools/cat/versions/{round}"))).await;
}

#[tokio::test]
async fn publishing_with_indexes_and_without_signatures_costs_few_statements() {
    let (house, ada) = lib().await;
    let path = |round: usize| format!("org/x/lib/{round}/lib-{round}.pom");
    let deploy = |round| put(&ada, &format!(";publish=1/{}", path(round)), &pom("lib", &round.to_string(), ""));
    costs(&house, 29, nothing, deploy).await;
    costs(&house, 24, nothing, |round| ada.delete(&format!("/content/ada/m2/{}", path(round)))).await;
}

/// Unpacks archives of twenty files, and returns the statements of the cheapest one.
async fn unpacking_costs(house: &TestHouse, ada: &Person, folder: &str, content: impl Fn(usize) -> String) -> u64 {
    let mut fewest = u64::MAX;
    for round in 0..ROUNDS {
        let file = |number| (format!("{folder}/{round}/{number}"), format!("{round} {}", content(number)));
        let files: Vec<(String, String)> = (0..20).map(file).collect();
        let entries: Vec<(&str, &str)> = files.iter().map(|(name, content)| (&**name, &**content)).collect();
        let began = statements(house);
        ada.put("/content/ada/tools/cat/1/x.tar?explode=1").body(tar(&entries)).await.expect(201);
        fewest = fewest.min(statements(house) - began);
    }
    fewest
}

#[tokio::test]
async fn equal_files_of_an_archive_are_stored_once() {
    let (house, ada) = cat().await;
    let different = unpacking_costs(&house, &ada, "different", |number| number.to_string()).await;
    let equal = unpacking_costs(&house, &ada, "equal", |_| "equal".to_owned()).await;
    assert!(equal + 19 <= different, "{equal} statements for equal files, {different} for different ones");
}
