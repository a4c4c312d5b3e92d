//! Identity tokens that do not fit.

use serde_json::{Value, json};
use suite::identity::{Issuer, encode};

use super::{Scene, hmac_sha256};

const INVALID: &str = "The identity token is not valid: ";
const NOBODY: &str = "No trusted publisher accepts this identity token";

#[tokio::test]
async fn a_token_is_exchanged_once() {
    let scene = Scene::start().await;
    let token = scene.issuer.token(&scene.claims("a"));
    scene.exchange(&token).await.expect(200);
    scene.exchange(&token).await.refuses(403, "The identity token was used before");
    // Not even at the same time.
    let token = scene.issuer.token(&scene.claims("b"));
    let (one, two, three) = tokio::join!(scene.exchange(&token), scene.exchange(&token), scene.exchange(&token));
    let good = [one, two, three].iter().filter(|answer| answer.status == 200).count();
    assert_eq!(good, 1);
    // The job that forgets tokens does not forget those that are still valid.
    operations::jobs::run_once(scene.house.app().house(), "expired_identities").await.expect("it runs");
    scene.exchange(&token).await.refuses(403, "The identity token was used before");
}

#[tokio::test]
async fn claims_that_do_not_fit_are_refused() {
    let scene = Scene::start().await;
    let now = scene.house.clock.now().millis() / 1_000;
    for (claim, value, reason) in [
        ("repository", json!("acme/other"), NOBODY),
        ("repository", json!("acme/tools2"), NOBODY),
        ("repository", json!("Acme/tools"), NOBODY),
        ("repository", json!(["acme/tools"]), NOBODY),
        ("ref", json!("refs/heads/main"), NOBODY),
        ("ref", Value::Null, NOBODY),
        ("aud", json!("pypi"), "it is for another audience"),
        ("aud", json!([scene.audience(), "pypi"]), "it is for another audience"),
        ("exp", json!(now - 60), "it has expired"),
        ("iat", json!(now + 120), "it is not valid yet"),
        ("nbf", json!(now + 120), "it is not valid yet"),
        ("exp", json!(now + 3 * 86_400), "it is valid for more than a day"),
        ("sub", json!(""), "it has no subject"),
        ("iss", json!("http://127.0.0.1:9"), NOBODY),
        ("iss", Value::Null, NOBODY),
    ] {
        let mut claims = scene.claims("a");
        claims[claim] = value.clone();
        let answer = scene.exchange(&scene.issuer.token(&claims)).await.expect(403).message();
        let expected = if reason == NOBODY { NOBODY.to_owned() } else { format!("{INVALID}{reason}") };
        assert_eq!(answer, expected, "{claim} {value}");
    }
}

#[tokio::test]
async fn forged_tokens_are_refused() {
    let scene = Scene::start().await;
    let (claims, other) = (scene.claims("a"), Issuer::start().await);
    let (header, body) = (json!({"alg": "ES256", "kid": "one"}), encode(claims.to_string()));
    let good = scene.issuer.token(&claims);
    let signature = good.rsplit_once('.').expect("three parts").1;
    let part = |header: Value| format!("{}.{body}", encode(header.to_string()));
    // A secret that everyone knows: the public key.
    let confused = part(json!({"alg": "HS256", "kid": "one"}));
    let mac = hmac_sha256(&scene.issuer.public_key(), confused.as_bytes());
    for forged in [
        other.sign(&header, &claims),
        format!("{}.", part(json!({"alg": "none"}))),
        format!("{}.{signature}", part(json!({"alg": "none"}))),
        format!("{confused}.{}", encode(mac)),
        format!("{}.{}", part(header.clone()), encode([0; 64])),
        format!("{}.{signature}", part(json!({"alg": "ES384", "kid": "one"}))),
        scene.issuer.sign(&json!({"alg": "ES256", "kid": "one", "crit": ["exp"]}), &claims),
        other.sign(&json!({"alg": "ES256", "kid": "two", "jku": other.url()}), &claims),
        format!("{good}x"),
        "x".repeat(20_000),
        String::new(),
    ] {
        let message = scene.exchange(&forged).await.expect(403).message();
        assert!(message.starts_with(INVALID), "{message}: {forged}");
    }
    scene.exchange(&good).await.expect(200);
}

#[tokio::test]
async fn issuers_are_asked_only_if_somebody_trusts_them_and_by_their_own_name() {
    let scene = Scene::start().await;
    let stranger = Issuer::start().await;
    let mut claims = scene.claims("a");
    claims["iss"] = json!(stranger.url());
    scene.exchange(&stranger.token(&claims)).await.refuses(403, NOBODY);
    assert_eq!(stranger.answers(), 0);
    scene.issuer.claim_to_be("https://token.actions.githubusercontent.com");
    scene.exchange(&scene.issuer.token(&scene.claims("a"))).await.expect(503);
}

#[tokio::test]
async fn nobody_crowds_out_the_publishers_of_others() {
    let scene = Scene::start().await;
    for publisher in scene.ada.get("/users/ada/trusted_publishers").await.expect(200).json().as_array().expect("a list")
    {
        let id = publisher["id"].as_str().expect("an id");
        scene.ada.delete(&format!("/users/ada/trusted_publishers/{id}")).await.expect(200);
    }
    // More publishers than are read at a time, all for the same builds and before ada's.
    for name in ["mallory", "eve", "oscar"] {
        let person = scene.house.user(name).await;
        for number in 0..100 {
            let claims = json!({"repository": "acme/tools", "ref": format!("refs/heads/{number}")});
            let body = json!({"name": format!("p{number}"), "provider": "github", "issuer": scene.issuer.url(),
                              "claims": claims, "resource": name});
            person.post(&format!("/users/{name}/trusted_publishers")).json(body).await.expect(201);
        }
    }
    scene.trust("ci", "ada/tools").await.expect(201);
    let made = scene.exchange(&scene.issuer.token(&scene.claims("a"))).await.expect(200).json();
    assert_eq!(made["owner"], "ada");
    // A pattern of another issuer's kind is found, too.
    let body = json!({"name": "any", "provider": "generic", "issuer": scene.issuer.url(), "resource": "ada",
                      "claims": {"sub": "repo:acme/other:*"}});
    scene.ada.post("/users/ada/trusted_publishers").json(body).await.expect(201);
    let mut claims = scene.claims("b");
    (claims["repository"], claims["sub"]) = (json!("acme/other"), json!("repo:acme/other:ref:refs/tags/v1"));
    assert_eq!(scene.exchange(&scene.issuer.token(&claims)).await.expect(200).json()["owner"], "ada");
}

#[tokio::test]
async fn wrong_tokens_are_limited() {
    let scene = Scene::start().await;
    let mut limited = 0;
    for _ in 0..70 {
        limited += u32::from(scene.exchange("a.b.c").await.status == 429);
    }
    assert_eq!(limited, 10);
}
