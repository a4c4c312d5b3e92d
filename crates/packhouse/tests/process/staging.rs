//! Syncs with a public staging registry: what the log has of them, and what it never has.

use serde_json::json;
use suite::{
    Stack,
    staging::{Fault, Gpg, PASSWORD, StandIn, USERNAME, release},
};

use crate::program::start_with;

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
        let call = ada.post("/maven_public_sync/ada/central/lib/versions/1.0").json(body);
        call.await.expect(if fault.is_none() { 200 } else { 502 });
        let written = format!("{}\n{}", server.printed(), server.log());
        assert!(written.contains("syncing 8 files of `ada/central/lib/1.0`"), "{written}");
        let end = if fault.is_none() { "synced `ada/central/lib/1.0`" } else { "syncing `ada/central/lib/1.0` failed" };
        assert!(written.contains(end), "{protocol} {fault:?}");
        // The start of the token is that of the name in base64.
        for secret in [USERNAME, PASSWORD, "Q0FOQVJZ"] {
            let leak = written.lines().find(|line| line.contains(secret));
            assert_eq!(leak, None, "{protocol} {fault:?}: `{secret}` is in the log");
        }
    }
}
