//! Access keys and their grants.

use serde_json::{Value, json};

use crate::{Person, TestHouse};

impl TestHouse {
    /// Creates an access key of this user with these terms, and returns its holder.
    pub async fn key(&self, owner: &Person, id: &str, mut terms: Value) -> Person {
        terms["id"] = json!(id);
        let made = owner.post(&format!("/users/{}/access_keys", owner.name())).json(terms).await.expect(201).json();
        let text = |field: &str| made[field].as_str().expect("a new key has credentials").to_owned();
        self.person(&text("username"), &text("password"))
    }

    /// Grants a key of the owner `r` or `rw` in all of `owner/repo`.
    pub async fn grant(&self, repo: &str, key: &str, access: &str) {
        let body = json!({"access": access, "access_keys": [key]});
        self.admin().post(&format!("/repos/{repo}/entitlements")).json(body).await.expect(201);
    }
}
