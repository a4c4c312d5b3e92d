//! Private content is invisible: it looks as if it did not exist.

use reqwest::{Method, header::HeaderMap};
use serde_json::json;
use server::Endpoint;
use suite::{Answer, Person, TestHouse};

use crate::{
    access::{
        acme::{Cast, set_member},
        grants::{key_to, new_team, permit},
    },
    catalogue::{new_package, new_private_repo, new_repo, new_version},
    content::{read, upload_published},
    contract::sample,
};

/// Possible bodies of calls that take one.
const BODIES: [&str; 5] = [
    "",
    "{}",
    r#"{"name":"dog","desc":"x","rating":3,"syntax":"plain_text","content":"x","list_in_downloads":true,
        "team":"devs","permission":"read","access":"r","url":"http://receiver.invalid/hook","version":"1.0"}"#,
    r#"[{"name":"dog","values":["x"]}]"#,
    r#"[{"dog":"x"}]"#,
];

/// The file for calls about a file.
pub(crate) const FILE: &str = "cat/1.0/cat.tar";

/// Returns the parts of a response that must not distinguish a hidden repository from a missing one: everything but the
/// request id and the time.
pub(crate) fn comparable(answer: &Answer) -> (u16, HeaderMap, String) {
    let mut headers = answer.headers.clone();
    assert!(headers.remove("x-request-id").is_some() && headers.remove("date").is_some());
    (answer.status, headers, answer.text().replace("absent", "secret"))
}

/// Compares every call that names a repository of this subject with the same call about a missing one.
pub(crate) async fn assert_hidden(reader: &Person, subject: &str) {
    let endpoints = server::endpoints().into_iter().filter(|endpoint| endpoint.path.contains("repo}"));
    for endpoint in endpoints {
        let (method, path) = (endpoint.method.clone(), sample(endpoint.path) + query(&endpoint));
        let about = |repo: &str| path.replace("acme/tools", &format!("{subject}/{repo}"));
        assert!(about("secret").contains("/secret"), "{path}");
        let mut seen = Vec::new();
        for body in BODIES {
            let hidden = reader.call(method.clone(), &about("secret")).body(body).await;
            let missing = reader.call(method.clone(), &about("absent")).body(body).await;
            assert_eq!(comparable(&hidden), comparable(&missing), "{method} {path} with `{body}`");
            seen.push(hidden.status);
        }
        // One of the bodies is valid, so the call reaches the check of the repository.
        assert!(seen.iter().all(|status| matches!(status, 400 | 401 | 403 | 404)), "{method} {path}: {seen:?}");
        assert!(seen.iter().any(|status| *status != 400), "{method} {path}: {seen:?}");
    }
}

/// Returns the query that a call needs to reach the check of the repository.
pub(crate) fn query(endpoint: &Endpoint) -> &'static str {
    let is_redirect = endpoint.method == Method::GET && endpoint.path.starts_with("/content/");
    if is_redirect { "?svc_package=cat" } else { "" }
}

/// Returns a valid body for a call.
pub(crate) fn body(endpoint: &Endpoint) -> &'static str {
    let [.., fields, attributes, clauses] = BODIES;
    match endpoint.path {
        path if path.starts_with("/search/attributes/") => clauses,
        path if path.ends_with("/attributes") => attributes,
        _ => fields,
    }
}

/// Starts a cast whose organization, and whose olga, has a private repository with a package, a version and a file in
/// it.
pub(crate) async fn cast() -> Cast {
    cast_with(&[]).await
}

/// Starts one in a house with some settings changed.
async fn cast_with(changes: &[(&str, &str)]) -> Cast {
    let cast = Cast::start_with(changes).await;
    cast.org("acme").await;
    for subject in ["acme", "olga"] {
        new_private_repo(&cast.owner, &format!("{subject}/secret")).await;
        new_package(&cast.owner, &format!("{subject}/secret"), "cat").await;
        new_version(&cast.owner, &format!("{subject}/secret/cat"), "1.0").await;
        upload_published(&cast.owner, &format!("{subject}/secret/cat/1.0/{FILE}"), "meow").await;
    }
    // Without a daily limit, no headers count down from one call to the next.
    for user in ["mike", "stan"] {
        cast.site_admin.put(&format!("/subjects/{user}/plan")).json(json!({"plan": "enterprise"})).await.expect(200);
    }
    cast
}

/// Returns all content of the private repositories.
async fn contents(cast: &Cast) -> String {
    let mut shown = String::new();
    for subject in ["acme", "olga"] {
        for path in ["repos/{}/secret", "packages/{}/secret/cat", "packages/{}/secret/cat/versions/1.0"] {
            shown += &cast.owner.get(&format!("/{}", path.replace("{}", subject))).await.expect(200).text();
        }
        shown += &read(&cast.owner, &format!("/{subject}/secret/{FILE}")).await;
    }
    shown
}

#[tokio::test]
async fn a_private_repository_answers_anonymous_callers_like_a_missing_one() {
    let cast = cast().await;
    let before = contents(&cast).await;
    assert_hidden(&cast.house.anyone(), "acme").await;
    assert_hidden(&cast.house.anyone(), "olga").await;
    assert_eq!(contents(&cast).await, before);
}

#[tokio::test]
async fn a_private_repository_answers_strangers_like_a_missing_one() {
    let cast = cast().await;
    let before = contents(&cast).await;
    assert_hidden(&cast.stranger, "acme").await;
    assert_hidden(&cast.stranger, "olga").await;
    assert_eq!(contents(&cast).await, before);
}

#[tokio::test]
async fn a_private_repository_answers_plain_members_like_a_missing_one() {
    let cast = cast().await;
    let before = contents(&cast).await;
    assert_hidden(&cast.member, "acme").await;
    assert_hidden(&cast.member, "olga").await;
    assert_eq!(contents(&cast).await, before);
}

#[tokio::test]
async fn a_private_repository_answers_teams_of_another_one_like_a_missing_one() {
    let cast = cast().await;
    new_private_repo(&cast.owner, "acme/other").await;
    let before = contents(&cast).await;
    new_team(&cast.owner, "acme", "devs", &["mike"]).await;
    for permission in ["read", "publish"] {
        permit(&cast.owner, "acme/other", "devs", permission).await;
        cast.member.get("/repos/acme/other").await.expect(200);
        assert_hidden(&cast.member, "acme").await;
    }
    assert_eq!(contents(&cast).await, before);
}

#[tokio::test]
async fn a_private_repository_answers_keys_of_another_one_like_a_missing_one() {
    let cast = cast().await;
    // Keys count as their owner, who then has no daily limit.
    cast.site_admin.put("/subjects/acme/plan").json(json!({"plan": "enterprise"})).await.expect(200);
    new_private_repo(&cast.owner, "acme/other").await;
    new_package(&cast.owner, "acme/other", "cat").await;
    let before = contents(&cast).await;
    let (repo, package) = ("/repos/acme/other", "/packages/acme/other/cat");
    for (name, place, access) in [("reads", repo, "r"), ("writes", repo, "rw"), ("part", package, "rw")] {
        let key = key_to(&cast.house, &cast.owner, name, place, access).await;
        key.get(package).await.expect(200);
        assert_hidden(&key, "acme").await;
        assert_hidden(&key, "olga").await;
    }
    assert_eq!(contents(&cast).await, before);
}

#[tokio::test]
async fn head_tells_no_more_than_get() {
    let cast = cast().await;
    for reader in [&cast.house.anyone(), &cast.stranger, &cast.member] {
        for path in ["/repos/acme/{}", "/packages/acme/{}/cat", "/packages/acme/{}/cat/versions/_latest"] {
            let hidden = reader.call(Method::HEAD, &path.replace("{}", "secret")).await.expect(404);
            let missing = reader.call(Method::HEAD, &path.replace("{}", "absent")).await.expect(404);
            assert_eq!(comparable(&hidden), comparable(&missing), "{path}");
        }
    }
}

#[tokio::test]
async fn wrong_credentials_learn_nothing_about_a_private_repository() {
    // Each call is made ten times, all within a minute.
    let cast = cast_with(&[("limits.wrong_credentials_per_name", "10000")]).await;
    assert_hidden(&cast.house.person("olga", "wrong"), "olga").await;
}

#[tokio::test]
async fn an_owner_with_private_repositories_lists_like_one_with_none() {
    let cast = cast().await;
    cast.stranger.post("/orgs").json(json!({"name": "none"})).await.expect(201);
    for reader in [&cast.house.anyone(), &cast.stranger, &cast.member] {
        let hidden = reader.get("/repos/acme").await.expect(200);
        let none = reader.get("/repos/none").await.expect(200);
        assert_eq!(comparable(&hidden), comparable(&none));
    }
}

#[tokio::test]
async fn hiding_and_showing_a_repository_takes_effect_at_once() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "cat").await;
    house.anyone().get("/packages/ada/tools/cat").await.expect(200);
    ada.patch("/repos/ada/tools").json(json!({"private": true})).await.expect(200);
    house.anyone().get("/packages/ada/tools/cat").await.refuses(404, "Repository 'tools' was not found");
    ada.get("/packages/ada/tools/cat").await.expect(200);
    ada.patch("/repos/ada/tools").json(json!({"private": false})).await.expect(200);
    house.anyone().get("/packages/ada/tools/cat").await.expect(200);
}

#[tokio::test]
async fn whoever_stops_running_an_organization_stops_seeing_what_is_private() {
    let cast = cast().await;
    let path = "/packages/acme/secret/cat";
    cast.admin.get(path).await.expect(200);
    set_member(&cast.owner, "acme", "alma", "member").await;
    cast.admin.get(path).await.refuses(404, "Repository 'secret' was not found");
    set_member(&cast.owner, "acme", "alma", "owner").await;
    cast.admin.get(path).await.expect(200);
    cast.owner.delete("/orgs/acme/members/alma").await.expect(200);
    cast.admin.get(path).await.refuses(404, "Repository 'secret' was not found");
}
