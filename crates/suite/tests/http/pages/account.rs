//! The profile page: the API key, the password, and the signing key.

use serde_json::json;
use suite::{Gpg, NewKey};

use crate::{
    content::DAY,
    pages::manage::{problem_of, shown, success_of},
    pages::sign_in::ada,
};

#[tokio::test]
async fn a_new_api_key_is_shown_once_and_is_the_only_one_that_works() {
    let (house, ada) = ada().await;
    let browser = house.browser();
    browser.sign_in("ada", ada.key()).await.expect(303);
    let page = browser.open("/account").await.expect(200);
    assert!(!page.text().contains("phk_"), "{}", page.text());
    let made = browser.send(&page, "/account/api_key", &[]).await.expect(200);
    let key = shown(&made, "new-api-key");
    house.person("ada", &key).get("/users/ada").await.expect(200);
    ada.get("/users/ada").await.expect(401);
    let page = browser.open("/account").await.expect(200);
    assert!(!page.text().contains(&key));
    // The response that showed it belongs to the new session.
    browser.send(&made, "/logout", &[]).await.expect(303);
}

#[tokio::test]
async fn the_password_changes_for_whoever_knows_the_old_one_or_the_key() {
    let (house, ada) = ada().await;
    let (browser, other) = (house.browser(), house.browser());
    browser.sign_in("ada", "difference engine").await.expect(303);
    other.sign_in("ada", ada.key()).await.expect(303);
    let change = async |current: &str, password: &str, again: &str| {
        let page = browser.open("/account").await.expect(200);
        let fields = [("current", current), ("password", password), ("again", again)];
        browser.send(&page, "/account/password", &fields).await
    };
    let refused = change("wrong", "analytical engine", "analytical engine").await.expect(403);
    assert_eq!(problem_of(&refused), "The current password or API key is wrong");
    let refused = change("difference engine", "analytical engine", "another engine").await.expect(400);
    assert_eq!(problem_of(&refused), "The two new passwords are not the same");
    let refused = change("difference engine", "short", "short").await.expect(400);
    assert_eq!(problem_of(&refused), "Password: it must have 8 to 200 bytes");
    other.open("/account").await.expect(200);
    let done = change("difference engine", "analytical engine", "analytical engine").await.expect(200);
    assert_eq!(success_of(&done), "Your password has been changed.");
    other.open("/account").await.expect(303);
    browser.open("/account").await.expect(200);
    house.browser().sign_in("ada", "difference engine").await.expect(401);
    house.browser().sign_in("ada", "analytical engine").await.expect(303);
    change(ada.key(), "third engine", "third engine").await.expect(200);
}

#[tokio::test]
async fn the_key_that_signs_is_shown_with_a_warning_before_it_ends() {
    let (house, ada) = ada().await;
    let browser = house.browser();
    browser.sign_in("ada", ada.key()).await.expect(303);
    assert!(browser.open("/account").await.text().contains("The server signs with its own"));
    let private_key = Gpg::new().private_key(NewKey { expires: "40d", ..NewKey::default() });
    let stored = ada.put("/users/ada/keys/gpg").json(json!({ "private_key": private_key })).await.expect(200).json();
    let page = browser.open("/account").await.expect(200);
    let fingerprint = stored["fingerprint"].as_str().expect("a text").to_owned();
    assert!(page.text().contains(&fingerprint) && !page.text().contains("gpg-key-warning"), "{}", page.text());
    assert!(shown(&page, "gpg-key-expiry").starts_with("2026-02-24T"));
    house.clock.advance(6 * DAY);
    assert!(!browser.open("/account").await.text().contains("gpg-key-warning"));
    let other = house.browser();
    house.clock.advance(5 * DAY);
    other.sign_in("ada", ada.key()).await.expect(303);
    let warning = shown(&other.open("/account").await.expect(200), "gpg-key-warning");
    assert!(warning.starts_with("The GPG key expires at 2026-02-24T"), "{warning}");
}

#[tokio::test]
async fn the_key_of_an_organization_is_shown_to_those_who_manage_it() {
    let (house, ada) = ada().await;
    ada.post("/orgs").json(json!({ "name": "acme" })).await.expect(201);
    let private_key = Gpg::new().private_key(NewKey { expires: "20d", ..NewKey::default() });
    ada.put("/orgs/acme/keys/gpg").json(json!({ "private_key": private_key })).await.expect(200);
    let browser = house.browser();
    browser.sign_in("ada", ada.key()).await.expect(303);
    let page = browser.open("/acme").await.expect(200);
    assert!(shown(&page, "gpg-key-expiry").starts_with("2026-02-04T"));
    assert!(shown(&page, "gpg-key-warning").starts_with("The GPG key expires at 2026-02-04T"));
    let grace = house.user("grace").await;
    let other = house.browser();
    other.sign_in("grace", grace.key()).await.expect(303);
    assert!(!other.open("/acme").await.expect(200).text().contains("gpg-key"));
}

#[tokio::test]
async fn thresholds_are_shown_to_owners_with_what_is_used() {
    let (house, ada) = ada().await;
    ada.post("/orgs").json(json!({ "name": "acme" })).await.expect(201);
    house.admin().put("/subjects/acme/plan").json(json!({ "plan": "enterprise" })).await.expect(200);
    ada.post("/repos/acme/tools").json(json!({})).await.expect(201);
    ada.post("/packages/acme/tools").json(json!({ "name": "cat", "licenses": ["MIT"] })).await.expect(201);
    ada.put("/content/acme/tools/cat/1.0/cat.bin?publish=1").body("meow").await.expect(201);
    let low = json!({ "monthly_storage_bytes": 4, "daily_download_bytes": 2_048 });
    ada.post("/usage_threshold/organization/acme").json(low.clone()).await.expect(201);
    ada.post("/usage_threshold/repo/acme/tools").json(low).await.expect(201);
    let browser = house.browser();
    browser.sign_in("ada", ada.key()).await.expect(303);
    for path in ["/acme", "/acme/tools"] {
        let page = browser.open(path).await.expect(200).text();
        let (_, told) = page.split_once("id=\"thresholds\"").unwrap_or_else(|| panic!("{path}: {page}"));
        let told = told.split_once("</dl>").expect("a list").0;
        assert!(told.contains("<dd>4 B of 4 B <span") && told.contains("Exceeded</span></dd>"), "{path}: {told}");
        assert!(told.contains("<dd>0 B of 2.0 KiB</dd>"), "{path}: {told}");
        assert!(!house.browser().open(path).await.expect(200).text().contains("id=\"thresholds\""), "{path}");
    }
}

#[tokio::test]
async fn the_page_is_for_those_who_have_signed_in() {
    let (house, ada) = ada().await;
    assert_eq!(house.browser().open("/account").await.expect(303).header("location"), "/login?next=/account");
    house.anyone().get("//account").await.refuses(401, "This resource requires authentication");
    // Credentials in a header only show the page; changes need a session.
    ada.get("//account").await.expect(200);
    ada.post("//account/api_key").body("").await.refuses(401, "Your session is over; sign in again");
}
