//! Access keys in the programs that key holders use.

use std::process::Stdio;

use serde_json::json;
use suite::{Person, TestHouse};
use tokio::process::Command;

use crate::mvn::Mvn;

const POM: &str = "<project><modelVersion>4.0.0</modelVersion><groupId>org.example</groupId>\
    <artifactId>lib</artifactId><version>1.0</version></project>";

const JAR: &str = "org/example/lib/1.0/lib-1.0.jar";

/// Starts a house with a library in a private Maven repository, ada, and the holder of a key that reads it.
async fn vault() -> (TestHouse, Person, Person) {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.post("/repos/ada/m2").json(json!({"type": "maven", "private": true})).await.expect(201);
    ada.post("/packages/ada/m2").json(json!({"name": "lib"})).await.expect(201);
    for (path, content) in [("org/example/lib/1.0/lib-1.0.pom", POM), (JAR, "meow")] {
        let call = ada.put(&format!("/maven/ada/m2/lib/;publish=1/{path}"));
        call.body(content).await.refuses(201, "success");
    }
    let client = house.key(&ada, "client", json!({})).await;
    house.grant("ada/m2", "client", "r").await;
    (house, ada, client)
}

/// Returns the output of a program, if it succeeds.
async fn run(program: &str, arguments: &[&str]) -> Option<String> {
    let mut command = Command::new(program);
    command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default()).args(arguments);
    let ended = command.stdin(Stdio::null()).kill_on_drop(true).output().await;
    let ended =
        ended.unwrap_or_else(|error| panic!("`cargo xtask test` installs {program}, which did not start: {error}"));
    ended.status.success().then(|| String::from_utf8_lossy(&ended.stdout).into_owned())
}

async fn curl(house: &TestHouse, password: &str) -> Option<String> {
    let url = format!("http://{}/dl/ada/m2/{JAR}", house.address);
    run("curl", &["-q", "-sf", "-u", &format!("client@ada:{password}"), &url]).await
}

async fn wget(house: &TestHouse, password: &str) -> Option<String> {
    let url = format!("http://{}/dl/ada/m2/{JAR}", house.address);
    let password = format!("--password={password}");
    run("wget", &["--no-config", "-q", "-O", "-", "--user=client@ada", &password, &url]).await
}

#[tokio::test]
async fn curl_downloads_with_a_key_until_it_is_deleted() {
    let (house, ada, client) = vault().await;
    assert_eq!(curl(&house, client.key()).await.as_deref(), Some("meow"));
    assert_eq!(curl(&house, "wrong").await, None);
    ada.delete("/users/ada/access_keys/client").await.expect(200);
    assert_eq!(curl(&house, client.key()).await, None);
}

/// It sends credentials only after a challenge.
#[tokio::test]
async fn wget_downloads_with_a_key_until_it_is_deleted() {
    let (house, ada, client) = vault().await;
    assert_eq!(wget(&house, client.key()).await.as_deref(), Some("meow"));
    assert_eq!(wget(&house, "wrong").await, None);
    ada.delete("/users/ada/access_keys/client").await.expect(200);
    assert_eq!(wget(&house, client.key()).await, None);
}

#[tokio::test]
async fn maven_fetches_with_a_key_and_not_without() {
    let (house, _ada, client) = vault().await;
    let stranger = Mvn::new(&house, "ada/m2", &house.anyone());
    stranger.get("org.example:lib:1.0").await.fails_with("401");
    let outsider = Mvn::new(&house, "ada/m2", &client);
    outsider.get("org.example:lib:1.0").await.succeeds();
    assert_eq!(outsider.fetched(JAR).as_deref(), Some("meow"));
}

/// The POM and the JAR count as downloads, their checksums and indexes do not.
#[tokio::test]
async fn maven_fetches_as_much_as_the_key_has() {
    let (house, ada, client) = vault().await;
    ada.patch("/users/ada/access_keys/client").json(json!({"max_downloads": 2})).await.expect(200);
    let outsider = Mvn::new(&house, "ada/m2", &client);
    outsider.get("org.example:lib:1.0").await.succeeds();
    assert_eq!(outsider.fetched(JAR).as_deref(), Some("meow"));
    let again = Mvn::new(&house, "ada/m2", &client);
    again.get("org.example:lib:1.0").await.fails_with("403");
    assert_eq!(again.fetched(JAR), None);
}
