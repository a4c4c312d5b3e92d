//! Generations over many files.

use serde_json::Value;
use suite::{Person, TestHouse};

use super::{chart, charts, index, publish_chart, repo_of, run_job};
use crate::catalogue::new_package;

/// Publishes many charts of one package, four at a time.
async fn publish_many(ada: &Person, count: usize) {
    new_package(ada, "ada/repo", "many").await;
    let description = "d".repeat(1_000);
    for first in (0..count).step_by(4) {
        let publish = |number: usize| {
            let path = format!("/content/ada/repo/many/1.0.0/c{number}-1.0.0.tgz?publish=1");
            let body = chart(&format!("c{number}"), "1.0.0", &description);
            async move { ada.put(&path).body(body).await.expect(201) }
        };
        tokio::join!(publish(first), publish(first + 1), publish(first + 2), publish(first + 3));
    }
}

async fn entries(who: &Person) -> Value {
    index(who).await["entries"].clone()
}

/// The number of blocks of the newest generation.
pub(crate) async fn blocks(house: &TestHouse) -> i64 {
    let db = &house.app().house().db;
    let streams = database::indexes::streams::list(db, repo_id(house).await).await.expect("streams");
    let blocks = database::indexes::blocks::list_live(db, streams[0].id).await.expect("blocks");
    i64::try_from(blocks.len()).expect("few")
}

/// The id of `ada/repo`.
pub(crate) async fn repo_id(house: &TestHouse) -> model::id::RepoId {
    let (owner, repo) = ("ada".parse_name(), "repo".parse_repo());
    let found = database::catalogue::repos::find(&house.app().house().db, &owner, &repo, None).await;
    found.expect("a look-up").expect("the repository").repo.id
}

/// Names for look-ups.
trait Names {
    fn parse_name(&self) -> model::names::SubjectName;
    fn parse_repo(&self) -> model::names::RepoName;
}

impl Names for &str {
    fn parse_name(&self) -> model::names::SubjectName {
        model::names::SubjectName::parse(self).expect("a name")
    }

    fn parse_repo(&self) -> model::names::RepoName {
        model::names::RepoName::parse(self).expect("a name")
    }
}

#[tokio::test]
async fn an_index_that_grew_step_by_step_is_the_one_that_is_built_at_once() {
    let (house, ada) = repo_of("helm").await;
    publish_many(&ada, 120).await;
    ada.delete("/content/ada/repo/c7-1.0.0.tgz").await.expect(200);
    let anyone = house.anyone();
    let grown = entries(&anyone).await;
    assert_eq!(grown.as_object().expect("a map").len(), 119);
    assert!(blocks(&house).await >= 4);
    ada.post("/calc_metadata/ada/repo").await.refuses(202, "success");
    assert_eq!(entries(&anyone).await, grown);
    // More than 64 KiB are served from a file of the spool.
    let whole = anyone.download("/ada/repo/index.yaml").await.expect(200).body;
    assert!(whole.len() > 100_000);
    let part = anyone.download("/ada/repo/index.yaml").header("Range", "bytes=70000-70099").await.expect(206).body;
    assert_eq!(part, whole[70_000..70_100]);
}

#[tokio::test]
async fn small_blocks_are_joined_and_old_ones_deleted() {
    let (house, ada) = repo_of("helm").await;
    publish_many(&ada, 4).await;
    for number in 0..17 {
        let mut files: Vec<(String, Vec<u8>)> = Vec::new();
        for part in 0..33 {
            files.push((format!("x{number}-{part}-1.0.0.tgz"), chart(&format!("x{number}-{part}"), "1.0.0", "x")));
        }
        let files: Vec<(&str, &[u8])> = files.iter().map(|(name, body)| (name.as_str(), &body[..])).collect();
        let path = format!("/content/ada/repo/many/1.0.0/all{number}.tar.gz?publish=1&explode=1");
        ada.put(&path).body(super::tar_gz(&files)).await.expect(201);
    }
    let before = entries(&house.anyone()).await;
    assert_eq!(before.as_object().expect("a map").len(), 4 + 17 * 33);
    let scattered = blocks(&house).await;
    assert!(scattered > 16, "{scattered} blocks");
    run_job(&house).await;
    assert!(blocks(&house).await < 8, "{} blocks", blocks(&house).await);
    assert_eq!(entries(&house.anyone()).await, before);
    publish_chart(&ada, "many", "1.0.0").await;
    assert!(charts(&house.anyone()).await.contains(&"many 1.0.0".to_owned()));
}

#[tokio::test]
async fn publishers_at_once_share_generations_and_each_finds_its_chart() {
    let (house, ada) = repo_of("helm").await;
    new_package(&ada, "ada/repo", "many").await;
    let publishes = (0..12).map(|number| {
        let (ada, anyone) = (&ada, house.anyone());
        async move {
            let path = format!("/content/ada/repo/many/1.0.0/c{number}-1.0.0.tgz?publish=1");
            ada.put(&path).body(chart(&format!("c{number}"), "1.0.0", "x")).await.expect(201);
            assert!(charts(&anyone).await.contains(&format!("c{number} 1.0.0")));
        }
    });
    futures_util::future::join_all(publishes).await;
    assert_eq!(charts(&house.anyone()).await.len(), 12);
    let db = &house.app().house().db;
    let head = database::indexes::heads::find(db, repo_id(&house).await).await.expect("a look-up").expect("a head");
    assert!(head.generation <= 13, "{} generations", head.generation);
}
