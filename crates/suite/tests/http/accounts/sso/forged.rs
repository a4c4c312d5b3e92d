//! Identity tokens that a provider did not make for this sign-in.

use serde_json::{Value, json};
use suite::{
    Answer, Browser, TestHouse,
    identity::{Issuer, encode},
};

use super::begin;

/// The value of a parameter of an address.
fn parameter(page: &str, name: &str) -> String {
    let rest = page.split_once(&format!("{name}=")).unwrap_or_else(|| panic!("no {name}: {page}")).1;
    rest.split('&').next().unwrap_or_default().to_owned()
}

/// Signs in at an issuer that answers with the token which this makes of the right claims.
async fn sign_in(
    house: &TestHouse,
    issuer: &Issuer,
    browser: &Browser,
    token: impl FnOnce(&Value) -> String,
) -> Answer {
    let page = begin(browser, "/login/sso").await;
    let now = house.clock.now().millis() / 1_000;
    let claims = json!({
        "iss": issuer.url(), "aud": "packhouse", "sub": "7", "iat": now, "exp": now + 300,
        "nonce": parameter(&page, "nonce"), "preferred_username": "ada",
    });
    issuer.answer_codes_with(token(&claims));
    browser.open(&format!("/login/sso/callback?code=x&state={}", parameter(&page, "state"))).await
}

/// The claims with another value of one of them.
fn with(claims: &Value, claim: &str, value: Value) -> Value {
    let mut claims = claims.clone();
    claims[claim] = value;
    claims
}

#[tokio::test]
async fn identity_tokens_that_are_not_of_this_sign_in_open_nothing() {
    let (issuer, other) = (Issuer::start().await, Issuer::start().await);
    let own = [("oidc.issuer", &*issuer.url()), ("oidc.client_id", "packhouse"), ("oidc.client_secret", "secret")];
    let house = TestHouse::start_with(&own).await;
    let now = house.clock.now().millis() / 1_000;
    type Forge<'f> = &'f dyn Fn(&Value) -> String;
    let unsigned =
        |claims: &Value, header: Value| format!("{}.{}", encode(header.to_string()), encode(claims.to_string()));
    let forgeries: [(&str, Forge<'_>); 12] = [
        ("another nonce", &|claims| issuer.token(&with(claims, "nonce", json!("0".repeat(64))))),
        ("no nonce", &|claims| issuer.token(&with(claims, "nonce", Value::Null))),
        ("another client", &|claims| issuer.token(&with(claims, "aud", json!("other")))),
        ("several clients", &|claims| issuer.token(&with(claims, "aud", json!(["packhouse", "other"])))),
        ("another issuer", &|claims| issuer.token(&with(claims, "iss", json!(other.url())))),
        ("expired", &|claims| issuer.token(&with(claims, "exp", json!(now - 61)))),
        ("not yet valid", &|claims| issuer.token(&with(claims, "iat", json!(now + 120)))),
        ("no subject", &|claims| issuer.token(&with(claims, "sub", json!("")))),
        ("another key", &|claims| other.sign(&json!({"alg": "ES256", "kid": "one"}), claims)),
        ("no algorithm", &|claims| format!("{}.", unsigned(claims, json!({"alg": "none"})))),
        ("a shared secret", &|claims| {
            let said = unsigned(claims, json!({"alg": "HS256", "kid": "one"}));
            format!("{said}.{}", encode(crate::accounts::trusted_publishers::hmac_sha256(b"secret", said.as_bytes())))
        }),
        ("no token", &|_| String::new()),
    ];
    for (what, forge) in forgeries {
        let browser = house.browser();
        let answer = sign_in(&house, &issuer, &browser, forge).await;
        assert_eq!(answer.status, 403, "{what}: {}", answer.text());
        assert!(!browser.cookies().contains("packhouse_session="), "{what}");
    }
    house.admin().get("/users/ada").await.expect(404);
    let browser = house.browser();
    sign_in(&house, &issuer, &browser, |claims| issuer.token(claims)).await.expect(303);
    house.admin().get("/users/ada").await.expect(200);
}
