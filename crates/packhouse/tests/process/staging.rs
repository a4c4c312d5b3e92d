//! Public syncs with a staging registry: what the log contains, and what it never contains.

use serde_json::json;
use suite::{
    Stack,
    public_sync::{Fault, Gpg, PASSWORD, StandIn, USERNAME, release},
};

use crate::{
    program::start_with,
    tools::{change, sessions_end},
};

const CALL: &str = "/maven_public_sync/ada/central/lib/versions/1.0";

#[tokio::test]
async fn a_sync_tells_its_progress_and_never_its_credentials() {
    for (protocol, fault) in
        [("nexus", None), ("portal", None), ("nexus", Some(Fault::Echo)), ("portal", Some(Fault::Rule))]
    {
        let (stack, gpg) = (Stack::create().await, Gpg::create());
        let remote = StandIn::start(&gpg, fault).await;
        let url = format!("http://{}", remote.address);
        let environment = [
            ("PACKHOUSE_LOG__LEVEL", "trace"),
            ("PACKHOUSE_STAGING__URL", url.as_str()),
            ("PACKHOUSE_STAGING__PROTOCOL", protocol),
        ];
        let server = start_with(&stack, &environment).await;
        let ada = server.user("ada").await;
        ada.publish_release(&release(&gpg)).await;
        let body = json!({"username": USERNAME, "password": PASSWORD});
        let call = ada.post(CALL).json(body);
        call.await.expect(if fault.is_none() { 200 } else { 502 });
        let written = format!("{}\n{}", server.printed(), server.log());
        assert!(written.contains("syncing 8 files of `ada/central/lib/1.0`"), "{written}");
        let end = if fault.is_none() { "synced `ada/central/lib/1.0`" } else { "syncing `ada/central/lib/1.0` failed" };
        assert!(written.contains(end), "{protocol} {fault:?}");
        // The token starts with the base64 encoding of the name.
        for secret in [USERNAME, PASSWORD, "Q0FOQVJZ"] {
            let leak = written.lines().find(|line| line.contains(secret));
            assert_eq!(leak, None, "{protocol} {fault:?}: `{secret}` is in the log");
        }
    }
}

#[tokio::test]
async fn the_sync_of_a_server_that_was_killed_is_taken_over() {
    let (stack, gpg) = (Stack::create().await, Gpg::create());
    let remote = StandIn::start(&gpg, Some(Fault::Silence)).await;
    let url = format!("http://{}", remote.address);
    let environment = [("PACKHOUSE_STAGING__URL", url.as_str()), ("PACKHOUSE_STAGING__PROTOCOL", "nexus")];
    let mut server = start_with(&stack, &environment).await;
    let ada = server.user("ada").await;
    ada.publish_release(&release(&gpg)).await;
    let body = json!({"username": USERNAME, "password": PASSWORD});
    let first = tokio::spawn(ada.post(CALL).json(body.clone()).try_send());
    while remote.log().is_empty() {
        tokio::task::yield_now().await;
    }
    server.kill();
    first.await.expect("it ends").expect_err("it was killed");
    sessions_end(&stack).await;
    remote.clear_fault();

    let server = start_with(&stack, &environment).await;
    let ada = server.person("ada", ada.key());
    ada.post(CALL).json(body.clone()).await.refuses(409, "This version is being synced already");
    // As if a minute had passed.
    assert_eq!(change(&stack, "UPDATE syncs SET claimed_until = 0").await, 1);
    ada.post(CALL).json(body.clone()).await.expect(200);
    assert_eq!(remote.released().len(), 16);
    assert_eq!(change(&stack, "UPDATE syncs SET claimed_until = 0").await, 0, "it was given back");
}
