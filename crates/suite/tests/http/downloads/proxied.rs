//! Downloads through a proxy are answered from the cache, and count for the client behind the proxy.

use reqwest::header::{HeaderMap, HeaderValue};
use serde_json::json;
use suite::{ADMIN_KEY, Call, Log, Person, TestHouse};

use crate::{
    access::access_key_use::FILE,
    catalogue::{new_package, new_private_repo},
    content::upload_published,
};

/// The number of downloads of a file.
const DOWNLOADS: u8 = 20;

/// A house behind a proxy on this machine, ada's private file in it, and a key holder.
struct Proxied {
    log: Log,
    house: TestHouse,
    ada: Person,
    client: Person,
}

impl Proxied {
    async fn start() -> Self {
        let log = Log::listen();
        let house = TestHouse::start_with(&[("trusted_proxies", "127.0.0.1/32")]).await;
        let admin = through_tls(&house, "admin", ADMIN_KEY);
        let made = admin.post("/users").json(json!({"name": "ada"})).await.expect(201).json();
        let ada = through_tls(&house, "ada", made["api_key"].as_str().expect("a key"));
        new_private_repo(&ada, "ada/vault").await;
        new_package(&ada, "ada/vault", "cat").await;
        upload_published(&ada, "ada/vault/cat/1.0/cat.bin", "meow").await;
        let key = json!({"id": "client", "password": "the-password-of-client", "black_cidrs": ["203.0.113.0/24"]});
        ada.post("/users/ada/access_keys").json(key).await.expect(201);
        let right = json!({"access": "r", "access_keys": ["client"]});
        ada.post("/repos/ada/vault/entitlements").json(right).await.expect(201);
        let client = house.person("client@ada", "the-password-of-client");
        Self { log, house, ada, client }
    }

    /// Returns a download from this IP address with this scheme.
    fn from(&self, address: &str, scheme: &str) -> Call {
        self.client.download(FILE).header("x-forwarded-for", address).header("x-forwarded-proto", scheme)
    }

    /// Returns the number of lookups: a cached response has no log line.
    fn looked_up(&self) -> usize {
        self.log.count(&format!("answered GET /dl{FILE} with 200"))
    }
}

/// Returns a caller who connects to the proxy over TLS.
fn through_tls(house: &TestHouse, name: &str, key: &str) -> Person {
    let headers =
        HeaderMap::from_iter([("x-forwarded-proto".parse().expect("a name"), HeaderValue::from_static("https"))]);
    let client = reqwest::Client::builder().no_proxy().default_headers(headers).build().expect("a client");
    Person::new(client, format!("http://{}", house.address), Some((name.to_owned(), key.to_owned())))
}

#[tokio::test]
async fn what_is_kept_is_sent_through_a_proxy() {
    let proxied = Proxied::start().await;
    for host in 0..DOWNLOADS {
        let answer = proxied.from(&format!("198.51.100.{host}"), "https").await.expect(200);
        assert_eq!(answer.text(), "meow");
        // Makes the last download distinguishable, in whichever order the nodes flush.
        proxied.house.clock.advance(1);
    }
    // Sometimes a lookup is repeated, because other servers may have changed something.
    assert!(proxied.looked_up() < usize::from(DOWNLOADS) / 2, "{} of {DOWNLOADS} are looked up", proxied.looked_up());
    proxied.house.flush().await;
    let usage = proxied.ada.get("/users/ada/access_keys/client/usage").await.expect(200).json();
    assert_eq!((&usage["downloads"], &usage["last_address"]), (&json!(DOWNLOADS), &json!("198.51.100.19")));
}

#[tokio::test]
async fn what_is_kept_is_refused_where_it_would_be_refused_before() {
    let proxied = Proxied::start().await;
    for _ in 0..3 {
        proxied.from("198.51.100.7", "https").await.expect(200);
        proxied.from("198.51.100.7", "http").await.expect(403);
        proxied.from("203.0.113.7", "https").await.expect(403);
    }
}
