//! Proxies: which ones are trusted for the client's address and protocol.

use serde_json::{Value, json};
use suite::{Answer, Call, TestHouse};

const PUBLIC: &str = "203.0.113.7";

/// Starts a house behind a proxy on this machine.
async fn proxied_house() -> TestHouse {
    TestHouse::start_with(&[("trusted_proxies", "127.0.0.1/32")]).await
}

fn new_org(house: &TestHouse) -> Call {
    house.admin().post("/orgs").json(json!({"name": "acme"}))
}

/// Returns the client address of the newest entry of the audit log.
async fn last_address(house: &TestHouse) -> Value {
    let entries = house.admin().get("/audit").header("x-forwarded-proto", "https").await.expect(200).json();
    assert_eq!(entries[0]["action"], "org.create");
    entries[0]["address"].clone()
}

#[track_caller]
fn is_insecure(answer: Answer) {
    answer.refuses(403, "Credentials are accepted over HTTPS only; this connection is not encrypted");
}

#[tokio::test]
async fn credentials_that_came_to_the_proxy_in_the_clear_are_refused() {
    let house = proxied_house().await;
    let call = || new_org(&house).header("x-forwarded-for", PUBLIC);
    is_insecure(call().header("x-forwarded-proto", "http").await);
    is_insecure(call().await);
    is_insecure(call().header("x-forwarded-proto", "https, http").await);
    is_insecure(call().header("x-forwarded-proto", "https").header("x-forwarded-proto", "http").await);
    house.admin().get("/orgs/acme").header("x-forwarded-proto", "https").await.expect(404);
}

/// The proxy's header counts, even if others are missing.
#[tokio::test]
async fn a_proxy_that_says_http_and_no_address_is_believed_too() {
    let house = proxied_house().await;
    is_insecure(new_org(&house).header("x-forwarded-proto", "http").await);
}

#[tokio::test]
async fn wrong_credentials_in_the_clear_are_told_apart_from_nothing() {
    let house = proxied_house().await;
    let call = house.person("admin", "wrong").get("/users/admin").header("x-forwarded-for", PUBLIC);
    is_insecure(call.header("x-forwarded-proto", "http").await);
    house.anyone().get("/users/admin").header("x-forwarded-for", PUBLIC).await.expect(401);
}

#[tokio::test]
async fn credentials_over_https_work_and_the_audit_log_has_the_client() {
    let house = proxied_house().await;
    let call = new_org(&house).header("x-forwarded-for", PUBLIC).header("x-forwarded-proto", "https");
    call.await.expect(201);
    assert_eq!(last_address(&house).await, PUBLIC);
}

#[tokio::test]
async fn an_address_that_the_client_claimed_itself_is_passed_over() {
    let house = proxied_house().await;
    let claimed = format!("127.0.0.1, 10.0.0.1, 198.51.100.1, {PUBLIC}, 127.0.0.1");
    new_org(&house).header("x-forwarded-for", &claimed).header("x-forwarded-proto", "https").await.expect(201);
    assert_eq!(last_address(&house).await, PUBLIC);
}

#[tokio::test]
async fn addresses_are_read_in_every_form() {
    for (forwarded, address) in [
        ("::ffff:203.0.113.7", PUBLIC),
        ("203.0.113.7:1234", PUBLIC),
        ("[2001:db8::7]:1234", "2001:db8::7"),
        ("[2001:db8::7]", "2001:db8::7"),
        ("2001:DB8::7", "2001:db8::7"),
    ] {
        let house = proxied_house().await;
        let call = new_org(&house).header("x-forwarded-for", forwarded).header("x-forwarded-proto", "https");
        call.await.expect(201);
        assert_eq!(last_address(&house).await, address, "{forwarded}");
    }
}

#[tokio::test]
async fn the_word_of_a_stranger_is_not_taken() {
    let house = TestHouse::start().await;
    let call = new_org(&house).header("x-forwarded-for", PUBLIC).header("x-forwarded-proto", "http");
    call.header("x-real-ip", PUBLIC).header("forwarded", "for=203.0.113.7").await.expect(201);
    assert_eq!(last_address(&house).await, "127.0.0.1");
}

#[tokio::test]
async fn other_headers_of_a_trusted_proxy_are_not_taken_for_an_address() {
    let house = proxied_house().await;
    let call = new_org(&house).header("forwarded", "for=203.0.113.7;proto=https").header("x-real-ip", PUBLIC);
    call.header("x-forwarded-proto", "https").await.expect(201);
    assert_eq!(last_address(&house).await, "127.0.0.1");
}

/// The metrics are open to this machine; a client with a hidden address does not count as this machine.
#[tokio::test]
async fn a_client_whose_address_cannot_be_read_is_not_taken_for_the_proxy() {
    let house = proxied_house().await;
    house.anyone().get("//metrics").header("x-forwarded-for", PUBLIC).await.expect(404);
    house.anyone().get("//metrics").header("x-forwarded-for", "unknown").await.expect(404);
}

const HSTS: &str = "strict-transport-security";
const PAGES: (&str, &str) = ("public_url", "https://packages.example.com");

/// Returns the HSTS headers of a page, the API, an error and a download, which is cached from the second time on.
async fn told_of_tls(settings: &[(&str, &str)], scheme: &str) -> Vec<String> {
    let settings = [&[("trusted_proxies", "127.0.0.1/32")], settings].concat();
    let house = TestHouse::start_with(&settings).await;
    let admin = house.admin();
    let over = |call: Call, scheme: &str| call.header("x-forwarded-proto", scheme);
    over(admin.post("/repos/admin/tools"), "https").await.expect(201);
    over(admin.post("/packages/admin/tools"), "https").json(json!({"name": "cat"})).await.expect(201);
    over(admin.put("/content/admin/tools/cat/1/cat.txt?publish=1"), "https").body("meow").await.expect(201);
    let mut told = Vec::new();
    for _ in 0..3 {
        for path in ["//", "/openapi.json", "/nothing", "//dl/admin/tools/cat.txt"] {
            // A response that is cached for one protocol is not used for the other.
            for scheme in ["https", "http", scheme] {
                let answer = over(house.anyone().get(path), scheme).await;
                told.push(answer.header(HSTS).to_owned());
            }
        }
    }
    told.into_iter().skip(2).step_by(3).collect()
}

#[tokio::test]
async fn browsers_are_told_to_stay_with_tls_once_they_have_come_over_it() {
    assert_eq!(told_of_tls(&[PAGES], "https").await, ["max-age=31536000"; 12]);
    assert_eq!(told_of_tls(&[PAGES], "http").await, [""; 12]);
}

#[tokio::test]
async fn browsers_are_not_bound_where_tls_is_not_known_to_last() {
    assert_eq!(told_of_tls(&[PAGES, ("hsts", "false")], "https").await, [""; 12]);
    assert_eq!(told_of_tls(&[("public_url", "http://packages.example.com")], "https").await, [""; 12]);
    assert_eq!(told_of_tls(&[], "https").await, [""; 12]);
}
