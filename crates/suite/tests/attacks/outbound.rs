//! URLs that lead into the network of the operator.

use serde_json::json;
use suite::{Person, Receiver, TestHouse};

const HOOKS: &str = "/webhooks/ada/tools/cat";
const KEYS: &str = "/users/ada/access_keys";
const INSIDE: (&str, &str) = ("outgoing.allow_private", "true");

/// Starts a server with these settings, and ada with the package `ada/tools/cat`.
async fn cat(changes: &[(&str, &str)]) -> (TestHouse, Person) {
    let house = TestHouse::start_with(changes).await;
    let ada = house.user("ada").await;
    ada.post("/repos/ada/tools").json(json!({})).await.expect(201);
    ada.post("/packages/ada/tools").json(json!({"name": "cat"})).await.expect(201);
    (house, ada)
}

/// Returns the responses to a URL as that of a webhook, and as the existence check of a key.
async fn said(ada: &Person, url: &str) -> [(u16, String); 2] {
    let hook = ada.post(HOOKS).json(json!({ "url": url })).await;
    let key = ada.post(KEYS).json(json!({"id": "k", "existence_check": {"url": url}})).await;
    if key.status == 201 {
        ada.delete(&format!("{KEYS}/k")).await.expect(200);
    }
    let reason = |text: &str| text.split_once(": ").map_or(String::new(), |(_, reason)| reason.to_owned());
    [&hook, &key].map(|answer| (answer.status, reason(answer.json()["message"].as_str().unwrap_or_default())))
}

#[tokio::test]
async fn addresses_that_clouds_keep_for_their_machines_are_inside() {
    let hosts = [
        "168.63.129.16",
        "0xa83f8110",
        "[::ffff:168.63.129.16]",
        "169.254.169.254",
        "100.100.100.200",
        "192.0.0.192",
        "[fd00:ec2::254]",
        "[fd20:ce::254]",
        "[fd00:c1::a9fe:a9fe]",
    ];
    for changes in [&[][..], &[INSIDE]] {
        let (_house, ada) = cat(changes).await;
        for host in hosts {
            for (status, reason) in said(&ada, &format!("http://{host}/x")).await {
                assert!(status == 400 && reason.ends_with("is not a public address"), "{host}: {status} {reason}");
            }
        }
    }
}

#[tokio::test]
async fn webhooks_and_existence_checks_read_addresses_alike() {
    let (_house, ada) = cat(&[]).await;
    let tricks = [
        "http:///x",
        "http:////x",
        "http:\\\\x",
        "http:x",
        "http:/x/y",
        "ht\ttp://example.org/",
        "http://exam\tple.org/",
        "http://example.org/\r\nHost: inside",
        "http://example.org/\n",
        " http://example.org/",
        "http://example.org/\u{2028}",
        "http://ada:secret@example.org/",
        "//example.org/",
        "x",
    ];
    for url in tricks {
        let [hook, key] = said(&ada, url).await;
        assert_eq!((hook.0, key.0), (400, 400), "{url:?}");
        // The error of a webhook repeats the URL.
        assert!(hook.1.ends_with(&key.1), "{url:?}: {hook:?} {key:?}");
    }
    assert_eq!(said(&ada, "https://example.org/x?y=z").await.map(|(status, _)| status), [201, 201]);
}

#[tokio::test]
async fn a_receiver_on_this_machine_needs_the_setting_wherever_the_server_listens() {
    let receiver = Receiver::start().await;
    let (_house, ada) = cat(&[]).await;
    ada.post("/packages/ada/tools/cat/versions").json(json!({"name": "1.0"})).await.expect(201);
    for url in [receiver.url("/"), format!("http://[::ffff:7f00:1]:{}/", receiver.address.port())] {
        assert_eq!(said(&ada, &url).await.map(|(status, _)| status), [400, 400], "{url}");
        ada.post(&format!("{HOOKS}/1.0")).json(json!({ "url": url })).await.expect(400);
    }
    // A name is resolved only when it is called.
    let url = format!("http://localhost:{}/", receiver.address.port());
    let tested = ada.post(&format!("{HOOKS}/1.0")).json(json!({ "url": url })).await.expect(200).json();
    assert_eq!(tested["error"], "its host name has no public address");
    assert_eq!(receiver.callbacks().len(), 0);
}

#[tokio::test]
async fn networks_of_the_setting_are_refused_on_top_of_what_is_allowed() {
    let receiver = Receiver::start().await;
    let refused = ("outgoing.refused_networks", "127.0.0.0/8, 2001:4860::/32, 8.8.0.0/16");
    let (_house, ada) = cat(&[INSIDE, refused]).await;
    ada.post("/packages/ada/tools/cat/versions").json(json!({"name": "1.0"})).await.expect(201);
    for url in [receiver.url("/"), "http://8.8.8.8/".into(), "http://[2001:4860:4860::8888]/".into()] {
        assert_eq!(said(&ada, &url).await.map(|(status, _)| status), [400, 400], "{url}");
    }
    assert_eq!(said(&ada, "http://10.0.0.1/").await.map(|(status, _)| status), [201, 201]);
    let url = format!("http://localhost:{}/", receiver.address.port());
    ada.post(&format!("{HOOKS}/1.0")).json(json!({ "url": url })).await.expect(200);
    assert_eq!(receiver.callbacks().len(), 0);
}
