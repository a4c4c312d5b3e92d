//! Debian repositories.

use std::io::Read;

use flate2::read::GzDecoder;
use serde_json::json;
use sha2::{Digest, Sha256};
use suite::{Gpg, NewKey, Person};

use super::{deb, repo_of, run_job};
use crate::{catalogue::new_package, signing::ring_of_server};

pub(crate) const FOLDER: &str = "/ada/repo/dists/stable";

/// Publishes a package in the suite `stable`, component `main`.
pub(crate) async fn publish_deb(by: &Person, name: &str, version: &str, architecture: &str) {
    let place = "deb_distribution=stable;deb_component=main";
    let path = format!("/content/ada/repo/hello/{version}/pool/{name}_{version}_{architecture}.deb;{place};publish=1");
    by.put(&path).body(deb(name, version, architecture)).await.refuses(201, "success");
}

/// The digest and the size of each file that `Release` lists.
pub(crate) fn listed(release: &str) -> Vec<(String, u64, String)> {
    let lines = release.lines().skip_while(|line| *line != "SHA256:").skip(1);
    let parts = lines.filter_map(|line| {
        let [digest, size, path] = line.split_whitespace().collect::<Vec<_>>()[..] else { return None };
        Some((digest.to_owned(), size.parse().expect("a size"), path.to_owned()))
    });
    parts.collect()
}

#[tokio::test]
async fn release_lists_the_indexes_as_they_are_served() {
    let (house, ada) = repo_of("debian").await;
    new_package(&ada, "ada/repo", "hello").await;
    for (name, version, architecture) in
        [("hello", "1.0-1", "amd64"), ("hello", "1.0-1", "arm64"), ("hello-doc", "1.0-1", "all")]
    {
        publish_deb(&ada, name, version, architecture).await;
    }
    for number in 0..40 {
        publish_deb(&ada, "hello", &format!("2.0-{number}"), "amd64").await;
    }
    let anyone = house.anyone();
    let release = anyone.download(&format!("{FOLDER}/Release")).await.expect(200).text();
    assert!(release.contains("\nArchitectures: all amd64 arm64\nComponents: main\n"), "{release}");
    let files = listed(&release);
    assert_eq!(files.len(), 6);
    for (digest, size, path) in files {
        let body = anyone.download(&format!("{FOLDER}/{path}")).await.expect(200).body;
        assert_eq!(
            (Sha256::digest(&body).iter().map(|byte| format!("{byte:02x}")).collect(), body.len() as u64),
            (digest.clone(), size),
            "{path}"
        );
        let folder = path.rsplit_once('/').expect("a folder").0;
        let lasting = anyone.download(&format!("{FOLDER}/{folder}/by-hash/SHA256/{digest}")).await.expect(200);
        assert_eq!(lasting.body, body);
        assert!(lasting.header("cache-control").contains("immutable"));
    }
    let plain = anyone.download(&format!("{FOLDER}/main/binary-amd64/Packages")).await.expect(200).text();
    assert_eq!(plain.matches("Package: hello\n").count(), 41);
    assert!(plain.contains("Filename: pool/hello_2.0-7_amd64.deb\n"));
    let packed = anyone.download(&format!("{FOLDER}/main/binary-amd64/Packages.gz")).await.expect(200).body;
    let mut text = String::new();
    GzDecoder::new(&packed[..]).read_to_string(&mut text).expect("one member");
    assert_eq!(text, plain);
    // Not signed, so nothing that is signed exists.
    for path in ["Release.gpg", "InRelease", "../../ada.asc"] {
        anyone.download(&format!("{FOLDER}/{path}").replace("/dists/stable/../..", "")).await.expect(404);
    }
    ada.post("/calc_metadata/ada/repo").await.refuses(202, "success");
    assert_eq!(anyone.download(&format!("{FOLDER}/main/binary-amd64/Packages")).await.expect(200).text(), plain);
}

#[tokio::test]
async fn a_replaced_index_is_still_found_by_its_digest() {
    let (house, ada) = repo_of("debian").await;
    new_package(&ada, "ada/repo", "hello").await;
    publish_deb(&ada, "hello", "1.0-1", "amd64").await;
    let anyone = house.anyone();
    let release = anyone.download(&format!("{FOLDER}/Release")).await.expect(200).text();
    let (digest, _, path) = listed(&release).remove(0);
    let old = anyone.download(&format!("{FOLDER}/{path}")).await.expect(200).body;
    for number in 0..5 {
        publish_deb(&ada, "hello", &format!("2.0-{number}"), "amd64").await;
    }
    run_job(&house).await;
    let by_hash = format!("{FOLDER}/main/binary-amd64/by-hash/SHA256/{digest}");
    assert_eq!(anyone.download(&by_hash).await.expect(200).body, old);
    assert_ne!(anyone.download(&format!("{FOLDER}/{path}")).await.expect(200).body, old);
}

#[tokio::test]
async fn packages_without_a_place_are_not_listed_and_defaults_place_them() {
    let (house, ada) = repo_of("debian").await;
    new_package(&ada, "ada/repo", "hello").await;
    let put = |version: &str, place: &str| {
        let path = format!("/content/ada/repo/hello/{version}/hello_{version}_amd64.deb?publish=1{place}");
        ada.put(&path).body(deb("hello", version, "amd64"))
    };
    put("1", "").await.expect(201);
    house.anyone().download("/ada/repo/hello_1_amd64.deb").await.expect(200);
    house.anyone().download(&format!("{FOLDER}/Release")).await.expect(404);
    put("2", "&deb_distribution=stable").await.refuses(400, "content: it needs a component: set `deb_component`");
    put("2", "&deb_distribution=../x&deb_component=main").await.expect(400);
    let other = "content: the package is for the architecture 'amd64', not for 'arm64'";
    put("2", "&deb_distribution=a&deb_component=b&deb_architecture=arm64").await.refuses(400, other);
    let defaults = json!({"default_debian_distribution": "stable,testing", "default_debian_component": "main"});
    ada.patch("/repos/ada/repo").json(defaults).await.expect(200);
    put("2", "").await.expect(201);
    for suite in ["stable", "testing"] {
        let path = format!("/ada/repo/dists/{suite}/main/binary-amd64/Packages");
        let plain = house.anyone().download(&path).await.expect(200).text();
        assert!(plain.contains("Version: 2\n") && !plain.contains("Version: 1\n"), "{plain}");
    }
    ada.put("/content/ada/repo/hello/2/dists/stable/Release").body("x").await.expect(400);
    ada.put("/content/ada/repo/hello/2/hello_3_amd64.deb").body(deb("hello", "2", "amd64")).await.expect(400);
}

#[tokio::test]
async fn release_is_signed_in_both_forms() {
    let (house, ada) = repo_of("debian").await;
    ada.patch("/repos/ada/repo").json(json!({"gpg_sign_metadata": true})).await.expect(200);
    new_package(&ada, "ada/repo", "hello").await;
    publish_deb(&ada, "hello", "1.0-1", "amd64").await;
    let (anyone, gpg) = (house.anyone(), ring_of_server(&house).await);
    let read = async |path: &str| anyone.download(&format!("{FOLDER}/{path}")).await.expect(200).body;
    let release = read("Release").await;
    assert!(gpg.verifies(&read("Release.gpg").await, &release));
    assert!(!gpg.verifies(&read("Release.gpg").await, b"other"));
    let inline = String::from_utf8(read("InRelease").await).expect("a text");
    assert!(inline.starts_with("-----BEGIN PGP SIGNED MESSAGE-----\nHash: "), "{inline}");
    assert!(inline.contains(&String::from_utf8(release).expect("a text")));
    let signed = gpg.signed_text(&inline).expect("a good signature");
    assert_eq!(signed.trim_ascii_end(), read("Release").await.trim_ascii_end());
    assert!(gpg.signed_text(&inline.replace("Suite: stable", "Suite: stubble")).is_none());
    let armored = anyone.download("/ada/repo/ada.asc").await.expect(200).text();
    assert!(armored.starts_with("-----BEGIN PGP PUBLIC KEY BLOCK-----"));
    assert!(!anyone.download("/ada/repo/ada.gpg").await.expect(200).body.is_ascii());
    ada.patch("/repos/ada/repo").json(json!({"gpg_sign_metadata": false})).await.expect(200);
    ada.post("/calc_metadata/ada/repo").await.refuses(202, "success");
    anyone.download(&format!("{FOLDER}/InRelease")).await.expect(404);
}

#[tokio::test]
async fn a_locked_key_needs_its_passphrase_before_anything_changes() {
    let (house, ada) = repo_of("debian").await;
    let flags = json!({"gpg_sign_metadata": true, "gpg_use_owner_key": true});
    ada.patch("/repos/ada/repo").json(flags).await.expect(200);
    new_package(&ada, "ada/repo", "hello").await;
    let gpg = Gpg::new();
    let private_key = gpg.private_key(NewKey { passphrase: "x y", ..NewKey::default() });
    ada.put("/users/ada/keys/gpg").json(json!({ "private_key": private_key })).await.expect(200);
    let missing = "passphrase: the GPG key needs one: send X-GPG-PASSPHRASE or a JSON body";
    let path = "/content/ada/repo/hello/1/hello_1_amd64.deb;deb_distribution=stable;deb_component=main;publish=1";
    let put = || ada.put(path).body(deb("hello", "1", "amd64"));
    put().await.refuses(400, missing);
    house.anyone().download("/ada/repo/hello_1_amd64.deb").await.expect(404);
    put().header("X-GPG-PASSPHRASE", "x y").await.expect(201);
    let release = house.anyone().download(&format!("{FOLDER}/Release")).await.expect(200).body;
    let signature = house.anyone().download(&format!("{FOLDER}/Release.gpg")).await.expect(200).body;
    assert!(gpg.verifies(&signature, &release));
    ada.post("/calc_metadata/ada/repo").await.refuses(400, missing);
}
