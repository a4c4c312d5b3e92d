//! API keys: their format, and that a new one replaces the old one.

use model::api_key::{ApiKey, PREFIX};
use suite::{Person, TestHouse};

use crate::cluster::together::together;

#[tokio::test]
async fn a_user_replaces_its_key_and_the_old_one_stops_at_once() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let renewed = rotate(&house, &ada, "ada").await;
    assert_ne!(renewed.key(), ada.key());
    ada.get("/users/ada").await.refuses(401, "The user name or the API key is wrong");
    renewed.get("/users/ada").await.expect(200);
}

#[tokio::test]
async fn a_key_that_is_in_use_all_the_time_stops_at_once() {
    let house = TestHouse::start().await;
    let (ada, bob) = (house.user("ada").await, house.user("bob").await);
    for _ in 0..10 {
        ada.get("/users/ada").await.expect(200);
        bob.get("/users/bob").await.expect(200);
    }
    let renewed = rotate(&house, &house.admin(), "ada").await;
    house.admin().delete("/users/bob").await.expect(200);
    for _ in 0..10 {
        ada.get("/users/ada").await.refuses(401, "The user name or the API key is wrong");
        bob.get("/users/ada").await.refuses(401, "The user name or the API key is wrong");
        renewed.get("/users/ada").await.expect(200);
    }
}

#[tokio::test]
async fn the_answer_holds_the_key_and_nothing_else() {
    let house = TestHouse::start().await;
    let answer = house.user("ada").await.post("/users/ada/api_key").await.expect(201);
    let key = answer.json()["api_key"].as_str().expect("a key").to_owned();
    insta::assert_snapshot!(answer.text().replace(&key, "(key)"), @r#"{"api_key":"(key)"}"#);
    assert_eq!(answer.header("cache-control"), "no-store");
}

#[tokio::test]
async fn site_administrators_replace_any_key_and_strangers_none() {
    let house = TestHouse::start().await;
    let (ada, bob) = (house.user("ada").await, house.user("bob").await);
    bob.post("/users/ada/api_key").await.refuses(403, "You may not do this");
    house.anyone().post("/users/ada/api_key").await.refuses(401, "This resource requires authentication");
    ada.get("/users/ada").await.expect(200);
    let renewed = rotate(&house, &house.admin(), "ada").await;
    renewed.get("/users/ada").await.expect(200);
    ada.get("/users/ada").await.expect(401);
    house.admin().post("/users/nobody/api_key").await.refuses(404, "User 'nobody' was not found");
}

#[tokio::test]
async fn the_administrator_replaces_the_key_that_the_operator_chose() {
    let house = TestHouse::start().await;
    let renewed = rotate(&house, &house.admin(), "admin").await;
    house.admin().get("/audit").await.expect(401);
    renewed.get("/audit").await.expect(200);
}

#[tokio::test]
async fn keys_have_a_prefix_a_length_and_a_checksum() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    for person in [&ada, &rotate(&house, &ada, "ada").await] {
        let key = person.key();
        assert!(key.starts_with(PREFIX) && key.len() == 53 && ApiKey::presented(key).is_well_formed(), "{key}");
        assert!(key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'), "{key}");
    }
}

#[tokio::test]
async fn an_unknown_user_a_wrong_key_and_the_key_of_another_get_the_same_answer() {
    let house = TestHouse::start().await;
    let (ada, bob) = (house.user("ada").await, house.user("bob").await);
    let refused = house.person("nobody", ada.key()).get("/users/ada").await;
    let refused = refused.refuses(401, "The user name or the API key is wrong");
    let shape: Vec<_> = refused.headers.keys().cloned().collect();
    let wrong = [("ada", "wrong"), ("ada", bob.key()), ("ada", ""), ("", ada.key()), ("ADA", ada.key()), ("a b", "x")];
    for (name, key) in wrong {
        let other = house.person(name, key).get("/users/ada").await;
        assert_eq!((other.status, &other.body), (401, &refused.body), "{name} {key}");
        assert_eq!(other.headers.keys().cloned().collect::<Vec<_>>(), shape, "{name} {key}");
        assert_eq!(other.header("www-authenticate"), refused.header("www-authenticate"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_twenty_rotations_at_once_one_key_survives() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let answers = together((0..20).map(|_| house.admin().post("/users/ada/api_key"))).await;
    let mut working = 0;
    for answer in answers {
        let answer = answer.expect(201);
        let key = answer.json()["api_key"].as_str().expect("a key").to_owned();
        working += usize::from(house.person("ada", &key).get("/users/ada").await.status == 200);
    }
    assert_eq!(working, 1);
    ada.get("/users/ada").await.expect(401);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_who_rotates_twice_at_once_keeps_one_key() {
    let house = TestHouse::start().await;
    let mut ada = house.user("ada").await;
    for round in 0..20 {
        let mut working = Vec::new();
        for answer in together([(); 2].map(|()| ada.post("/users/ada/api_key"))).await {
            // The second call may arrive after its own key was replaced.
            assert!(matches!(answer.status, 201 | 401), "round {round}: {}", answer.text());
            let key = answer.json()["api_key"].as_str().unwrap_or_default().to_owned();
            let person = house.person("ada", &key);
            working.extend((person.get("/users/ada").await.status == 200).then_some(person));
        }
        assert_eq!(working.len(), 1, "round {round}");
        ada = working.remove(0);
    }
}

async fn rotate(house: &TestHouse, by: &Person, name: &str) -> Person {
    let answer = by.post(&format!("/users/{name}/api_key")).await.expect(201);
    house.person(name, answer.json()["api_key"].as_str().expect("a key"))
}
