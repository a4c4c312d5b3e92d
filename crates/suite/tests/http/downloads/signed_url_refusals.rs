//! Signed URLs that are invalid, expired or revoked.

use serde_json::{Value, json};
use suite::Person;

use crate::{
    access::{
        acme::Cast,
        grants::{key_to, new_team, permit},
    },
    catalogue::{new_package, new_private_repo},
    content::{publish, upload_published},
    downloads::signed_urls::{secret, sign},
};

const REFUSED: &str = "The signature of this URL is not valid or has expired";

/// Characters that have no special meaning in a URL.
const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~/";

#[tokio::test]
async fn every_byte_of_an_address_counts() {
    let (house, ada) = secret().await;
    let address = sign(&ada, json!({"callback_id": "17"})).await;
    house.anyone().get(&address).await.expect(200);
    let names = ["?expiry", "&signature"].map(|name| address.find(name).expect("it is there"));
    let is_name = |place: usize| {
        (names[0]..=names[0] + "?expiry".len()).contains(&place)
            || (names[1]..=names[1] + "&signature".len()).contains(&place)
    };
    for place in ("//dl/".len()..address.len()).filter(|place| !is_name(*place)) {
        let mut altered = address.clone().into_bytes();
        let was = LETTERS.iter().position(|letter| *letter == altered[place]).expect("a letter");
        // Varies the distance, so that not always the same bits differ.
        altered[place] = LETTERS[(was + 1 + place % (LETTERS.len() - 2)) % LETTERS.len()];
        let altered = String::from_utf8(altered).expect("letters");
        // A single dot would be a path segment, which the edge refuses.
        assert!(!altered.contains("/./"), "{altered}");
        house.anyone().get(&altered).await.refuses(403, REFUSED);
    }
}

#[tokio::test]
async fn whatever_is_wrong_the_answer_is_the_same() {
    let (house, ada) = secret().await;
    let address = sign(&ada, Value::Null).await;
    let (path, query) = address.split_once('?').expect("a query");
    let (expiry, signature) = query.split_once('&').expect("two parameters");
    let number = expiry.strip_prefix("expiry=").expect("a number");
    for altered in [
        format!("{path}?{signature}"),
        format!("{path}?expiry=0{number}&{signature}"),
        format!("{path}?expiry=%2B{number}&{signature}"),
        format!("{path}?expiry={number}.0&{signature}"),
        format!("{path}?expiry=&{signature}"),
        format!("{path}?{expiry}&signature="),
        format!("{path}?{query}A"),
        format!("{path}?{query}%3D"),
        format!("{path};x=1?{query}"),
        format!("{path}.sha1?{query}"),
        format!("//dl/ada/tools/cat?{query}"),
        format!("//dl/ada/tools?{query}"),
        format!("//dl/ada?{query}"),
        format!("//dl/ada/none/cat/cat.bin?{query}"),
        format!("//dl/nobody/tools/cat/cat.bin?{query}"),
        format!("//dl/no+name/tools/cat/cat.bin?{query}"),
    ] {
        for who in [&house.anyone(), &ada] {
            let refused = who.get(&altered).await;
            assert_eq!((refused.status, refused.text()), (403, format!(r#"{{"message":"{REFUSED}"}}"#)), "{altered}");
        }
    }
    // The order is irrelevant, and unknown parameters are ignored.
    house.anyone().get(&format!("{path}?{signature}&utm_source=mail&{expiry}")).await.expect(200);
    house.person("ada", "wrong").get(&address).await.expect(401);
}

#[tokio::test]
async fn a_parameter_that_is_repeated_counts_once_and_may_not_contradict_itself() {
    let (house, ada) = secret().await;
    let address = sign(&ada, Value::Null).await;
    let (path, query) = address.split_once('?').expect("a query");
    let (expiry, signature) = query.split_once('&').expect("two parameters");
    for same in [format!("{query}&{expiry}"), format!("{query}&{signature}"), format!("{query}&{query}")] {
        assert_eq!(house.anyone().get(&format!("{path}?{same}")).await.expect(200).text(), "meow", "{same}");
    }
    let contradiction = "a parameter was given several times with different values";
    for path in [path, "//dl/nobody/none/x"] {
        for other in ["expiry=1", "expiry=", "signature=x", "signature="] {
            house.anyone().get(&format!("{path}?{query}&{other}")).await.refuses(400, contradiction);
            house.anyone().get(&format!("{path}?{other}&{query}")).await.refuses(400, contradiction);
        }
        // No matter what the signature is.
        let wrong = format!("{path}?{expiry}&signature=x&signature=y");
        house.anyone().get(&wrong).await.refuses(400, contradiction);
    }
}

#[tokio::test]
async fn an_address_of_one_file_opens_no_other() {
    let (house, ada) = secret().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat/same.bin", "meow").await;
    new_private_repo(&ada, "ada/other").await;
    new_package(&ada, "ada/other", "cat").await;
    upload_published(&ada, "ada/other/cat/1.0/cat/cat.bin", "meow").await;
    let address = sign(&ada, Value::Null).await;
    house.anyone().get(&address.replace("cat.bin", "same.bin")).await.refuses(403, REFUSED);
    house.anyone().get(&address.replace("/tools/", "/other/")).await.refuses(403, REFUSED);
}

#[tokio::test]
async fn an_override_ends_the_address_when_it_is_published() {
    let (house, ada) = secret().await;
    let address = sign(&ada, Value::Null).await;
    let replace = async |bytes: &'static str| {
        house.clock.advance(1);
        ada.put("/content/ada/tools/cat/1.0/cat/cat.bin?override=1").body(bytes).await.expect(201);
    };
    replace("purr").await;
    assert_eq!(house.anyone().get(&address).await.expect(200).text(), "meow");
    publish(&ada, "ada/tools/cat/1.0").await;
    house.anyone().get(&address).await.refuses(403, REFUSED);
    replace("meow").await;
    publish(&ada, "ada/tools/cat/1.0").await;
    house.anyone().get(&address).await.refuses(403, REFUSED);
    house.anyone().get(&sign(&ada, Value::Null).await).await.expect(200);
}

#[tokio::test]
async fn a_deleted_file_ends_its_addresses() {
    let (house, ada) = secret().await;
    let address = sign(&ada, Value::Null).await;
    house.anyone().get(&address).await.expect(200);
    ada.delete("/content/ada/tools/cat/cat.bin").await.expect(200);
    house.anyone().get(&address).await.refuses(403, REFUSED);
    upload_published(&ada, "ada/tools/cat/1.0/cat/cat.bin", "purr").await;
    house.anyone().get(&address).await.refuses(403, REFUSED);
}

#[tokio::test]
async fn a_new_pair_of_keys_ends_all_addresses_of_its_subject() {
    let (house, ada) = secret().await;
    let bea = house.user("bea").await;
    new_private_repo(&bea, "bea/tools").await;
    new_package(&bea, "bea/tools", "cat").await;
    upload_published(&bea, "bea/tools/cat/1.0/cat.bin", "meow").await;
    let other = bea.post("/signed_url/bea/tools/cat.bin").await.expect(200).json();
    let other = other["url"].as_str().expect("an address").replace(&format!("http://{}", house.address), "/");
    let address = sign(&ada, Value::Null).await;
    // Twice, so that the responses are cached.
    for _ in 0..2 {
        house.anyone().get(&address).await.expect(200);
        house.anyone().get(&other).await.expect(200);
    }
    ada.post("/subjects/ada/keypair").await.refuses(201, "success");
    house.anyone().get(&address).await.refuses(403, REFUSED);
    house.anyone().get(&other).await.expect(200);
    house.anyone().get(&sign(&ada, Value::Null).await).await.expect(200);
}

#[tokio::test]
async fn whoever_manages_a_subject_may_end_its_addresses() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    for who in [&cast.owner, &cast.admin, &cast.site_admin] {
        who.post("/subjects/acme/keypair").await.expect(201);
    }
    for who in [&cast.member, &cast.stranger] {
        who.post("/subjects/acme/keypair").await.refuses(403, "You may not do this");
    }
    cast.house.anyone().post("/subjects/acme/keypair").await.expect(401);
    cast.owner.post("/subjects/nobody/keypair").await.refuses(404, "Subject 'nobody' was not found");
}

#[tokio::test]
async fn an_answer_that_is_ready_ends_with_its_address() {
    let (house, ada) = secret().await;
    let address = sign(&ada, json!({"valid_for_secs": 60})).await;
    for _ in 0..3 {
        house.anyone().get(&address).await.expect(200);
    }
    house.anyone().download("/ada/tools/cat/cat.bin").await.expect(401);
    house.clock.advance(60_000);
    house.anyone().get(&address).await.refuses(403, REFUSED);
}

#[tokio::test]
async fn restrictions_bind_signed_addresses_too() {
    let (house, ada) = secret().await;
    house.admin().put("/subjects/ada/plan").json(json!({"plan": "enterprise"})).await.expect(200);
    let address = sign(&ada, Value::Null).await;
    for _ in 0..2 {
        house.anyone().get(&address).await.expect(200);
    }
    restrict(&ada, json!({"black_cidrs": ["127.0.0.0/8"]})).await;
    let message = "Downloads from this repository are not allowed from your network or country";
    house.anyone().get(&address).await.refuses(403, message);
    // Management calls still work from anywhere.
    let address = sign(&ada, Value::Null).await;
    house.anyone().get(&address).await.refuses(403, message);
    restrict(&ada, json!({"white_cidrs": ["127.0.0.0/8"]})).await;
    house.anyone().get(&address).await.expect(200);
}

async fn restrict(by: &Person, body: Value) {
    by.put("/repos/ada/tools/ip_restrictions").json(body).await.expect(200);
}

#[tokio::test]
async fn an_address_ends_with_its_makers_right() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    let (house, owner) = (&cast.house, &cast.owner);
    new_private_repo(owner, "acme/tools").await;
    new_package(owner, "acme/tools", "cat").await;
    upload_published(owner, "acme/tools/cat/1.0/cat.bin", "meow").await;
    new_team(owner, "acme", "devs", &["mike"]).await;
    permit(owner, "acme/tools", "devs", "publish").await;
    let by_member = address_of(&cast.member).await;
    let by_owner = address_of(owner).await;
    for _ in 0..3 {
        assert_eq!(house.anyone().get(&by_member).await.expect(200).text(), "meow");
    }
    permit(owner, "acme/tools", "devs", "read").await;
    house.anyone().get(&by_member).await.refuses(403, REFUSED);
    permit(owner, "acme/tools", "devs", "publish").await;
    house.anyone().get(&by_member).await.expect(200);
    owner.delete("/orgs/acme/teams/devs").await.expect(200);
    house.anyone().get(&by_member).await.refuses(403, REFUSED);
    house.anyone().get(&by_owner).await.expect(200);
}

/// Returns the signed URL of `acme/tools/cat.bin`, below the server's root.
async fn address_of(by: &Person) -> String {
    let url = by.post("/signed_url/acme/tools/cat.bin").await.expect(200).json()["url"].clone();
    let (_, path) = url.as_str().expect("an address").split_once("/dl/").expect("a download");
    format!("//dl/{path}")
}

#[tokio::test]
async fn an_address_ends_with_its_maker() {
    let (house, ada) = secret().await;
    let key = key_to(&house, &ada, "red", "/packages/ada/tools/cat", "rw").await;
    let (by_key, by_admin) = (sign(&key, Value::Null).await, sign(&house.admin(), Value::Null).await);
    for address in [&by_key, &by_key, &by_admin] {
        house.anyone().get(address).await.expect(200);
    }
    let expiry = 1_768_478_400_000_i64 + 60_000;
    ada.patch("/users/ada/access_keys/red").json(json!({ "expiry": expiry })).await.expect(200);
    house.anyone().get(&by_key).await.expect(200);
    house.clock.advance(60_000);
    house.anyone().get(&by_key).await.refuses(403, REFUSED);
    ada.patch("/users/ada/access_keys/red").json(json!({"expiry": null})).await.expect(200);
    house.anyone().get(&by_key).await.expect(200);
    ada.delete("/users/ada/access_keys/red").await.expect(200);
    house.anyone().get(&by_key).await.refuses(403, REFUSED);
    house.anyone().get(&by_admin).await.expect(200);
}

#[tokio::test]
async fn the_address_of_fifteen_seconds_ends_with_the_right_to_read() {
    let (house, ada) = secret().await;
    let key = key_to(&house, &ada, "red", "/repos/ada/tools", "r").await;
    let latest = "/content/ada/tools/cat/cat.bin?svc_package=cat";
    let address = key.get(latest).await.expect(302).header("location").to_owned();
    let (_, path) = address.split_once("/dl/").expect("a download");
    let address = format!("//dl/{path}");
    house.anyone().get(&address).await.expect(200);
    ada.delete("/users/ada/access_keys/red").await.expect(200);
    house.anyone().get(&address).await.refuses(403, REFUSED);
    // Everyone is redirected to a file that everyone may read.
    ada.patch("/repos/ada/tools").json(json!({"private": false})).await.expect(200);
    let address = house.anyone().get(latest).await.expect(302).header("location").to_owned();
    let (_, path) = address.split_once("/dl/").expect("a download");
    house.anyone().get(&format!("//dl/{path}")).await.expect(200);
    ada.patch("/repos/ada/tools").json(json!({"private": true})).await.expect(200);
    house.anyone().get(&format!("//dl/{path}")).await.refuses(403, REFUSED);
}
