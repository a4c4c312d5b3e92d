//! Allowed targets of callbacks.

use serde_json::json;
use suite::Receiver;

use crate::{
    content::{cat, cat_that_calls},
    events::webhooks::{HOOKS, deliver, register, release, standing},
};

#[tokio::test]
async fn an_address_that_is_not_public_is_refused_in_every_spelling() {
    let (_house, ada) = cat().await;
    let hosts = [
        "127.0.0.1",
        "127.1",
        "0x7f000001",
        "2130706433",
        "017700000001",
        "10.0.0.1",
        "192.168.1.1",
        "172.16.0.1",
        "100.64.0.1",
        "169.254.169.254",
        "0.0.0.0",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:a9fe:a9fe]",
        "[fe80::1]",
        "[fd00::1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "%31%32%37.0.0.1",
        "127。0。0。1",
    ];
    for host in hosts {
        let refused = ada.post(HOOKS).json(json!({ "url": format!("http://{host}/") })).await.expect(400).message();
        assert!(refused.ends_with("is not a public address"), "{host}: {refused}");
    }
}

#[tokio::test]
async fn a_name_is_looked_up_when_it_is_called() {
    let receiver = Receiver::start().await;
    let (house, ada) = cat().await;
    register(&ada, &format!("http://localhost:{}/", receiver.address.port())).await;
    release(&ada, "1.0").await;
    deliver(&house).await;
    assert_eq!(receiver.callbacks().len(), 0);
    assert_eq!(standing(&ada).await, [("1".to_owned(), true)]);
    let listed = ada.get(&format!("{HOOKS}/deliveries")).await.expect(200).json();
    assert_eq!(listed[0]["error"], "its host name has no public address");
}

#[tokio::test]
async fn internal_receivers_are_a_setting() {
    let receiver = Receiver::start().await;
    let (house, ada) = cat_that_calls().await;
    register(&ada, &receiver.url("/")).await;
    register(&ada, "http://10.0.0.1/").await;
    ada.post(HOOKS).json(json!({"url": "http://169.254.169.254/"})).await.expect(400);
    ada.delete(HOOKS).await.expect(200);
    register(&ada, &receiver.url("/")).await;
    release(&ada, "1.0").await;
    deliver(&house).await;
    assert_eq!(receiver.callbacks().len(), 1);
}
