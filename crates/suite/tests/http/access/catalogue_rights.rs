//! Rights on repositories, packages and versions: every call by everyone, in a public and a private repository.

use reqwest::Method;
use serde_json::{Value, json};
use suite::Person;

use crate::{
    access::{
        acme::Cast,
        guests::{give, guests},
    },
    catalogue::{new_package, new_version},
};

/// A call about a repository `{}`, and its body.
struct Act {
    method: Method,
    path: &'static str,
    body: Value,
}

fn acts() -> Vec<Act> {
    let act = |method, path, body| Act { method, path, body };
    let (package, version) = ("/packages/{}/cat", "/packages/{}/cat/versions/1.0");
    vec![
        act(Method::GET, "/repos/{}", json!({})),
        act(Method::POST, "/repos/{}-new", json!({})),
        act(Method::PATCH, "/repos/{}", json!({"desc": "x"})),
        act(Method::DELETE, "/repos/{}", json!({})),
        act(Method::GET, package, json!({})),
        act(Method::POST, "/packages/{}", json!({"name": "dog"})),
        act(Method::PATCH, package, json!({"desc": "x"})),
        act(Method::DELETE, package, json!({})),
        act(Method::GET, version, json!({})),
        act(Method::GET, "/packages/{}/cat/versions/_latest", json!({})),
        act(Method::POST, "/packages/{}/cat/versions", json!({"name": "2.0"})),
        act(Method::PATCH, version, json!({"desc": "x"})),
        act(Method::DELETE, version, json!({})),
    ]
}

/// Makes every call as everyone, each in a new repository, and returns the statuses as a table.
async fn table(cast: &Cast, subject: &str, is_private: bool) -> String {
    let (anyone, guests) = (cast.house.anyone(), guests(cast, subject).await);
    let guests = guests.iter().map(|(name, guest)| (*name, guest));
    let actors: Vec<(&str, &Person)> =
        cast.actors().into_iter().chain([("anonymous", &anyone)]).chain(guests).collect();
    let mut table = actors.iter().map(|(name, _)| format!("{name:>12}")).collect::<String>() + "\n";
    for (row, act) in acts().into_iter().enumerate() {
        for (column, (name, actor)) in actors.iter().enumerate() {
            let repo = format!("{subject}/r{is_private}-{row}-{column}");
            cast.owner.post(&format!("/repos/{repo}")).json(json!({ "private": is_private })).await.expect(201);
            new_package(&cast.owner, &repo, "cat").await;
            new_version(&cast.owner, &format!("{repo}/cat"), "1.0").await;
            give(cast, name, &repo).await;
            let answer = actor.call(act.method.clone(), &act.path.replace("{}", &repo)).json(act.body.clone()).await;
            table += &format!("{:>12}", answer.status);
        }
        table += &format!("  {} {}\n", act.method, act.path);
    }
    table
}

#[tokio::test]
async fn every_call_is_in_the_table() {
    let written: Vec<String> = acts().iter().map(|act| format!("{} {}", act.method, act.path)).collect();
    let core = ["/repos/{subject}/{repo}", "/packages/{subject}/{repo}", "/packages/{subject}/{repo}/{package}"];
    let versions = ["/versions", "/versions/{version}"].map(|rest| format!("{}{rest}", core[2]));
    let is_core = |path: &str| core.contains(&path) || versions.iter().any(|known| known == path);
    for endpoint in server::endpoints().into_iter().filter(|endpoint| is_core(endpoint.path)) {
        let path =
            endpoint.path.replace("{subject}/{repo}", "{}").replace("{package}", "cat").replace("{version}", "1.0");
        let name = format!("{} {path}", endpoint.method);
        assert!(written.iter().any(|act| *act == name || *act == format!("{name}-new")), "`{name}` is missing");
    }
}

#[tokio::test]
async fn a_public_repository_of_an_organization_is_read_by_all_and_run_by_its_admins() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    insta::assert_snapshot!(table(&cast, "acme", false).await, @r#"
    owner       admin      member    stranger  site admin   anonymous      reader   publisher       key r      key rw key package
      200         200         200         200         200         200         200         200         200         200         200  GET /repos/{}
      201         201         403         403         201         401         403         403         403         403         403  POST /repos/{}-new
      200         200         403         403         200         401         403         403         403         403         403  PATCH /repos/{}
      200         200         403         403         200         401         403         403         403         403         403  DELETE /repos/{}
      200         200         200         200         200         200         200         200         200         200         200  GET /packages/{}/cat
      201         201         403         403         201         401         403         201         403         201         403  POST /packages/{}
      200         200         403         403         200         401         403         200         403         200         403  PATCH /packages/{}/cat
      200         200         403         403         200         401         403         200         403         200         403  DELETE /packages/{}/cat
      200         200         200         200         200         200         200         200         200         200         200  GET /packages/{}/cat/versions/1.0
      200         200         200         200         200         200         200         200         200         200         200  GET /packages/{}/cat/versions/_latest
      201         201         403         403         201         401         403         201         403         201         403  POST /packages/{}/cat/versions
      200         200         403         403         200         401         403         200         403         200         403  PATCH /packages/{}/cat/versions/1.0
      200         200         403         403         200         401         403         200         403         200         403  DELETE /packages/{}/cat/versions/1.0
    "#);
}

#[tokio::test]
async fn a_private_repository_of_an_organization_is_for_its_admins() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    insta::assert_snapshot!(table(&cast, "acme", true).await, @r#"
    owner       admin      member    stranger  site admin   anonymous      reader   publisher       key r      key rw key package
      200         200         404         404         200         404         200         200         200         200         404  GET /repos/{}
      201         201         403         403         201         401         403         403         403         403         403  POST /repos/{}-new
      200         200         404         404         200         401         403         403         403         403         404  PATCH /repos/{}
      200         200         404         404         200         401         403         403         403         403         404  DELETE /repos/{}
      200         200         404         404         200         404         200         200         200         200         200  GET /packages/{}/cat
      201         201         404         404         201         401         403         201         403         201         404  POST /packages/{}
      200         200         404         404         200         401         403         200         403         200         403  PATCH /packages/{}/cat
      200         200         404         404         200         401         403         200         403         200         403  DELETE /packages/{}/cat
      200         200         404         404         200         404         200         200         200         200         200  GET /packages/{}/cat/versions/1.0
      200         200         404         404         200         404         200         200         200         200         200  GET /packages/{}/cat/versions/_latest
      201         201         404         404         201         401         403         201         403         201         403  POST /packages/{}/cat/versions
      200         200         404         404         200         401         403         200         403         200         403  PATCH /packages/{}/cat/versions/1.0
      200         200         404         404         200         401         403         200         403         200         403  DELETE /packages/{}/cat/versions/1.0
    "#);
}

#[tokio::test]
async fn a_public_repository_of_a_user_is_read_by_all_and_run_by_its_user() {
    let cast = Cast::start().await;
    insta::assert_snapshot!(table(&cast, "olga", false).await, @r#"
    owner       admin      member    stranger  site admin   anonymous       key r      key rw key package
      200         200         200         200         200         200         200         200         200  GET /repos/{}
      201         403         403         403         201         401         403         403         403  POST /repos/{}-new
      200         403         403         403         200         401         403         403         403  PATCH /repos/{}
      200         403         403         403         200         401         403         403         403  DELETE /repos/{}
      200         200         200         200         200         200         200         200         200  GET /packages/{}/cat
      201         403         403         403         201         401         403         201         403  POST /packages/{}
      200         403         403         403         200         401         403         200         403  PATCH /packages/{}/cat
      200         403         403         403         200         401         403         200         403  DELETE /packages/{}/cat
      200         200         200         200         200         200         200         200         200  GET /packages/{}/cat/versions/1.0
      200         200         200         200         200         200         200         200         200  GET /packages/{}/cat/versions/_latest
      201         403         403         403         201         401         403         201         403  POST /packages/{}/cat/versions
      200         403         403         403         200         401         403         200         403  PATCH /packages/{}/cat/versions/1.0
      200         403         403         403         200         401         403         200         403  DELETE /packages/{}/cat/versions/1.0
    "#);
}

#[tokio::test]
async fn a_private_repository_of_a_user_is_for_its_user() {
    let cast = Cast::start().await;
    insta::assert_snapshot!(table(&cast, "olga", true).await, @r#"
    owner       admin      member    stranger  site admin   anonymous       key r      key rw key package
      200         404         404         404         200         404         200         200         404  GET /repos/{}
      201         403         403         403         201         401         403         403         403  POST /repos/{}-new
      200         404         404         404         200         401         403         403         404  PATCH /repos/{}
      200         404         404         404         200         401         403         403         404  DELETE /repos/{}
      200         404         404         404         200         404         200         200         200  GET /packages/{}/cat
      201         404         404         404         201         401         403         201         404  POST /packages/{}
      200         404         404         404         200         401         403         200         403  PATCH /packages/{}/cat
      200         404         404         404         200         401         403         200         403  DELETE /packages/{}/cat
      200         404         404         404         200         404         200         200         200  GET /packages/{}/cat/versions/1.0
      200         404         404         404         200         404         200         200         200  GET /packages/{}/cat/versions/_latest
      201         404         404         404         201         401         403         201         403  POST /packages/{}/cat/versions
      200         404         404         404         200         401         403         200         403  PATCH /packages/{}/cat/versions/1.0
      200         404         404         404         200         401         403         200         403  DELETE /packages/{}/cat/versions/1.0
    "#);
}

#[tokio::test]
async fn refused_calls_change_nothing() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    cast.owner.post("/repos/acme/tools").json(json!({})).await.expect(201);
    new_package(&cast.owner, "acme/tools", "cat").await;
    new_version(&cast.owner, "acme/tools/cat", "1.0").await;
    let log = async || cast.site_admin.get("/audit").await.expect(200).text();
    let before = log().await;
    for act in acts().into_iter().filter(|act| act.method != Method::GET) {
        for actor in [&cast.member, &cast.stranger, &cast.house.anyone()] {
            let path = act.path.replace("{}", "acme/tools");
            let refused = actor.call(act.method.clone(), &path).json(act.body.clone()).await;
            assert!(matches!(refused.status, 401 | 403), "{} {path}: {}", act.method, refused.text());
        }
    }
    assert_eq!(log().await, before);
    cast.owner.get("/packages/acme/tools/cat/versions/1.0").await.expect(200);
}
