//! Indexes for callers who may read only parts of a repository.

use serde_json::json;

use super::{charts, publish_charts, repo_of};

#[tokio::test]
async fn a_key_for_one_package_gets_an_index_of_it_alone() {
    let (house, ada) = repo_of("helm").await;
    publish_charts(&ada, &["web", "db", "secret"]).await;
    ada.patch("/repos/ada/repo").json(json!({"private": true})).await.expect(200);
    let key = house.key(&ada, "client", json!({})).await;
    key.download("/ada/repo/index.yaml").await.expect(404);
    let terms = json!({"access": "r", "access_keys": ["client"]});
    ada.post("/packages/ada/repo/web/entitlements").json(terms.clone()).await.expect(201);
    assert_eq!(charts(&key).await, ["web 1.0.0"]);
    assert_eq!(charts(&ada).await.len(), 3);
    ada.post("/packages/ada/repo/db/entitlements").json(terms.clone()).await.expect(201);
    assert_eq!(charts(&key).await, ["db 1.0.0", "web 1.0.0"]);
    // What the key may not read looks like what does not exist.
    let hidden = key.download("/ada/repo/secret-1.0.0.tgz").await.expect(404).text();
    let missing = key.download("/ada/repo/nothing-1.0.0.tgz").await.expect(404).text();
    assert_eq!(hidden.replace("secret", "nothing"), missing);
    house.anyone().download("/ada/repo/index.yaml").await.expect(401);
    ada.post("/repos/ada/repo/entitlements").json(terms).await.expect(201);
    assert_eq!(charts(&key).await.len(), 3);
}
