//! Organizations that require single sign-on.

use serde_json::json;
use suite::{Browser, TestHouse};

use super::{at_provider, sign_in, start};
use crate::accounts::requirements::{PASSWORD, Readers, organization, user_with_password};

/// Gives a user the identity of this person, and returns the browser that did it.
async fn link(house: &TestHouse, name: &str, who: &str) -> Browser {
    let browser = house.browser();
    browser.sign_in(name, PASSWORD).await.expect(303);
    let account = browser.open("/account").await.expect(200);
    let way = browser.send(&account, "/account/sso", &[]).await.expect(200).text();
    let page = way.split("href=\"").find(|part| part.starts_with("http://127")).expect("a link");
    let page = page.split('"').next().expect("its end").replace("&#38;", "&").replace("&amp;", "&");
    browser.open(&at_provider(&page, who).await).await.expect(303);
    browser
}

async fn remove_password(browser: &Browser, secret: &str) -> u16 {
    let account = browser.open("/account").await.expect(200);
    browser.send(&account, "/account/password/remove", &[("current", secret)]).await.status
}

#[tokio::test]
async fn an_organization_gives_rights_only_to_members_who_use_single_sign_on() {
    let (house, _provider) = start(&[]).await;
    let Readers { ada, bob, robot, token } = organization(&house).await;
    let rule = json!({"require_single_sign_on": true});
    bob.patch("/orgs/acme").json(rule.clone()).await.refuses(403, "You may not do this");
    let first = "Sign in with single sign-on only yourself first";
    ada.patch("/orgs/acme").json(rule.clone()).await.refuses(409, first);
    let browser = link(&house, "ada", "7").await;
    // The identity alone is not enough: the password would still sign in.
    ada.patch("/orgs/acme").json(rule.clone()).await.refuses(409, first);
    assert_eq!(remove_password(&browser, PASSWORD).await, 303);
    browser.open("/account").await.expect(303);
    house.browser().sign_in("ada", PASSWORD).await.expect(401);
    bob.get("/repos/acme/secret").await.expect(200);
    ada.patch("/orgs/acme").json(rule).await.expect(200);
    assert_eq!(ada.get("/orgs/acme").await.expect(200).json()["require_single_sign_on"], json!(true));

    ada.get("/repos/acme/secret").await.expect(200);
    robot.get("/repos/acme/secret").await.expect(200);
    let signed_on = house.browser();
    sign_in(&signed_on, "7").await.expect(303);
    signed_on.open("/acme/secret").await.expect(200);
    let page = signed_on.open("/-/orgs/acme").await.expect(200).text();
    assert!(page.contains("bob: does not sign in with single sign-on only"), "{page}");
    for person in [&bob, &token] {
        person.get("/repos/acme/secret").await.expect(404);
        assert_eq!(person.get("/orgs/acme").await.expect(200).json()["members"], json!(null));
    }
    let browser = house.browser();
    assert_eq!(browser.sign_in("bob", PASSWORD).await.expect(303).header("location"), "/account/security");
    let page = browser.open("/account/security").await.expect(200).text();
    assert!(page.contains("<b>acme</b> requires single sign-on"), "{page}");
    browser.open("/acme/secret").await.expect(404);

    let browser = link(&house, "bob", "8").await;
    bob.get("/repos/acme/secret").await.expect(404);
    assert_eq!(remove_password(&browser, "wrong").await, 403);
    assert_eq!(remove_password(&browser, bob.key()).await, 303);
    for person in [&bob, &token] {
        person.get("/repos/acme/secret").await.expect(200);
    }
    // A new password, an administrator's too, ends it, and so does the end of the identity.
    house.admin().post("/users/bob/password").await.expect(201);
    bob.get("/repos/acme/secret").await.expect(404);
    // Members may leave in any case.
    bob.delete("/orgs/acme/members/bob").await.expect(200);
}

#[tokio::test]
async fn who_loses_the_identity_loses_the_rights() {
    let (house, _provider) = start(&[]).await;
    let ada = user_with_password(&house, "ada").await;
    ada.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    let browser = link(&house, "ada", "7").await;
    assert_eq!(remove_password(&browser, ada.key()).await, 303);
    let browser = house.browser();
    sign_in(&browser, "7").await.expect(303);
    let page = browser.open("/-/orgs/acme").await.expect(200);
    browser.send(&page, "/-/orgs/acme/single_sign_on", &[("required", "1")]).await.expect(303);
    ada.get("/orgs/acme").await.expect(200);
    let log = house.admin().get("/audit").await.expect(200).text();
    assert!(log.contains("require_single_sign_on: false -> true"), "{log}");
    // A new member who has an identity and no password has the rights at once; others have none.
    sign_in(&house.browser(), "8").await.expect(303);
    house.user("bob").await;
    for name in ["admin-2", "bob"] {
        ada.put(&format!("/orgs/acme/members/{name}")).json(json!({"type": "member"})).await.expect(200);
    }
    let page = browser.open("/-/orgs/acme").await.expect(200).text();
    assert!(page.contains("<li>bob:") && !page.contains("<li>admin-2:"), "{page}");
    let account = browser.open("/account").await.expect(200);
    browser.send(&account, "/account/sso/remove", &[]).await.expect(303);
    assert_eq!(ada.get("/orgs/acme").await.expect(200).json()["members"], json!(null));
}

#[tokio::test]
async fn it_cannot_be_required_where_there_is_none() {
    let house = TestHouse::start().await;
    let ada = user_with_password(&house, "ada").await;
    ada.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    let rule = json!({"require_single_sign_on": true});
    ada.patch("/orgs/acme").json(rule).await.refuses(409, "This server has no single sign-on");
    let browser = house.browser();
    browser.sign_in("ada", PASSWORD).await.expect(303);
    // The page offers no form for it.
    let fields = [("form_token", browser.form_token().await), ("current", PASSWORD.to_owned())];
    let fields = fields.map(|(name, value)| (name.to_owned(), value));
    let refused = browser.post("/account/password/remove", &fields).await.expect(409);
    assert!(refused.text().contains("Sign in with single sign-on first"));
    house.browser().sign_in("ada", PASSWORD).await.expect(303);
}
