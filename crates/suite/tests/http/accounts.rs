//! Users, keys, organisations, members and plans.

use serde_json::json;
use suite::TestHouse;

#[tokio::test]
async fn a_new_user_signs_in_with_the_key_that_is_shown_once() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let shown = ada.get("/users/ada").await.expect(200);
    insta::assert_snapshot!(shown.text(), @r#"{"name":"ada","full_name":"ada","gravatar_id":"5bfcf2d8e394674550332640d72db509","repos":[],"organizations":[],"followers_count":0,"registered":"2026-01-15T12:00:00.000Z","quota_used_bytes":0}"#);
    house.anyone().get("/users/ada").await.refuses(401, "This resource requires authentication");
    ada.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
}
