//! Pages for site administrators.

use operations::{jobs, maintenance::garbage};
use serde_json::json;
use suite::TestHouse;

use crate::{
    access::acme::Cast,
    content::{DAY, cat, upload},
    pages::manage::shown,
    pages::orgs::{browser_of, done, refused, token},
};

const PAGES: [&str; 5] = ["/-/admin", "/-/admin/users", "/-/admin/users/olga", "/-/admin/audit", "/-/admin/settings"];

const MINUTE: i64 = 60_000;

#[tokio::test]
async fn the_pages_are_for_site_administrators() {
    let cast = Cast::start().await;
    for page in PAGES {
        assert_eq!(cast.house.browser().open(page).await.expect(303).header("location"), format!("/login?next={page}"));
        for (name, person) in cast.actors() {
            let browser = browser_of(&cast.house, person).await;
            let answer = browser.open(page).await;
            assert_eq!(answer.status, if name == "site admin" { 200 } else { 403 }, "{page} {name}");
            assert_eq!(browser.open("/").await.text().contains("id=\"administer\""), name == "site admin");
        }
    }
    let olga = browser_of(&cast.house, &cast.owner).await;
    let fields = [
        ("form_token", token(&olga, "/account").await),
        ("name", "new".into()),
        ("plan", "free".into()),
        ("confirm", "stan".into()),
    ];
    let fields = fields.map(|(key, value): (&str, String)| (key.to_owned(), value));
    for path in [
        "",
        "/stan/plan",
        "/stan/api_key",
        "/stan/suspend",
        "/stan/unsuspend",
        "/stan/reset_password",
        "/stan/second_factor/reset",
        "/stan/sessions/end_all",
        "/stan/rename",
        "/stan/delete",
    ] {
        olga.post(&format!("/-/admin/users{path}"), &fields).await.expect(403);
    }
    cast.stranger.get("/users/stan").await.expect(200);
    // A name that does not exist gets the same response.
    assert_eq!(olga.open("/-/admin/users/absent").await.status, 403);
}

#[tokio::test]
async fn users_are_made_filtered_moved_to_a_plan_and_deleted() {
    let house = TestHouse::start().await;
    let admin = browser_of(&house, &house.admin()).await;
    let page = "/-/admin/users";
    let fields = [("name", "ada"), ("full_name", "Ada"), ("email", "ada@example.org"), ("plan", "enterprise")];
    let made = admin.send(&admin.open(page).await, page, &fields).await.expect(200);
    let ada = house.person("ada", &shown(&made, "new-api-key"));
    ada.get("/users/ada").await.expect(200);
    assert_eq!(refused(&admin, page, page, &fields).await.0, 409);
    assert_eq!(refused(&admin, page, page, &[("name", "bob"), ("plan", "gold")]).await.0, 400);
    assert_eq!(refused(&admin, page, page, &[("name", "bob"), ("plan", "free"), ("email", "x")]).await.0, 400);
    house.admin().get("/users/bob").await.expect(404);
    let listed = admin.open("/-/admin/users?start_name=AD").await.expect(200).text();
    assert!(listed.contains("/-/admin/users/ada\"") && listed.contains("/-/admin/users/admin\""), "{listed}");
    let listed = admin.open("/-/admin/users?start_name=adm").await.expect(200).text();
    assert!(!listed.contains("/-/admin/users/ada\""), "{listed}");
    let user = "/-/admin/users/ada";
    assert_eq!(shown(&admin.open(user).await.expect(200), "plan-now"), "Enterprise");
    done(&admin, user, "/-/admin/users/ada/plan", &[("plan", "free")]).await;
    assert_eq!(shown(&admin.open(user).await, "plan-now"), "Free");
    assert_eq!(refused(&admin, user, "/-/admin/users/ada/plan", &[("plan", "gold")]).await.0, 400);
    let rotated = admin.send(&admin.open(user).await, "/-/admin/users/ada/api_key", &[]).await.expect(200);
    ada.get("/users/ada").await.expect(401);
    house.person("ada", &shown(&rotated, "new-api-key")).get("/users/ada").await.expect(200);
    assert_eq!(refused(&admin, user, "/-/admin/users/ada/delete", &[("confirm", "bob")]).await.0, 400);
    assert_eq!(done(&admin, user, "/-/admin/users/ada/delete", &[("confirm", "ada")]).await, "/-/admin/users");
    house.admin().get("/users/ada").await.expect(404);
    admin.open(user).await.expect(404);
    let own = "/-/admin/users/admin";
    assert_eq!(refused(&admin, own, "/-/admin/users/admin/delete", &[("confirm", "admin")]).await.0, 409);
}

#[tokio::test]
async fn the_audit_log_is_filtered_and_goes_on_to_older_entries() {
    let house = TestHouse::start().await;
    for number in 0..60 {
        house.admin().post("/users").json(json!({ "name": format!("user{number}") })).await.expect(201);
    }
    let ada = house.user("ada").await;
    ada.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    let admin = browser_of(&house, &house.admin()).await;
    let first = admin.open("/-/admin/audit").await.expect(200).text();
    assert!(first.contains("org.create") && first.contains("id=\"entry-63\""), "{first}");
    let (_, rest) = first.split_once("href=\"/-/admin/audit?from=").expect("there are older ones");
    let older = rest.split('"').next().unwrap_or_default();
    let second = admin.open(&format!("/-/admin/audit?from={older}")).await.expect(200).text();
    assert!(second.contains("id=\"entry-1\"") && !second.contains("id=\"older\""), "{second}");
    let by_ada = admin.open("/-/admin/audit?actor=ada").await.expect(200).text();
    assert!(by_ada.contains("org.create") && !by_ada.contains("user.create"), "{by_ada}");
    let made = admin.open("/-/admin/audit?action=user.&target=user5").await.expect(200).text();
    assert_eq!(made.matches("<code>user.create</code>").count(), 11, "{made}");
    assert!(admin.open("/-/admin/audit?actor=nobody").await.expect(200).text().contains("No matching entries."));
    admin.open("/-/admin/audit?from=x").await.expect(400);
    assert!(first.contains("Today</h2>") && first.contains("created the organization</span> <span>acme<"), "{first}");
    let file = admin.open("/-/admin/audit?actor=ada&as=csv").await.expect(200);
    assert_eq!(file.header("content-disposition"), "attachment; filename=\"audit-log.csv\"");
    let text = file.text();
    assert!(text.starts_with("entry,time,actor,action,target,detail,address,request\r\n63,"), "{text}");
    assert!(text.contains(",ada,org.create,acme,") && !text.contains("user.create"), "{text}");
    assert_eq!(admin.open("/-/admin/audit?as=csv").await.expect(200).text().lines().count(), 65, "not only one page");
    browser_of(&house, &ada).await.open("/-/admin/audit?as=csv").await.expect(403);
}

#[tokio::test]
async fn the_overview_tells_of_health_nodes_storage_and_garbage() {
    let (house, ada) = cat().await;
    upload(&ada, "ada/tools/cat/1.0/a.bin", "meow").await;
    upload(&ada, "ada/tools/cat/1.0/b.bin", "meow").await;
    let admin = browser_of(&house, &house.admin()).await;
    let text = admin.open("/-/admin").await.expect(200).text();
    assert!(text.contains("1 blob, 4 B") && text.contains("<dd>8 B</dd>"), "{text}");
    assert!(text.contains("aria-label=\"Files by format: Generic 100 %\""), "{text}");
    assert!(
        text.contains("reachable, with the schema") && text.contains("writing, reading and deleting work"),
        "{text}"
    );
    assert!(text.contains("none yet") && text.contains("No node has reported yet"), "{text}");
    jobs::run_once(house.app().house(), "heartbeat").await.expect("told");
    ada.delete("/content/ada/tools/cat/1.0/a.bin").await;
    garbage::collect(house.app().house(), 0).await.expect("collected");
    let text = admin.open("/-/admin").await.expect(200).text();
    assert!(shown(&admin.open("/-/admin").await, "last-run").starts_with("2026-01-15T12:00:00Z, removed "), "{text}");
    assert!(
        text.contains("id=\"nodes\"") && text.contains(env!("CARGO_PKG_VERSION")) && !text.contains("Silent"),
        "{text}"
    );
    // After another heartbeat it is still one node; without heartbeats it is first silent, then removed.
    jobs::run_once(house.app().house(), "heartbeat").await.expect("told");
    house.clock.advance(4 * MINUTE);
    let text = admin.open("/-/admin").await.expect(200).text();
    let nodes = text.split("id=\"nodes\"").nth(1).and_then(|rest| rest.split("</table>").next()).expect("nodes");
    assert_eq!((nodes.matches("<tr>").count(), nodes.matches("Silent").count()), (2, 1), "{nodes}");
    house.clock.advance(2 * DAY);
    assert!(admin.open("/-/admin").await.expect(200).text().contains("No node has reported yet"));
    jobs::run_once(house.app().house(), "heartbeat").await.expect("told");
    jobs::deregister(house.app().house()).await;
    assert!(admin.open("/-/admin").await.expect(200).text().contains("No node has reported yet"));
}

#[tokio::test]
async fn every_server_of_an_installation_is_listed() {
    let house = TestHouse::start().await;
    jobs::run_once(house.app().house(), "heartbeat").await.expect("told");
    // An embedded database has one server.
    let others: Vec<TestHouse> = house.start_another().await.into_iter().collect();
    for other in &others {
        jobs::run_once(other.app().house(), "heartbeat").await.expect("told");
    }
    let text = browser_of(&house, &house.admin()).await.open("/-/admin").await.expect(200).text();
    let nodes = text.split("id=\"nodes\"").nth(1).and_then(|rest| rest.split("</table>").next()).expect("nodes");
    assert_eq!(nodes.matches("<tr>").count(), 2 + others.len(), "{nodes}");
}

#[tokio::test]
async fn settings_are_shown_without_their_secrets() {
    let house = TestHouse::start().await;
    let text = browser_of(&house, &house.admin()).await.open("/-/admin/settings").await.expect(200).text();
    let (_, shown) = text.split_once("id=\"settings\" tabindex=\"0\">").expect("the settings");
    let shown = shown.split("</pre>").next().unwrap_or_default();
    // The masking itself is tested with the settings.
    let read = shown.replace("&#34;", "\"").replace("&#39;", "'").replace("&#38;", "&");
    assert!(house.apps().any(|app| app.settings().show() == read), "{read}");
    assert!(shown.contains("[windows]") && shown.contains("# default"), "{shown}");
}
