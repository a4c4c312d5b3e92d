//! Conan: revisions, uploads file by file, and bad inputs.

use serde_json::{Value, json};
use sha1::{Digest, Sha1};
use suite::{Answer, Person};

use crate::indexes::repo_of;

pub(super) const REVISION: &str = "0123456789abcdef0123456789abcdef";
const ID: &str = "da39a3ee5e6b4b0d3255bfef95601890afd80709";
pub(super) const MANIFEST: &str = "1700000000\nconanfile.py: d41d8cd98f00b204e9800998ecf8427e\n";

pub(super) fn recipe(rest: &str) -> String {
    format!("//dl/ada/repo/v2/conans/hello/1.0/_/_{rest}")
}

async fn put(who: &Person, rest: &str, content: &'static str) -> Answer {
    let sha1: String = Sha1::digest(content).iter().map(|byte| format!("{byte:02x}")).collect();
    who.put(&recipe(rest)).header("x-checksum-sha1", &sha1).body(content).await
}

pub(super) fn export(file: &str) -> String {
    format!("/revisions/{REVISION}/files/{file}")
}

fn binary(file: &str) -> String {
    format!("/revisions/{REVISION}/packages/{ID}/revisions/{REVISION}/files/{file}")
}

async fn search(who: &Person, pattern: &str) -> Value {
    who.get(&format!("//dl/ada/repo/v2/conans/search?q={pattern}")).await.expect(200).json()["results"].clone()
}

#[tokio::test]
async fn a_revision_is_shown_when_its_manifest_is_there() {
    let (house, ada) = repo_of("conan").await;
    let anyone = house.anyone();
    put(&ada, &export("conanfile.py"), "code").await.expect(200);
    anyone.get(&recipe("/revisions")).await.expect(404);
    anyone.get(&recipe(&export("conanfile.py"))).await.expect(404);
    assert_eq!(search(&anyone, "*").await, json!([]));
    put(&ada, &export("conanmanifest.txt"), MANIFEST).await.expect(200);
    assert_eq!(anyone.get(&recipe("/latest")).await.expect(200).json()["revision"], REVISION);
    assert_eq!(anyone.get(&recipe(&export("conanfile.py"))).await.expect(200).text(), "code");
    assert_eq!(search(&anyone, "hel*").await, json!(["hello/1.0"]));
    assert_eq!(search(&anyone, "hello/*").await, json!(["hello/1.0"]));
    assert_eq!(search(&anyone, "other/*").await, json!([]));
    // A package without settings has an empty file.
    put(&ada, &binary("conaninfo.txt"), "").await.expect(200);
    put(&ada, &binary("conan_package.tgz"), "archive").await.expect(200);
    assert_eq!(anyone.get(&recipe("/search")).await.expect(200).json(), json!({}));
    put(&ada, &binary("conanmanifest.txt"), MANIFEST).await.expect(200);
    assert_eq!(anyone.get(&recipe("/search")).await.expect(200).json(), json!({ID: {"content": ""}}));
    assert_eq!(anyone.get(&recipe(&binary("conaninfo.txt"))).await.expect(200).body, b"");
    put(&ada, &export("conanmanifest.txt"), MANIFEST).await.expect(200);
    put(&ada, &export("conanfile.py"), "other").await.expect(409);
}

#[tokio::test]
async fn bad_uploads_are_refused() {
    let (house, ada) = repo_of("conan").await;
    for name in ["x.sh", "conan_..tgz", "conaninfo.txt"] {
        put(&ada, &export(name), "x").await.expect(400);
    }
    for revision in ["1", "..0", &"g".repeat(32), &"0".repeat(33)] {
        put(&ada, &format!("/revisions/{revision}/files/conanfile.py"), "x").await.expect(400);
    }
    for name in ["a/conanfile.py", "a%2Fconanfile.py", "..%2Fconanfile.py"] {
        let refused = put(&ada, &export(name), "x").await;
        assert!(matches!(refused.status, 400 | 404 | 405), "{name}: {}", refused.status);
    }
    put(&ada, &export("conanmanifest.txt"), "no time").await.expect(400);
    put(&ada, &binary("conaninfo.txt").replace(ID, "a"), "").await.expect(400);
    let wrong = ada.put(&recipe(&export("conanfile.py"))).header("x-checksum-sha1", ID).body("x").await;
    assert!(wrong.expect(400).text().contains("SHA-1"));
    let large = ada.put(&recipe(&binary("conaninfo.txt"))).body(vec![b' '; 10 << 20]);
    large.await.expect(400);
    put(&house.anyone(), &export("conanfile.py"), "x").await.expect(401);
    put(&house.user("eve").await, &export("conanfile.py"), "x").await.expect(403);
    ada.get("/packages/ada/repo/hello").await.expect(404);
    // A manifest may come before its files: the set is what is there.
    put(&ada, &export("conanmanifest.txt"), MANIFEST).await.expect(200);
    let files = house.anyone().get(&recipe(&format!("/revisions/{REVISION}/files"))).await.expect(200).json();
    assert_eq!(files, json!({"files": {"conanmanifest.txt": {}}}));
}

#[tokio::test]
async fn clients_sign_in_for_a_token() {
    let (house, ada) = repo_of("conan").await;
    ada.patch("/repos/ada/repo").json(json!({"private": true})).await.expect(200);
    let users = "//dl/ada/repo/v2/users";
    let token = ada.get(&format!("{users}/authenticate")).await.expect(200).text();
    let bearer = format!("Bearer {token}");
    let anyone = house.anyone();
    let checked = anyone.get(&format!("{users}/check_credentials")).header("authorization", &bearer).await;
    assert_eq!(checked.expect(200).text(), "ada");
    anyone.get(&format!("{users}/check_credentials")).await.expect(401);
    anyone.get(&format!("{users}/authenticate")).await.expect(401);
    let ping = anyone.get("//dl/ada/repo/v2/ping").header("authorization", &bearer).await.expect(200);
    assert_eq!(ping.header("x-conan-server-capabilities"), "complex_search,revisions");
}

#[tokio::test]
async fn revisions_and_packages_are_deleted() {
    let (house, ada) = repo_of("conan").await;
    for file in ["conanfile.py", "conanmanifest.txt"] {
        put(&ada, &export(file), if file == "conanfile.py" { "code" } else { MANIFEST }).await.expect(200);
    }
    put(&ada, &binary("conanmanifest.txt"), MANIFEST).await.expect(200);
    let anyone = house.anyone();
    anyone.delete(&recipe(&format!("/revisions/{REVISION}"))).await.expect(401);
    ada.delete(&recipe(&format!("/revisions/{REVISION}/packages/{ID}"))).await.expect(200);
    anyone.get(&recipe(&format!("/revisions/{REVISION}/packages/{ID}/latest"))).await.expect(404);
    anyone.get(&recipe("/latest")).await.expect(200);
    ada.delete(&recipe(&format!("/revisions/{REVISION}"))).await.expect(200);
    anyone.get(&recipe("/latest")).await.expect(404);
    assert_eq!(search(&anyone, "*").await, json!([]));
    ada.delete(&recipe(&format!("/revisions/{REVISION}"))).await.expect(404);
}
