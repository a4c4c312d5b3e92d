//! `packhouse admin`, with and without a running server.

use serde_json::{Value, json};
use suite::{Person, Process, Stack};
use tokio::task::JoinSet;

use crate::{
    program::{run, start},
    tools::tamper,
};

#[tokio::test]
async fn the_server_sees_at_once_what_the_console_does_to_users() {
    let stack = Stack::create().await;
    let server = start(&stack).await;

    let arguments = ["admin", "user", "create", "ada", "--full-name", "Ada L.", "--email", "ada@example.org"];
    let key = run(&stack, &arguments).await.succeeds();
    let ada = server.person("ada", &key);
    let shown = ada.get("/users/ada").await.expect(200).json();
    assert_eq!(shown["full_name"], "Ada L.");
    assert_eq!(shown["gravatar_id"], "5bfcf2d8e394674550332640d72db509");
    ada.get("/audit").await.expect(403);

    let new_key = run(&stack, &["admin", "key", "rotate", "ada"]).await.succeeds();
    ada.get("/users/ada").await.expect(401);
    let ada = server.person("ada", &new_key);
    ada.get("/users/ada").await.expect(200);

    assert_eq!(run(&stack, &["admin", "user", "delete", "ada"]).await.succeeds(), "");
    ada.get("/users/ada").await.expect(401);
    server.admin().get("/users/ada").await.expect(404);
    assert_eq!(latest(&server, 3).await, ["user.delete ada ", "user.rotate_key ada ", "user.create ada plan premium"]);
}

#[tokio::test]
async fn the_console_lists_and_suspends_users_and_resets_passwords() {
    let stack = Stack::create().await;
    let server = start(&stack).await;
    let ada = server.user("ada").await;
    run(&stack, &["admin", "user", "create", "bob", "--email", "bob@example.org"]).await.succeeds();

    assert_eq!(run(&stack, &["admin", "user", "suspend", "ada"]).await.succeeds(), "");
    ada.get("/users/ada").await.expect(401);
    let listed = run(&stack, &["admin", "user", "ls"]).await.succeeds();
    let names: Vec<&str> = listed.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(names, ["NAME", "ada", "admin", "bob"], "{listed}");
    assert!(listed.lines().nth(1).is_some_and(|line| line.ends_with(" suspended")), "{listed}");
    assert!(listed.contains(" site-administrator"), "{listed}");
    assert!(run(&stack, &["admin", "user", "ls", "bob@example.org"]).await.succeeds().contains("\nbob "));
    assert_eq!(run(&stack, &["admin", "user", "ls", "nobody"]).await.succeeds(), "");
    assert_eq!(run(&stack, &["admin", "user", "suspend", "ada", "--end"]).await.succeeds(), "");
    ada.get("/users/ada").await.expect(200);

    let password = run(&stack, &["admin", "user", "password", "ada"]).await.succeeds();
    assert!(password.starts_with("php_") && password.len() == 24, "{password}");
    assert_eq!(latest(&server, 3).await, ["user.reset_password ada ", "user.unsuspend ada ", "user.suspend ada "]);
    run(&stack, &["admin", "user", "suspend", "nobody"]).await.fails();
}

#[tokio::test]
async fn the_server_sees_at_once_what_the_console_does_to_organizations_and_plans() {
    let stack = Stack::create().await;
    let server = start(&stack).await;
    let (ada, bob) = (server.user("ada").await, server.user("bob").await);

    let arguments = ["admin", "org", "create", "acme", "--owner", "ada", "--full-name", "Acme Ltd."];
    assert_eq!(run(&stack, &arguments).await.succeeds(), "");
    assert_eq!(run(&stack, &["admin", "org", "member", "acme", "bob", "member"]).await.succeeds(), "");
    let shown = bob.get("/orgs/acme").await.expect(200).json();
    assert_eq!(shown["full_name"], "Acme Ltd.");
    assert_eq!(shown["members"], json!([{"name": "ada", "type": "owner"}, {"name": "bob", "type": "member"}]));

    run(&stack, &["admin", "org", "member", "acme", "bob", "admin"]).await.succeeds();
    bob.put("/orgs/acme/members/admin").json(json!({"type": "member"})).await.expect(200);

    assert_eq!(run(&stack, &["admin", "plan", "set", "acme", "enterprise"]).await.succeeds(), "");
    assert_eq!(latest(&server, 1).await, ["plan.set acme plan: premium -> enterprise"]);

    assert_eq!(run(&stack, &["admin", "org", "delete", "acme"]).await.succeeds(), "");
    ada.get("/orgs/acme").await.expect(404);
    assert_eq!(run(&stack, &["admin", "check"]).await.succeeds(), "no damage found");
}

#[tokio::test]
async fn the_console_makes_site_administrators() {
    let stack = Stack::create().await;
    let server = start(&stack).await;

    let key = run(&stack, &["admin", "user", "create", "root", "--site-admin"]).await.succeeds();

    let root = server.person("root", &key);
    root.get("/audit").await.expect(200);
    run(&stack, &["admin", "user", "delete", "admin"]).await.succeeds();
    server.admin().get("/users/admin").await.expect(401);
    root.post("/users").json(json!({"name": "ada"})).await.expect(201);
}

#[tokio::test]
async fn everything_can_be_set_up_before_the_first_start() {
    let stack = Stack::create().await;

    let root = run(&stack, &["admin", "user", "create", "root", "--site-admin", "--init"]).await.succeeds();
    let old = run(&stack, &["admin", "user", "create", "ada", "--plan", "free"]).await.succeeds();
    let ada = run(&stack, &["admin", "key", "rotate", "ada"]).await.succeeds();
    run(&stack, &["admin", "user", "create", "bob"]).await.succeeds();
    run(&stack, &["admin", "user", "create", "eve"]).await.succeeds();
    run(&stack, &["admin", "user", "delete", "eve"]).await.succeeds();
    run(&stack, &["admin", "org", "create", "acme", "--owner", "ada"]).await.succeeds();
    run(&stack, &["admin", "org", "member", "acme", "bob", "admin"]).await.succeeds();
    run(&stack, &["admin", "plan", "set", "ada", "enterprise"]).await.succeeds();
    run(&stack, &["admin", "org", "create", "gone", "--owner", "ada"]).await.succeeds();
    run(&stack, &["admin", "org", "delete", "gone"]).await.succeeds();
    assert_eq!(run(&stack, &["admin", "check"]).await.succeeds(), "no damage found");

    let server = start(&stack).await;
    assert!(!server.printed().contains("administrator"), "{}", server.printed());
    let root = server.person("root", &root);
    root.get("/audit").await.expect(200);
    root.get("/users/eve").await.expect(404);
    root.get("/orgs/gone").await.expect(404);
    server.person("ada", &old).get("/users/ada").await.expect(401);
    let acme = server.person("ada", &ada).get("/orgs/acme").await.expect(200).json();
    assert_eq!(acme["members"], json!([{"name": "ada", "type": "owner"}, {"name": "bob", "type": "admin"}]));
}

#[tokio::test]
async fn the_console_and_a_busy_server_write_in_turn() {
    let stack = Stack::create().await;
    let server = start(&stack).await;
    let busy: JoinSet<_> = (0..4).map(|writer| make_users(server.admin(), writer)).collect();

    let consoles = ["ada", "bob", "eve"].map(|name| ["admin", "user", "create", name]);
    let (ada, bob, eve) = tokio::join!(run(&stack, &consoles[0]), run(&stack, &consoles[1]), run(&stack, &consoles[2]));

    server.person("ada", &ada.succeeds()).get("/users/ada").await.expect(200);
    server.person("bob", &bob.succeeds()).get("/users/bob").await.expect(200);
    server.person("eve", &eve.succeeds()).get("/users/eve").await.expect(200);
    assert_eq!(busy.join_all().await, [40; 4]);
    assert_eq!(run(&stack, &["admin", "check"]).await.succeeds(), "no damage found");
}

/// Creates 40 users one after the other, and returns how many succeeded.
async fn make_users(admin: Person, writer: u32) -> usize {
    let mut made = 0;
    for count in 0..40 {
        admin.post("/users").json(json!({"name": format!("user-{writer}-{count}")})).await.expect(201);
        made += 1;
    }
    made
}

#[tokio::test]
async fn a_changed_audit_log_is_damage() {
    let stack = Stack::create().await;
    let mut server = start(&stack).await;
    server.user("ada").await;
    server.user("bob").await;
    server.kill();

    tamper(&stack, "UPDATE audit SET target = 'eve' WHERE seq = 2").await;
    let ended = run(&stack, &["admin", "check"]).await;

    assert_eq!(ended.code, Some(1), "{ended:?}");
    insta::assert_snapshot!(ended.stdout, @"the hash chain of the audit log is broken at entry 2");
    insta::assert_snapshot!(ended.stderr, @"packhouse: 1 problems found");
}

/// Returns the newest entries of the audit log: action, target, detail.
async fn latest(server: &Process, count: usize) -> Vec<String> {
    let entries = server.admin().get("/audit").await.expect(200).json();
    let text = |entry: &Value, field: &str| entry[field].as_str().expect("a text").to_owned();
    let line = |entry| format!("{} {} {}", text(entry, "action"), text(entry, "target"), text(entry, "detail"));
    entries.as_array().expect("a list").iter().take(count).map(line).collect()
}
