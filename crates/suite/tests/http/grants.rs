//! Teams, keys and what they are given, for tests to begin with.

use database::{
    ScopedFutureExt,
    access_keys::{self, AccessKey, KeyTerms},
    packages, repos, scratch, subjects,
};
use model::{
    api_key::ApiKey,
    names::{AccessKeyName, PackageName, RepoName, SubjectName},
};
use serde_json::{Value, json};
use suite::{Person, TestHouse};

/// Makes a team with these members.
pub(crate) async fn new_team(by: &Person, org: &str, team: &str, members: &[&str]) {
    let body = json!({"name": team, "members": members});
    by.post(&format!("/orgs/{org}/teams")).json(body).await.expect(201);
}

/// Sets what a team may do in `org/repo`.
pub(crate) async fn permit(by: &Person, repo: &str, team: &str, permission: &str) {
    let body = json!({"team": team, "permission": permission});
    by.put(&format!("/repos/{repo}/permissions")).json(body).await.refuses(200, "success");
}

/// A new access key of a subject, and whoever has it.
pub(crate) async fn new_key(house: &TestHouse, owner: &str, name: &str) -> Person {
    let inside = house.app().house();
    let id = inside.ids.next(inside.clock.now(), &inside.entropy);
    let password = format!("the-password-of-{name}");
    let key = &AccessKey {
        id,
        owner_id: subject_id(house, owner).await,
        name: AccessKeyName::parse(name).expect("a name"),
        password_hash: inside.secrets.hash_password(id, &ApiKey::presented(&password)),
        created: inside.clock.now(),
        spent_downloads: 0,
        terms: KeyTerms::default(),
    };
    let written = inside.db.write(|tx| access_keys::insert(tx, key).scope_boxed()).await;
    written.expect("the key is kept");
    house.person(&format!("{name}@{owner}"), &password)
}

/// Makes an entitlement at a place such as `/repos/ada/tools` and returns its id.
pub(crate) async fn entitle(by: &Person, place: &str, body: Value) -> String {
    let made = by.post(&format!("{place}/entitlements")).json(body).await.expect(201).json();
    made["id"].as_str().expect("an entitlement has an id").to_owned()
}

/// A new key that may do this at this place.
pub(crate) async fn key_to(house: &TestHouse, by: &Person, name: &str, place: &str, access: &str) -> Person {
    let owner = place.split('/').nth(2).expect("a place names its owner");
    let key = new_key(house, owner, name).await;
    entitle(by, place, json!({"access": access, "access_keys": [name]})).await;
    key
}

/// A new key that may do this below a path of `subject/repo`.
pub(crate) async fn key_to_path(house: &TestHouse, by: &Person, name: &str, access: &str, path: &str) -> Person {
    let key = new_key(house, "ada", name).await;
    let body = json!({"access": access, "access_keys": [name], "path": path});
    entitle(by, "/repos/ada/tools", body).await;
    key
}

/// Makes a product of packages such as `tools/cat`.
pub(crate) async fn new_product(house: &TestHouse, owner: &str, name: &str, parts: &[&str]) {
    let inside = house.app().house();
    let mut package_ids = Vec::new();
    for part in parts {
        let (repo, package) = part.split_once('/').expect("a repository and a package");
        package_ids.push(package_id(house, owner, repo, package).await);
    }
    let id = inside.ids.next(inside.clock.now(), &inside.entropy);
    let (owner_id, packages) = (subject_id(house, owner).await, package_ids.as_slice());
    let written = inside.db.write(|tx| scratch::insert_product(tx, id, owner_id, name, packages).scope_boxed()).await;
    written.expect("the product is kept");
}

async fn subject_id(house: &TestHouse, name: &str) -> i64 {
    let name = SubjectName::parse(name).expect("a name");
    subjects::find(&house.app().house().db, &name).await.expect("asked").expect("there").id
}

async fn package_id(house: &TestHouse, owner: &str, repo: &str, package: &str) -> i64 {
    let db = &house.app().house().db;
    let (owner, repo) = (SubjectName::parse(owner).expect("a name"), RepoName::parse(repo).expect("a name"));
    let repo = repos::find(db, &owner, &repo, None).await.expect("asked").expect("there").repo;
    let package = PackageName::parse(package).expect("a name");
    packages::find(db, repo.id, &package).await.expect("asked").expect("there").id
}
