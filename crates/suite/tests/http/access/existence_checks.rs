//! Keys whose existence an external service checks.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use suite::{Person, TestHouse};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

use crate::{
    access::access_key_use::{FILE, vault},
    cluster::together::{statuses, together},
    content::INSIDE,
};

/// A server that knows which keys exist. It answers with one status, and records the requests.
#[derive(Clone)]
struct Registry {
    address: SocketAddr,
    status: Arc<Mutex<&'static str>>,
    asked: Arc<Mutex<Vec<String>>>,
}

/// The status of a registry that does not answer.
const SILENT: &str = "";

impl Registry {
    async fn start(status: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let registry = Self { address, status: Arc::new(Mutex::new(status)), asked: Arc::default() };
        let serving = registry.clone();
        tokio::spawn(async move {
            while let Ok((mut socket, _)) = listener.accept().await {
                let registry = serving.clone();
                tokio::spawn(async move {
                    let mut head = vec![0; 4096];
                    let size = socket.read(&mut head).await.unwrap_or_default();
                    let head = String::from_utf8_lossy(&head[..size]);
                    registry.asked.lock().expect("no panic").push(head.lines().next().unwrap_or_default().to_owned());
                    let status = *registry.status.lock().expect("no panic");
                    if status == SILENT {
                        let _ = socket.read(&mut [0; 1]).await;
                    }
                    let answer = format!("HTTP/1.1 {status}\r\nlocation: /gone\r\ncontent-length: 0\r\n\r\n");
                    let _ = socket.write_all(answer.as_bytes()).await;
                });
            }
        });
        registry
    }

    fn answer(&self, status: &'static str) {
        *self.status.lock().expect("no panic") = status;
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("no panic").clone()
    }

    fn terms(&self, cache_for_secs: i64) -> Value {
        let url = format!("http://{}/keys/:username?p=:password", self.address);
        json!({"password": "a/b?c&d%e:f+g", "existence_check": {"url": url, "cache_for_secs": cache_for_secs}})
    }
}

async fn ids(ada: &Person) -> Value {
    ada.get("/users/ada/access_keys").await.expect(200).json()["access_keys"].clone()
}

async fn newest_entry(house: &TestHouse) -> String {
    let log = house.admin().get("/audit").await.expect(200).json();
    let text = |field: &str| log[0][field].as_str().unwrap_or_default().to_owned();
    [text("actor"), text("action"), text("target"), text("detail"), text("address")].join(" ")
}

#[tokio::test]
async fn a_key_that_is_gone_elsewhere_is_removed() {
    let registry = Registry::start("200 OK").await;
    let (house, ada, client) = vault(&[INSIDE], registry.terms(60)).await;
    client.download(FILE).await.expect(200);
    client.download(FILE).await.expect(200);
    assert_eq!(registry.asked(), ["GET /keys/client%40ada?p=a%2Fb%3Fc%26d%25e%3Af%2Bg HTTP/1.1"]);
    registry.answer("404 Not Found");
    house.clock.advance(59_999);
    client.download(FILE).await.expect(200);
    house.clock.advance(1);
    client.download(FILE).await.refuses(401, "The user name or the API key is wrong");
    assert_eq!(registry.asked().len(), 2);
    assert_eq!(ids(&ada).await, json!([]));
    assert_eq!(newest_entry(&house).await, "(existence check) access_key.delete ada/client 404 127.0.0.1");
    client.get("/licenses/oss_licenses").await.expect(401);
    assert_eq!(registry.asked().len(), 2);
}

#[tokio::test]
async fn every_other_answer_keeps_the_key() {
    let registry = Registry::start("500 Oops").await;
    let (_house, ada, client) = vault(&[INSIDE], registry.terms(0)).await;
    for status in ["500 Oops", "302 Found", "401 Unauthorized", "410 Gone", "200 OK"] {
        registry.answer(status);
        client.download(FILE).await.expect(200);
        client.get("/licenses/oss_licenses").await.expect(200);
    }
    assert_eq!(registry.asked().len(), 10);
    assert_eq!(ids(&ada).await, json!(["client"]));
}

#[tokio::test]
async fn a_registry_that_is_not_there_keeps_the_key() {
    let registry = Registry::start("404 Not Found").await;
    let mut terms = registry.terms(0);
    let nobody = TcpListener::bind("127.0.0.1:0").await.expect("a free port").local_addr().expect("an address");
    terms["existence_check"]["url"] = json!(format!("http://{nobody}/"));
    let (_house, ada, client) = vault(&[INSIDE], terms).await;
    client.download(FILE).await.expect(200);
    // A name that does not resolve.
    let change = json!({"existence_check": {"url": "http://registry.invalid/", "cache_for_secs": 0}});
    ada.patch("/users/ada/access_keys/client").json(change).await.expect(200);
    client.download(FILE).await.expect(200);
    assert_eq!(ids(&ada).await, json!(["client"]));
}

#[tokio::test]
async fn a_silent_registry_keeps_the_key_and_is_left_alone() {
    let registry = Registry::start(SILENT).await;
    let (house, _ada, client) = vault(&[INSIDE], registry.terms(0)).await;
    let began = Instant::now();
    client.download(FILE).await.expect(200);
    let waited = began.elapsed();
    assert!((Duration::from_millis(4_900)..Duration::from_secs(20)).contains(&waited), "{waited:?}");
    client.download(FILE).await.expect(200);
    assert_eq!(registry.asked().len(), 1);
    registry.answer("404 Not Found");
    house.clock.advance(10_000);
    client.download(FILE).await.expect(401);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_at_once_ask_once() {
    let registry = Registry::start("200 OK").await;
    let (_house, ada, client) = vault(&[INSIDE], registry.terms(60)).await;
    let answers = together((0..50).map(|_| client.download(FILE))).await;
    assert_eq!(statuses(&answers), [200; 50]);
    assert_eq!(registry.asked().len(), 1);
    // With another password, it is another key.
    ada.patch("/users/ada/access_keys/client").json(json!({"password": "something else"})).await.expect(200);
    client.download(FILE).await.expect(401);
    assert_eq!(registry.asked().len(), 1);
}

#[tokio::test]
async fn only_the_right_password_is_passed_on() {
    let registry = Registry::start("404 Not Found").await;
    let (house, ada, _client) = vault(&[INSIDE], registry.terms(0)).await;
    house.person("client@ada", "wrong").download(FILE).await.expect(401);
    assert_eq!(registry.asked(), [""; 0]);
    assert_eq!(ids(&ada).await, json!(["client"]));
}

#[tokio::test]
async fn a_server_behind_a_proxy_does_not_ask_this_machine() {
    let registry = Registry::start("404 Not Found").await;
    let url = format!("http://localhost:{}/", registry.address.port());
    let terms = json!({"existence_check": {"url": url, "cache_for_secs": 0}});
    let (_proxied, ada, client) = vault(&[("trusted_proxies", "192.0.2.0/24")], terms.clone()).await;
    client.download(FILE).await.expect(200);
    assert_eq!(registry.asked(), [""; 0]);
    let literal = json!({"existence_check": {"url": format!("http://{}/", registry.address)}});
    let refused = ada.patch("/users/ada/access_keys/client").json(literal).await.expect(400).message();
    assert!(refused.starts_with("existence_check.url: "), "{refused}");
    // A server without a proxy does ask, and learns that the key is gone.
    let (_alone, _ada, client) = vault(&[INSIDE], terms).await;
    client.download(FILE).await.expect(401);
    assert_eq!(registry.asked().len(), 1);
}
