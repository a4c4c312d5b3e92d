//! Tokens of users and organizations.

mod forms;
mod life;
mod limits;
mod matrix;
mod resources;
mod robots;
mod scopes;

use serde_json::{Value, json};
use suite::{Person, TestHouse};

use crate::{
    catalogue::{new_package, new_private_repo, new_repo},
    content::upload_published,
};

/// A house with a user `ada`, who has a public and a private repository with a package `cat` in each.
pub(crate) async fn with_ada() -> (TestHouse, Person) {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    new_private_repo(&ada, "ada/vault").await;
    for repo in ["ada/tools", "ada/vault"] {
        new_package(&ada, repo, "cat").await;
        upload_published(&ada, &format!("{repo}/cat/1.0/cat.tar"), "meow").await;
    }
    (house, ada)
}

/// Creates a token of a user, and returns the answer.
pub(crate) async fn create(by: &Person, fields: Value) -> Value {
    by.post(&format!("/users/{}/tokens", by.name())).json(fields).await.expect(201).json()
}

/// Creates a token of a user with these scopes, and returns a person who presents it.
pub(crate) async fn token(house: &TestHouse, by: &Person, name: &str, scope: &str, resources: Value) -> Person {
    let made = create(by, json!({"name": name, "scopes": [scope], "resources": resources})).await;
    holder(house, by.name(), &made)
}

/// A person who presents a token of this owner.
pub(crate) fn holder(house: &TestHouse, owner: &str, made: &Value) -> Person {
    house.person(owner, made["token"].as_str().expect("a token"))
}

/// The id of a token.
pub(crate) fn id(made: &Value) -> &str {
    made["id"].as_str().expect("an id")
}
