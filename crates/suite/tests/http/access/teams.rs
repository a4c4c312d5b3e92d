//! Teams: who creates them, their members, and their use.

use reqwest::Method;
use serde_json::{Value, json};
use suite::TestHouse;

use crate::{
    access::{
        acme::{Cast, set_member},
        grants::{new_team, permit},
    },
    catalogue::{new_package, new_private_repo},
};

/// Starts a cast with the organization `acme`.
async fn cast() -> Cast {
    let cast = Cast::start().await;
    cast.org("acme").await;
    cast
}

#[tokio::test]
async fn a_team_is_made_shown_changed_and_deleted() {
    let cast = cast().await;
    let body = json!({"name": "devs", "members": ["mike", "alma", "mike"], "allow_repo_creation": true});
    let made = cast.owner.post("/orgs/acme/teams").json(body).await.expect(201);
    let expected = r#"{"name":"devs","members":["alma","mike"],"allow_repo_creation":true,"permitted_repos":{}}"#;
    assert_eq!(made.text(), expected);
    assert_eq!(cast.admin.get("/orgs/acme/teams/devs").await.expect(200).text(), expected);
    new_team(&cast.admin, "acme", "ops", &[]).await;
    assert_eq!(cast.admin.get("/orgs/acme/teams").await.expect(200).text(), r#"{"teams":["devs","ops"]}"#);
    new_private_repo(&cast.owner, "acme/secret").await;
    permit(&cast.owner, "acme/secret", "devs", "publish").await;
    cast.admin.patch("/orgs/acme/teams/devs").json(json!({"members": ["mary"]})).await.refuses(200, "success");
    let shown = cast.admin.get("/orgs/acme/teams/devs").await.expect(200).json();
    let expected = json!({
        "name": "devs", "members": ["mary"], "allow_repo_creation": true, "permitted_repos": {"secret": "publish"},
    });
    assert_eq!(shown, expected);
    cast.admin.patch("/orgs/acme/teams/devs").json(json!({"allow_repo_creation": false})).await.expect(200);
    let shown = cast.admin.get("/orgs/acme/teams/devs").await.expect(200).json();
    assert_eq!((&shown["members"], &shown["allow_repo_creation"]), (&json!(["mary"]), &json!(false)));
    cast.admin.delete("/orgs/acme/teams/devs").await.refuses(200, "success");
    cast.admin.get("/orgs/acme/teams/devs").await.refuses(404, "Team 'devs' was not found");
    assert_eq!(cast.owner.get("/repos/acme/secret/permissions").await.expect(200).text(), "[]");
}

#[tokio::test]
async fn teams_are_managed_by_those_who_run_the_organization() {
    let cast = cast().await;
    let anyone = cast.house.anyone();
    let mut table = String::new();
    for (name, actor) in cast.actors().into_iter().chain([("anonymous", &anyone)]) {
        let team = format!("/orgs/acme/teams/{}", name.replace(' ', "-"));
        let body = json!({"name": name.replace(' ', "-"), "members": []});
        let calls = [
            (Method::POST, "/orgs/acme/teams", body),
            (Method::GET, "/orgs/acme/teams", Value::Null),
            (Method::GET, &team, Value::Null),
            (Method::PATCH, &team, json!({"members": ["mary"]})),
            (Method::DELETE, &team, Value::Null),
        ];
        table += &format!("{name:10}");
        for (method, path, body) in calls {
            table += &format!(" {}", actor.call(method, path).json(body).await.status);
        }
        table += "\n";
    }
    insta::assert_snapshot!(table, @r"
    owner      201 200 200 200 200
    admin      201 200 200 200 200
    member     403 403 403 403 403
    stranger   403 403 403 403 403
    site admin 201 200 200 200 200
    anonymous  401 401 401 401 401
    ");
}

#[tokio::test]
async fn only_members_of_the_organization_are_in_its_teams() {
    let cast = cast().await;
    new_team(&cast.owner, "acme", "ops", &["mike"]).await;
    let refusal = "members: 'nora' is not a member of the organization";
    let body = json!({"name": "devs", "members": ["mike", "nora"]});
    cast.owner.post("/orgs/acme/teams").json(body).await.refuses(400, refusal);
    cast.owner.patch("/orgs/acme/teams/ops").json(json!({"members": ["nora"]})).await.refuses(400, refusal);
    let refusal = "members: 'acme' is not a member of the organization";
    cast.owner.patch("/orgs/acme/teams/ops").json(json!({"members": ["acme"]})).await.refuses(400, refusal);
    assert_eq!(cast.owner.get("/orgs/acme/teams").await.expect(200).text(), r#"{"teams":["ops"]}"#);
    assert_eq!(cast.owner.get("/orgs/acme/teams/ops").await.expect(200).json()["members"], json!(["mike"]));
}

#[tokio::test]
async fn bad_teams_are_refused_by_the_name_of_the_field() {
    let cast = cast().await;
    let post = |body: &'static str| cast.owner.post("/orgs/acme/teams").body(body);
    let refused = post(r#"{"name": "a b"}"#).await.expect(400);
    assert!(refused.message().starts_with("name: team name 'a b' is not valid"), "{}", refused.message());
    for (body, field) in [
        (r#"{}"#, "name"),
        (r#"{"name": 7}"#, "name: "),
        (r#"{"name": "devs", "members": "mike"}"#, "members: "),
        (r#"{"name": "devs", "members": [7]}"#, "members[0]: "),
        (r#"{"name": "devs", "members": ["a b"]}"#, "members: "),
        (r#"{"name": "devs", "allow_repo_creation": "yes"}"#, "allow_repo_creation: "),
    ] {
        let message = post(body).await.expect(400).message();
        assert!(message.contains(field), "{body}: {message}");
    }
    post("").await.refuses(400, "A JSON body is required");
    let many: Vec<String> = (0..1_001).map(|number| format!("u{number}")).collect();
    let many = cast.owner.post("/orgs/acme/teams").json(json!({"name": "devs", "members": many})).await;
    many.refuses(400, "members: there are more than 1,000");
    cast.owner.get("/orgs/acme/teams/none").await.refuses(404, "Team 'none' was not found");
    cast.owner.patch("/orgs/acme/teams/none").json(json!({})).await.refuses(404, "Team 'none' was not found");
    cast.owner.delete("/orgs/acme/teams/none").await.refuses(404, "Team 'none' was not found");
    cast.owner.get("/orgs/olga/teams").await.refuses(404, "Organization 'olga' was not found");
    assert_eq!(cast.owner.get("/orgs/acme/teams").await.expect(200).text(), r#"{"teams":[]}"#);
}

#[tokio::test]
async fn two_teams_do_not_differ_by_letter_case_alone() {
    let cast = cast().await;
    new_team(&cast.owner, "acme", "devs", &[]).await;
    for name in ["devs", "Devs"] {
        let again = cast.owner.post("/orgs/acme/teams").json(json!({ "name": name })).await;
        again.refuses(409, &format!("Team '{name}' already exists"));
    }
    cast.org("umbra").await;
    new_team(&cast.owner, "umbra", "devs", &[]).await;
}

#[tokio::test]
async fn a_free_plan_has_no_teams() {
    let cast = cast().await;
    new_team(&cast.owner, "acme", "devs", &["mike"]).await;
    cast.site_admin.put("/subjects/acme/plan").json(json!({"plan": "free"})).await.expect(200);
    let refusal = "This needs the plan 'premium' or more";
    cast.owner.post("/orgs/acme/teams").json(json!({"name": "ops"})).await.refuses(403, refusal);
    cast.owner.patch("/orgs/acme/teams/devs").json(json!({"members": []})).await.refuses(403, refusal);
    // Existing teams can still be viewed and deleted.
    cast.owner.get("/orgs/acme/teams/devs").await.expect(200);
    cast.owner.delete("/orgs/acme/teams/devs").await.expect(200);
}

#[tokio::test]
async fn an_organization_shows_its_teams_to_those_who_run_it() {
    let cast = cast().await;
    new_team(&cast.owner, "acme", "devs", &["mike"]).await;
    for who in [&cast.owner, &cast.admin, &cast.site_admin] {
        assert_eq!(who.get("/orgs/acme").await.expect(200).json()["teams"], json!(["devs"]));
    }
    for who in [&cast.member, &cast.stranger] {
        assert!(!who.get("/orgs/acme").await.expect(200).text().contains("teams"));
    }
}

#[tokio::test]
async fn who_leaves_the_organization_leaves_its_teams() {
    let cast = cast().await;
    new_private_repo(&cast.owner, "acme/secret").await;
    new_team(&cast.owner, "acme", "devs", &["mike", "mary"]).await;
    permit(&cast.owner, "acme/secret", "devs", "read").await;
    cast.member.get("/repos/acme/secret").await.expect(200);
    cast.member.delete("/orgs/acme/members/mike").await.expect(200);
    cast.member.get("/repos/acme/secret").await.refuses(404, "Repository 'secret' was not found");
    assert_eq!(cast.owner.get("/orgs/acme/teams/devs").await.expect(200).json()["members"], json!(["mary"]));
    // A member who returns is in no team.
    set_member(&cast.owner, "acme", "mike", "member").await;
    cast.member.get("/repos/acme/secret").await.expect(404);
    cast.site_admin.delete("/users/mary").await.expect(200);
    assert_eq!(cast.owner.get("/orgs/acme/teams/devs").await.expect(200).json()["members"], json!([]));
}

#[tokio::test]
async fn a_team_may_create_repositories_and_runs_those_it_makes() {
    let cast = cast().await;
    let body = json!({"name": "makers", "members": ["mike"], "allow_repo_creation": true});
    cast.owner.post("/orgs/acme/teams").json(body).await.expect(201);
    new_team(&cast.owner, "acme", "readers", &["mike", "mary"]).await;
    new_private_repo(&cast.member, "acme/made").await;
    new_package(&cast.member, "acme/made", "cat").await;
    cast.member.patch("/repos/acme/made").json(json!({"desc": "ours"})).await.expect(200);
    let given = cast.owner.get("/repos/acme/made/permissions").await.expect(200).text();
    assert_eq!(given, r#"[{"team":"makers","permission":"admin"}]"#);
    // Managers of the organization need no team.
    new_private_repo(&cast.owner, "acme/other").await;
    assert_eq!(cast.owner.get("/repos/acme/other/permissions").await.expect(200).text(), "[]");
    cast.member.get("/repos/acme/other").await.expect(404);
    cast.owner.patch("/orgs/acme/teams/makers").json(json!({"allow_repo_creation": false})).await.expect(200);
    cast.member.post("/repos/acme/more").json(json!({})).await.refuses(403, "You may not do this");
    cast.member.post("/repos/olga/more").json(json!({})).await.refuses(403, "You may not do this");
}

#[tokio::test]
async fn a_deleted_organization_has_no_teams() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    new_team(&ada, "acme", "devs", &["ada"]).await;
    ada.delete("/orgs/acme").await.expect(200);
    ada.get("/orgs/acme/teams/devs").await.refuses(404, "Organization 'acme' was not found");
}
