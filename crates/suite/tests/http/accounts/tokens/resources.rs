//! Where a token is for something. Elsewhere it is nobody's.

use reqwest::Method;
use serde_json::{Value, json};
use suite::Person;

use super::{token, with_ada};
use crate::{
    catalogue::{new_package, new_private_repo},
    content::upload_published,
    visibility::{assert_hidden, cast, comparable},
};

const NOBODY: &str = "This resource requires authentication";

async fn names(by: &Person, path: &str) -> Vec<Value> {
    let found = by.get(path).await.expect(200).json();
    found.as_array().expect("a list").iter().map(|item| item["name"].clone()).collect()
}

#[tokio::test]
async fn a_token_for_a_repository_is_for_nothing_else() {
    let (house, ada) = with_ada().await;
    new_private_repo(&ada, "ada/other").await;
    let robot = token(&house, &ada, "ci", "manage", json!(["ada/vault"])).await;
    robot.get("/repos/ada/vault").await.expect(200);
    robot.put("/content/ada/vault/cat/1.0/x.tar?publish=1").body("x").await.expect(201);
    robot.patch("/repos/ada/vault").json(json!({"desc": "x"})).await.expect(200);
    assert_eq!(names(&robot, "/search/repos?name=o").await, [json!("tools")]);
    let seen = names(&robot, "/repos/ada").await;
    assert_eq!(seen, [json!("tools"), json!("vault")]);
    // Public content is open to everyone, and private content is missing.
    robot.get("/repos/ada/tools").await.expect(200);
    robot.download("/ada/tools/cat.tar").await.expect(200);
    robot.get("/repos/ada/other").await.refuses(404, "Repository 'other' was not found");
    for repo in ["tools", "other", "absent"] {
        let upload = robot.put(&format!("/content/ada/{repo}/cat/1.0/x.tar")).body("x");
        upload.await.refuses(401, NOBODY);
        robot.patch(&format!("/repos/ada/{repo}")).json(json!({})).await.refuses(401, NOBODY);
    }
    for (method, path) in [
        (Method::GET, "/users/ada"),
        (Method::POST, "/repos/ada/new"),
        (Method::GET, "/users/ada/access_keys"),
        (Method::GET, "/search/users?name=a"),
        (Method::PUT, "/users/ada/follow"),
        (Method::PUT, "/packages/ada/tools/cat/follow"),
    ] {
        robot.call(method, path).json(json!({})).await.refuses(401, NOBODY);
    }
}

#[tokio::test]
async fn a_download_elsewhere_is_challenged_like_an_anonymous_one() {
    let (house, ada) = with_ada().await;
    // Without a daily limit, no headers tell how much of it is left.
    house.admin().put("/subjects/ada/plan").json(json!({"plan": "enterprise"})).await.expect(200);
    new_private_repo(&ada, "ada/secret").await;
    let robot = token(&house, &ada, "ci", "read", json!(["ada/vault"])).await;
    for path in ["/ada/secret/x", "/ada/absent/x"] {
        let (own, anyone) = (robot.download(path).await, house.anyone().download(path).await);
        assert_eq!(comparable(&own), comparable(&anyone), "{path}");
    }
    robot.download("/ada/vault/none").await.expect(404);
    robot.download("/ada/vault/cat.tar").await.expect(200);
}

#[tokio::test]
async fn a_token_for_a_package_is_for_that_package() {
    let (house, ada) = with_ada().await;
    new_package(&ada, "ada/vault", "dog").await;
    upload_published(&ada, "ada/vault/dog/1.0/dog.tar", "woof").await;
    let robot = token(&house, &ada, "ci", "publish", json!(["ada/vault/cat"])).await;
    assert_eq!(robot.download("/ada/vault/cat.tar").await.expect(200).text(), "meow");
    robot.put("/content/ada/vault/cat/1.1/cat2.tar?publish=1").body("purr").await.expect(201);
    robot.get("/packages/ada/vault/cat").await.expect(200);
    robot.get("/packages/ada/vault/dog").await.expect(404);
    robot.download("/ada/vault/dog.tar").await.expect(404);
    robot.put("/content/ada/vault/dog/1.0/dog2.tar").body("x").await.expect(404);
    robot.get("/repos/ada/vault").await.expect(404);
    robot.patch("/packages/ada/vault/cat").json(json!({})).await.refuses(403, "The token needs the scope 'manage'");
}

#[tokio::test]
async fn a_token_for_a_subject_is_for_its_repositories_and_its_account() {
    let (house, ada) = with_ada().await;
    house.user("bob").await;
    let robot = token(&house, &ada, "ci", "admin", json!(["ada"])).await;
    robot.post("/repos/ada/new").json(json!({"private": true})).await.expect(201);
    robot.get("/users/ada").await.expect(200);
    robot.get("/users/bob").await.refuses(401, NOBODY);
    robot.delete("/repos/ada/new").await.expect(200);
    robot.patch("/repos/ada/new").json(json!({})).await.refuses(404, "Repository 'new' was not found");
}

#[tokio::test]
async fn a_deleted_resource_does_not_come_back_by_its_name() {
    let (house, ada) = with_ada().await;
    let robot = token(&house, &ada, "ci", "read", json!(["ada/vault"])).await;
    robot.get("/repos/ada/vault").await.expect(200);
    ada.delete("/repos/ada/vault").await.expect(200);
    new_private_repo(&ada, "ada/vault").await;
    robot.get("/repos/ada/vault").await.expect(404);
    assert_eq!(ada.get("/users/ada/tokens").await.expect(200).json()[0]["resources"], json!([]));
    robot.get("/repos/ada/tools").await.expect(200);
}

#[tokio::test]
async fn private_repositories_are_hidden_from_tokens_for_others() {
    let cast = cast().await;
    for name in ["olga", "stan"] {
        let plan = json!({"plan": "enterprise"});
        cast.site_admin.put(&format!("/subjects/{name}/plan")).json(plan).await.expect(200);
    }
    new_private_repo(&cast.owner, "acme/other").await;
    for (number, scope) in ["read", "admin"].into_iter().enumerate() {
        let name = number.to_string();
        let robot = token(&cast.house, &cast.owner, &name, scope, json!(["acme/other"])).await;
        assert_hidden(&robot, "acme").await;
    }
    let site_admin = token(&cast.house, &cast.site_admin, "part", "admin", json!(["acme/other"])).await;
    assert_hidden(&site_admin, "acme").await;
    site_admin.get("/repos/acme/other").await.expect(200);
    let stranger = token(&cast.house, &cast.stranger, "all", "admin", Value::Null).await;
    assert_hidden(&stranger, "acme").await;
}
