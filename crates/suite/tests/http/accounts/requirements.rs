//! What tests of organizations with requirements share.

use serde_json::json;
use suite::{Person, TestHouse};

use crate::catalogue::new_private_repo;

/// The password of all users here.
pub(super) const PASSWORD: &str = "difference engine";

/// Creates a user who signs in with the password.
pub(super) async fn user_with_password(house: &TestHouse, name: &str) -> Person {
    let person = house.user(name).await;
    person.patch(&format!("/users/{name}")).json(json!({"password": PASSWORD})).await.expect(200);
    person
}

/// Those who may read the private repository `acme/secret`.
pub(super) struct Readers {
    /// The owner of the organization.
    pub(super) ada: Person,
    /// An admin of it.
    pub(super) bob: Person,
    /// A token of the organization.
    pub(super) robot: Person,
    /// A token of bob.
    pub(super) token: Person,
}

/// Creates the organization, its repository, and its readers.
pub(super) async fn organization(house: &TestHouse) -> Readers {
    let (ada, bob) = (user_with_password(house, "ada").await, user_with_password(house, "bob").await);
    ada.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    ada.put("/orgs/acme/members/bob").json(json!({"type": "admin"})).await.expect(200);
    new_private_repo(&ada, "acme/secret").await;
    let robot = json!({"name": "robot", "scopes": ["read"]});
    let robot = ada.post("/orgs/acme/tokens").json(robot).await.expect(201).json();
    let robot = house.person("acme", robot["token"].as_str().expect("a token"));
    let token = bob.post("/users/bob/tokens").json(json!({"name": "ci", "scopes": ["read"]})).await.expect(201).json();
    let token = house.person("bob", token["token"].as_str().expect("a token"));
    Readers { ada, bob, robot, token }
}
