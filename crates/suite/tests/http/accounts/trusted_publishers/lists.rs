//! The lists of trusted publishers.

use serde_json::{Value, json};
use suite::TestHouse;

use super::Scene;
use crate::{
    access::acme::Cast,
    accounts::tokens::token,
    pages::orgs::{browser_of, done, refused},
};

fn github(change: Value) -> Value {
    let mut body =
        json!({"name": "ci", "provider": "github", "claims": {"repository": "acme/tools"}, "resource": "ada"});
    if let (Value::Object(body), Value::Object(change)) = (&mut body, change) {
        body.extend(change);
    }
    body
}

#[tokio::test]
async fn a_publisher_is_added_listed_and_deleted() {
    let scene = Scene::start().await;
    let path = "/users/ada/trusted_publishers";
    let listed = scene.ada.get(path).await.expect(200).json();
    assert_eq!((&listed[0]["name"], &listed[0]["resource"]), (&json!("ci"), &json!("ada/tools")));
    scene.trust("ci", "ada/other").await.refuses(409, "Trusted publisher 'ci' already exists");
    let id = listed[0]["id"].as_str().expect("an id");
    scene.ada.delete(&format!("{path}/{id}")).await.expect(200);
    scene.ada.delete(&format!("{path}/{id}")).await.expect(404);
    scene.exchange(&scene.issuer.token(&scene.claims("a"))).await.expect(403);
    // What it was for takes it away.
    scene.trust("one", "ada/other/cat").await.expect(201);
    scene.ada.delete("/packages/ada/other/cat").await.expect(200);
    assert_eq!(scene.ada.get(path).await.expect(200).json(), json!([]));
}

#[tokio::test]
async fn wrong_publishers_are_refused() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    house.user("bob").await;
    for change in [
        json!({"name": ""}),
        json!({"provider": "jenkins"}),
        json!({"provider": "generic", "claims": {"sub": "x"}}),
        json!({"claims": {}}),
        json!({"claims": {"repository": "acme/*"}}),
        json!({"claims": {"repository": "acme/tools", "a=b": "c"}}),
        json!({"claims": {"repository": "acme/tools", "ref": ""}}),
        json!({"issuer": "http://issuer.example"}),
        json!({"issuer": "https://127.0.0.1"}),
        json!({"issuer": "https://user@issuer.example"}),
        json!({"issuer": "ftp://issuer.example"}),
        json!({"resource": "bob"}),
        json!({"resource": "ada/missing"}),
        json!({"resource": ""}),
    ] {
        ada.post("/users/ada/trusted_publishers").json(github(change.clone())).await.expect(400);
    }
    let made = ada.post("/users/ada/trusted_publishers").json(github(json!({}))).await.expect(201).json();
    assert_eq!(made["issuer"], "https://token.actions.githubusercontent.com");
}

#[tokio::test]
async fn only_those_who_may_make_tokens_add_publishers() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    let (path, body) = ("/orgs/acme/trusted_publishers", github(json!({"resource": "acme"})));
    cast.owner.post(path).json(body.clone()).await.expect(201);
    for person in [&cast.admin, &cast.house.user("stranger").await] {
        let answer = person.post(path).json(body.clone()).await;
        assert!(matches!(answer.status, 403 | 404), "{}", answer.status);
        let answer = person.get(path).await;
        assert!(matches!(answer.status, 403 | 404), "{}", answer.status);
    }
    cast.house.anyone().get(path).await.expect(401);
    let ada = cast.house.user("ada").await;
    let robot = token(&cast.house, &ada, "robot", "manage", Value::Null).await;
    robot.post("/users/ada/trusted_publishers").json(github(json!({}))).await.expect(403);
}

#[tokio::test]
async fn publishers_are_managed_on_a_page() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let (browser, page) = (browser_of(&house, &ada).await, "/-/users/ada/trusted_publishers");
    assert!(browser.open("/-/users/ada/tokens").await.expect(200).text().contains(&format!("href=\"{page}\"")));
    let fields = [("name", "ci"), ("provider", "gitlab"), ("claims", "project_path=acme/tools"), ("resource", "ada")];
    assert_eq!(done(&browser, page, page, &fields).await, page);
    assert_eq!(refused(&browser, page, page, &fields).await.0, 409);
    let listed = ada.get("/users/ada/trusted_publishers").await.expect(200).json();
    assert_eq!(listed[0]["issuer"], "https://gitlab.com");
    let remove = format!("{page}/{}/delete", listed[0]["id"].as_str().expect("an id"));
    assert_eq!(done(&browser, page, &remove, &[]).await, page);
    assert_eq!(ada.get("/users/ada/trusted_publishers").await.expect(200).json(), json!([]));
}
