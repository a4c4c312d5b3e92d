//! The file of the master key, and the permissions of the server's files.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use suite::Stack;

use crate::program::{serve_with, start, start_with};

#[tokio::test]
async fn another_databases_master_key_is_refused_and_the_right_one_still_works() {
    let stack = Stack::create().await;
    let file = stack.data.path().join("master.key");
    let mut server = start(&stack).await;
    let ada = server.user("ada").await;
    server.kill();
    let right = fs::read_to_string(&file).expect("the server has made it");

    fs::write(&file, "0123456789abcdef".repeat(4)).expect("written");
    let refused = serve_with(&stack, &[]).await.fails();

    insta::assert_snapshot!(refused, @"the master key is not the one this database was made with; restore its file, or no key and no secret will work");
    fs::write(&file, right).expect("written");
    let server = start(&stack).await;
    server.person("ada", ada.key()).get("/users/ada").await.expect(200);
}

#[tokio::test]
async fn a_lost_master_key_is_not_replaced_in_silence() {
    let stack = Stack::create().await;
    let mut server = start(&stack).await;
    server.admin().get("/users/admin").await.expect(200);
    server.kill();
    fs::remove_file(stack.data.path().join("master.key")).expect("removed");

    let refused = serve_with(&stack, &[]).await.fails();

    assert!(refused.contains("master key"), "{refused}");
}

#[tokio::test]
async fn a_master_key_file_of_another_form_is_refused_without_repeating_it() {
    let stack = Stack::create().await;
    let file = stack.data.path().join("master.key");
    fs::write(&file, "CANARY is not hexadecimal").expect("written");

    let refused = serve_with(&stack, &[]).await.fails();

    let shape = refused.replace(&*stack.data.path().to_string_lossy(), "DATA");
    insta::assert_snapshot!(shape, @"master key file DATA/master.key: it must hold 64 hexadecimal digits");
}

#[tokio::test]
async fn only_the_owner_may_read_what_the_server_makes() {
    let stack = Stack::create().await;
    let data = stack.data.path().join("made/by/the-server");

    let server = start_with(&stack, &[("PACKHOUSE_DATA", &data.to_string_lossy())]).await;

    server.admin().get("/users/admin").await.expect(200);
    assert_eq!(mode(&data), 0o700);
    assert_eq!(mode(&data.join("master.key")), 0o600);
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("it exists").permissions().mode() & 0o777
}
