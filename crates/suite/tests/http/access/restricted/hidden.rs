//! Rules do not reveal that a private repository exists.

use serde_json::json;
use suite::Person;

use super::rule::Rule;
use crate::{
    access::grants::key_to,
    catalogue::{new_package, new_private_repo},
    visibility::{assert_hidden, cast, comparable},
};

/// Compares every download with one from a missing repository.
async fn assert_not_downloaded(reader: &Person) {
    for path in ["", "/", "/cat/", "/cat/1.0/cat.tar", "/cat/1.0/cat.tar.sha1", "/none"] {
        for call in [Person::get, Person::head] {
            let hidden = call(reader, &format!("//dl/acme/secret{path}")).await;
            let missing = call(reader, &format!("//dl/acme/absent{path}")).await;
            assert!(matches!(hidden.status, 401 | 404), "{path}: {}", hidden.status);
            assert_eq!(comparable(&hidden), comparable(&missing), "{path}");
        }
    }
}

#[tokio::test]
async fn rules_tell_nobody_that_a_private_repository_is_there() {
    let cast = cast().await;
    cast.site_admin.put("/subjects/acme/plan").json(json!({"plan": "enterprise"})).await.expect(200);
    for rule in [Rule::Network, Rule::Country, Rule::Agreement] {
        rule.close(&cast.owner, "acme/secret").await;
    }
    new_private_repo(&cast.owner, "acme/other").await;
    new_package(&cast.owner, "acme/other", "cat").await;
    let key = key_to(&cast.house, &cast.owner, "other", "/repos/acme/other", "rw").await;
    for reader in [&cast.house.anyone(), &cast.stranger, &cast.member, &key] {
        assert_hidden(reader, "acme").await;
        assert_not_downloaded(reader).await;
    }
}
