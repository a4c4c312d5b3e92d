//! Users: who sees which fields, and who may change them.

use model::names::SubjectName;
use operations::{Caller, Error, Principal, Via, maintenance::site};
use serde_json::json;
use suite::{Person, TestHouse};

use crate::{
    access::acme::set_member,
    cluster::together::{statuses, together},
};

#[tokio::test]
async fn a_user_is_shown_to_those_who_have_signed_in() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let bob = house.user("bob").await;
    let shown = ada.get("/users/ada").await.expect(200);
    insta::assert_snapshot!(shown.text(), @r#"{"name":"ada","full_name":"ada","gravatar_id":"5bfcf2d8e394674550332640d72db509","repos":[],"organizations":[],"followers_count":0,"registered":"2026-01-15T12:00:00.000Z","quota_used_bytes":0}"#);
    assert_eq!(bob.get("/users/ada").await.expect(200).text(), shown.text());
    house.anyone().get("/users/ada").await.refuses(401, "This resource requires authentication");
}

#[tokio::test]
async fn an_unknown_user_is_not_found_and_strangers_cannot_ask() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    ada.get("/users/nobody").await.refuses(404, "User 'nobody' was not found");
    ada.get("/users/acme").await.refuses(404, "User 'acme' was not found");
    ada.patch("/users/acme").json(json!({})).await.refuses(404, "User 'acme' was not found");
    ada.delete("/users/acme").await.refuses(404, "User 'acme' was not found");
    let (known, unknown) = (house.anyone().get("/users/ada").await, house.anyone().get("/users/nobody").await);
    assert_eq!((known.status, known.body), (unknown.status, unknown.body));
}

#[tokio::test]
async fn users_change_themselves() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let change = json!({"full_name": " Countess ", "email": "MyEmailAddress@example.com", "password": "difference"});
    ada.patch("/users/ada").json(change).await.refuses(200, "success");
    assert_eq!(name_and_picture(&ada).await, ("Countess".into(), "0bc83cb571cd1c50ba6f3e8a78ef1346".into()));
}

#[tokio::test]
async fn site_administrators_change_anyone_and_strangers_nobody() {
    let house = TestHouse::start().await;
    let (ada, bob) = (house.user("ada").await, house.user("bob").await);
    house.admin().patch("/users/ada").json(json!({"full_name": "Countess"})).await.refuses(200, "success");
    bob.patch("/users/ada").json(json!({"full_name": "Eve"})).await.refuses(403, "You may not do this");
    house.anyone().patch("/users/ada").json(json!({"full_name": "Eve"})).await.expect(401);
    assert_eq!(name_and_picture(&ada).await.0, "Countess");
    bob.patch("/users/nobody").json(json!({})).await.refuses(404, "User 'nobody' was not found");
}

#[tokio::test]
async fn what_a_change_does_not_name_stays_and_null_removes_the_address() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let picture = "5bfcf2d8e394674550332640d72db509".to_owned();
    ada.patch("/users/ada").json(json!({})).await.expect(200);
    ada.patch("/users/ada").json(json!({"full_name": null, "password": null, "name": "eve"})).await.expect(200);
    assert_eq!(name_and_picture(&ada).await, ("ada".into(), picture.clone()));
    ada.patch("/users/ada").json(json!({"full_name": "Countess"})).await.expect(200);
    assert_eq!(name_and_picture(&ada).await, ("Countess".into(), picture));
    ada.patch("/users/ada").json(json!({"email": null})).await.expect(200);
    assert_eq!(name_and_picture(&ada).await, ("Countess".into(), String::new()));
}

#[tokio::test]
async fn an_emptied_full_name_is_the_name_again() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.patch("/users/ada").json(json!({"full_name": "Countess"})).await.expect(200);
    assert_eq!(name_and_picture(&ada).await.0, "Countess");
    ada.patch("/users/ada").json(json!({"full_name": ""})).await.expect(200);
    assert_eq!(name_and_picture(&ada).await.0, "ada");
}

#[tokio::test]
async fn a_bad_change_is_refused_whole() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let bodies = [
        r#"{"full_name": "Eve", "email": "nobody"}"#,
        r#"{"full_name": "Eve", "password": "short"}"#,
        r#"{"full_name": "E\tve"}"#,
        r#"{"full_name": false}"#,
        r#"{"full_name": "Eve", "full_name": "Eva"}"#,
    ];
    let mut refusals = String::new();
    for body in bodies {
        refusals += &format!("{body} -> {}\n", ada.patch("/users/ada").body(body).await.expect(400).message());
    }
    insta::assert_snapshot!(refusals, @r#"
    {"full_name": "Eve", "email": "nobody"} -> email: 'nobody' is not an e-mail address
    {"full_name": "Eve", "password": "short"} -> password: it must have 8 to 200 bytes
    {"full_name": "E\tve"} -> full_name: it holds a control character
    {"full_name": false} -> full_name: invalid type: boolean `false`, expected a string
    {"full_name": "Eve", "full_name": "Eva"} -> The body is not valid JSON: the key `full_name` is given twice at line 1 column 40
    "#);
    ada.patch("/users/ada").await.refuses(400, "A JSON body is required");
    ada.patch("/users/ada").body("7").await.expect(400);
    assert_eq!(name_and_picture(&ada).await.0, "ada");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_changes_of_different_fields_at_once_both_last() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let mut picture = name_and_picture(&ada).await.1;
    for round in 0..20 {
        let name = format!("Ada {round}");
        let renamed = ada.patch("/users/ada").json(json!({ "full_name": name }));
        let moved = ada.patch("/users/ada").json(json!({ "email": format!("ada{round}@example.com") }));
        assert_eq!(statuses(&together([renamed, moved]).await), [200, 200]);
        let (shown_name, shown_picture) = name_and_picture(&ada).await;
        assert_eq!(shown_name, name, "the other change has undone this one");
        assert_ne!(shown_picture, picture, "the other change has undone this one");
        picture = shown_picture;
    }
}

#[tokio::test]
async fn organizations_of_a_user_are_known_to_the_user_to_fellow_members_and_to_site_administrators() {
    let house = TestHouse::start().await;
    let (ada, bob, eve) = (house.user("ada").await, house.user("bob").await, house.user("eve").await);
    ada.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    ada.post("/orgs").json(json!({"name": "umbra"})).await.expect(201);
    set_member(&ada, "acme", "bob", "member").await;
    assert_eq!(organizations_of_ada(&ada).await, r#"["acme","umbra"]"#);
    assert_eq!(organizations_of_ada(&house.admin()).await, r#"["acme","umbra"]"#);
    // A fellow member sees only the organizations that both are in.
    assert_eq!(organizations_of_ada(&bob).await, r#"["acme"]"#);
    assert_eq!(organizations_of_ada(&eve).await, "[]");
}

async fn organizations_of_ada(asking: &Person) -> String {
    asking.get("/users/ada").await.expect(200).json()["organizations"].to_string()
}

async fn name_and_picture(person: &Person) -> (String, String) {
    let shown = person.get(&format!("/users/{}", person.name())).await.expect(200).json();
    let text = |field: &str| shown[field].as_str().expect("a text").to_owned();
    (text("full_name"), text("gravatar_id"))
}

#[tokio::test]
async fn a_caller_without_credentials_and_address_is_not_the_operator() {
    let house = TestHouse::start().await;
    let (operator, name) = (Caller::operator(), SubjectName::parse("root").expect("a good name"));
    for via in [Via::CommandLine, Via::Network { address: [127, 0, 0, 1].into(), country: None }] {
        let nobody = Caller { principal: Principal::Anonymous, via, ..operator.clone() };
        let refused = site::create_admin(house.app().house(), &nobody, &name).await;
        assert!(matches!(refused, Err(Error::Unauthenticated(_))), "{via:?}: {:?}", refused.map(|_| ()));
    }
    house.admin().get("/users/root").await.expect(404);
    site::create_admin(house.app().house(), &operator, &name).await.expect("the operator may");
    house.admin().get("/users/root").await.expect(200);
}
