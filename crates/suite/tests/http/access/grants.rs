//! Helpers for teams, keys and their grants.

use serde_json::{Value, json};
use suite::{Person, TestHouse};

/// Creates a team with these members.
pub(crate) async fn new_team(by: &Person, org: &str, team: &str, members: &[&str]) {
    let body = json!({"name": team, "members": members});
    by.post(&format!("/orgs/{org}/teams")).json(body).await.expect(201);
}

/// Sets the permission of a team in `org/repo`.
pub(crate) async fn permit(by: &Person, repo: &str, team: &str, permission: &str) {
    let body = json!({"team": team, "permission": permission});
    by.put(&format!("/repos/{repo}/permissions")).json(body).await.refuses(200, "success");
}

/// Creates an access key of a subject, and returns its holder.
pub(crate) async fn new_key(house: &TestHouse, owner: &str, name: &str) -> Person {
    let password = format!("the-password-of-{name}");
    let admin = house.admin();
    let owners = if admin.get(&format!("/users/{owner}")).await.status == 200 { "users" } else { "orgs" };
    let body = json!({"id": name, "password": password});
    admin.post(&format!("/{owners}/{owner}/access_keys")).json(body).await.expect(201);
    house.person(&format!("{name}@{owner}"), &password)
}

/// Creates an entitlement in a scope such as `/repos/ada/tools`, and returns its id.
pub(crate) async fn entitle(by: &Person, place: &str, body: Value) -> String {
    let made = by.post(&format!("{place}/entitlements")).json(body).await.expect(201).json();
    made["id"].as_str().expect("an entitlement has an id").to_owned()
}

/// Creates a key with this access in this scope.
pub(crate) async fn key_to(house: &TestHouse, by: &Person, name: &str, place: &str, access: &str) -> Person {
    let owner = place.split('/').nth(2).expect("a place names its owner");
    let key = new_key(house, owner, name).await;
    entitle(by, place, json!({"access": access, "access_keys": [name]})).await;
    key
}

/// Creates a key with this access below a path of `subject/repo`.
pub(crate) async fn key_to_path(house: &TestHouse, by: &Person, name: &str, access: &str, path: &str) -> Person {
    let key = new_key(house, "ada", name).await;
    let body = json!({"access": access, "access_keys": [name], "path": path});
    entitle(by, "/repos/ada/tools", body).await;
    key
}

/// Creates a product of packages such as `tools/cat`. Its owner has the highest plan from then on.
pub(crate) async fn new_product(house: &TestHouse, owner: &str, name: &str, parts: &[&str]) {
    let admin = house.admin();
    admin.put(&format!("/subjects/{owner}/plan")).json(json!({"plan": "enterprise"})).await.expect(200);
    let body = json!({"name": name, "packages": parts});
    admin.post(&format!("/products/{owner}")).json(body).await.expect(201);
}
