//! `packhouse admin verify` with a running server.

use suite::Stack;

use crate::{
    program::{run, run_with, start},
    store::Store,
    tools::{cat, tamper, upload},
};

const MEOW: &str = "404cdd7bc109c432f8cc2443b45bcfe95980f5107215c645236e577929ac3e52";

#[tokio::test]
async fn missing_content_is_reported() {
    let stack = Stack::create().await;
    let server = start(&stack).await;
    let ada = cat(&server).await;
    upload(&ada, "1.0/one.bin", "meow").await;
    upload(&ada, "1.0/two.bin", "purr").await;
    insta::assert_snapshot!(run(&stack, &["admin", "verify"]).await.succeeds(), @"checked 2 blobs of 8 bytes");

    Store::of(&stack).remove(MEOW).await;
    let found = run(&stack, &["admin", "verify", "--quick"]).await;

    assert_eq!(found.code, Some(1), "{found:?}");
    insta::assert_snapshot!(found.stdout, @r"
    missing 404cdd7bc109c432f8cc2443b45bcfe95980f5107215c645236e577929ac3e52 ada/tools/one.bin
    checked 2 blobs of 8 bytes
    ");
    insta::assert_snapshot!(found.stderr, @"packhouse: 1 problems found");
    // Uploading the same bytes again repairs it.
    upload(&ada, "1.0/three.bin", "meow").await;
    run(&stack, &["admin", "verify"]).await.succeeds();
}

#[tokio::test]
async fn damaged_content_is_reported() {
    let stack = Stack::create().await;
    let server = start(&stack).await;
    let ada = cat(&server).await;
    upload(&ada, "1.0/one.bin", "meow").await;

    Store::of(&stack).put(MEOW, "woof").await;
    run(&stack, &["admin", "verify", "--quick"]).await.succeeds();
    let found = run(&stack, &["admin", "verify"]).await;
    assert_eq!(found.code, Some(1), "{found:?}");
    insta::assert_snapshot!(found.stdout, @r"
    damaged 404cdd7bc109c432f8cc2443b45bcfe95980f5107215c645236e577929ac3e52 ada/tools/one.bin: its SHA-256 is 1811bdd29f2cfe95e6e23402e2390fa1012708fc52ef8b8a29ee540b1c481534
    checked 1 blobs of 4 bytes
    ");

    Store::of(&stack).put(MEOW, "bark!").await;
    let found = run(&stack, &["admin", "verify", "--quick"]).await;
    assert_eq!(found.code, Some(1), "{found:?}");
    insta::assert_snapshot!(found.stdout, @r"
    damaged 404cdd7bc109c432f8cc2443b45bcfe95980f5107215c645236e577929ac3e52 ada/tools/one.bin: it has 5 bytes instead of 4
    checked 1 blobs of 4 bytes
    ");
}

#[tokio::test]
async fn wrong_counts_are_reported() {
    let stack = Stack::create().await;
    let server = start(&stack).await;
    let ada = cat(&server).await;
    upload(&ada, "1.0/one.bin", "meow").await;
    tamper(&stack, "UPDATE stored_bytes SET bytes = 5").await;
    tamper(&stack, "UPDATE versions SET published_files = 2").await;
    let found = run(&stack, &["admin", "verify", "--quick"]).await;
    assert_eq!(found.code, Some(1), "{found:?}");
    insta::assert_snapshot!(found.stdout, @r"
    miscounted bytes of ada/tools: 5 instead of 4
    miscounted published files of ada/tools/cat/1.0: 2 instead of 1
    checked 1 blobs of 4 bytes
    ");
}

#[tokio::test]
async fn orphans_of_a_folder_are_reported_and_removed() {
    let stack = Stack::create().await;
    let server = start(&stack).await;
    let ada = cat(&server).await;
    upload(&ada, "1.0/one.bin", "meow").await;
    // On both stacks: a folder next to the one in use is also a store.
    let folder = stack.data.path().join("blobs");
    Store::Folder(folder.clone()).put(MEOW, "meow").await;
    let orphan = "03982e2adb2925b16d9a1a591a0665a8db33153c21d9fc1895a016da460d35cd";
    Store::Folder(folder.clone()).put(orphan, "nobody knows").await;
    let folder = [("PACKHOUSE_BLOBS", folder.to_str().expect("a text"))];

    let found = run_with(&stack, &["admin", "verify"], &folder).await;
    assert_eq!(found.code, Some(1), "{found:?}");
    insta::assert_snapshot!(found.stdout, @r"
    orphan 03982e2adb2925b16d9a1a591a0665a8db33153c21d9fc1895a016da460d35cd of 12 bytes
    checked 1 blobs of 4 bytes
    ");
    let removed = run_with(&stack, &["admin", "verify", "--remove-orphans"], &folder).await.succeeds();
    insta::assert_snapshot!(removed, @r"
    orphan 03982e2adb2925b16d9a1a591a0665a8db33153c21d9fc1895a016da460d35cd of 12 bytes: removed
    checked 1 blobs of 4 bytes
    ");
    let left = run_with(&stack, &["admin", "verify"], &folder).await.succeeds();
    insta::assert_snapshot!(left, @"checked 1 blobs of 4 bytes");
}
