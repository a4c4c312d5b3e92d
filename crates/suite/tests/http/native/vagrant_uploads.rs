//! The URL that `vagrant cloud` gets for the upload of a box: its token is for this upload only.

use serde_json::json;
use suite::{Answer, Person, TestHouse};

use super::vagrant::{package, path_of, publish_by_cloud, repo};

/// Sends a box without a header.
async fn send(house: &TestHouse, path: &str) -> Answer {
    house.anyone().put(path).body(package(r#"{"provider":"libvirt"}"#)).await
}

/// The path of an upload, and the token in it.
fn cut(path: &str) -> (&str, &str) {
    path.split_once("?upload_token=").expect("a token")
}

async fn upload_path(who: &Person, version: &str) -> String {
    let path = format!("//dl/ada/boxes/box/boxes/ubuntu/version/{version}/provider/libvirt/upload");
    path_of(who.get(&path).await.expect(200).json()["upload_path"].as_str().expect("a URL"))
}

#[tokio::test]
async fn a_token_is_for_one_path() {
    let house = TestHouse::start().await;
    let ada = repo(&house, true).await;
    let path = path_of(&publish_by_cloud(&ada, "1.0.0").await);
    let (_, token) = cut(&path);
    for other in [
        "ada/boxes/box/boxes/ubuntu/version/2.0.0/provider/libvirt/upload",
        "ada/boxes/box/boxes/ubuntu/version/1.0.0/provider/libvirt/arm64/upload",
        "ada/boxes/box/boxes/ubuntu/version/1.0.0/release",
        "ada/boxes/ubuntu/1.0.0/libvirt.box",
        "ada/missing/box/boxes/ubuntu/version/1.0.0/provider/libvirt/upload",
        "eve/boxes/box/boxes/ubuntu/version/1.0.0/provider/libvirt/upload",
    ] {
        let refused = send(&house, &format!("//dl/{other}?upload_token={token}")).await;
        refused.refuses(401, "The token is for another URL");
    }
    let anyone = house.anyone();
    anyone.get(&path).await.expect(401);
    anyone.delete(&format!("//dl/ada/boxes/box/boxes/ubuntu?upload_token={token}")).await.expect(401);
    anyone.put(&format!("/content/ada/boxes/ubuntu/1.0.0/a?upload_token={token}")).body("x").await.expect(401);
    let bearer = format!("Bearer {token}");
    anyone.get("//v2/").header("authorization", &bearer).await.expect(401);
    anyone.get("/repos/ada/boxes").header("authorization", &bearer).await.expect(401);
    send(&house, &path).await.expect(200);
}

#[tokio::test]
async fn a_token_ends_soon_and_with_its_key() {
    let house = TestHouse::start().await;
    let ada = repo(&house, false).await;
    let path = path_of(&publish_by_cloud(&ada, "1.0.0").await);
    house.clock.advance(899_000);
    send(&house, &path).await.expect(200);
    house.clock.advance(1_000);
    send(&house, &path).await.refuses(401, "The token is not valid, or has expired");

    let path = upload_path(&ada, "1.0.0").await;
    let key = ada.post("/users/ada/api_key").await.expect(201).json()["api_key"].as_str().expect("a key").to_owned();
    let ada = house.person("ada", &key);
    send(&house, &path).await.refuses(401, "The token is not valid, or has expired");
    send(&house, &upload_path(&ada, "1.0.0").await).await.expect(200);
}

#[tokio::test]
async fn a_token_gives_no_right_that_its_key_does_not_have() {
    let house = TestHouse::start().await;
    let (ada, eve) = (repo(&house, false).await, house.user("eve").await);
    publish_by_cloud(&ada, "1.0.0").await;
    send(&house, &upload_path(&eve, "1.0.0").await).await.expect(403);
    let path = upload_path(&ada, "1.0.0").await;
    let (bare, token) = cut(&path);
    send(&house, bare).await.expect(401);
    for wrong in ["", "x", &token[1..], &format!("{token}x")] {
        send(&house, &format!("{bare}?upload_token={wrong}")).await.expect(401);
    }
    send(&house, &format!("{path}&upload_token={token}")).await.refuses(400, "The request has several credentials");
    eve.put(&path).body("x").await.refuses(400, "The request has several credentials");
    house.anyone().get(bare).await.expect(401);
    house.anyone().get("//dl/ada/boxes/box/boxes/ubuntu").await.expect(200);
}

#[tokio::test]
async fn answers_say_whether_the_repository_is_private() {
    let house = TestHouse::start().await;
    let ada = repo(&house, true).await;
    publish_by_cloud(&ada, "1.0.0").await;
    let call = |path: &str| format!("//dl/ada/boxes/{path}");
    let shown = async |is_private: bool| {
        assert_eq!(ada.get(&call("box/boxes/ubuntu")).await.expect(200).json()["private"], is_private);
        assert_eq!(ada.get(&call("user/boxes")).await.expect(200).json()["boxes"][0]["private"], is_private);
        let change = ada.put(&call("box/boxes/ubuntu")).json(json!({"box": {"description": "x"}}));
        assert_eq!(change.await.expect(200).json()["private"], is_private);
    };
    shown(true).await;
    ada.patch("/repos/ada/boxes").json(json!({"private": false})).await.expect(200);
    shown(false).await;
}
