//! RubyGems: `versions` over a long time. Its blocks are joined, and a log that says much more than needed is rewritten.

use futures_util::future::join_all;
use serde_json::json;
use suite::{Person, TestHouse};

use super::{rubygems::gem, rubygems_wire::Cached};
use crate::indexes::{generations::blocks, repo_of, run_job};

/// The names of some gems, which begin like this.
fn names(start: &str) -> Vec<String> {
    ('a'..='h').map(|letter| format!("{start}{letter}")).collect()
}

/// Yanks all gems and lists them again, until the log has many blocks. Each change of a gem is a line.
async fn fill(house: &TestHouse, ada: &Person, names: &[String]) {
    while blocks(house).await <= 17 {
        for is_yanked in [true, false] {
            let mark = |name: &String| {
                let path = format!("/packages/ada/repo/{name}/versions/1.0");
                async move { ada.patch(&path).json(json!({"yanked": is_yanked})).await.expect(200) }
            };
            join_all(names.iter().map(mark)).await;
        }
    }
}

async fn push(ada: &Person, house: &TestHouse, name: &str, version: &str) {
    let call = house.anyone().post("//dl/ada/repo/api/v1/gems").header("authorization", ada.key());
    call.body(gem(name, version)).await.expect(200);
}

/// A repository of gems with these names, and Bundler, which has read it a while ago.
async fn repo(names: &[String]) -> (TestHouse, Person, Cached) {
    let (house, ada) = repo_of("rubygems").await;
    let (last, others) = names.split_last().expect("some");
    push(&ada, &house, last, "1.0").await;
    let early = Cached::load(&house.anyone(), "versions").await;
    for name in others {
        push(&ada, &house, name, "1.0").await;
    }
    fill(&house, &ada, names).await;
    (house, ada, early)
}

#[tokio::test]
async fn blocks_of_the_log_are_joined_and_nobody_notices() {
    let names = names("gem");
    let (house, ada, mut early) = repo(&names).await;
    let anyone = house.anyone();
    let mut late = Cached::load(&anyone, "versions").await;
    assert!(late.text().len() < 64 << 10, "it is too short to be rewritten");
    run_job(&house).await;
    assert!(blocks(&house).await < 8, "{} blocks", blocks(&house).await);
    assert_eq!(late.update(&anyone).await, [304]);
    assert_eq!(early.update(&anyone).await, [206]);
    assert_eq!(early.text(), late.text());
    push(&ada, &house, "new", "1.0").await;
    assert_eq!(late.update(&anyone).await, [206]);
    assert!(late.text().lines().last().expect("a line").starts_with("new 1.0 "), "{}", late.text());
}

#[tokio::test]
async fn a_log_that_became_too_long_is_rewritten_and_bundler_loads_it_again() {
    let names = names(&"long-name-".repeat(13));
    let (house, ada, mut early) = repo(&names).await;
    let anyone = house.anyone();
    let mut late = Cached::load(&anyone, "versions").await;
    assert!(late.text().len() > 64 << 10, "{}", late.text().len());
    let lists = async || anyone.download("/ada/repo/specs.4.8.gz").await.expect(200).body;
    let before = lists().await;
    run_job(&house).await;

    // The log is shorter than what one client has, and begins otherwise than what the other one has.
    late.reload(&anyone).await;
    assert_eq!(early.update(&anyone).await, [206, 200], "what was added does not fit");
    assert_eq!(early.text(), late.text());
    let lines: Vec<String> = late.text().lines().skip(2).map(str::to_owned).collect();
    assert_eq!(lines.len(), names.len(), "{}", late.text());
    for (line, name) in lines.iter().zip(&names) {
        let info = anyone.download(&format!("/ada/repo/info/{name}")).await.expect(200);
        assert_eq!(*line, format!("{name} 1.0 {}", info.header("etag").trim_matches('"')));
    }
    assert_eq!(lists().await, before, "the other indexes say the same");

    // From here on it grows again.
    run_job(&house).await;
    assert_eq!(late.update(&anyone).await, [304]);
    push(&ada, &house, &names[0], "1.1").await;
    assert_eq!(late.update(&anyone).await, [206]);
    assert!(late.text().lines().last().expect("a line").starts_with(&format!("{} 1.1 ", names[0])));
}
