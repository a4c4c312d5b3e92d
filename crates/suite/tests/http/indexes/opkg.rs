//! Feeds of .ipk files.

use std::{io::Read, process::Command};

use flate2::read::GzDecoder;
use serde_json::json;
use suite::{Gpg, NewKey, Person};

use super::{deb, repo_of, written};
use crate::catalogue::new_package;

#[tokio::test]
async fn each_folder_is_a_feed() {
    let (house, ada) = repo_of("opkg").await;
    new_package(&ada, "ada/repo", "hello").await;
    for (feed, version) in [("23.05/base", "1.0-1"), ("23.05/base", "1.1-1"), ("snapshots", "2.0-1")] {
        let path = format!("/content/ada/repo/hello/{version}/{feed}/hello_{version}_all.ipk?publish=1");
        ada.put(&path).body(deb("hello", version, "all")).await.expect(201);
    }
    let anyone = house.anyone();
    let plain = anyone.download("/ada/repo/23.05/base/Packages").await.expect(200).text();
    assert_eq!(plain.matches("Package: hello\n").count(), 2);
    assert!(plain.contains("Filename: hello_1.1-1_all.ipk\n"), "{plain}");
    let packed = anyone.download("/ada/repo/23.05/base/Packages.gz").await.expect(200).body;
    let mut text = String::new();
    GzDecoder::new(&packed[..]).read_to_string(&mut text).expect("one member");
    assert_eq!(text, plain);
    let other = anyone.download("/ada/repo/snapshots/Packages").await.expect(200).text();
    assert_eq!(other.matches("Package: ").count(), 1);
    anyone.download("/ada/repo/Packages").await.expect(404);
}

/// Whether signify finds that the owner of this key has signed these bytes.
fn is_signed(key: &[u8], signature: &[u8], bytes: &[u8]) -> bool {
    let (_folder, [key, signature, bytes]) =
        written([("key.pub", key), ("Packages.sig", signature), ("Packages", bytes)]);
    let mut signify = Command::new("signify-openbsd");
    signify.args(["-V", "-q", "-p"]).arg(key).arg("-x").arg(signature).arg("-m").arg(bytes);
    signify.output().expect("signify is installed").status.success()
}

/// The key of a repository's feeds, and the signature and the text of one.
async fn signed_feed(who: &Person, repo: &str, key: &str) -> [Vec<u8>; 3] {
    let paths = [key, "base/Packages.sig", "base/Packages"];
    let mut bytes = paths.map(|_| Vec::new());
    for (path, bytes) in paths.iter().zip(&mut bytes) {
        *bytes = who.download(&format!("{repo}/{path}")).await.expect(200).body;
    }
    bytes
}

async fn put(by: &Person, repo: &str, version: &str) {
    let path = format!("//dl{repo}/upload/base/hello_{version}_all.ipk");
    by.put(&path).body(deb("hello", version, "all")).await.refuses(201, "success");
}

#[tokio::test]
async fn feeds_are_signed_with_a_key_of_their_owner() {
    let (house, ada) = repo_of("opkg").await;
    put(&ada, "/ada/repo", "1.0").await;
    let anyone = house.anyone();
    for path in ["base/Packages.sig", "ada.pub"] {
        anyone.download(&format!("/ada/repo/{path}")).await.expect(404);
    }
    ada.patch("/repos/ada/repo").json(json!({"gpg_sign_metadata": true})).await.expect(200);
    put(&ada, "/ada/repo", "1.1").await;
    let [key, old_signature, old_text] = signed_feed(&anyone, "/ada/repo", "ada.pub").await;
    assert!(is_signed(&key, &old_signature, &old_text));
    assert!(!is_signed(&key, &old_signature, &old_text[1..]));
    put(&ada, "/ada/repo", "1.2").await;
    let [same_key, signature, text] = signed_feed(&anyone, "/ada/repo", "ada.pub").await;
    assert_eq!(same_key, key);
    assert!(is_signed(&key, &signature, &text) && !is_signed(&key, &old_signature, &text));
    let comment = String::from_utf8(key.clone()).expect("a text");
    let number = comment.strip_prefix("untrusted comment: public key ").expect("a comment");
    assert!(signature.starts_with(format!("untrusted comment: signed by key {}\n", &number[..16]).as_bytes()));
    // All repositories of an owner have one key, and other owners have others.
    let bea = house.user("bea").await;
    for (by, repo, owner, is_same) in [(&ada, "/ada/more", "ada", true), (&bea, "/bea/repo", "bea", false)] {
        by.post(&format!("/repos{repo}")).json(json!({"type": "opkg", "gpg_sign_metadata": true})).await.expect(201);
        put(by, repo, "1.0").await;
        let [other, signature, text] = signed_feed(&anyone, repo, &format!("{owner}.pub")).await;
        assert_eq!((other == key, is_signed(&other, &signature, &text)), (is_same, true), "{repo}");
        assert_eq!(is_signed(&key, &signature, &text), is_same, "{repo}");
    }
    ada.patch("/repos/ada/repo").json(json!({"gpg_sign_metadata": false})).await.expect(200);
    put(&ada, "/ada/repo", "1.3").await;
    anyone.download("/ada/repo/base/Packages.sig").await.expect(404);
}

#[tokio::test]
async fn a_signed_feed_needs_no_gpg_key() {
    let (house, ada) = repo_of("opkg").await;
    let flags = json!({"gpg_sign_metadata": true, "gpg_use_owner_key": true});
    ada.patch("/repos/ada/repo").json(flags).await.expect(200);
    let protected = NewKey { passphrase: "open", ..NewKey::default() };
    let private_key = Gpg::new().private_key(protected);
    ada.put("/users/ada/keys/gpg").json(json!({"private_key": private_key})).await.expect(200);
    put(&ada, "/ada/repo", "1.0").await;
    let [key, signature, text] = signed_feed(&house.anyone(), "/ada/repo", "ada.pub").await;
    assert!(is_signed(&key, &signature, &text));
}
