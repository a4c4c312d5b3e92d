//! `packhouse pull`: whole versions, single files, resumed downloads, and content or signatures that do not verify.

use std::fs;

use serde_json::json;
use suite::{Ended, Gpg, NewKey};

use crate::scene::{Scene, bytes};

#[tokio::test]
async fn a_version_is_pulled_and_not_twice() {
    let scene = Scene::start().await;
    scene.file("dist/a.txt", "a");
    scene.file("dist/doc/a b;c.txt", "b");
    scene.file("dist/empty", "");
    scene.run(&["push", "ada/tools/cat/1.0", "dist", "--create", "--publish"]).await.succeeds();

    insta::assert_snapshot!(scene.told(&["pull", "ada/tools/cat/1.0", "--output", "out"]).await, @"
    3 files (2 B) of ada/tools/cat/1.0: 3 downloaded
    exit 0
    ");
    assert_eq!(scene.read("out/a.txt"), b"a");
    assert_eq!(scene.read("out/doc/a b;c.txt"), b"b");
    assert_eq!(scene.read("out/empty"), b"");
    assert!(!scene.has("out/a.txt.part") && !scene.has("out/a.txt.part.pieces"));

    // A package stands for its newest version.
    insta::assert_snapshot!(scene.told(&["pull", "ada/tools/cat", "--output", "out"]).await, @"
    3 files (2 B) of ada/tools/cat/1.0: 3 already present
    exit 0
    ");
}

#[tokio::test]
async fn single_files_are_pulled_by_name_or_pattern() {
    let scene = Scene::start().await;
    scene.file("dist/a.txt", "a");
    scene.file("dist/doc/b.txt", "b");
    scene.file("dist/c.bin", "c");
    scene.run(&["push", "ada/tools/cat/1.0", "dist", "--create", "--publish"]).await.succeeds();

    scene.run(&["pull", "ada/tools/cat/1.0", "*.txt", "--output", "out"]).await.succeeds();
    assert!(scene.has("out/a.txt") && scene.has("out/doc/b.txt") && !scene.has("out/c.bin"));

    insta::assert_snapshot!(scene.told(&["pull", "ada/tools/cat/1.0", "nothing.txt"]).await, @"
    packhouse: ada/tools/cat/1.0 has no file `nothing.txt`
    hint: `packhouse ls ada/tools/cat/1.0` lists its files
    exit 5
    ");
}

#[tokio::test]
async fn a_file_that_is_there_is_replaced_only_by_force() {
    let scene = Scene::with_cat().await;
    scene.file("cat.txt", "my own");

    insta::assert_snapshot!(scene.told(&["pull", "ada/tools/cat/1.0"]).await, @"
    failed  cat.txt: another file with this name exists; hint: --force replaces it
    0 files (0 B) of ada/tools/cat/1.0: none downloaded
    packhouse: 1 of 1 file failed to download
    exit 10
    ");
    assert_eq!(scene.read("cat.txt"), b"my own");
    scene.run(&["pull", "ada/tools/cat/1.0", "--force"]).await.succeeds();
    assert_eq!(scene.read("cat.txt"), b"meow");
}

#[tokio::test]
async fn a_large_file_comes_in_parts_and_goes_on_where_it_stopped() {
    let scene = Scene::start().await;
    let content = bytes((20 << 20) + 7);
    scene.file("big.bin", &content);
    scene.run(&["push", "ada/tools/cat/1.0", "big.bin", "--create", "--publish"]).await.succeeds();
    fs::remove_file(scene.folder.path().join("big.bin")).expect("removed");

    // The state after an interrupted pull: the first of three pieces exists.
    let files = scene.ada.get("/packages/ada/tools/cat/versions/1.0/files").await.expect(200).json();
    let sha256 = files[0]["sha256"].as_str().expect("a checksum").to_owned();
    scene.file("big.bin.part", &content[..8 << 20]);
    scene.file("big.bin.part.pieces", format!("{sha256}\n0\n"));

    insta::assert_snapshot!(scene.told(&["pull", "ada/tools/cat/1.0"]).await, @"
    1 file (20.00 MiB) of ada/tools/cat/1.0: 1 resumed
    exit 0
    ");
    assert!(scene.read("big.bin") == content);

    fs::remove_file(scene.folder.path().join("big.bin")).expect("removed");
    scene.run(&["pull", "ada/tools/cat/1.0", "--jobs", "2"]).await.succeeds();
    assert!(scene.read("big.bin") == content);
}

#[tokio::test]
async fn content_that_is_not_what_it_should_be_is_not_kept() {
    let scene = Scene::start().await;
    scene.file("big.bin", bytes(9 << 20));
    scene.run(&["push", "ada/tools/cat/1.0", "big.bin", "--create", "--publish"]).await.succeeds();
    let files = scene.ada.get("/packages/ada/tools/cat/versions/1.0/files").await.expect(200).json();
    let sha256 = files[0]["sha256"].as_str().expect("a checksum").to_owned();
    // A first piece that was damaged on the local disk.
    scene.file("out/big.bin.part", vec![0; 8 << 20]);
    scene.file("out/big.bin.part.pieces", format!("{sha256}\n0\n"));

    let pull = ["pull", "ada/tools/cat/1.0", "--output", "out"];
    insta::assert_snapshot!(scene.told(&pull).await, @"
    failed  big.bin: its SHA-256 differs from the server's list
    0 files (0 B) of ada/tools/cat/1.0: none downloaded
    packhouse: 1 of 1 file failed the content check
    exit 11
    ");
    assert!(!scene.has("out/big.bin"));
    scene.run(&pull).await.succeeds();
    assert!(scene.read("out/big.bin") == scene.read("big.bin"));
}

#[tokio::test]
async fn signatures_are_verified_with_the_keys_one_trusts() {
    let scene = Scene::with_cat().await;
    let sign = json!({"gpg_sign_files": true, "gpg_use_owner_key": true});
    scene.ada.patch("/repos/ada/tools").json(sign).await.expect(200);
    scene.ada.post("/users/ada/keys/gpg/generate").await.expect(201);
    scene.run(&["sign", "ada/tools/cat/1.0"]).await.succeeds();

    insta::assert_snapshot!(scene.told(&["pull", "ada/tools/cat/1.0", "cat.txt", "--require-signatures"]).await, @"
    2 files (232 B) of ada/tools/cat/1.0: 2 downloaded
    1 signature verified
    exit 0
    ");

    let (ring, other) = (Gpg::new(), NewKey { name: "eve", ..NewKey::default() });
    ring.private_key(other);
    scene.file("eve.key", ring.public_key("eve"));
    let by_another = scene.told(&["pull", "ada/tools/cat/1.0", "cat.txt", "--key", "eve.key"]).await;
    insta::assert_snapshot!(by_another, @"
    failed  cat.txt: it is not signed by a trusted key that was valid at that time
    1 file (228 B) of ada/tools/cat/1.0: 1 already present
    packhouse: 1 of 2 files failed the signature check
    exit 12
    ");
}

#[tokio::test]
async fn signatures_of_subkeys_and_of_rsa_keys_verify_too() {
    let (scene, ring) = (Scene::with_cat().await, Gpg::new());
    let sign = json!({"gpg_sign_files": true, "gpg_use_owner_key": true});
    scene.ada.patch("/repos/ada/tools").json(sign).await.expect(200);
    let by_subkey = NewKey { name: "sub", usage: "cert", ..NewKey::default() };
    let by_rsa = NewKey { name: "rsa", algorithm: "rsa2048", ..NewKey::default() };

    for key in [by_subkey, by_rsa] {
        let private_key = ring.private_key(key);
        scene.ada.put("/users/ada/keys/gpg").json(json!({"private_key": private_key})).await.expect(200);
        scene.run(&["sign", "ada/tools/cat/1.0"]).await.succeeds();
        let pulled = scene.told(&["pull", "ada/tools/cat/1.0", "--require-signatures", "--force"]).await;
        assert!(pulled.contains("1 signature verified"), "{}: {pulled}", key.name);
    }
}

#[tokio::test]
async fn a_signature_must_be_from_the_time_in_which_its_key_was_good() {
    let (scene, ring) = (Scene::with_cat().await, Gpg::new());
    ring.private_key(NewKey { name: "bob", expires: "20d", ..NewKey::default() });
    scene.file("cat.txt.asc", ring.sign("bob", b"meow"));
    scene.file("ended.key", ring.public_key("bob"));
    ring.end_after("bob", "10d");
    scene.file("had-ended.key", ring.public_key("bob"));
    scene.run(&["push", "ada/tools/cat/1.0", "cat.txt.asc", "--publish"]).await.succeeds();

    let pull = async |key| scene.run(&["pull", "ada/tools/cat/1.0", "--force", "--key", key]).await;

    let made_before = pull("ended.key").await;
    assert!(made_before.stdout.contains("1 signature verified"), "{made_before:?}");
    assert_eq!(pull("had-ended.key").await.code, Some(12));
}

#[tokio::test]
async fn a_missing_signature_is_told_when_it_is_required() {
    let scene = Scene::with_cat().await;

    let required = scene.run(&["pull", "ada/tools/cat/1.0", "--require-signatures"]).await;
    let anonymous = Ended::run(scene.bare(&["pull", "ada/tools/cat/1.0", "--force"])).await;

    assert_eq!(required.code, Some(12), "{required:?}");
    anonymous.succeeds();
}
