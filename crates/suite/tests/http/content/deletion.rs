//! Deletion of accounts.

use model::names::SubjectName;
use operations::{Caller, maintenance::site};
use serde_json::json;
use suite::{Person, TestHouse};

use crate::{
    access::acme::set_member,
    cluster::together::{statuses, together},
};

#[tokio::test]
async fn a_user_deletes_itself_and_its_key_dies_with_it() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.delete("/users/ada").await.refuses(200, "success");
    ada.get("/users/admin").await.refuses(401, "The user name or the API key is wrong");
    house.admin().get("/users/ada").await.refuses(404, "User 'ada' was not found");
    house.admin().delete("/users/ada").await.refuses(404, "User 'ada' was not found");
}

#[tokio::test]
async fn site_administrators_delete_anyone_and_strangers_nobody() {
    let house = TestHouse::start().await;
    let (ada, bob) = (house.user("ada").await, house.user("bob").await);
    bob.delete("/users/ada").await.refuses(403, "You may not do this");
    bob.delete("/users/admin").await.refuses(403, "You may not do this");
    house.anyone().delete("/users/ada").await.expect(401);
    ada.get("/users/ada").await.expect(200);
    house.admin().delete("/users/ada").await.refuses(200, "success");
    ada.get("/users/bob").await.expect(401);
}

#[tokio::test]
async fn the_name_of_a_deleted_user_is_given_again_by_site_administrators_only() {
    let house = TestHouse::start_with(&[("open_registration", "true")]).await;
    let (ada, bob) = (house.user("ada").await, house.user("bob").await);
    ada.delete("/users/ada").await.expect(200);
    bob.post("/users").json(json!({"name": "ada"})).await.refuses(409, "Subject 'ada' already exists");
    bob.post("/orgs").json(json!({"name": "Ada"})).await.refuses(409, "Subject 'Ada' already exists");
    house.anyone().post("/users").json(json!({"name": "ADA"})).await.refuses(409, "Subject 'ADA' already exists");
    let again = house.user("ada").await;
    again.get("/users/ada").await.expect(200);
    ada.get("/users/ada").await.refuses(401, "The user name or the API key is wrong");
}

#[tokio::test]
async fn the_name_of_a_deleted_organization_is_retired_too() {
    let house = TestHouse::start().await;
    let (ada, bob) = (house.user("ada").await, house.user("bob").await);
    ada.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    ada.delete("/orgs/acme").await.refuses(200, "success");
    ada.get("/orgs/acme").await.refuses(404, "Organization 'acme' was not found");
    assert_eq!(ada.get("/users/ada").await.expect(200).json()["organizations"], json!([]));
    bob.post("/orgs").json(json!({"name": "acme"})).await.refuses(409, "Subject 'acme' already exists");
    house.admin().post("/orgs").json(json!({"name": "acme"})).await.expect(201);
}

#[tokio::test]
async fn the_last_site_administrator_stays() {
    let house = TestHouse::start().await;
    house.admin().delete("/users/admin").await.refuses(409, "User 'admin' is the last site administrator");
    let root = new_site_admin(&house, "root").await;
    root.delete("/users/admin").await.refuses(200, "success");
    root.delete("/users/root").await.refuses(409, "User 'root' is the last site administrator");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_site_administrators_who_delete_each_other_at_once_leave_one() {
    let house = TestHouse::start().await;
    let mut survivor = house.admin();
    for round in 0..20 {
        let rival = new_site_admin(&house, &format!("root{round}")).await;
        let calls = [
            survivor.delete(&format!("/users/{}", rival.name())),
            rival.delete(&format!("/users/{}", survivor.name())),
        ];
        let answers = together(calls).await;
        // The other call fails: the caller is now the last one, or its key was deleted.
        assert!(matches!(*statuses(&answers), [200, 401 | 409]), "round {round}: {:?}", statuses(&answers));
        let alive = survivor.get("/audit").await.status == 200;
        assert_ne!(alive, rival.get("/audit").await.status == 200, "exactly one is left");
        survivor = if alive { survivor } else { rival };
    }
}

#[tokio::test]
async fn the_only_owner_of_an_organization_stays() {
    let house = TestHouse::start().await;
    let (ada, bob) = (house.user("ada").await, house.user("bob").await);
    ada.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    set_member(&ada, "acme", "bob", "admin").await;
    let refusal = "User 'ada' is the only owner of organization 'acme'";
    ada.delete("/users/ada").await.refuses(409, refusal);
    house.admin().delete("/users/ada").await.refuses(409, refusal);
    set_member(&ada, "acme", "bob", "owner").await;
    ada.delete("/users/ada").await.refuses(200, "success");
    insta::assert_snapshot!(bob.get("/orgs/acme").await.expect(200).json()["members"], @r#"[{"name":"bob","type":"owner"}]"#);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_deletions_at_once_one_finds_nothing() {
    let house = TestHouse::start().await;
    for round in 0..20 {
        let path = format!("/users/ada{round}");
        house.user(&format!("ada{round}")).await;
        assert_eq!(statuses(&together([(); 2].map(|()| house.admin().delete(&path))).await), [200, 404], "{path}");
        let path = format!("/orgs/acme{round}");
        house.admin().post("/orgs").json(json!({ "name": format!("acme{round}") })).await.expect(201);
        assert_eq!(statuses(&together([(); 2].map(|()| house.admin().delete(&path))).await), [200, 404], "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_may_be_deleted_while_it_is_used() {
    let house = TestHouse::start().await;
    house.admin().post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    for round in 0..20 {
        let name = format!("ada{round}");
        let ada = house.user(&name).await;
        let calls = [
            house.admin().delete(&format!("/users/{name}")),
            house.admin().put(&format!("/orgs/acme/members/{name}")).json(json!({"type": "member"})),
            house.admin().post(&format!("/users/{name}/api_key")),
            house.admin().put(&format!("/subjects/{name}/plan")).json(json!({"plan": "free"})),
            ada.patch(&format!("/users/{name}")).json(json!({"full_name": "Ada"})),
            ada.post("/orgs").json(json!({ "name": format!("org{round}") })),
        ];
        let answers = together(calls).await;
        assert!(statuses(&answers).iter().all(|status| *status < 500), "round {round}: {:?}", statuses(&answers));
        let org = house.admin().get(&format!("/orgs/org{round}")).await;
        assert!(org.status == 404 || org.json()["owner"].is_string(), "nobody owns it: {}", org.text());
    }
}

async fn new_site_admin(house: &TestHouse, name: &str) -> Person {
    let parsed = SubjectName::parse(name).expect("a good name");
    let key = site::create_admin(house.app().house(), &Caller::operator(), &parsed).await.expect("it is made");
    house.person(name, key.expose())
}
