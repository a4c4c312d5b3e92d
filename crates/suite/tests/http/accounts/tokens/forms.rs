//! The forms in which clients present tokens.

use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

use super::{create, id, token, with_ada};

const FILE: &str = "//dl/ada/vault/cat.tar";

#[tokio::test]
async fn a_token_works_in_every_form() {
    let (house, ada) = with_ada().await;
    let robot = token(&house, &ada, "ci", "read", Value::Null).await;
    let pair = BASE64_STANDARD.encode(format!("ada:{}", robot.key()));
    for value in [format!("Bearer {}", robot.key()), robot.key().to_owned(), format!("Basic {pair}")] {
        for path in ["/repos/ada/vault", FILE] {
            house.anyone().get(path).header("authorization", &value).await.expect(200);
        }
    }
    house.anyone().get(FILE).header("x-nuget-apikey", robot.key()).await.expect(200);
    house.person("bob", robot.key()).get(FILE).await.refuses(401, "The user name or the API key is wrong");
    house.person("ci@ada", robot.key()).get(FILE).await.expect(401);
}

#[tokio::test]
async fn a_token_is_exchanged_for_one_of_the_registry() {
    let (house, ada) = with_ada().await;
    ada.post("/repos/ada/img").json(json!({"type": "docker", "private": true})).await.expect(201);
    let made = create(&ada, json!({"name": "ci", "scopes": ["publish"], "resources": ["ada/img"]})).await;
    let robot = super::holder(&house, "ada", &made);
    let scope = "repository:ada/img/app:pull,push";
    let given = robot.get(&format!("//v2/token?scope={scope}")).await.expect(200).json();
    let bearer = format!("Bearer {}", given["token"].as_str().expect("a token"));
    let start = |value: &str| house.anyone().post("//v2/ada/img/app/blobs/uploads/").header("authorization", value);
    start(&bearer).await.expect(202);
    start(&format!("Bearer {}", robot.key())).await.expect(202);
    let reader = token(&house, &ada, "reader", "read", Value::Null).await;
    start(&format!("Bearer {}", reader.key())).await.expect(403);
    ada.delete(&format!("/users/ada/tokens/{}", id(&made))).await.expect(200);
    start(&bearer).await.expect(401);
}

#[tokio::test]
async fn npm_publishes_with_a_token() {
    let (house, ada) = with_ada().await;
    ada.post("/repos/ada/npm").json(json!({"type": "npm", "private": true})).await.expect(201);
    let (reader, publisher) = (
        token(&house, &ada, "r", "read", json!(["ada/npm"])).await,
        token(&house, &ada, "p", "publish", json!(["ada/npm"])).await,
    );
    let who = |key: &str| house.anyone().get("//dl/ada/npm/-/whoami").header("authorization", &format!("Bearer {key}"));
    assert_eq!(who(publisher.key()).await.expect(200).json()["username"], "ada");
    let put = |key: &str| {
        let call = house.anyone().put("//dl/ada/npm/hello").header("authorization", &format!("Bearer {key}"));
        call.json(json!({}))
    };
    assert_eq!(put(reader.key()).await.status, 403);
    // The body is no package: the call went past the check of rights.
    assert_eq!(put(publisher.key()).await.status, 400);
}
