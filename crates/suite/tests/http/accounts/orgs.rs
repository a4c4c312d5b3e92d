//! Organizations: created, shown, changed and deleted.

use serde_json::json;
use suite::TestHouse;

use crate::access::acme::Cast;

#[tokio::test]
async fn whoever_creates_an_organization_owns_it() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let created = ada.post("/orgs").json(json!({"name": "acme", "full_name": "Acme Works"})).await.expect(201);
    insta::assert_snapshot!(created.text(), @r#"{"name":"acme","full_name":"Acme Works","owner":"ada","repos":[],"members":[{"name":"ada","type":"owner"}],"teams":[],"followers_count":0,"registered":"2026-01-15T12:00:00.000Z","quota_used_bytes":0}"#);
    assert_eq!(ada.get("/orgs/acme").await.expect(200).text(), created.text());
    assert_eq!(ada.post("/orgs").json(json!({"name": "plain"})).await.expect(201).json()["full_name"], "plain");
    house.anyone().post("/orgs").json(json!({"name": "free"})).await.expect(401);
}

#[tokio::test]
async fn a_bad_field_of_an_organization_is_named() {
    let house = TestHouse::start().await;
    let bodies = [
        "{}",
        r#"{"name": 1}"#,
        r#"{"name": ".acme"}"#,
        r#"{"name": "acme/works"}"#,
        r#"{"name": "acme", "full_name": "A\u0007"}"#,
        r#"{"name": "acme", "full_name": {}}"#,
    ];
    let mut refusals = String::new();
    for body in bodies {
        refusals += &format!("{body} -> {}\n", house.admin().post("/orgs").body(body).await.expect(400).message());
    }
    insta::assert_snapshot!(refusals, @r#"
    {} -> missing field `name`
    {"name": 1} -> name: invalid type: integer `1`, expected a string
    {"name": ".acme"} -> name: subject name '.acme' is not valid: it must begin with a letter or a digit
    {"name": "acme/works"} -> name: subject name 'acme/works' is not valid: it may hold letters, digits, '.', '_' and '-' only
    {"name": "acme", "full_name": "A\u0007"} -> full_name: it holds a control character
    {"name": "acme", "full_name": {}} -> full_name: invalid type: map, expected a string
    "#);
    house.admin().post("/orgs").await.refuses(400, "A JSON body is required");
    house.admin().get("/orgs/acme").await.expect(404);
}

#[tokio::test]
async fn members_are_shown_to_members_only() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    let shown = cast.member.get("/orgs/acme").await.expect(200);
    insta::assert_snapshot!(shown.text(), @r#"{"name":"acme","full_name":"acme","owner":"olga","repos":[],"members":[{"name":"alma","type":"admin"},{"name":"anna","type":"admin"},{"name":"mary","type":"member"},{"name":"mike","type":"member"},{"name":"olga","type":"owner"},{"name":"otto","type":"owner"}],"followers_count":0,"registered":"2026-01-15T12:00:00.000Z","quota_used_bytes":0}"#);
    // Managers also see its teams.
    let by_admin = cast.site_admin.get("/orgs/acme").await.expect(200).text();
    assert_eq!(by_admin.replace(r#""teams":[],"#, ""), shown.text());
    insta::assert_snapshot!(cast.stranger.get("/orgs/acme").await.expect(200).text(), @r#"{"name":"acme","full_name":"acme","owner":"olga","repos":[],"followers_count":0,"registered":"2026-01-15T12:00:00.000Z","quota_used_bytes":0}"#);
    cast.house.anyone().get("/orgs/acme").await.refuses(401, "This resource requires authentication");
}

#[tokio::test]
async fn a_user_is_not_an_organization() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.get("/orgs/ada").await.refuses(404, "Organization 'ada' was not found");
    ada.patch("/orgs/ada").json(json!({})).await.refuses(404, "Organization 'ada' was not found");
    ada.delete("/orgs/ada").await.refuses(404, "Organization 'ada' was not found");
    let added = ada.put("/orgs/ada/members/ada").json(json!({"type": "owner"})).await;
    added.refuses(404, "Organization 'ada' was not found");
}

#[tokio::test]
async fn each_role_has_its_rights_over_the_organization() {
    let cast = Cast::start().await;
    let mut table = String::new();
    for (column, (role, actor)) in cast.actors().into_iter().enumerate() {
        let path = format!("/orgs/acme{column}");
        cast.org(&format!("acme{column}")).await;
        let sees_members = actor.get(&path).await.expect(200).json()["members"].is_array();
        let edit = actor.patch(&path).json(json!({"full_name": "Changed"})).await.status;
        let name = cast.site_admin.get(&path).await.expect(200).json()["full_name"].clone();
        let delete = actor.delete(&path).await.status;
        let after = cast.site_admin.get(&path).await.status;
        table += &format!("{role}: sees members {sees_members}, edit {edit} {name}, delete {delete} then {after}\n");
    }
    insta::assert_snapshot!(table, @r#"
    owner: sees members true, edit 200 "Changed", delete 200 then 404
    admin: sees members true, edit 200 "Changed", delete 403 then 200
    member: sees members true, edit 403 "acme2", delete 403 then 200
    stranger: sees members false, edit 403 "acme3", delete 403 then 200
    site admin: sees members true, edit 200 "Changed", delete 200 then 404
    "#);
}

#[tokio::test]
async fn a_change_keeps_what_it_does_not_name() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.post("/orgs").json(json!({"name": "acme", "full_name": "Acme Works"})).await.expect(201);
    let full_name = async || ada.get("/orgs/acme").await.expect(200).json()["full_name"].clone();
    ada.patch("/orgs/acme").json(json!({})).await.refuses(200, "success");
    assert_eq!(full_name().await, "Acme Works");
    ada.patch("/orgs/acme").json(json!({"full_name": "Acme", "name": "other"})).await.refuses(200, "success");
    assert_eq!(full_name().await, "Acme");
    ada.patch("/orgs/acme").json(json!({"full_name": "A\u{1}"})).await.expect(400);
    assert_eq!(full_name().await, "Acme");
}

#[tokio::test]
async fn an_emptied_full_name_is_the_name_again() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.post("/orgs").json(json!({"name": "acme", "full_name": "Acme Works"})).await.expect(201);
    ada.patch("/orgs/acme").json(json!({"full_name": ""})).await.expect(200);
    assert_eq!(ada.get("/orgs/acme").await.expect(200).json()["full_name"], "acme");
}
