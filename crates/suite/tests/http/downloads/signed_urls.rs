//! Signed URLs that give anyone access to a file: who creates them, their lifetime, and their scope.

use serde_json::{Value, json};
use suite::{Person, TestHouse};

use crate::{
    access::{
        acme::{Cast, set_member},
        grants::{key_to, key_to_path, new_product, new_team, permit},
    },
    catalogue::{new_package, new_private_repo},
    content::{DAY, SECOND, upload, upload_published},
    downloads::download_logs::read_log,
};

const CALL: &str = "/signed_url/ada/tools/cat/cat.bin";

/// The time at which every test begins, in milliseconds.
const START: i64 = 1_768_478_400_000;

/// Starts a house with the private file `ada/tools/cat/cat.bin`, and ada.
pub(crate) async fn secret() -> (TestHouse, Person) {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    new_private_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "cat").await;
    upload_published(&ada, "ada/tools/cat/1.0/cat/cat.bin", "meow").await;
    (house, ada)
}

/// Returns the signed URL of the file, below the server's root. The body may be absent.
pub(crate) async fn sign(by: &Person, body: Value) -> String {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let url = by.post(CALL).body(body).await.expect(200).json()["url"].as_str().expect("an address").to_owned();
    let (_, path) = url.split_once("/dl/").unwrap_or_else(|| panic!("not a download: {url}"));
    format!("//dl/{path}")
}

/// Returns the `expiry` of a URL.
fn expiry(address: &str) -> i64 {
    let (_, rest) = address.split_once("?expiry=").expect("an expiry");
    let (number, signature) = rest.split_once("&signature=").expect("a signature");
    assert!(!signature.contains(['&', '=']), "{address}");
    number.parse().expect("a number")
}

#[tokio::test]
async fn anyone_reads_the_file_until_the_address_expires() {
    let (house, ada) = secret().await;
    house.anyone().download("/ada/tools/cat/cat.bin").await.expect(401);
    let address = sign(&ada, Value::Null).await;
    assert_eq!(expiry(&address), START + DAY);
    let eve = house.user("eve").await;
    for who in [&house.anyone(), &eve, &ada] {
        let answer = who.get(&address).await.expect(200);
        assert_eq!((answer.text(), answer.header("cache-control")), ("meow".into(), "private, no-cache, no-transform"));
    }
    house.clock.advance(DAY - 1);
    house.anyone().get(&address).await.expect(200);
    house.clock.advance(1);
    house.anyone().get(&address).await.refuses(403, "The signature of this URL is not valid or has expired");
}

#[tokio::test]
async fn heads_ranges_and_conditions_work() {
    let (house, ada) = secret().await;
    let address = sign(&ada, Value::Null).await;
    let anyone = house.anyone();
    let head = anyone.head(&address).await.expect(200);
    assert_eq!((head.header("content-length"), head.body.len()), ("4", 0));
    assert_eq!(anyone.get(&address).header("range", "bytes=1-2").await.expect(206).text(), "eo");
    anyone.get(&address).header("if-none-match", head.header("etag")).await.expect(304);
    anyone.put(&address).body("purr").await.expect(405);
}

#[tokio::test]
async fn its_life_is_a_moment_or_a_number_of_seconds() {
    let (_house, ada) = secret().await;
    for (body, until) in [
        (json!({}), START + DAY),
        (json!({"expiry": null, "valid_for_secs": null, "callback_id": null}), START + DAY),
        (json!({"expiry": START + 1}), START + 1),
        (json!({"expiry": START + 365 * DAY}), START + 365 * DAY),
        (json!({"valid_for_secs": 1}), START + SECOND),
        (json!({"valid_for_secs": 365 * 24 * 60 * 60}), START + 365 * DAY),
        (
            json!({"callback_url": "https://example.org", "callback_email": "a@b", "callback_method": "POST"}),
            START + DAY,
        ),
    ] {
        assert_eq!(expiry(&sign(&ada, body.clone()).await), until, "{body}");
    }
}

#[tokio::test]
async fn a_life_that_cannot_be_is_refused() {
    let (_house, ada) = secret().await;
    let far = 365 * 24 * 60 * 60 + 1;
    for (field, value, reason) in [
        ("expiry", START, "in the past"),
        ("expiry", -1, "in the past"),
        ("expiry", START + 365 * DAY + 1, "more than 365 days away"),
        ("expiry", i64::MAX, "more than 365 days away"),
        ("valid_for_secs", 0, "in the past"),
        ("valid_for_secs", i64::MIN, "in the past"),
        ("valid_for_secs", i64::MAX, "more than 365 days away"),
        ("valid_for_secs", far, "more than 365 days away"),
    ] {
        let refused = ada.post(CALL).json(json!({ field: value })).await;
        refused.refuses(400, &format!("{field}: '{value}' is {reason}"));
    }
    for (body, message) in [
        (json!({"expiry": START + 5, "valid_for_secs": 5}), "expiry: give it or valid_for_secs, not both"),
        (json!({"callback_id": "a\nb"}), "callback_id: it holds a control character"),
        (json!({"callback_id": "x".repeat(101)}), "callback_id: it is longer than 100 bytes"),
    ] {
        ada.post(CALL).json(body).await.refuses(400, message);
    }
    for body in [json!({"expiry": "tomorrow"}), json!({"expiry": 1.5}), json!({"callback_id": 7}), json!([])] {
        ada.post(CALL).json(body).await.expect(400);
    }
}

#[tokio::test]
async fn the_setting_gives_the_life_that_is_not_named() {
    let house = TestHouse::start_with(&[("limits.signed_url_hours", "2")]).await;
    let ada = house.user("ada").await;
    new_private_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "cat").await;
    upload_published(&ada, "ada/tools/cat/1.0/cat/cat.bin", "meow").await;
    assert_eq!(expiry(&sign(&ada, Value::Null).await), START + DAY / 12);
}

#[tokio::test]
async fn the_shortest_life_of_its_products_goes_before_the_setting() {
    let (house, ada) = secret().await;
    for (product, seconds) in [("suite", 600), ("trial", 60)] {
        new_product(&house, "ada", product, &["tools/cat"]).await;
        let change = json!({"sign_url_expiry": seconds});
        ada.patch(&format!("/products/ada/{product}")).json(change).await.expect(200);
    }
    new_product(&house, "ada", "unlimited", &["tools/cat"]).await;
    assert_eq!(expiry(&sign(&ada, Value::Null).await), START + 60 * SECOND);
    assert_eq!(expiry(&sign(&ada, json!({"valid_for_secs": 5000})).await), START + 5000 * SECOND);
}

#[tokio::test]
async fn what_readers_are_not_shown_is_not_signed() {
    let (house, ada) = secret().await;
    upload(&ada, "ada/tools/cat/1.0/cat/next.bin", "purr").await;
    for path in ["cat/next.bin", "cat/none.bin", "cat", "cat/cat.bin.sha1"] {
        let refused = ada.post(&format!("/signed_url/ada/tools/{path}")).await;
        refused.refuses(404, &format!("File '{path}' was not found"));
    }
    ada.post("/signed_url/ada/none/cat.bin").await.refuses(404, "Repository 'none' was not found");
    house.anyone().post(CALL).await.expect(401);
}

#[tokio::test]
async fn whoever_may_publish_may_sign() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    new_private_repo(&cast.owner, "acme/tools").await;
    new_package(&cast.owner, "acme/tools", "cat").await;
    upload_published(&cast.owner, "acme/tools/cat/1.0/cat.bin", "meow").await;
    let call = "/signed_url/acme/tools/cat.bin";
    for who in [&cast.owner, &cast.admin, &cast.site_admin] {
        who.post(call).await.expect(200);
    }
    for who in [&cast.member, &cast.stranger] {
        who.post(call).await.refuses(404, "Repository 'tools' was not found");
    }
    new_team(&cast.owner, "acme", "devs", &["mike"]).await;
    permit(&cast.owner, "acme/tools", "devs", "read").await;
    cast.member.post(call).await.refuses(403, "You may not do this");
    permit(&cast.owner, "acme/tools", "devs", "publish").await;
    cast.member.post(call).await.expect(200);
    set_member(&cast.owner, "acme", "alma", "member").await;
    cast.admin.post(call).await.expect(404);
}

#[tokio::test]
async fn keys_that_may_write_may_sign() {
    let (house, ada) = secret().await;
    upload_published(&ada, "ada/tools/cat/1.0/other/cat.bin", "meow").await;
    let reads = key_to(&house, &ada, "reads", "/repos/ada/tools", "r").await;
    reads.post(CALL).await.refuses(403, "You may not do this");
    let writes = key_to(&house, &ada, "writes", "/packages/ada/tools/cat/versions/1.0", "rw").await;
    assert_eq!(house.anyone().get(&sign(&writes, Value::Null).await).await.expect(200).text(), "meow");
    let below = key_to_path(&house, &ada, "below", "rw", "cat").await;
    below.post(CALL).await.expect(200);
    below.post("/signed_url/ada/tools/other/cat.bin").await.expect(404);
    for terms in [json!({"max_downloads": 1}), json!({"api_only": true})] {
        ada.patch("/users/ada/access_keys/writes").json(terms).await.expect(200);
        writes.post(CALL).await.expect(403);
    }
}

#[tokio::test]
async fn the_owner_needs_a_plan_that_has_them() {
    let (house, ada) = secret().await;
    let address = sign(&ada, Value::Null).await;
    let plan = async |plan: &str| {
        house.admin().put("/subjects/ada/plan").json(json!({ "plan": plan })).await.expect(200);
    };
    plan("free").await;
    ada.post(CALL).await.refuses(403, "This needs the plan 'premium' or more");
    // Existing signed URLs stay valid.
    house.anyone().get(&address).await.expect(200);
    plan("enterprise").await;
    ada.post(CALL).await.expect(200);
}

#[tokio::test]
async fn the_log_has_what_the_address_is_called() {
    let (house, ada) = secret().await;
    let (order, plain) = (sign(&ada, json!({"callback_id": "order 17"})).await, sign(&ada, Value::Null).await);
    // A lookup the first time, and cached the second time.
    for _ in 0..2 {
        house.anyone().get(&order).await.expect(200);
    }
    ada.get(&order).await.expect(200);
    house.anyone().get(&plain).await.expect(200);
    house.flush().await;
    let lines = read_log(&ada, "/packages/ada/tools/cat/logs/downloads-15-01-2026.log.gz").await;
    let users: Vec<&str> = lines.lines().filter_map(|line| line.split(' ').nth(2)).collect();
    assert_eq!(users, ["-:order\\u{20}17", "-:order\\u{20}17", "ada:order\\u{20}17", "-"]);
    assert!(!lines.contains("signature"), "{lines}");
}
