//! Lists of all packages of a repository, which are cached.

use serde_json::json;
use suite::{Person, TestHouse};

use crate::{access::grants::key_to, indexes::tar_gz};

const JSON: &str = "application/vnd.pypi.simple.v1+json";

/// Creates ada with the repositories `py` and `other`.
async fn ada() -> (TestHouse, Person) {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    house.admin().put("/subjects/ada/plan").json(json!({"plan": "enterprise"})).await.expect(200);
    for repo in ["py", "other"] {
        ada.post(&format!("/repos/ada/{repo}")).json(json!({"type": "pypi"})).await.expect(201);
    }
    (house, ada)
}

async fn publish(ada: &Person, repo: &str, name: &str) {
    ada.post(&format!("/packages/ada/{repo}")).json(json!({ "name": name })).await.expect(201);
    let about = format!("Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n");
    let content = tar_gz(&[(&format!("{name}-1.0/PKG-INFO"), about.as_bytes())]);
    let path = format!("/content/ada/{repo}/{name}/1.0/packages/{name}/1.0/{name}-1.0.tar.gz?publish=1");
    ada.put(&path).body(content).await.expect(201);
}

/// The names in the list as JSON, which must be those in the list as HTML. Each is read twice.
async fn names(by: &Person) -> Vec<String> {
    let mut lists = Vec::new();
    for _ in 0..2 {
        let list = by.get("//dl/ada/py/simple/").header("accept", JSON).await.expect(200);
        assert_eq!(list.header("content-type"), JSON);
        let projects = list.json()["projects"].as_array().expect("a list").clone();
        lists.push(projects.iter().map(|found| found["name"].as_str().expect("a name").to_owned()).collect::<Vec<_>>());
        let page = by.get("//dl/ada/py/simple/").header("accept", "text/html").await.expect(200).text();
        lists.push(page.split("<a ").skip(1).map(|link| text_of(link).to_owned()).collect());
    }
    assert!(lists.windows(2).all(|pair| pair[0] == pair[1]), "{lists:?}");
    lists.pop().expect("four lists")
}

fn text_of(link: &str) -> &str {
    let (_, rest) = link.split_once('>').expect("the end of the tag");
    rest.split_once("</a>").expect("the end of the link").0
}

#[tokio::test]
async fn a_list_follows_what_comes_and_goes() {
    let (house, ada) = ada().await;
    let anyone = house.anyone();
    assert!(names(&anyone).await.is_empty());
    publish(&ada, "py", "one").await;
    assert_eq!(names(&anyone).await, ["one"]);
    ada.post("/packages/ada/py").json(json!({"name": "empty"})).await.expect(201);
    publish(&ada, "py", "two").await;
    assert_eq!(names(&anyone).await, ["one", "two"]);
    ada.delete("/packages/ada/py/one").await.expect(200);
    assert_eq!(names(&anyone).await, ["two"]);
    ada.delete("/packages/ada/py/two/versions/1.0").await.expect(200);
    assert!(names(&anyone).await.is_empty());
}

#[tokio::test]
async fn a_list_has_linked_packages_that_the_caller_may_read() {
    let (house, ada) = ada().await;
    let anyone = house.anyone();
    publish(&ada, "py", "own").await;
    publish(&ada, "other", "guest").await;
    assert_eq!(names(&anyone).await, ["own"]);
    ada.put("/repository/ada/py/links/ada/other/guest").await.expect(201);
    assert_eq!(names(&anyone).await, ["guest", "own"]);
    ada.patch("/repos/ada/other").json(json!({"private": true})).await.expect(200);
    assert_eq!(names(&anyone).await, ["own"]);
    assert_eq!(names(&ada).await, ["guest", "own"]);
    ada.patch("/repos/ada/other").json(json!({"private": false})).await.expect(200);
    assert_eq!(names(&anyone).await, ["guest", "own"]);
}

#[tokio::test]
async fn a_cached_list_is_for_readers_of_the_whole_repository() {
    let (house, ada) = ada().await;
    publish(&ada, "py", "one").await;
    publish(&ada, "py", "two").await;
    assert_eq!(names(&house.anyone()).await, ["one", "two"]);
    ada.patch("/repos/ada/py").json(json!({"private": true})).await.expect(200);
    assert_eq!(names(&ada).await, ["one", "two"]);
    house.anyone().get("//dl/ada/py/simple/").await.expect(401);
    let key = key_to(&house, &ada, "red", "/packages/ada/py/one", "r").await;
    assert_eq!(names(&key).await, ["one"]);
}
