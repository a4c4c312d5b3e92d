//! Module proxies: uploads, documents that are made of the zip, and what is refused.

use serde_json::json;
use suite::{Answer, Person, TestHouse};

use crate::content::archives::zip;

const MODULE: &str = "example.com/!acme/lib";

async fn repo(house: &TestHouse) -> Person {
    let ada = house.user("ada").await;
    ada.post("/repos/ada/go").json(json!({"type": "go"})).await.expect(201);
    ada
}

fn module(version: &str, text: &str) -> Vec<u8> {
    let prefix = format!("example.com/Acme/lib@{version}");
    zip(&[(&format!("{prefix}/go.mod"), "module example.com/Acme/lib\n"), (&format!("{prefix}/lib.go"), text)])
}

async fn upload(who: &Person, path: &str, body: Vec<u8>) -> Answer {
    who.put(&format!("//dl/ada/go/{path}")).body(body).await
}

#[tokio::test]
async fn a_zip_has_all_documents() {
    let house = TestHouse::start().await;
    let ada = repo(&house).await;
    for version in ["v1.0.0", "v1.10.0", "v2.0.0-rc.1", "v0.0.0-20260102150405-abcdefabcdef"] {
        let fits = !version.starts_with("v2");
        let answer = upload(&ada, &format!("{MODULE}/@v/{version}.zip"), module(version, "")).await;
        answer.expect(if fits { 201 } else { 400 });
    }
    let anyone = house.anyone();
    let read = async |path: &str| anyone.download(&format!("/ada/go/{MODULE}/{path}")).await.expect(200);
    let list = read("@v/list").await;
    assert_eq!((list.text().as_str(), list.header("content-type")), ("v1.0.0\nv1.10.0\n", "text/plain; charset=utf-8"));
    assert_eq!(read("@latest").await.json()["Version"], "v1.10.0");
    let info = read("@v/v1.0.0.info").await;
    assert_eq!((info.json()["Version"].as_str(), info.header("content-type")), (Some("v1.0.0"), "application/json"));
    assert!(info.json()["Time"].as_str().is_some_and(|time| time.ends_with('Z')), "{}", info.text());
    assert_eq!(read("@v/v1.0.0.mod").await.text(), "module example.com/Acme/lib\n");
    assert_eq!(read("@v/v1.0.0.zip").await.header("content-type"), "application/zip");
    for missing in ["@v/v1.1.0.info", "@v/main.info", "@v/v1.1.0.mod", "../other/@v/list", "@v/v1.0.0.ziphash"] {
        let status = anyone.download(&format!("/ada/go/{MODULE}/{missing}")).await.status;
        assert!(status == 404 || status == 400, "{missing}: {status}");
    }
    anyone.download("/ada/go/sumdb/sum.golang.org/supported").await.expect(404);
    anyone.download("/ada/go/example.com/Acme/lib/@v/list").await.expect(404);
}

#[tokio::test]
async fn bad_uploads_are_refused_in_one_line() {
    let house = TestHouse::start().await;
    let ada = repo(&house).await;
    for (path, reason) in [
        ("example.com/!Acme/lib/@v/v1.0.0.zip", "is not escaped"),
        ("example.com/Acme/lib/@v/v1.0.0.zip", "is not escaped"),
        ("example.com/!az/lib/@v/v1.0.0.zip", "does not begin with"),
        ("example.com/!Az/lib/@v/v1.0.0.zip", "is not escaped"),
        ("example.com/@v/lib/@v/v1.0.0.zip", "module path"),
        ("example.com/!acme/lib/@v/v1.zip", "is not '<module>/@v/<version>.zip'"),
        ("example.com/!acme/lib/@v/v1.0.0+meta.zip", "is not '<module>/@v/<version>.zip'"),
        ("example.com/!acme/lib/@v/v2.0.0.zip", "does not fit module"),
        ("example.com/!acme/lib/@v/list", "is not '<module>/@v/<version>.zip'"),
        ("example.com/!acme/lib/@v/v1.1.0.zip", "does not begin with"),
    ] {
        let refused = upload(&ada, path, module("v1.0.0", "")).await.expect(400);
        assert!(refused.header("content-type").starts_with("text/plain"), "{path}");
        assert!(refused.text().contains(reason), "{path}: {}", refused.text());
    }
    let prefix = "example.com/Acme/lib@v1.0.0";
    for (entry, text) in [("../x", ""), ("LIB.go", ""), ("go.mod", "module \"example.com/\\x41cme/lib\"\n")] {
        let body = zip(&[(&format!("{prefix}/lib.go"), ""), (&format!("{prefix}/{entry}"), text)]);
        upload(&ada, &format!("{MODULE}/@v/v1.0.0.zip"), body).await.expect(400);
    }
    let large = format!("module example.com/Acme/lib\n//{}\n", "x".repeat(20 << 20));
    let body = zip(&[(&format!("{prefix}/go.mod"), &large)]);
    let refused = upload(&ada, &format!("{MODULE}/@v/v1.0.0.zip"), body).await.expect(400);
    assert!(refused.text().contains("go.mod"), "{}", refused.text());
    ada.get("/packages/ada/go/example.com:Acme:lib").await.expect(404);
    assert_eq!(ada.get("/repos/ada/go").await.expect(200).json()["package_count"], 0);
    // Two slashes are one in every path of the server, so there is no other module.
    upload(&ada, "example.com/!acme//lib/@v/v1.0.0.zip", module("v1.0.0", "")).await.expect(201);
    house.anyone().download(&format!("/ada/go/{MODULE}/@v/v1.0.0.zip")).await.expect(200);
    assert_eq!(ada.get("/repos/ada/go").await.expect(200).json()["package_count"], 1);
}

#[tokio::test]
async fn a_module_with_too_many_files_is_refused() {
    let house = TestHouse::start().await;
    let ada = repo(&house).await;
    let names: Vec<String> = (0..100_001).map(|number| format!("example.com/Acme/lib@v1.0.0/{number}")).collect();
    let entries: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "")).collect();
    let refused = upload(&ada, &format!("{MODULE}/@v/v1.0.0.zip"), zip(&entries)).await.expect(400);
    assert!(refused.text().contains("entries"), "{}", refused.text());
    ada.get("/packages/ada/go/example.com:Acme:lib").await.expect(404);
}

#[tokio::test]
async fn a_version_keeps_its_content_and_a_module_its_spelling() {
    let house = TestHouse::start().await;
    let ada = repo(&house).await;
    let path = format!("{MODULE}/@v/v1.0.0.zip");
    upload(&ada, &format!("{MODULE}/@v/v1.0.0.mod"), b"module other\n".to_vec()).await.expect(201);
    upload(&ada, &format!("{MODULE}/@v/v1.0.0.info"), b"{}".to_vec()).await.expect(201);
    upload(&ada, &path, module("v1.0.0", "a")).await.expect(201);
    upload(&ada, &path, module("v1.0.0", "a")).await.expect(201);
    upload(&ada, &path, module("v1.0.0", "b")).await.expect(409);
    ada.delete("/packages/ada/go/example.com:Acme:lib/versions/v1.0.0").await.expect(200);
    upload(&ada, &path, module("v1.0.0", "b")).await.expect(409);
    let small = zip(&[("example.com/acme/lib@v1.0.0/go.mod", "module example.com/acme/lib\n")]);
    upload(&ada, "example.com/acme/lib/@v/v1.0.0.zip", small).await.expect(409);
    let eve = house.user("eve").await;
    upload(&eve, &path, module("v1.0.0", "a")).await.expect(403);
    upload(&eve, &format!("{MODULE}/@v/v1.0.0.mod"), Vec::new()).await.expect(403);
}
