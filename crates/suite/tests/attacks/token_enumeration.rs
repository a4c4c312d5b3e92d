//! Nobody learns which tokens exist, neither from words nor from the number of steps.

use model::api_key::ApiKey;
use serde_json::{Value, json};
use suite::{Call, Person, TestHouse};

use crate::hidden_timing::steps;

async fn create(person: &Person, name: &str) -> Value {
    let fields = json!({"name": name, "scopes": ["read"], "resources": [person.name()]});
    person.post(&format!("/users/{}/tokens", person.name())).json(fields).await.expect(201).json()
}

#[tokio::test]
async fn ids_of_the_tokens_of_others_are_like_ids_that_nobody_has() {
    let house = TestHouse::start().await;
    let (ada, eve) = (house.user("ada").await, house.user("eve").await);
    let id = create(&ada, "ci").await["id"].as_str().expect("an id").to_owned();
    let absent = format!("{:016x}", i64::from_str_radix(&id, 16).expect("a number") + 1);
    for owner in ["ada", "eve"] {
        let path = |id: &str| format!("/users/{owner}/tokens/{id}");
        let calls: [&dyn Fn(&str) -> Call; 3] =
            [&|id| eve.delete(&path(id)), &|id| eve.patch(&path(id)).json(json!({"name": "mine"})), &|id| {
                eve.post(&format!("{}/rotate", path(id)))
            }];
        for call in calls {
            let (there, missing) = (call(&id).await, call(&absent).await);
            assert!(matches!(there.status, 403 | 404), "{}", there.status);
            assert_eq!(there.status, missing.status);
            assert_eq!(there.text().replace(&id, "ID"), missing.text().replace(&absent, "ID"));
            let status = there.status;
            let hidden = steps(&house, status, |_| call(&id)).await;
            assert_eq!(steps(&house, status, |_| call(&absent)).await, hidden, "steps for {owner}");
        }
    }
    ada.get("/users/ada/tokens").await.expect(200);
}

#[tokio::test]
async fn a_revoked_secret_is_like_one_that_never_was() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let text = |made: &Value, field: &str| made[field].as_str().expect("a text").to_owned();
    let revoked = create(&ada, "revoked").await;
    ada.delete(&format!("/users/ada/tokens/{}", text(&revoked, "id"))).await.expect(200);
    let never = ApiKey::token_from_random([7; 32]);
    let mut answers = Vec::new();
    for secret in [&text(&revoked, "token"), never.expose(), "pht_x"] {
        let person = house.person("ada", secret);
        let answer = person.get("/users/ada").await.expect(401);
        answers.push((answer.text(), answer.header("www-authenticate").to_owned()));
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:?}");
}
