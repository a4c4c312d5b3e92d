//! Places in organizations that come from groups.

use serde_json::{Value, json};

use super::{people, sign_in, start};

#[tokio::test]
async fn groups_are_applied_at_each_sign_in() {
    let map = "staff=acme:member, boss=acme:owner, release=acme/publishers, staff=nowhere:member";
    let (house, provider) = start(&[("oidc.group_map", map)]).await;
    let admin = house.admin();
    admin.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    admin.post("/orgs/acme/teams").json(json!({"name": "publishers"})).await.expect(201);
    let place = async || {
        let org = admin.get("/orgs/acme").await.expect(200).json();
        let members = org["members"].as_array().cloned().unwrap_or_default();
        let role = members.iter().find(|one| one["name"] == "ada.l").map(|one| one["membership"].clone());
        let team = admin.get("/orgs/acme/teams/publishers").await.expect(200).json();
        (role, team["members"].clone())
    };
    sign_in(&house.browser(), "7").await.expect(303);
    assert_eq!(place().await.1, json!(["ada.l"]));
    let mut now = people();
    now["7"]["groups"] = json!(["boss"]);
    provider.set_people(&now);
    sign_in(&house.browser(), "7").await.expect(303);
    assert_eq!(place().await.1, json!([]));
    now["7"]["groups"] = Value::Null;
    provider.set_people(&now);
    sign_in(&house.browser(), "7").await.expect(303);
    assert_eq!(place().await.0, None);
}
