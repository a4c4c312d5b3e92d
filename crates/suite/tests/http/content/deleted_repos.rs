//! A deleted repository does not exist from the response on, while a job still deletes its rows.

use serde_json::json;
use suite::{Answer, Person, TestHouse};

use crate::{
    catalogue::{new_package, new_repo},
    content::{DAY, archives::tar, upload_published},
};

/// Enough files for several batches.
const FILES: usize = 2_500;

/// Publishes many files with the same content in `ada/tools/cat/1.0`.
async fn publish_many(by: &Person) {
    let names: Vec<String> = (0..FILES).map(|number| format!("many/cat-{number}.bin")).collect();
    let entries: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "meow")).collect();
    by.put("/content/ada/tools/cat/1.0/x.tar?explode=1&publish=1").body(tar(&entries)).await.expect(201);
}

async fn with_many_files() -> (TestHouse, Person) {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "cat").await;
    publish_many(&ada).await;
    (house, ada)
}

/// Runs the job until it has deleted every row.
async fn run_job(house: &TestHouse) {
    operations::jobs::run_once(house.app().house(), "deleted_repos").await.expect("the job runs");
}

/// The responses to those who look for a repository in different ways.
async fn views(house: &TestHouse, ada: &Person) -> Vec<String> {
    let mut views = Vec::new();
    for who in [&house.anyone(), ada, &house.admin()] {
        for path in [
            "/repos/ada/tools",
            "/packages/ada/tools/cat",
            "/packages/ada/tools/cat/versions/1.0/files",
            "/repos/ada",
            "/repos/ada/tools/packages",
            "/search/repos?name=tools",
            "/search/packages?name=cat",
            "/search/file?name=cat-7.bin",
            "/packages/ada/other/cat",
            "/repos/ada/other/packages",
            "/subjects",
            "//dl/ada/tools/many/cat-7.bin",
            "//dl/ada/tools/",
            "//dl/ada/other/many/cat-7.bin",
            "//ada/tools",
            "//ada",
            "//",
        ] {
            views.push(shape(path, who.get(path).await));
        }
    }
    views.push(shape("usage", ada.get("/usage/ada").await));
    views
}

/// A response without what differs between two equal ones.
fn shape(path: &str, answer: Answer) -> String {
    let text = answer.text();
    let is_lasting = |line: &&str| !line.contains("nonce") && !line.contains("form_token");
    format!("{path} {} {}", answer.status, text.lines().filter(is_lasting).collect::<Vec<_>>().join("\n"))
}

#[tokio::test]
async fn a_deleted_repository_is_gone_before_its_rows_are() {
    let (house, ada) = with_many_files().await;
    new_repo(&ada, "ada/other").await;
    ada.put("/repository/ada/other/links/ada/tools/cat").json(json!({})).await.expect(201);
    for who in [&house.anyone(), &ada] {
        for _ in 0..2 {
            assert_eq!(who.download("/ada/tools/many/cat-7.bin").await.expect(200).text(), "meow");
            assert_eq!(who.download("/ada/other/many/cat-7.bin").await.expect(200).text(), "meow");
        }
    }
    ada.delete("/repos/ada/tools").await.refuses(200, "success");
    let hidden = views(&house, &ada).await;
    run_job(&house).await;
    let deleted = views(&house, &ada).await;
    assert_eq!(hidden, deleted, "the rows are seen");
    ada.get("/repos/ada/tools").await.expect(404);
    ada.download("/ada/tools/many/cat-7.bin").await.expect(404);
    ada.download("/ada/other/many/cat-7.bin").await.expect(404);
    ada.delete("/repos/ada/tools").await.expect(404);
}

#[tokio::test]
async fn the_name_of_a_deleted_repository_is_free_at_once() {
    let (house, ada) = with_many_files().await;
    ada.delete("/repos/ada/tools").await.expect(200);
    ada.post("/repos/ada/Tools").json(json!({})).await.expect(201);
    ada.delete("/repos/ada/Tools").await.expect(200);
    new_repo(&ada, "ada/tools").await;
    assert_eq!(ada.get("/repos/ada/tools").await.expect(200).json()["package_count"], 0);
    house.anyone().download("/ada/tools/many/cat-7.bin").await.expect(404);
    new_package(&ada, "ada/tools", "cat").await;
    upload_published(&ada, "ada/tools/cat/1.0/many/cat-7.bin", "purr").await;
    run_job(&house).await;
    assert_eq!(house.anyone().download("/ada/tools/many/cat-7.bin").await.expect(200).text(), "purr");
    let files = ada.get("/packages/ada/tools/cat/files").await.expect(200).json();
    assert_eq!(files.as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn uploads_do_not_wait_for_the_rows_of_a_deleted_repository() {
    let (house, ada) = with_many_files().await;
    new_repo(&ada, "ada/other").await;
    new_package(&ada, "ada/other", "dog").await;
    ada.delete("/repos/ada/tools").await.expect(200);
    let app = house.app().clone();
    let job = tokio::spawn(async move { operations::jobs::run_once(app.house(), "deleted_repos").await });
    upload_published(&ada, "ada/other/dog/1.0/dog.bin", "woof").await;
    assert!(!job.is_finished(), "the upload came after the deletion of all rows");
    job.await.expect("it ends").expect("the job runs");
    assert_eq!(house.anyone().download("/ada/other/dog.bin").await.expect(200).text(), "woof");
}

#[tokio::test]
async fn paths_of_a_deleted_repository_stay_bound_to_their_content() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "cat").await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    house.clock.advance(400 * DAY);
    upload_published(&ada, "ada/tools/cat/2.0/young.bin", "meow").await;
    house.admin().delete("/repos/ada/tools").await.expect(200);
    new_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "cat").await;
    let put = |path: &str, content: &'static str| {
        ada.put(&format!("/content/ada/tools/cat/1.0/{path}?publish=1&override=1")).body(content)
    };
    assert!(put("cat.bin", "hiss").await.expect(409).text().contains("was published for good"));
    run_job(&house).await;
    assert!(put("cat.bin", "hiss").await.expect(409).text().contains("was published for good"));
    put("cat.bin", "meow").await.expect(201);
    put("young.bin", "purr").await.expect(201);
}

#[tokio::test]
async fn the_repositories_of_a_deleted_organization_are_deleted_by_the_job() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    new_repo(&ada, "acme/tools").await;
    new_package(&ada, "acme/tools", "cat").await;
    upload_published(&ada, "acme/tools/cat/1.0/cat.bin", "meow").await;
    ada.delete("/orgs/acme").await.refuses(200, "success");
    ada.download("/acme/tools/cat.bin").await.expect(404);
    let found = house.admin().get("/search/packages?name=cat").await.expect(200).json();
    assert_eq!(found, json!([]));
    run_job(&house).await;
    ada.download("/acme/tools/cat.bin").await.expect(404);
    ada.post("/orgs").json(json!({"name": "acme"})).await.refuses(409, "Subject 'acme' already exists");
}
