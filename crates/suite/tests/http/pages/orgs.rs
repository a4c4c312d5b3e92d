//! Organizations on pages: created, joined, left, with teams, by those who may.

use serde_json::json;
use suite::{Browser, Person, TestHouse};

use crate::{
    access::acme::{Cast, owners_of, role_of},
    catalogue::new_private_repo,
    pages::manage::{problem_of, success_of},
};

/// Returns a browser in which this user is signed in.
pub(crate) async fn browser_of(house: &TestHouse, person: &Person) -> Browser {
    let browser = house.browser();
    browser.sign_in(person.name(), person.key()).await.expect(303);
    browser
}

/// Opens a page, submits its form, and expects a redirect to a page that shows the change.
pub(crate) async fn done(browser: &Browser, page: &str, action: &str, fields: &[(&str, &str)]) -> String {
    let page = browser.open(page).await.expect(200);
    browser.send(&page, action, fields).await.expect(303).header("location").to_owned()
}

/// Opens a page, submits its form, and expects an error.
pub(crate) async fn refused(browser: &Browser, page: &str, action: &str, fields: &[(&str, &str)]) -> (u16, String) {
    let page = browser.open(page).await.expect(200);
    let answer = browser.send(&page, action, fields).await;
    (answer.status, problem_of(&answer))
}

#[tokio::test]
async fn an_organization_is_made_and_gets_members() {
    let house = TestHouse::start().await;
    let (ada, _) = (house.user("ada").await, house.user("bob").await);
    let browser = browser_of(&house, &ada).await;
    let fields = [("name", "acme"), ("full_name", "Acme & Sons")];
    assert_eq!(done(&browser, "/account", "/account/orgs", &fields).await, "/-/orgs/acme");
    let page = "/-/orgs/acme";
    let bob = [("user", "bob"), ("role", "member")];
    assert_eq!(done(&browser, page, "/-/orgs/acme/members", &bob).await, "/-/orgs/acme");
    assert_eq!(role_of(&house, "acme", "bob").await, "member");
    assert_eq!(success_of(&browser.open("/-/orgs/acme").await), "The member has been saved.");
    let text = browser.open(page).await.text();
    let form = text.split("id=\"add-member-form\"").nth(1).expect("the form");
    assert!(form.contains("name=\"user\"") && text.contains("id=\"member-bob\""), "{text}");
    // The first form with this action is a member's; it names the user whose role it changes.
    browser.open(page).await.expect(200);
    let token = crate::pages::orgs::token(&browser, page).await;
    let change = |role: &str| {
        [("form_token", token.as_str()), ("user", "bob"), ("role", role)].map(|(k, v)| (k.to_owned(), v.to_owned()))
    };
    browser.post("/-/orgs/acme/members", &change("admin")).await.expect(303);
    assert_eq!(role_of(&house, "acme", "bob").await, "admin");
    browser.post("/-/orgs/acme/members/remove", &change("")).await.expect(303);
    assert_eq!(role_of(&house, "acme", "bob").await, "-");
    done(&browser, page, page, &[("full_name", "Acme")]).await;
    assert_eq!(ada.get("/orgs/acme").await.json()["full_name"], json!("Acme"));
    assert_eq!(done(&browser, page, "/-/orgs/acme/delete", &[("confirm", "acme")]).await, "/account");
    ada.get("/orgs/acme").await.expect(404);
}

/// Returns the form token of a session.
pub(crate) async fn token(browser: &Browser, page: &str) -> String {
    let text = browser.open(page).await.expect(200).text();
    let (_, rest) = text.split_once("name=\"form_token\" value=\"").expect("a form");
    rest.split('"').next().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn what_is_wrong_is_said_and_nothing_is_stored() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let browser = browser_of(&house, &ada).await;
    let (status, said) = refused(&browser, "/account", "/account/orgs", &[("name", "no name")]).await;
    assert_eq!(status, 400);
    assert!(said.starts_with("name: "), "{said}");
    let (status, said) = refused(&browser, "/account", "/account/orgs", &[("name", "ada")]).await;
    assert_eq!((status, said.as_str()), (409, "Subject 'ada' already exists"));
    assert_eq!(ada.get("/users/ada").await.json()["organizations"], json!([]));
    ada.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    let (page, token) = ("/-/orgs/acme", token(&browser, "/-/orgs/acme").await);
    let send = async |path: &str, user: &str, role: &str, confirm: &str| {
        let fields = [("form_token", token.as_str()), ("user", user), ("role", role), ("confirm", confirm)];
        let fields: Vec<(String, String)> = fields.map(|(k, v)| (k.to_owned(), v.to_owned())).into();
        let answer = browser.post(path, &fields).await;
        (answer.status, problem_of(&answer))
    };
    let members = "/-/orgs/acme/members";
    assert_eq!(send(members, "nobody", "member", "").await.0, 404);
    assert_eq!(send(members, "ada", "boss", "").await.1, "Role: 'boss' is not one of owner, admin, member");
    assert_eq!(send(members, "ada", "member", "").await.0, 409);
    assert_eq!(send("/-/orgs/acme/members/remove", "ada", "", "").await.0, 409);
    assert_eq!(send("/-/orgs/acme/delete", "", "", "acm").await, (400, "Type 'acme' to confirm".to_owned()));
    assert_eq!(owners_of(&house, "acme").await, ["ada"]);
    browser.open(page).await.expect(200);
}

#[tokio::test]
async fn everyone_sees_and_does_there_what_they_may() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    let page = "/-/orgs/acme";
    let anonymous = cast.house.browser().open(page).await.expect(303);
    assert_eq!(anonymous.header("location"), "/login?next=/-/orgs/acme");
    for (name, person) in cast.actors() {
        let browser = browser_of(&cast.house, person).await;
        let answer = browser.open(page).await;
        let (sees, runs) = (name != "stranger", !matches!(name, "stranger" | "member"));
        assert_eq!(answer.status, if sees { 200 } else { 403 }, "{name}");
        assert_eq!(answer.text().contains("id=\"add-member-form\""), runs, "{name}");
        let token = token(&browser, "/account").await;
        let fields = [("form_token", token.as_str()), ("user", "nora"), ("role", "member")];
        let fields: Vec<(String, String)> = fields.map(|(k, v)| (k.to_owned(), v.to_owned())).into();
        let added = browser.post("/-/orgs/acme/members", &fields).await;
        assert_eq!(added.status, if runs { 303 } else { 403 }, "{name}");
        assert_eq!(role_of(&cast.house, "acme", "nora").await, if runs { "member" } else { "-" }, "{name}");
        if runs {
            browser.post("/-/orgs/acme/members/remove", &fields).await.expect(303);
        }
        browser.open("/-/orgs/absent").await.expect(404);
    }
    // A member who leaves is redirected to a page that is still visible.
    let mike = browser_of(&cast.house, &cast.member).await;
    assert_eq!(done(&mike, page, "/-/orgs/acme/members/remove", &[]).await, "/account");
    assert_eq!(role_of(&cast.house, "acme", "mike").await, "-");
}

#[tokio::test]
async fn a_team_is_made_and_given_a_repository() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    new_private_repo(&cast.owner, "acme/secret").await;
    let browser = browser_of(&cast.house, &cast.owner).await;
    let team = "/-/orgs/acme/teams/devs";
    let fields = [("name", "devs"), ("members", "mike\r\n mary \r\n"), ("may_create_repos", "1")];
    assert_eq!(done(&browser, "/-/orgs/acme", "/-/orgs/acme/teams", &fields).await, team);
    let made = cast.owner.get("/orgs/acme/teams/devs").await.expect(200).json();
    assert_eq!((&made["members"], &made["allow_repo_creation"]), (&json!(["mary", "mike"]), &json!(true)));
    cast.member.get("/repos/acme/secret").await.expect(404);
    done(&browser, team, "/-/orgs/acme/teams/devs/repos", &[("repo", "secret"), ("permission", "read")]).await;
    cast.member.get("/repos/acme/secret").await.expect(200);
    let repos = format!("{team}/repos");
    assert_eq!(refused(&browser, team, &repos, &[("repo", "absent"), ("permission", "read")]).await.0, 404);
    assert_eq!(refused(&browser, team, &repos, &[("repo", "secret"), ("permission", "all")]).await.0, 400);
    assert_eq!(refused(&browser, team, team, &[("members", "nora")]).await.0, 400);
    done(&browser, team, &format!("{team}/repos/remove"), &[]).await;
    cast.member.get("/repos/acme/secret").await.expect(404);
    done(&browser, team, team, &[("members", "mary")]).await;
    let changed = cast.owner.get("/orgs/acme/teams/devs").await.expect(200).json();
    assert_eq!((&changed["members"], &changed["allow_repo_creation"]), (&json!(["mary"]), &json!(false)));
    // Plain members do not see teams, and strangers do not learn which teams exist.
    for person in [&cast.member, &cast.stranger] {
        let other = browser_of(&cast.house, person).await;
        other.open(team).await.expect(403);
        other.open("/-/orgs/acme/teams/absent").await.expect(403);
    }
    assert_eq!(done(&browser, team, &format!("{team}/delete"), &[]).await, "/-/orgs/acme");
    cast.owner.get("/orgs/acme/teams/devs").await.expect(404);
}

#[tokio::test]
async fn a_profile_is_changed_by_its_user() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let browser = browser_of(&house, &ada).await;
    let fields = [("full_name", "Ada Lovelace"), ("email", "ada@lovelace.example")];
    assert_eq!(done(&browser, "/account", "/account/profile", &fields).await, "/account");
    let text = browser.open("/account").await.text();
    assert!(text.contains("value=\"Ada Lovelace\"") && text.contains("value=\"ada@lovelace.example\""), "{text}");
    let (status, said) = refused(&browser, "/account", "/account/profile", &[("email", "nowhere")]).await;
    assert_eq!(status, 400);
    assert!(said.starts_with("email: "), "{said}");
    assert_eq!(ada.get("/users/ada").await.json()["full_name"], json!("Ada Lovelace"));
    done(&browser, "/account", "/account/profile", &[("full_name", "Ada"), ("email", "")]).await;
    assert!(!browser.open("/account").await.text().contains("lovelace"));
}
