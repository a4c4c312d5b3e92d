//! Boxes: their document at all its addresses, tokens in the query, and what is refused.

use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::json;
use suite::{Answer, Person, TestHouse};

use crate::content::archives::{gz, tar};

const BOX: &str = "ubuntu/1.0.0/libvirt/amd64.box";

pub(super) async fn repo(house: &TestHouse, private: bool) -> Person {
    let ada = house.user("ada").await;
    ada.post("/repos/ada/boxes").json(json!({"type": "vagrant", "private": private})).await.expect(201);
    ada
}

pub(super) fn package(metadata: &str) -> Vec<u8> {
    gz(&tar(&[("box.img", ""), ("metadata.json", metadata)]))
}

async fn upload(who: &Person, path: &str) -> Answer {
    who.put(&format!("//dl/ada/boxes/{path}")).body(package(r#"{"provider":"libvirt"}"#)).await
}

#[tokio::test]
async fn a_box_has_one_document_at_all_addresses() {
    let house = TestHouse::start().await;
    let ada = repo(&house, false).await;
    upload(&ada, BOX).await.expect(201);
    upload(&ada, "ubuntu/1.10.0/libvirt.box").await.expect(201);
    let description = json!({"desc": "<script>alert(1)</script>"});
    ada.patch("/packages/ada/boxes/ubuntu").json(description).await.expect(200);
    let anyone = house.anyone();
    let document = anyone.download("/ada/boxes/ubuntu").await.expect(200);
    for path in ["ada/boxes/ubuntu.json", "ada/boxes/api/v2/vagrant/ubuntu", "ada/api/v2/vagrant/boxes/ubuntu"] {
        for _ in 0..3 {
            let same = anyone.download(&format!("/{path}")).await.expect(200);
            assert_eq!((same.text(), same.header("content-type")), (document.text(), "application/json"), "{path}");
        }
        let head = anyone.head(&format!("//dl/{path}")).await.expect(200);
        assert_eq!(head.header("content-type"), "application/json", "{path}");
    }
    let document = document.json();
    assert_eq!(
        (&document["name"], &document["description"]),
        (&json!("boxes/ubuntu"), &json!("<script>alert(1)</script>"))
    );
    assert_eq!(document["versions"][0]["version"], "1.10.0");
    let provider = &document["versions"][1]["providers"][0];
    let file = anyone.download(&format!("/ada/boxes/{BOX}")).await.expect(200);
    assert_eq!(provider["checksum"], file.header("etag").trim_matches('"'));
    assert!(provider["url"].as_str().is_some_and(|url| url.ends_with(&format!("/dl/ada/boxes/{BOX}"))));
    anyone.download("/ada/boxes/ubuntu/1.10.0/libvirt.box").await.expect(200);
    anyone.download(&format!("/ada/boxes/{BOX}")).header("range", "bytes=0-1").await.expect(206);
    let found = anyone.download("/ada/boxes/api/v2/search?q=ubu").await.expect(200).json();
    assert_eq!((&found["boxes"][0]["tag"], found["boxes"].as_array().map(Vec::len)), (&json!("boxes/ubuntu"), Some(1)));
    anyone.download("/ada/boxes/unknown").await.expect(404);
}

#[tokio::test]
async fn a_visible_repository_named_api_has_its_own_paths() {
    let house = TestHouse::start().await;
    let (ada, anyone, eve) = (repo(&house, false).await, house.anyone(), house.user("eve").await);
    upload(&ada, BOX).await.expect(201);
    let at = "/ada/api/v2/vagrant/boxes/ubuntu";
    let document = anyone.download("/ada/boxes/ubuntu").await.expect(200).text();
    for _ in 0..2 {
        assert_eq!(anyone.download(at).await.expect(200).text(), document);
    }
    ada.post("/repos/ada/api").json(json!({})).await.expect(201);
    ada.post("/packages/ada/api").json(json!({ "name": "own" })).await.expect(201);
    let file = "/content/ada/api/own/1.0/v2/vagrant/boxes/ubuntu?publish=1";
    ada.put(file).body("a file of its own").await.expect(201);
    for who in [&ada, &eve, &anyone] {
        assert_eq!(who.download(at).await.expect(200).text(), "a file of its own");
        assert_eq!(who.download("/ada/boxes/ubuntu").await.expect(200).text(), document);
    }
    ada.patch("/repos/ada/api").json(json!({ "private": true })).await.expect(200);
    assert_eq!(ada.download(at).await.expect(200).text(), "a file of its own");
    for who in [&eve, &anyone] {
        assert_eq!(who.download(at).await.expect(200).text(), document);
    }
}

#[tokio::test]
async fn a_token_in_the_query_reads_private_boxes() {
    let house = TestHouse::start().await;
    let ada = repo(&house, true).await;
    upload(&ada, BOX).await.expect(201);
    let eve = house.user("eve").await;
    let (anyone, pair) =
        (house.anyone(), |who: &Person| BASE64_STANDARD.encode(format!("{}:{}", who.name(), who.key())));
    let read = async |path: &str, query: &str| anyone.download(&format!("/ada/{path}?{query}")).await;
    for path in ["boxes/ubuntu", &format!("boxes/{BOX}"), "api/v2/vagrant/boxes/ubuntu"] {
        for token in [pair(&ada).replace('=', "%3D"), ada.key().to_owned()] {
            read(path, &format!("access_token={token}")).await.expect(200);
        }
        read(path, "access_token=").await.expect(401);
        read(path, "access_token=wrong").await.expect(401);
        read(path, &format!("access_token={}", eve.key())).await.expect(404);
        let twice = format!("access_token={0}&access_token={0}", ada.key());
        read(path, &twice).await.refuses(400, "access_token appears in the URL twice");
        let both = ada.download(&format!("/ada/{path}?access_token={}", eve.key())).await;
        both.refuses(400, "The request has two different credentials");
    }
    let put = anyone.put(&format!("//dl/ada/boxes/{BOX}?access_token={}", ada.key())).body("x").await;
    assert_eq!(put.status, 401, "it is for reads only");
    anyone.get(&format!("/repos/ada/boxes?access_token={}", ada.key())).await.expect(404);
}

#[tokio::test]
async fn a_token_does_not_tell_hidden_from_missing() {
    let house = TestHouse::start().await;
    repo(&house, true).await;
    let eve = house.user("eve").await;
    for token in ["wrong", eve.key(), ""] {
        for path in ["{repo}/ubuntu", "{repo}", "api/v2/vagrant/{repo}/ubuntu"] {
            let read = async |repo: &str| {
                let path = path.replace("{repo}", repo);
                let answer = house.anyone().download(&format!("/ada/{path}?access_token={token}")).await;
                (answer.status, answer.text().replace(repo, "REPO"))
            };
            assert_eq!(read("boxes").await, read("other").await, "{path} {token}");
        }
    }
}

#[tokio::test]
async fn bad_boxes_are_refused() {
    let house = TestHouse::start().await;
    let ada = repo(&house, false).await;
    for path in [
        "ubuntu/latest/libvirt/amd64.box",
        "api/1.0/libvirt/amd64.box",
        "ubuntu/1.0/Lib/amd64.box",
        "ubuntu/1.0/..x/amd64.box",
    ] {
        let refused = upload(&ada, path).await.expect(400);
        assert!(refused.message().contains("is not valid"), "{path}: {}", refused.message());
    }
    upload(&ada, "ubuntu/1.0/virtualbox/amd64.box")
        .await
        .refuses(400, "the box is for 'libvirt', but its path says 'virtualbox'");
    let large = format!(r#"{{"provider":"libvirt","x":"{}"}}"#, "x".repeat(10 << 20));
    for metadata in ["{}", "[]", r#"{"provider":"../x"}"#, &large] {
        ada.put(&format!("//dl/ada/boxes/{BOX}")).body(package(metadata)).await.expect(400);
    }
    ada.put(&format!("//dl/ada/boxes/{BOX}")).body("no box").await.expect(400);
    ada.get("/packages/ada/boxes/ubuntu").await.expect(404);
    upload(&house.user("eve").await, BOX).await.expect(403);
    upload(&house.anyone(), BOX).await.expect(401);
}

/// The calls of `vagrant cloud publish` 2.3.4, in their order. Returns the URL for the upload.
pub(super) async fn publish_by_cloud(who: &Person, version: &str) -> String {
    let call = |path: &str| format!("//dl/ada/boxes/{path}");
    let signed_in = who.get(&call("authenticate")).await.expect(200).json();
    assert_eq!(signed_in["user"]["username"], "ada");
    who.get(&call("user/boxes")).await.expect(200);
    let new = json!({"username": "boxes", "name": "ubuntu", "short_description": "a box"});
    let created = who.post(&call("boxes")).json(new).await.expect(200).json();
    assert!(created["tag"] == "boxes/ubuntu" && created["created_at"].is_string(), "{created}");
    let new = json!({"version": {"version": version, "description": "notes"}});
    let created = who.post(&call("box/boxes/ubuntu/versions")).json(new).await.expect(200).json();
    assert!(created["status"] == "unreleased" && created["created_at"].is_string(), "{created}");
    let provider = format!("box/boxes/ubuntu/version/{version}/provider");
    let new = json!({"provider": {"name": "libvirt"}});
    let created = who.post(&call(&format!("{provider}s"))).json(new).await.expect(200).json();
    assert!(created["created_at"].is_string(), "{created}");
    let upload = who.get(&call(&format!("{provider}/libvirt/upload"))).await.expect(200).json();
    upload["upload_path"].as_str().expect("a URL").to_owned()
}

/// The path of the URL for an upload.
pub(super) fn path_of(url: &str) -> String {
    let (_, path) = url.split_once("/dl/").expect("a path");
    format!("//dl/{path}")
}

#[tokio::test]
async fn the_cloud_command_publishes_releases_and_revokes() {
    let house = TestHouse::start().await;
    let (ada, anyone) = (repo(&house, false).await, house.anyone());
    let url = publish_by_cloud(&ada, "1.0.0").await;
    assert!(!url.contains(ada.key()) && !url.contains('@'), "{url}");
    // The client has no credentials but the URL.
    anyone.put(&path_of(&url)).body(package(r#"{"provider":"libvirt"}"#)).await.expect(200);

    anyone.download("/ada/boxes/ubuntu").await.expect(404);
    let shown = |who: &Person| who.get("//dl/ada/boxes/box/boxes/ubuntu");
    let draft = shown(&ada).await.expect(200).json();
    assert_eq!(draft["private"], false);
    assert_eq!(draft["versions"][0]["status"], "unreleased");
    assert_eq!(draft["versions"][0]["providers"][0]["name"], "libvirt");
    assert_eq!(shown(&anyone).await.expect(200).json()["versions"], json!([]), "it waits for its release");

    let release = "//dl/ada/boxes/box/boxes/ubuntu/version/1.0.0/release";
    assert_eq!(ada.put(release).await.expect(200).json()["status"], "active");
    let document = anyone.download("/ada/boxes/ubuntu").await.expect(200).json();
    assert_eq!(document["versions"][0]["providers"][0]["name"], "libvirt");
    assert_eq!(document["short_description"], "a box");
    assert_eq!(shown(&anyone).await.expect(200).json()["versions"][0]["status"], "active");
    anyone.download("/ada/boxes/ubuntu/1.0.0/libvirt.box").await.expect(200);
    let found = anyone.download("/ada/boxes/search?q=ubu").await.expect(200).json();
    assert_eq!(found["boxes"][0]["tag"], "boxes/ubuntu");

    ada.put("//dl/ada/boxes/box/boxes/ubuntu/version/1.0.0/revoke").await.expect(200);
    anyone.download("/ada/boxes/ubuntu").await.expect(404);
    ada.put(release).await.expect(200);
    anyone.download("/ada/boxes/ubuntu").await.expect(200);
    ada.delete("//dl/ada/boxes/box/boxes/ubuntu/version/1.0.0").await.expect(200);
    anyone.download("/ada/boxes/ubuntu/1.0.0/libvirt.box").await.expect(404);
}

#[tokio::test]
async fn cloud_calls_need_the_right_to_publish_and_the_name_of_the_repository() {
    let house = TestHouse::start().await;
    let (ada, eve, anyone) = (repo(&house, false).await, house.user("eve").await, house.anyone());
    publish_by_cloud(&ada, "1.0.0").await;
    let call = |path: &str| format!("//dl/ada/boxes/{path}");
    anyone.get(&call("authenticate")).await.expect(401);
    for path in ["box/boxes/ubuntu/version/1.0.0/release", "box/boxes/ubuntu/version/1.0.0/provider/libvirt/upload"] {
        eve.put(&call(path)).await.expect(403);
        anyone.put(&call(path)).await.expect(401);
    }
    eve.post(&call("boxes")).json(json!({"username": "boxes", "name": "other"})).await.expect(403);
    eve.delete(&call("box/boxes/ubuntu")).await.expect(403);
    ada.get("/packages/ada/boxes/other").await.expect(404);
    for (path, body) in [
        ("boxes", json!({"username": "acme", "name": "other"})),
        ("box/acme/ubuntu/versions", json!({"version": {"version": "2.0"}})),
    ] {
        ada.post(&call(path)).json(body).await.expect(404);
    }
    for body in [json!({"username": "boxes", "name": "x", "is_private": true}), json!({"username": "boxes"})] {
        ada.post(&call("boxes")).json(body).await.expect(400);
    }
    let foreign = json!({"provider": {"name": "libvirt", "url": "https://boxes.example/u.box"}});
    ada.post(&call("box/boxes/ubuntu/version/1.0.0/providers")).json(foreign).await.expect(400);
    ada.put(&call("box/boxes/ubuntu/version/9.9/release")).await.expect(404);
    ada.put(&call("box/boxes/ubuntu/version/1.0.0/provider/libvirt/upload")).body("no box").await.expect(400);
    // Hidden equals missing.
    ada.patch("/repos/ada/boxes").json(json!({"private": true})).await.expect(200);
    for path in ["user/{}", "box/{}/ubuntu", "authenticate", "box/{}/ubuntu/version/1.0.0/provider/libvirt/upload"] {
        let read = async |repo: &str| {
            let answer = eve.get(&format!("//dl/ada/{repo}/{}", path.replace("{}", repo))).await;
            (answer.status, answer.text().replace(repo, "REPO"))
        };
        assert_eq!(read("boxes").await, read("other").await, "{path}");
    }
}
