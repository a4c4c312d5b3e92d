//! Signing leaves no secret in the server's log.

use serde_json::json;
use suite::{Gpg, NewKey, Person, Stack};

use crate::program::start_with;

const TRACE: [(&str, &str); 2] = [("PACKHOUSE_LOG__FORMAT", "json"), ("PACKHOUSE_LOG__LEVEL", "trace")];

#[tokio::test]
async fn no_passphrase_and_no_private_key_is_written_at_trace() {
    let stack = Stack::create().await;
    let server = start_with(&stack, &TRACE).await;
    let (admin, gpg) = (server.admin(), Gpg::new());
    let keys = ["ed25519", "rsa2048"].map(|algorithm| {
        gpg.private_key(NewKey { name: algorithm, algorithm, passphrase: "CANARY-key", ..NewKey::default() })
    });
    let flags = json!({"gpg_sign_files": true, "gpg_use_owner_key": true});
    admin.post("/repos/admin/tools").json(flags).await.expect(201);
    admin.post("/packages/admin/tools").json(json!({"name": "cat"})).await.expect(201);
    for key in &keys {
        sign(&admin, key).await;
        break_rules(&admin, key).await;
    }
    let written = format!("{}\n{}", server.printed(), server.log());
    assert!(written.contains("answered POST /api/gpg/admin/tools/cat.tar with 200"), "the log has the requests");
    // Any line of the armor, and the debug output of an opened key.
    let armour = keys.iter().flat_map(|key| key.lines()).filter(|line| line.len() > 40 && !line.contains(' '));
    for secret in armour.chain(["CANARY", "PRIVATE KEY", "secret_params", "SecretKey"]) {
        assert_eq!(written.lines().find(|line| line.contains(secret)), None, "`{secret}` is in the log");
    }
}

async fn sign(admin: &Person, key: &str) {
    let sign = "/gpg/admin/tools/cat.tar";
    let upload = admin.put("/content/admin/tools/cat/1.0/cat.tar").body("meow");
    upload.header("X-GPG-PASSPHRASE", "CANARY-key").await.expect(201);
    admin.put("/users/admin/keys/gpg").json(json!({ "private_key": key })).await.expect(200);
    admin.post(&format!("{sign}?passphrase=CANARY-key")).await.expect(200);
    admin.post(sign).header("X-GPG-PASSPHRASE", "CANARY-key").await.expect(200);
    admin.post(sign).json(json!({"private_key": key, "passphrase": "CANARY-key"})).await.expect(200);
    let publish = admin.post("/content/admin/tools/cat/1.0/publish").json(json!({"passphrase": "CANARY-key"}));
    publish.await.expect(200);
    let open = json!({"private_key": key, "passphrase": "CANARY-key"});
    admin.put("/users/admin/keys/gpg").json(open).await.expect(200);
    admin.post(sign).await.expect(200);
}

async fn break_rules(admin: &Person, key: &str) {
    let (sign, store) = ("/gpg/admin/tools/cat.tar", "/users/admin/keys/gpg");
    admin.put(store).json(json!({ "private_key": key })).await.expect(200);
    for body in [
        json!({"passphrase": "CANARY-wrong"}),
        json!({"passphrase": ["CANARY"]}),
        json!({"private_key": "CANARY"}),
        json!({"private_key": key, "passphrase": "CANARY-wrong"}),
        json!({"private_key": &key[..key.len() / 2]}),
        json!({"subject": "CANARY/subject", "passphrase": "CANARY"}),
    ] {
        admin.post(sign).json(body).await.expect(400);
    }
    admin.put(store).json(json!({"private_key": key, "passphrase": "CANARY-wrong"})).await.expect(400);
    admin.put(store).body("{\"private_key\": \"CANARY").await.expect(400);
    admin.post(&format!("{sign}?passphrase=CANARY&passphrase=CANARY-other")).await.expect(400);
}
