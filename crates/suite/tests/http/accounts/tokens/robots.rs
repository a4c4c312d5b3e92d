//! Tokens of organizations.

use serde_json::json;

use super::{holder, id};
use crate::access::acme::Cast;

#[tokio::test]
async fn a_robot_is_made_by_owners_and_survives_people() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    cast.owner.post("/repos/acme/secret").json(json!({"private": true})).await.expect(201);
    let fields = || json!({"name": "robot", "scopes": ["manage"]});
    for other in [&cast.admin, &cast.member, &cast.stranger, &cast.site_admin] {
        other.post("/orgs/acme/tokens").json(fields()).await.refuses(403, "You may not do this");
    }
    let made = cast.owner.post("/orgs/acme/tokens").json(fields()).await.expect(201).json();
    let robot = holder(&cast.house, "acme", &made);
    let own = robot.get("/token").await.expect(200).json();
    assert_eq!((&own["subject"], &own["name"]), (&json!("acme"), &json!("robot")));
    robot.patch("/repos/acme/secret").json(json!({"desc": "x"})).await.expect(200);
    robot.post("/repos/acme/new").json(json!({})).await.expect(201);
    robot.post("/packages/acme/new").json(json!({"name": "cat"})).await.expect(201);
    robot.put("/content/acme/new/cat/1.0/cat.tar?publish=1").body("meow").await.expect(201);
    let url = robot.post("/signed_url/acme/new/cat.tar").json(json!({"valid_for_secs": 60})).await;
    assert!(url.status < 300, "{}", url.text());
    robot
        .put("/orgs/acme/members/nora")
        .json(json!({"type": "member"}))
        .await
        .refuses(403, "The token needs the scope 'admin'");
    robot.get("/repos/olga").await.expect(200);
    // A robot is no person.
    robot
        .put("/packages/acme/new/cat/follow")
        .await
        .refuses(403, "Only users may do this, not the token of an organization");
    cast.house.admin().delete("/users/olga").await.expect(200);
    robot.patch("/repos/acme/secret").json(json!({"desc": "y"})).await.expect(200);
    let entries = cast.house.admin().get("/audit").await.expect(200).json();
    assert_eq!(entries[0]["actor"], "acme (token robot)");
    let otto = cast.house.admin().post("/users/otto/api_key").await.expect(201).json();
    let otto = cast.house.person("otto", otto["api_key"].as_str().expect("a key"));
    otto.delete(&format!("/orgs/acme/tokens/{}", id(&made))).await.expect(200);
    robot.get("/repos/acme/secret").await.expect(401);
}

#[tokio::test]
async fn a_robot_may_not_more_than_owners() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    let fields = json!({"name": "robot", "scopes": ["admin"]});
    let made = cast.owner.post("/orgs/acme/tokens").json(fields).await.expect(201).json();
    let robot = holder(&cast.house, "acme", &made);
    robot.put("/orgs/acme/members/nora").json(json!({"type": "owner"})).await.expect(200);
    robot
        .post("/orgs")
        .json(json!({"name": "other"}))
        .await
        .refuses(403, "Only users may do this, not the token of an organization");
    robot.get("/audit").await.refuses(403, "You may not do this");
    robot.patch("/users/olga").json(json!({"full_name": "x"})).await.refuses(403, "You may not do this");
    robot.post("/repos/olga/x").json(json!({})).await.refuses(403, "You may not do this");
    robot.get("/users/acme/tokens").await.refuses(404, "User 'acme' was not found");
    robot.get("/orgs/acme/tokens").await.expect(200);
}
