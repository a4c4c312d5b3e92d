//! Indexes for callers who may read only parts of a repository.

use serde_json::json;

use super::{charts, deb, publish_charts, repo_of, run_job};
use crate::{catalogue::new_package, content::DAY, signing::ring_of_server};

#[tokio::test]
async fn a_key_for_one_package_gets_an_index_of_it_alone() {
    let (house, ada) = repo_of("helm").await;
    publish_charts(&ada, &["web", "db", "secret"]).await;
    ada.patch("/repos/ada/repo").json(json!({"private": true})).await.expect(200);
    let key = house.key(&ada, "client", json!({})).await;
    key.download("/ada/repo/index.yaml").await.expect(404);
    let terms = json!({"access": "r", "access_keys": ["client"]});
    ada.post("/packages/ada/repo/web/entitlements").json(terms.clone()).await.expect(201);
    assert_eq!(charts(&key).await, ["web 1.0.0"]);
    assert_eq!(charts(&ada).await.len(), 3);
    ada.post("/packages/ada/repo/db/entitlements").json(terms.clone()).await.expect(201);
    assert_eq!(charts(&key).await, ["db 1.0.0", "web 1.0.0"]);
    // What the key may not read looks like what does not exist.
    let hidden = key.download("/ada/repo/secret-1.0.0.tgz").await.expect(404).text();
    let missing = key.download("/ada/repo/nothing-1.0.0.tgz").await.expect(404).text();
    assert_eq!(hidden.replace("secret", "nothing"), missing);
    house.anyone().download("/ada/repo/index.yaml").await.expect(401);
    ada.post("/repos/ada/repo/entitlements").json(terms).await.expect(201);
    assert_eq!(charts(&key).await.len(), 3);
}

#[tokio::test]
async fn a_key_for_one_package_gets_a_signed_release_of_it_alone() {
    let (house, ada) = repo_of("debian").await;
    let flags = json!({"gpg_sign_metadata": true, "private": true});
    ada.patch("/repos/ada/repo").json(flags).await.expect(200);
    for (name, architecture) in [("hello", "amd64"), ("secret", "amd64"), ("secret", "arm64"), ("shared", "all")] {
        if architecture != "arm64" {
            new_package(&ada, "ada/repo", name).await;
        }
        let place = "deb_distribution=stable;deb_component=main;publish=1";
        let path = format!("/content/ada/repo/{name}/1/{name}_1_{architecture}.deb;{place}");
        ada.put(&path).body(deb(name, "1", architecture)).await.expect(201);
    }
    let key = house.key(&ada, "client", json!({})).await;
    let terms = json!({"access": "r", "access_keys": ["client"]});
    for package in ["hello", "shared"] {
        ada.post(&format!("/packages/ada/repo/{package}/entitlements")).json(terms.clone()).await.expect(201);
    }
    let read = async |path: &str| key.download(&format!("/ada/repo/dists/stable/{path}")).await.expect(200).text();
    let release = read("InRelease").await;
    assert!(release.contains("\nArchitectures: all amd64\n") && !release.contains("arm64"), "{release}");
    assert!(ring_of_server(&house).await.signed_text(&release).is_some());
    let packages = read("main/binary-amd64/Packages").await;
    assert!(packages.contains("Package: hello\n") && packages.contains("Package: shared\n"), "{packages}");
    assert!(!packages.contains("secret"), "{packages}");
    key.download("/ada/repo/dists/stable/main/binary-arm64/Packages").await.expect(404);
    let whole = ada.download("/ada/repo/dists/stable/main/binary-amd64/Packages").await.expect(200).text();
    assert!(whole.contains("Package: secret\n"));
}

#[tokio::test]
async fn a_replaced_index_of_a_part_is_still_found_by_its_digest() {
    let (house, ada) = repo_of("debian").await;
    ada.patch("/repos/ada/repo").json(json!({"private": true})).await.expect(200);
    new_package(&ada, "ada/repo", "hello").await;
    let publish = async |version: &str| {
        let place = "deb_distribution=stable;deb_component=main;publish=1";
        let path = format!("/content/ada/repo/hello/{version}/hello_{version}_amd64.deb;{place}");
        ada.put(&path).body(deb("hello", version, "amd64")).await.expect(201);
    };
    publish("1").await;
    new_package(&ada, "ada/repo", "else").await;
    let [key, other] = [house.key(&ada, "client", json!({})).await, house.key(&ada, "other", json!({})).await];
    for (package, key) in [("hello", "client"), ("else", "other")] {
        let terms = json!({"access": "r", "access_keys": [key]});
        ada.post(&format!("/packages/ada/repo/{package}/entitlements")).json(terms).await.expect(201);
    }
    let release = key.download("/ada/repo/dists/stable/Release").await.expect(200).text();
    let listed = release.lines().find_map(|line| line.trim().strip_suffix(" main/binary-amd64/Packages"));
    let digest = listed.and_then(|line| line.split_once(' ')).expect("it is listed").0;
    publish("2").await;
    assert_ne!(key.download("/ada/repo/dists/stable/Release").await.expect(200).text(), release);
    let path = format!("/ada/repo/dists/stable/main/binary-amd64/by-hash/SHA256/{digest}");
    let old = key.download(&path).await.expect(200).text();
    assert!(old.contains("Version: 1\n") && !old.contains("Version: 2\n"), "{old}");
    // Others may not read it.
    other.download(&path).await.expect(404);
    house.clock.advance(2 * DAY);
    run_job(&house).await;
    // A publish ends cached answers.
    publish("3").await;
    key.download(&path).await.expect(404);
}
