//! HTTP over TLS.

use std::time::Duration;

use reqwest::Version;
use suite::{Person, TestHouse};

use crate::{
    certificates::{Certificates, Pair},
    clients,
    wire::{PATIENCE, Wire},
};

async fn house() -> (TestHouse, Certificates, Pair) {
    let pair = Pair::generate();
    let certificates = Certificates::with(&pair);
    (TestHouse::start_tls(certificates.files()).await, certificates, pair)
}

#[tokio::test]
async fn the_handshake_chooses_http_2_where_both_can() {
    let (house, _files, pair) = house().await;
    let answer = clients::tls().get(format!("https://{}/livez", house.address)).send().await.expect("an answer");
    assert_eq!((answer.status().as_u16(), answer.version()), (200, Version::HTTP_2));
    assert_eq!(clients::certificate(&answer), pair.der);
}

#[tokio::test]
async fn http_1_is_spoken_over_tls_as_well() {
    let (house, _files, pair) = house().await;
    let answer = clients::tls_http1().get(format!("https://{}/livez", house.address)).send().await.expect("an answer");
    assert_eq!((answer.status().as_u16(), answer.version()), (200, Version::HTTP_11));
    assert_eq!(clients::certificate(&answer), pair.der);
}

#[tokio::test]
async fn people_sign_in_over_tls() {
    let (house, _files, _) = house().await;
    let credentials = (house.admin().name().to_owned(), house.admin().key().to_owned());
    let admin = Person::new(clients::tls(), format!("https://{}", house.address), Some(credentials));
    admin.post("/users").json(serde_json::json!({"name": "ada"})).await.expect(201);
    admin.get("/users/ada").await.expect(200);
}

#[tokio::test]
async fn plain_http_on_a_tls_port_is_not_answered() {
    let (house, _files, _) = house().await;
    let mut wire = Wire::open(&house).await;
    wire.send("GET /livez HTTP/1.1\r\nHost: house\r\n\r\n").await;
    wire.time_to_close(PATIENCE).await.expect("the connection is closed");
    assert!(!wire.rest().contains("alive"));
}

#[tokio::test]
async fn a_handshake_that_never_ends_is_cut_after_ten_seconds() {
    let (house, _files, _) = house().await;
    let (mut silent, mut half) = (Wire::open(&house).await, Wire::open(&house).await);
    // The start of a ClientHello of 512 bytes.
    half.send(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03").await;
    let patience = Duration::from_secs(20);
    let (silent, half) = tokio::join!(silent.time_to_close(patience), half.time_to_close(patience));
    for time in [silent, half] {
        let time = time.expect("the connection is cut");
        assert!((Duration::from_secs(9)..Duration::from_secs(13)).contains(&time), "{time:?}");
    }
}

#[tokio::test]
async fn a_handshake_that_never_ends_does_not_hold_a_stop_up() {
    let (house, _files, _) = house().await;
    let mut silent = Wire::open(&house).await;
    silent.send(b"\x16\x03\x01").await;
    let answer = clients::tls().get(format!("https://{}/livez", house.address)).send().await.expect("an answer");
    assert_eq!(answer.status(), 200, "the silent connection was accepted before this one");
    drop(answer);
    tokio::time::timeout(PATIENCE, house.stop()).await.expect("the server ends soon");
}
