//! Keys for outsiders, and what they may do.

use database::{ScopedFutureExt, access_keys, repos, test_grants};
use model::{
    access::Right,
    names::{AccessKeyName, RepoName, SubjectName},
};
use serde_json::{Value, json};

use crate::{Person, TestHouse};

impl TestHouse {
    /// Whoever has a new key of this user, made with these terms.
    pub async fn key(&self, owner: &Person, id: &str, mut terms: Value) -> Person {
        terms["id"] = json!(id);
        let made = owner.post(&format!("/users/{}/access_keys", owner.name())).json(terms).await.expect(201).json();
        let text = |field: &str| made[field].as_str().expect("a new key has credentials").to_owned();
        self.person(&text("username"), &text("password"))
    }

    /// Lets a key of the owner do this in all of `owner/repo`.
    pub async fn grant(&self, repo: &str, key: &str, right: Right) {
        let house = self.app().house();
        let (owner, repo) = repo.split_once('/').expect("owner/repo");
        let owner = SubjectName::parse(owner).expect("a name");
        let repo = RepoName::parse(repo).expect("a name");
        let key = AccessKeyName::parse(key).expect("a name");
        let repo_id = repos::find(&house.db, &owner, &repo, None).await.expect("asked").expect("there").repo.id;
        let (key, _) = access_keys::find(&house.db, &owner, &key).await.expect("asked").expect("there");
        let (key, id) = (&key, house.ids.next(house.clock.now(), &house.entropy));
        let granted = house
            .db
            .write(|tx| async move { test_grants::insert(tx, id, repo_id, key, right).await }.scope_boxed())
            .await;
        granted.expect("granted");
    }
}
