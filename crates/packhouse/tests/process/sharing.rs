//! Two servers on one database: refused on SQLite, a cluster on PostgreSQL.

use std::time::Duration;

use serde_json::json;
use suite::{Process, Stack};

use crate::program::{serve_with, start};

#[tokio::test]
async fn a_second_server_is_refused_by_sqlite_and_shares_everything_on_postgres() {
    let stack = Stack::create().await;
    let first = start(&stack).await;
    if stack.is_cluster() {
        shares_everything(&first, &start(&stack).await).await;
    } else {
        is_refused(&stack, &first).await;
    }
}

#[tokio::test]
async fn signed_addresses_are_good_and_end_on_every_server() {
    let stack = Stack::create().await;
    let first = start(&stack).await;
    if stack.is_cluster() {
        signs_and_revokes(&first, &start(&stack).await).await;
    } else {
        signs_and_revokes(&first, &first).await;
    }
}

async fn signs_and_revokes(first: &Process, second: &Process) {
    let ada = first.user("ada").await;
    ada.post("/repos/ada/tools").json(json!({"private": true})).await.expect(201);
    ada.post("/packages/ada/tools").json(json!({"name": "cat"})).await.expect(201);
    ada.put("/content/ada/tools/cat/1.0/cat.bin?publish=1").body("meow").await.expect(201);
    let signed = ada.post("/signed_url/ada/tools/cat.bin").await.expect(200).json();
    let (_, path) = signed["url"].as_str().and_then(|url| url.split_once("/dl/")).expect("an address");
    let address = format!("//dl/{path}");
    for server in [first, second].into_iter().cycle().take(40) {
        assert_eq!(server.anyone().get(&address).await.expect(200).text(), "meow");
    }
    // Cached downloads are sent without a lookup and without a log line. The first ones may meet an invalidation by the
    // upload.
    let looked_up = first.log().matches("answered GET /dl/ada/tools/cat.bin with 200").count();
    assert!((1..=10).contains(&looked_up), "{looked_up} were looked up");
    ada.post("/subjects/ada/keypair").await.expect(201);
    first.anyone().get(&address).await.expect(403);
    let ended = async { while second.anyone().get(&address).await.status != 403 {} };
    tokio::time::timeout(Duration::from_secs(1), ended).await.expect("the other server knows within a second");
}

async fn is_refused(stack: &Stack, first: &Process) {
    let refused = serve_with(stack, &[]).await.fails();

    let file = stack.database_file().expect("an embedded database").display().to_string();
    insta::assert_snapshot!(refused.replace(&file, "FILE"), @"database sqlite://FILE: FILE is in use by another packhouse process");
    first.admin().get("/users/admin").await.expect(200);
    first.user("ada").await.get("/users/ada").await.expect(200);
}

async fn shares_everything(first: &Process, second: &Process) {
    let ada = first.user("ada").await;
    let old = second.person("ada", ada.key());
    old.get("/users/ada").await.expect(200);
    assert!(!second.printed().contains("administrator"), "{}", second.printed());

    let rotated = first.admin().post("/users/ada/api_key").await.expect(201).json();

    old.get("/users/ada").await.expect(401);
    let ada = second.person("ada", rotated["api_key"].as_str().expect("a key"));
    ada.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    first.admin().get("/orgs/acme").await.expect(200);
    second.admin().delete("/orgs/acme").await.expect(200);
    first.admin().get("/orgs/acme").await.expect(404);
    first.admin().delete("/users/ada").await.expect(200);
    ada.get("/users/ada").await.expect(401);
}
