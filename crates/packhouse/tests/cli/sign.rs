//! `packhouse sign`, and pushing with a signature.

use serde_json::json;
use suite::{Ended, Gpg, NewKey};

use crate::scene::Scene;

#[tokio::test]
async fn versions_and_files_are_signed() {
    let scene = Scene::with_cat().await;
    scene.ada.patch("/repos/ada/tools").json(json!({"gpg_sign_files": true})).await.expect(200);

    assert_eq!(scene.told(&["sign", "ada/tools/cat/1.0"]).await, "signed all files of ada/tools/cat/1.0\nexit 0");
    let one = scene.told(&["sign", "ada/tools", "--file", "cat.txt"]).await;
    assert_eq!(one, "signed cat.txt of ada/tools\nexit 0");

    scene.server.anyone().download("/ada/tools/cat.txt.asc").await.expect(200);
}

#[tokio::test]
async fn a_passphrase_comes_from_a_file_or_a_variable() {
    let (scene, ring) = (Scene::start().await, Gpg::new());
    let key = NewKey { passphrase: "open sesame", ..NewKey::default() };
    let sign = json!({"gpg_sign_files": true, "gpg_use_owner_key": true});
    scene.ada.patch("/repos/ada/tools").json(sign).await.expect(200);
    scene.ada.put("/users/ada/keys/gpg").json(json!({"private_key": ring.private_key(key)})).await.expect(200);
    scene.file("a.txt", "a");
    scene.file("passphrase", "open sesame\n");

    let without = scene.run(&["push", "ada/tools/cat/1.0", "a.txt", "--create", "--sign", "--publish"]).await;
    assert_eq!(without.code, Some(13), "{without:?}");
    let by_file = ["push", "ada/tools/cat/1.0", "a.txt", "--sign", "--publish", "--passphrase-file", "passphrase"];
    insta::assert_snapshot!(scene.told(&by_file).await, @"
    1 file (1 B) in ada/tools/cat/1.0: 1 already there
    signed all files of the version
    published 2 files
    exit 0
    ");
    let mut by_variable = scene.command_as(&scene.ada, &["sign", "ada/tools/cat/1.0"]);
    by_variable.env("PACKHOUSE_GPG_PASSPHRASE", "open sesame");
    Ended::run(by_variable).await.succeeds();
}
