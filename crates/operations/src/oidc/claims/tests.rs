use serde_json::json;

use super::*;

const NOW: i64 = 1_800_000_000;

fn check(change: impl Fn(&mut Map<String, Value>)) -> Result<(), &'static str> {
    let good = json!({"iss": "https://i.example", "aud": "me", "sub": "7", "iat": NOW, "exp": NOW + 300});
    let Value::Object(mut claims) = good else { unreachable!("it is an object") };
    change(&mut claims);
    let now = Timestamp::from_millis(NOW * 1_000);
    Claims(claims).check(&Expected { issuer: "https://i.example", audience: "me", now })
}

fn with(name: &str, value: &Value) -> Result<(), &'static str> {
    check(|claims| drop(claims.insert(name.to_owned(), value.clone())))
}

#[test]
fn good_claims_pass() {
    assert_eq!(check(|_| ()), Ok(()));
    for (name, value) in [
        ("aud", json!(["me"])),
        ("exp", json!(NOW + 300)),
        ("exp", json!(1_800_000_300.5)),
        ("exp", json!(NOW - 59)),
        ("iat", json!(NOW + 60)),
        ("nbf", json!(NOW + 60)),
        ("azp", json!("me")),
    ] {
        assert_eq!(with(name, &value), Ok(()), "{name} {value}");
    }
}

#[test]
fn others_do_not() {
    for (name, value) in [
        ("iss", json!("https://i.example/")),
        ("iss", json!(["https://i.example"])),
        ("aud", json!("you")),
        ("aud", json!(["me", "you"])),
        ("aud", json!([])),
        ("aud", Value::Null),
        ("azp", json!("you")),
        ("sub", json!("")),
        ("sub", json!("x".repeat(256))),
        ("sub", Value::Null),
        ("exp", json!(NOW - 60)),
        ("exp", json!("soon")),
        ("exp", json!(-1)),
        ("exp", json!(1e300)),
        ("exp", json!(NOW + 2 * 86_400)),
        ("iat", json!(NOW + 61)),
        ("iat", Value::Null),
        ("nbf", json!(NOW + 61)),
        ("nbf", json!("now")),
    ] {
        assert!(with(name, &value).is_err(), "{name} {value}");
    }
    for name in ["iss", "aud", "sub", "exp", "iat"] {
        assert!(check(|claims| drop(claims.remove(name))).is_err(), "{name}");
    }
}

#[test]
fn several_audiences_need_an_authorized_party() {
    let two = |party: &'static str| {
        check(move |claims| {
            claims.insert("aud".to_owned(), json!(["me", "you"]));
            claims.insert("azp".to_owned(), json!(party));
        })
    };
    assert_eq!(two("me"), Ok(()));
    assert!(two("you").is_err());
}
