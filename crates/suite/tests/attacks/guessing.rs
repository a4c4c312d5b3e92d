//! Guessing of passwords and keys.

use serde_json::json;
use suite::{Answer, Call, Person, TestHouse};

const MINUTE: i64 = 60_000;
const WRONG: &str = "The user name or the API key is wrong";
const REFUSED: &str = "There were too many wrong credentials within a minute; try again later";

/// A password chosen by a person instead of the server.
const CHOSEN: &str = "difference engine";

/// The IP addresses of two clients.
const EVE: &str = "203.0.113.7";
const CLIENT: &str = "198.51.100.9";

/// Starts a house behind a proxy that forwards client addresses, with ada's private file and a key with a chosen
/// password that reads it.
async fn vault() -> (TestHouse, Person) {
    let house = TestHouse::start_with(&[
        ("trusted_proxies", "127.0.0.1/32"),
        ("limits.wrong_credentials_per_name", "4"),
        ("limits.wrong_credentials_per_address", "6"),
    ])
    .await;
    let ada = house.user("ada").await;
    ada.post("/repos/ada/vault").json(json!({"private": true})).await.expect(201);
    ada.post("/packages/ada/vault").json(json!({"name": "cat"})).await.expect(201);
    ada.put("/content/ada/vault/cat/1.0/cat.bin?publish=1").body("meow").await.expect(201);
    let client = house.key(&ada, "client", json!({"password": CHOSEN})).await;
    house.grant("ada/vault", "client", "r").await;
    (house, client)
}

/// Sends a call that seems to come from an IP address.
fn from(address: &str, call: Call) -> Call {
    call.header("x-forwarded-for", address).header("x-forwarded-proto", "https")
}

async fn reads(who: &Person, address: &str) -> Answer {
    from(address, who.download("/ada/vault/cat.bin")).await
}

/// Sends wrong credentials for a name, from an IP address.
async fn guess(house: &TestHouse, name: &str, address: &str) -> Answer {
    reads(&house.person(name, "a wrong password"), address).await
}

#[tokio::test]
async fn wrong_credentials_of_a_name_are_refused_and_its_holder_is_not_shut_out() {
    let (house, client) = vault().await;
    for _ in 0..4 {
        guess(&house, "client@ada", EVE).await.refuses(401, WRONG);
    }
    let refused = guess(&house, "client@ada", EVE).await.refuses(429, REFUSED);
    assert_eq!(refused.header("retry-after"), "60");
    // Even the right password is refused, so the attacker does not learn that it is right.
    reads(&client, EVE).await.refuses(429, REFUSED);
    reads(&client, CLIENT).await.expect(200);
    // A second attacker has one guess.
    guess(&house, "client@ada", "192.0.2.1").await.expect(429);
    reads(&client, "192.0.2.1").await.expect(429);
    reads(&client, CLIENT).await.expect(200);
    house.clock.advance(MINUTE);
    reads(&client, EVE).await.expect(200);
    guess(&house, "client@ada", EVE).await.refuses(401, WRONG);
}

#[tokio::test]
async fn names_that_nobody_has_are_refused_in_the_same_words() {
    let (house, _client) = vault().await;
    for name in ["client@ada", "nobody@ada", "nobody@nowhere"] {
        let mut answers = Vec::new();
        for number in 0..5 {
            let answer = guess(&house, name, &format!("192.0.2.{number}")).await;
            answers.push((answer.status, answer.message()));
        }
        let (wrong, refused) = ((401, WRONG.to_owned()), (429, REFUSED.to_owned()));
        assert_eq!(answers, [wrong.clone(), wrong.clone(), wrong.clone(), wrong, refused], "{name}");
    }
}

#[tokio::test]
async fn secrets_that_the_server_makes_always_work() {
    let (house, _client) = vault().await;
    let ada = house.admin().post("/users/ada/api_key");
    let ada = from(CLIENT, ada).await.expect(201).json();
    let ada = house.person("ada", ada["api_key"].as_str().expect("a key"));
    let made = from(CLIENT, ada.post("/users/ada/access_keys").json(json!({"id": "made"}))).await.expect(201).json();
    let made = house.person("made@ada", made["password"].as_str().expect("a password"));
    for name in ["ada", "ada", "made@ada", "made@ada", "x", "y"] {
        guess(&house, name, EVE).await.expect(401);
    }
    guess(&house, "z", EVE).await.refuses(429, REFUSED);
    from(EVE, ada.get("/users/ada")).await.expect(200);
    from(EVE, made.get("/licenses/oss_licenses")).await.expect(200);
}

#[tokio::test]
async fn wrong_credentials_are_counted_by_address() {
    let (house, client) = vault().await;
    for number in 0..6 {
        guess(&house, &format!("name-{number}"), EVE).await.refuses(401, WRONG);
    }
    guess(&house, "name-7", EVE).await.refuses(429, REFUSED);
    reads(&client, EVE).await.refuses(429, REFUSED);
    guess(&house, "name-7", CLIENT).await.refuses(401, WRONG);
    reads(&client, CLIENT).await.expect(200);
    // An IPv6 user has an unlimited number of addresses.
    for number in 0..6 {
        guess(&house, &format!("other-{number}"), &format!("2001:db8:1:2::{number}")).await.refuses(401, WRONG);
    }
    guess(&house, "other-7", "2001:db8:1:2:ffff::1").await.refuses(429, REFUSED);
    guess(&house, "other-7", "2001:db8:1:3::1").await.refuses(401, WRONG);
}

#[tokio::test(flavor = "multi_thread")]
async fn guesses_that_come_at_once_are_no_more() {
    let (house, client) = vault().await;
    let calls: Vec<_> = (0..40)
        .map(|number| {
            let who = if number == 39 { client.clone() } else { house.person("client@ada", "a wrong password") };
            tokio::spawn(from(EVE, who.download("/ada/vault/cat.bin")).into_future())
        })
        .collect();
    let mut statuses = Vec::new();
    for call in calls {
        statuses.push(call.await.expect("it ends").status);
    }
    let count = |status: u16| statuses.iter().filter(|found| **found == status).count();
    assert!(count(401) <= 4 && count(401) + count(429) + count(200) == 40, "{statuses:?}");
}

#[tokio::test]
async fn an_answer_that_is_kept_is_no_way_around() {
    let (house, client) = vault().await;
    for _ in 0..20 {
        reads(&client, CLIENT).await.expect(200);
    }
    for _ in 0..4 {
        guess(&house, "client@ada", EVE).await.expect(401);
    }
    reads(&client, EVE).await.refuses(429, REFUSED);
    reads(&client, CLIENT).await.expect(200);
}

#[tokio::test]
async fn guesses_count_on_every_server() {
    let (first, client) = vault().await;
    let Some(second) = first.start_another().await else { return };
    for _ in 0..4 {
        guess(&first, "client@ada", EVE).await.expect(401);
    }
    guess(&second, "client@ada", EVE).await.refuses(429, REFUSED);
    let there = second.person(client.name(), client.key());
    reads(&there, EVE).await.refuses(429, REFUSED);
    reads(&there, CLIENT).await.expect(200);
}

#[tokio::test]
async fn an_address_that_speaks_for_many_has_no_limit_of_its_own() {
    let house = TestHouse::start_with(&[
        ("limits.wrong_credentials_per_name", "1"),
        ("limits.wrong_credentials_per_address", "6"),
    ])
    .await;
    for number in 0..20 {
        house.person(&format!("name-{number}"), "wrong").get("/licenses/oss_licenses").await.refuses(401, WRONG);
    }
    // Users and unknown names have four times as many guesses as access keys.
    for (name, status) in ["admin", "nobody"].into_iter().flat_map(|name| [401, 401, 401, 401, 429].map(|s| (name, s)))
    {
        house.person(name, "wrong").get("/licenses/oss_licenses").await.expect(status);
    }
    house.admin().get("/licenses/oss_licenses").await.expect(200);
}

#[tokio::test]
async fn the_default_is_generous_to_clients_that_are_set_up_wrongly() {
    let house = TestHouse::start().await;
    let wrong = house.person("ada", "wrong");
    for _ in 0..100 {
        wrong.get("/licenses/oss_licenses").await.refuses(401, WRONG);
    }
}
