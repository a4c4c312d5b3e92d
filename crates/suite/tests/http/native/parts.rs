//! Indexes of packages name only what the caller may read.

use serde_json::{Value, json};
use suite::{Person, TestHouse};

use crate::{
    access::grants::{entitle, key_to, new_key},
    indexes::tar_gz,
};

/// Creates ada's private `py` with two versions of `hello`.
async fn shop() -> (TestHouse, Person) {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    house.admin().put("/subjects/ada/plan").json(json!({"plan": "enterprise"})).await.expect(200);
    ada.post("/repos/ada/py").json(json!({"type": "pypi", "private": true})).await.expect(201);
    ada.post("/packages/ada/py").json(json!({"name": "hello"})).await.expect(201);
    for version in ["1.0", "2.0"] {
        let about = format!("Metadata-Version: 2.1\nName: hello\nVersion: {version}\n");
        let content = tar_gz(&[(&format!("hello-{version}/PKG-INFO"), about.as_bytes())]);
        let path = format!("packages/hello/{version}/hello-{version}.tar.gz");
        ada.put(&format!("/content/ada/py/hello/{version}/{path}?publish=1")).body(content).await.expect(201);
    }
    (house, ada)
}

/// The versions on the page of the project, and how often each is named on the other page.
async fn versions(by: &Person) -> (Value, [usize; 2]) {
    let page = by.get("//dl/ada/py/simple/hello/").header("accept", "application/vnd.pypi.simple.v1+json").await;
    let html = by.get("//dl/ada/py/simple/hello/").header("accept", "text/html").await.expect(200).text();
    let counts = ["hello-1.0", "hello-2.0"].map(|name| html.matches(name).count());
    (page.expect(200).json()["versions"].clone(), counts)
}

#[tokio::test]
async fn a_key_of_a_version_sees_no_other_version() {
    let (house, ada) = shop().await;
    assert_eq!(versions(&ada).await, (json!(["1.0", "2.0"]), [2, 2]));
    let key = key_to(&house, &ada, "red", "/packages/ada/py/hello/versions/2.0", "r").await;
    for _ in 0..3 {
        assert_eq!(versions(&key).await, (json!(["2.0"]), [0, 2]), "also from the cache");
        assert_eq!(versions(&ada).await, (json!(["1.0", "2.0"]), [2, 2]));
    }
    let whole = key_to(&house, &ada, "blue", "/packages/ada/py/hello", "r").await;
    assert_eq!(versions(&whole).await, (json!(["1.0", "2.0"]), [2, 2]));
}

#[tokio::test]
async fn a_key_of_a_path_sees_no_other_file() {
    let (house, ada) = shop().await;
    let key = new_key(&house, "ada", "red").await;
    let body = json!({"access": "r", "access_keys": ["red"], "path": "packages/hello/1.0"});
    entitle(&ada, "/repos/ada/py", body).await;
    assert_eq!(versions(&key).await, (json!(["1.0"]), [2, 0]));
    let elsewhere = new_key(&house, "ada", "blue").await;
    let body = json!({"access": "r", "access_keys": ["blue"], "path": "packages/other"});
    entitle(&ada, "/repos/ada/py", body).await;
    elsewhere.get("//dl/ada/py/simple/hello/").await.expect(404);
}
