//! The permissions of teams in repositories.

use serde_json::{Value, json};
use suite::{Answer, Person};

use crate::{
    access::{
        acme::Cast,
        grants::{new_team, permit},
    },
    catalogue::{new_package, new_private_repo, new_repo, new_version},
    content::{publish, read, upload, upload_published},
};

/// Starts a cast whose `acme` has the private repository `secret` with the package `cat`, its version 1.0 and its
/// published file `cat.bin`, and the team `devs` with mike, which has no permission yet.
async fn cast() -> Cast {
    let cast = Cast::start().await;
    cast.org("acme").await;
    new_private_repo(&cast.owner, "acme/secret").await;
    new_package(&cast.owner, "acme/secret", "cat").await;
    upload_published(&cast.owner, "acme/secret/cat/1.0/cat.bin", "meow").await;
    upload(&cast.owner, "acme/secret/cat/1.0/draft.bin", "purr").await;
    new_team(&cast.owner, "acme", "devs", &["mike"]).await;
    cast
}

#[tokio::test]
async fn a_permission_is_set_shown_and_deleted() {
    let cast = cast().await;
    new_team(&cast.owner, "acme", "ops", &[]).await;
    permit(&cast.owner, "acme/secret", "ops", "admin").await;
    permit(&cast.admin, "acme/secret", "devs", "read").await;
    permit(&cast.admin, "acme/secret", "devs", "publish").await;
    let all = "/repos/acme/secret/permissions";
    let list = r#"[{"team":"devs","permission":"publish"},{"team":"ops","permission":"admin"}]"#;
    assert_eq!(cast.owner.get(all).await.expect(200).text(), list);
    let one = cast.owner.get(&format!("{all}/devs")).await.expect(200).text();
    assert_eq!(one, r#"{"team":"devs","permission":"publish"}"#);
    cast.owner.delete(&format!("{all}/devs")).await.refuses(200, "success");
    cast.owner.get(&format!("{all}/devs")).await.refuses(404, "Permission 'devs' was not found");
    cast.owner.delete(&format!("{all}/devs")).await.refuses(404, "Permission 'devs' was not found");
    assert_eq!(cast.owner.get(all).await.expect(200).text(), r#"[{"team":"ops","permission":"admin"}]"#);
}

#[tokio::test]
async fn bad_permissions_are_refused() {
    let cast = cast().await;
    let put = |body: Value| cast.owner.put("/repos/acme/secret/permissions").json(body);
    let refusal = "permission: 'write' is not one of read, publish, admin";
    put(json!({"team": "devs", "permission": "write"})).await.refuses(400, refusal);
    put(json!({"team": "none", "permission": "read"})).await.refuses(404, "Team 'none' was not found");
    assert!(put(json!({"team": "a b", "permission": "read"})).await.expect(400).message().starts_with("team: "));
    assert!(put(json!({"team": "devs"})).await.expect(400).message().contains("permission"));
    assert!(put(json!({"permission": "read"})).await.expect(400).message().contains("team"));
    cast.owner.get("/repos/acme/secret/permissions/none").await.refuses(404, "Team 'none' was not found");
    assert_eq!(cast.owner.get("/repos/acme/secret/permissions").await.expect(200).text(), "[]");
}

#[tokio::test]
async fn a_users_repository_and_a_free_plan_have_no_permissions() {
    let cast = cast().await;
    new_repo(&cast.owner, "olga/tools").await;
    let body = json!({"team": "devs", "permission": "read"});
    let refused = cast.owner.put("/repos/olga/tools/permissions").json(body.clone()).await;
    refused.refuses(404, "Team 'devs' was not found");
    permit(&cast.owner, "acme/secret", "devs", "read").await;
    cast.site_admin.put("/subjects/acme/plan").json(json!({"plan": "free"})).await.expect(200);
    let refused = cast.owner.put("/repos/acme/secret/permissions").json(body).await;
    refused.refuses(403, "This needs the plan 'premium' or more");
    cast.owner.delete("/repos/acme/secret/permissions/devs").await.expect(200);
}

/// Returns for each response that could contain the repository whether it does.
async fn seen(who: &Person) -> Vec<bool> {
    let has = |answer: Answer, text: &str| answer.status == 200 && answer.text().contains(text);
    vec![
        has(who.get("/repos/acme/secret").await, "secret"),
        has(who.get("/repos/acme").await, "secret"),
        has(who.get("/orgs/acme").await, "secret"),
        has(who.get("/repos/acme/secret/packages").await, "cat"),
        has(who.get("/packages/acme/secret/cat").await, "cat"),
        has(who.get("/packages/acme/secret/cat/versions/1.0").await, "1.0"),
        has(who.get("/packages/acme/secret/cat/files").await, "cat.bin"),
        has(who.get("/file_version/acme/secret/cat.bin").await, "1.0"),
        has(who.get("/search/repos?name=secre").await, "secret"),
        has(who.get("/search/packages?name=cat").await, "secret"),
        has(who.get("/search/file?name=cat.bin").await, "secret"),
        has(who.download("/acme/secret/cat.bin").await, "meow"),
        has(who.download("/acme/secret/").await, "cat.bin"),
    ]
}

#[tokio::test]
async fn read_makes_a_private_repository_visible_everywhere() {
    let cast = cast().await;
    assert_eq!(seen(&cast.member).await, [false; 13]);
    permit(&cast.owner, "acme/secret", "devs", "read").await;
    assert_eq!(seen(&cast.member).await, [true; 13]);
    assert_eq!(seen(&cast.stranger).await, [false; 13]);
    // No access to staged files, and no changes.
    cast.member.download("/acme/secret/draft.bin").await.expect(404);
    let who = &cast.member;
    who.get("/packages/acme/secret/cat/files?include_unpublished=1").await.expect(403);
    who.post("/packages/acme/secret").json(json!({"name": "dog"})).await.refuses(403, "You may not do this");
    who.put("/content/acme/secret/cat/1.0/more.bin").body("x").await.expect(403);
    who.patch("/repos/acme/secret").json(json!({"desc": "x"})).await.expect(403);
    who.get("/repos/acme/secret/permissions").await.expect(403);
    cast.owner.delete("/repos/acme/secret/permissions/devs").await.expect(200);
    assert_eq!(seen(&cast.member).await, [false; 13]);
}

#[tokio::test]
async fn publish_lets_a_team_make_packages_versions_and_files() {
    let cast = cast().await;
    permit(&cast.owner, "acme/secret", "devs", "publish").await;
    let mike = &cast.member;
    new_package(mike, "acme/secret", "dog").await;
    new_version(mike, "acme/secret/dog", "1.0").await;
    upload(mike, "acme/secret/dog/1.0/dog.bin", "woof").await;
    assert_eq!(publish(mike, "acme/secret/dog/1.0").await, 1);
    assert_eq!(read(mike, "/acme/secret/dog.bin").await, "woof");
    assert_eq!(read(mike, "/acme/secret/draft.bin").await, "purr");
    mike.patch("/repos/acme/secret").json(json!({"desc": "x"})).await.refuses(403, "You may not do this");
    mike.delete("/repos/acme/secret").await.expect(403);
    mike.get("/repos/acme/secret/permissions").await.expect(403);
    mike.get("/repos/acme/secret/entitlements").await.expect(403);
    new_repo(&cast.owner, "olga/tools").await;
    new_package(&cast.owner, "olga/tools", "bird").await;
    mike.put("/repository/acme/secret/links/olga/tools/bird").await.expect(403);
}

#[tokio::test]
async fn admin_equals_ownership_of_the_repository() {
    let cast = cast().await;
    permit(&cast.owner, "acme/secret", "devs", "admin").await;
    new_repo(&cast.owner, "olga/tools").await;
    new_package(&cast.owner, "olga/tools", "bird").await;
    let mike = &cast.member;
    mike.patch("/repos/acme/secret").json(json!({"desc": "ours"})).await.expect(200);
    mike.put("/repository/acme/secret/links/olga/tools/bird").await.expect(201);
    mike.delete("/repository/acme/secret/links/olga/tools/bird").await.expect(200);
    new_team(&cast.owner, "acme", "ops", &["mary"]).await;
    permit(mike, "acme/secret", "ops", "read").await;
    mike.delete("/repos/acme/secret/permissions/ops").await.expect(200);
    let made = mike.post("/repos/acme/secret/entitlements").json(json!({"access": "r"})).await.expect(201).json();
    let one = format!("/repos/acme/secret/entitlements/{}", made["id"].as_str().expect("an id"));
    mike.delete(&one).await.expect(200);
    // Of the repository, not of the organization.
    mike.get("/orgs/acme/teams").await.expect(403);
    mike.post("/repos/acme/more").json(json!({})).await.expect(403);
    mike.delete("/repos/acme/secret").await.expect(200);
    cast.owner.get("/repos/acme/secret").await.expect(404);
}

#[tokio::test]
async fn a_user_is_listed_with_the_repositories_in_which_teams_let_them_publish() {
    let cast = cast().await;
    let listed = async |who: &Person| who.get("/repos/mike").await.expect(200).text();
    permit(&cast.owner, "acme/secret", "devs", "read").await;
    assert_eq!(listed(&cast.member).await, "[]");
    permit(&cast.owner, "acme/secret", "devs", "publish").await;
    let secret = r#"[{"name":"secret","owner":"acme"}]"#;
    assert_eq!((listed(&cast.member).await, listed(&cast.owner).await), (secret.to_owned(), secret.to_owned()));
    assert_eq!((listed(&cast.stranger).await, listed(&cast.house.anyone()).await), ("[]".into(), "[]".into()));
}

#[tokio::test]
async fn what_is_taken_away_is_gone_at_once_also_from_kept_downloads() {
    let cast = cast().await;
    let file = "/acme/secret/cat.bin";
    let thrice = async || {
        for _ in 0..3 {
            assert_eq!(read(&cast.member, file).await, "meow");
        }
    };
    permit(&cast.owner, "acme/secret", "devs", "read").await;
    thrice().await;
    cast.owner.delete("/repos/acme/secret/permissions/devs").await.expect(200);
    cast.member.download(file).await.expect(404);
    permit(&cast.owner, "acme/secret", "devs", "read").await;
    thrice().await;
    cast.owner.patch("/orgs/acme/teams/devs").json(json!({"members": []})).await.expect(200);
    cast.member.download(file).await.expect(404);
    cast.owner.patch("/orgs/acme/teams/devs").json(json!({"members": ["mike"]})).await.expect(200);
    thrice().await;
    cast.owner.delete("/orgs/acme/teams/devs").await.expect(200);
    cast.member.download(file).await.expect(404);
    new_team(&cast.owner, "acme", "devs", &["mike"]).await;
    permit(&cast.owner, "acme/secret", "devs", "publish").await;
    thrice().await;
    cast.member.delete("/orgs/acme/members/mike").await.expect(200);
    cast.member.download(file).await.expect(404);
}
