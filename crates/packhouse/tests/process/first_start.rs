//! The files and output of the first start, and the state that later starts keep.

use std::{os::unix::fs::PermissionsExt, time::Duration};

use serde_json::json;
use suite::{Process, Stack};

use crate::program::{command, run, serve_with, start, start_with};

const CHOSEN_KEY: &str = "a-key-that-a-script-has-chosen-for-us";
const OTHER_KEY: &str = "another-key-that-a-script-has-chosen";

#[tokio::test]
async fn the_first_start_prints_three_addresses_and_a_key_that_works() {
    let stack = Stack::create().await;

    let server = Process::launch(command(&stack)).await;

    let key = printed_key(&server);
    server.person("admin", &key).get("/users/admin").await.expect(200);
    server.person("admin", &key).get("/audit").await.expect(200);
    let shape = server.printed().replace(&server.base, "http://ADDRESS").replace(&key, "KEY");
    insta::assert_snapshot!(shape, @"
    packhouse 0.1.0 is ready
      pages      http://ADDRESS/
      API        http://ADDRESS/api
      downloads  http://ADDRESS/dl

    Created the site administrator. The key is shown this once:
      user  admin
      key   KEY
    ");
    assert!(!server.log().contains(&key), "the key is printed, not logged");
}

#[tokio::test]
async fn a_second_start_prints_no_key_and_keeps_everything() {
    let stack = Stack::create().await;
    let mut server = Process::launch(command(&stack)).await;
    let admin_key = printed_key(&server);
    let admin = server.person("admin", &admin_key);
    let ada = admin.post("/users").json(json!({"name": "ada", "full_name": "Ada L."})).await.expect(201).json();
    let ada_key = ada["api_key"].as_str().expect("a key");
    server.person("ada", ada_key).post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    let before = server.person("ada", ada_key).get("/users/ada").await.expect(200).text();
    server.kill();

    let server = Process::launch(command(&stack)).await;

    let ada = server.person("ada", ada_key);
    assert_eq!(ada.get("/users/ada").await.expect(200).text(), before);
    ada.get("/orgs/acme").await.expect(200);
    server.person("admin", &admin_key).get("/users/ada").await.expect(200);
    let shape = server.printed().replace(&server.base, "http://ADDRESS");
    insta::assert_snapshot!(shape, @"
    packhouse 0.1.0 is ready
      pages      http://ADDRESS/
      API        http://ADDRESS/api
      downloads  http://ADDRESS/dl
    ");
}

#[tokio::test]
async fn a_chosen_administrator_is_made_by_the_first_start_and_kept_by_later_ones() {
    let stack = Stack::create().await;
    let chosen = [("PACKHOUSE_ADMIN_NAME", "root"), ("PACKHOUSE_ADMIN_KEY", CHOSEN_KEY)];
    let mut server = start_with(&stack, &chosen).await;
    server.person("root", CHOSEN_KEY).get("/audit").await.expect(200);
    server.person("admin", CHOSEN_KEY).get("/audit").await.expect(401);
    let shape = server.printed().replace(&server.base, "http://ADDRESS");
    insta::assert_snapshot!(shape, @"
    packhouse 0.1.0 is ready
      pages      http://ADDRESS/
      API        http://ADDRESS/api
      downloads  http://ADDRESS/dl

    Created the site administrator root with the key of PACKHOUSE_ADMIN_KEY.
    ");
    server.kill();

    let server = start_with(&stack, &[("PACKHOUSE_ADMIN_NAME", "boss"), ("PACKHOUSE_ADMIN_KEY", OTHER_KEY)]).await;

    server.person("root", CHOSEN_KEY).get("/audit").await.expect(200);
    server.person("root", OTHER_KEY).get("/audit").await.expect(401);
    server.person("boss", OTHER_KEY).get("/audit").await.expect(401);
    server.person("root", CHOSEN_KEY).get("/users/boss").await.expect(404);
    assert!(!server.printed().contains("administrator"), "{}", server.printed());
}

#[tokio::test]
async fn a_chosen_key_of_31_characters_is_refused_and_one_of_32_is_taken() {
    let stack = Stack::create().await;
    let long = "a-key-that-has-just-32-characters".get(..32).expect("32 characters").to_owned();
    let short = long[..31].to_owned();

    let refused = serve_with(&stack, &[("PACKHOUSE_ADMIN_KEY", &short)]).await.fails();

    insta::assert_snapshot!(refused, @"PACKHOUSE_ADMIN_KEY: it must have at least 32 printable characters");
    let server = start_with(&stack, &[("PACKHOUSE_ADMIN_KEY", &long)]).await;
    server.person("admin", &long).get("/audit").await.expect(200);
}

/// The minimum length of a key counts characters: at least 32.
#[tokio::test]
async fn a_chosen_key_is_measured_in_characters_not_in_bytes() {
    let stack = Stack::create().await;
    let sixteen = "é".repeat(16);

    let environment = [("PACKHOUSE_ADMIN_KEY", sixteen.as_str())];
    let refused = tokio::time::timeout(Duration::from_secs(5), serve_with(&stack, &environment)).await;

    let message = refused.expect("the server refuses to start").fails();
    assert!(message.contains("PACKHOUSE_ADMIN_KEY"), "{message}");
}

#[tokio::test]
async fn a_chosen_name_that_is_no_name_is_refused() {
    let stack = Stack::create().await;

    let refused = serve_with(&stack, &[("PACKHOUSE_ADMIN_NAME", "not a name")]).await.fails();

    insta::assert_snapshot!(refused, @"PACKHOUSE_ADMIN_NAME: subject name 'not a name' is not valid: it may hold letters, digits, '.', '_' and '-' only");
}

#[tokio::test]
async fn a_port_that_is_taken_is_told_and_nothing_is_printed() {
    let stack = Stack::create().await;
    let other = Stack::create().await;
    let server = start(&stack).await;
    let address = server.base.strip_prefix("http://").expect("an address");

    let refused = run(&other, &["serve", "--listen", address]).await.fails();

    let shape = refused.replace(address, "ADDRESS");
    insta::assert_snapshot!(shape, @"cannot listen on ADDRESS: Address already in use (os error 98); another program has this port: stop it, or choose another one with --listen");
    // The failed start has created nothing, so the next one shows the key.
    let server = Process::launch(command(&other)).await;
    server.person("admin", &printed_key(&server)).get("/users/admin").await.expect(200);
}

#[tokio::test]
async fn a_wrong_key_is_refused_before_anything_is_created() {
    let stack = Stack::create().await;
    let folder = stack.data.path().join("fresh");
    let settings = [("PACKHOUSE_DATA", folder.to_str().expect("a path")), ("PACKHOUSE_ADMIN_KEY", "short")];

    let refused = serve_with(&stack, &settings).await.fails();

    assert!(refused.starts_with("PACKHOUSE_ADMIN_KEY: "), "{refused}");
    assert!(!folder.exists());
}

#[tokio::test]
async fn a_file_that_the_settings_name_is_looked_for_before_anything_is_created() {
    let stack = Stack::create().await;
    let folder = stack.data.path().join("fresh");
    let data = ("PACKHOUSE_DATA", folder.to_str().expect("a path"));

    for (variable, key) in
        [("PACKHOUSE_GEO__DATABASE", "geo.database"), ("PACKHOUSE_MASTER_KEY_FILE", "master_key_file")]
    {
        let refused = serve_with(&stack, &[data, (variable, "nowhere/file")]).await.fails();
        assert!(refused.starts_with(&format!("`{key}` is `nowhere/file`: ")), "{refused}");
        assert!(!folder.exists());
    }
}

#[tokio::test]
async fn an_address_to_listen_on_is_explained() {
    let stack = Stack::create().await;
    let refused = run(&stack, &["serve", "--listen", "localhost:8080"]).await;
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("expected an IP address and a port, such as 127.0.0.1:8080"), "{refused:?}");
}

#[tokio::test]
async fn administration_refuses_a_place_without_an_installation() {
    let stack = Stack::create().await;

    let refused = run(&stack, &["admin", "user", "create", "ada"]).await.fails();
    assert!(refused.contains("no installation") && refused.contains("--init"), "{refused}");
    let again = run(&stack, &["upgrade-check"]).await.fails();
    assert!(again.contains("no installation") && !again.contains("--init"), "{again}");

    run(&stack, &["admin", "user", "create", "ada", "--init"]).await.succeeds();
    run(&stack, &["admin", "user", "create", "bob"]).await.succeeds();
    let checked = run(&stack, &["upgrade-check"]).await.succeeds();
    assert!(checked.ends_with("replace the program on one node after the other"), "{checked}");
}

fn printed_key(server: &Process) -> String {
    let printed = server.printed();
    let key = printed.lines().find_map(|line| line.trim().strip_prefix("key ")).expect("a line with the key");
    key.trim().to_owned()
}

#[tokio::test]
async fn a_chosen_key_that_repeats_itself_is_refused() {
    let stack = Stack::create().await;
    for key in ["k".repeat(32), "12345678".repeat(4)] {
        let refused = serve_with(&stack, &[("PACKHOUSE_ADMIN_KEY", &key)]).await.fails();
        assert!(refused.starts_with("PACKHOUSE_ADMIN_KEY: it repeats itself or counts up"), "{refused}");
        assert!(!refused.contains(&key), "{refused}");
    }
}

#[tokio::test]
async fn proxies_everywhere_are_refused() {
    let stack = Stack::create().await;
    let refused = serve_with(&stack, &[("PACKHOUSE_TRUSTED_PROXIES", "0.0.0.0/1,128.0.0.0/1")]).await.fails();
    assert!(refused.contains("expected the networks of your own proxies only"), "{refused}");
}

#[tokio::test]
async fn a_data_folder_that_everybody_may_write_to_is_warned_of() {
    let stack = Stack::create().await;
    let folder = stack.data.path().join("open");
    std::fs::create_dir(&folder).expect("a folder");
    for (mode, is_warned) in [(0o777, true), (0o700, false)] {
        std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(mode)).expect("ours");
        let mut server = start_with(&stack, &[("PACKHOUSE_DATA", folder.to_str().expect("a path"))]).await;
        assert_eq!(server.log().contains("every user of this machine may write to the data folder"), is_warned);
        server.kill();
    }
}
