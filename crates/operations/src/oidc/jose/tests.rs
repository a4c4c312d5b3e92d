use aws_lc_rs::{
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair},
};
use serde_json::json;

use super::*;
use crate::oidc::keys;

fn encode(bytes: impl AsRef<[u8]>) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

struct Issuer {
    pair: EcdsaKeyPair,
}

impl Issuer {
    fn new() -> Self {
        Self { pair: EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).expect("a key") }
    }

    fn keys(&self, change: Value) -> Vec<Key> {
        let point = self.pair.public_key().as_ref();
        let mut jwk = json!({"kty": "EC", "crv": "P-256", "kid": "a"});
        jwk["x"] = encode(&point[1..33]).into();
        jwk["y"] = encode(&point[33..65]).into();
        if let (Value::Object(jwk), Value::Object(change)) = (&mut jwk, change) {
            jwk.extend(change);
        }
        keys::parse(json!({"keys": [jwk, {"kty": "oct", "k": "AAAA"}, 7]}).to_string().as_bytes()).expect("keys")
    }

    fn token(&self, header: &Value) -> String {
        let signed = format!("{}.{}", encode(header.to_string()), encode(r#"{"iss":"i"}"#));
        let signature = self.pair.sign(&SystemRandom::new(), signed.as_bytes()).expect("a signature");
        format!("{signed}.{}", encode(signature))
    }
}

fn verify(token: &str, keys: &[Key]) -> Result<Claims, &'static str> {
    SignedToken::parse(token)?.verify(keys)
}

#[test]
fn a_signature_is_checked_with_the_named_key() {
    let issuer = Issuer::new();
    let token = issuer.token(&json!({"alg": "ES256", "kid": "a"}));
    let keys = issuer.keys(json!({"use": "sig", "alg": "ES256"}));
    assert_eq!(keys.len(), 1);
    assert_eq!(verify(&token, &keys).map(|claims| claims.text("iss")), Ok(Some("i".to_owned())));
    assert!(verify(&issuer.token(&json!({"alg": "ES256"})), &keys).is_ok());
    let other = Issuer::new();
    assert_eq!(verify(&token, &other.keys(json!({}))).err(), Some("its signature is wrong"));
    assert!(verify(&issuer.token(&json!({"alg": "ES256", "kid": "b"})), &keys).is_err());
    let two = [issuer.keys(json!({})), other.keys(json!({}))].concat();
    assert_eq!(verify(&issuer.token(&json!({"alg": "ES256"})), &two).err(), Some("it does not name its key"));
}

#[test]
fn a_changed_token_is_refused() {
    let issuer = Issuer::new();
    let (token, keys) = (issuer.token(&json!({"alg": "ES256", "kid": "a"})), issuer.keys(json!({})));
    let (signed, signature) = token.rsplit_once('.').expect("three parts");
    let (header, _) = signed.split_once('.').expect("two parts");
    let other = encode(r#"{"iss":"j"}"#);
    for bad in [
        format!("{header}.{other}.{signature}"),
        format!("{signed}."),
        format!("{signed}.{}", encode([0; 64])),
        signed.to_owned(),
        format!("{token}="),
        format!("{token}.x"),
        String::new(),
        "a.b.c".to_owned(),
        "x".repeat(20_000),
    ] {
        assert!(verify(&bad, &keys).is_err(), "{bad}");
    }
}

#[test]
fn the_header_decides_neither_the_algorithm_nor_the_key() {
    let issuer = Issuer::new();
    let keys = issuer.keys(json!({}));
    for header in [
        json!({"alg": "none"}),
        json!({"alg": "None", "kid": "a"}),
        json!({"alg": "HS256", "kid": "a"}),
        json!({"alg": "es256", "kid": "a"}),
        json!({"alg": "ES384", "kid": "a"}),
        json!({"alg": "RS256", "kid": "a"}),
        json!({"alg": ["ES256"], "kid": "a"}),
        json!({"alg": "ES256", "kid": "a", "crit": ["b64"], "b64": false}),
        json!({"kid": "a"}),
    ] {
        assert!(verify(&issuer.token(&header), &keys).is_err(), "{header}");
    }
    let own = json!({"alg": "ES256", "jwk": {"kty": "EC"}, "jku": "https://evil.example", "kid": "b"});
    assert!(verify(&issuer.token(&own), &keys).is_err());
    // A header with two algorithms is read differently by different programs.
    let twice = encode(r#"{"alg":"none","alg":"ES256"}"#);
    assert!(SignedToken::parse(&format!("{twice}.{}.", encode("{}"))).is_err());
}

#[test]
fn keys_for_other_purposes_are_left_out() {
    let issuer = Issuer::new();
    for change in [json!({"use": "enc"}), json!({"alg": "HS256"}), json!({"x": "AAAA"}), json!({"crv": "P-521"})] {
        assert!(issuer.keys(change.clone()).is_empty(), "{change}");
    }
    let other = issuer.keys(json!({"alg": "ES384"}));
    assert!(verify(&issuer.token(&json!({"alg": "ES256", "kid": "a"})), &other).is_err());
    assert!(keys::parse(b"[]").is_none() && keys::parse(b"{").is_none());
}
