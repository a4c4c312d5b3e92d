//! Lines for clients with a new token, labels on Explore, and sizes with units.

use serde_json::json;
use suite::{Answer, Browser, TestHouse};

/// Sends the form of a page.
async fn submit(browser: &Browser, path: &str, fields: &[(&str, &str)]) -> Answer {
    browser.send(&browser.open(path).await, path, fields).await
}

#[tokio::test]
async fn the_lines_for_a_client_have_a_new_token_that_works() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.post("/repos/ada/secret").json(json!({ "private": true })).await.expect(201);
    ada.post("/packages/ada/secret").json(json!({ "name": "cat", "licenses": ["MIT"] })).await.expect(201);
    ada.put("/content/ada/secret/cat/1.0/cat.txt?publish=1").body("meow").await.expect(201);
    let browser = house.browser();
    browser.sign_in("ada", ada.key()).await.expect(303);
    let page = browser.open("/ada/secret").await.expect(200).text();
    assert!(page.contains("href=\"/-/setup/ada/secret\""));
    let before = browser.open("/-/setup/ada/secret").await.expect(200).text();
    assert!(before.contains("API_KEY"));
    let fields = [("scope", "publish"), ("days", "7")];
    let made = submit(&browser, "/-/setup/ada/secret", &fields).await.expect(200).text();
    assert!(!made.contains("API_KEY"), "{made}");
    let secret = made.split("ada:").nth(1).and_then(|rest| rest.split([' ', '&', '<']).next()).expect("a secret");
    let token = house.person("ada", secret);
    token.download("/ada/secret/cat.txt").await.expect(200);
    token.put("/content/ada/secret/cat/1.1/more.txt").body("purr").await.expect(201);
    token.post("/repos/ada/other").json(json!({})).await.expect(403);
    let wrong = submit(&browser, "/-/setup/ada/secret", &[("scope", "admin"), ("days", "7")]).await.expect(400);
    assert!(wrong.text().contains("id=\"scope-error\""));
    let tokens = browser.open("/-/users/ada/tokens").await.expect(200).text();
    assert!(tokens.contains("ada/secret") && !tokens.contains(secret));
}

#[tokio::test]
async fn a_new_token_is_shown_even_if_no_line_needs_it() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.post("/repos/ada/web").json(json!({ "type": "npm" })).await.expect(201);
    let browser = house.browser();
    browser.sign_in("ada", ada.key()).await.expect(303);
    let fields = [("scope", "read"), ("days", "7")];
    let made = submit(&browser, "/-/setup/ada/web", &fields).await.expect(200).text();
    let (_, shown) = made.split_once("id=\"made-secret\" tabindex=\"0\">").expect("the token");
    let secret = shown.split('<').next().expect("its end");
    house.person("ada", secret).get("/repos/ada/web").await.expect(200);
}

#[tokio::test]
async fn strangers_find_no_lines_for_what_they_may_not_see() {
    let house = TestHouse::start().await;
    let (ada, bob) = (house.user("ada").await, house.user("bob").await);
    ada.post("/repos/ada/secret").json(json!({ "private": true })).await.expect(201);
    let browser = house.browser();
    browser.sign_in("bob", bob.key()).await.expect(303);
    let hidden = browser.open("/-/setup/ada/secret").await.expect(404).text();
    let missing = browser.open("/-/setup/ada/absent").await.expect(404).text();
    assert_eq!(hidden, missing);
}

#[tokio::test]
async fn explore_shows_the_packages_of_a_label() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.post("/repos/ada/tools").json(json!({})).await.expect(201);
    for (name, labels) in [("cat", json!(["Pet", "100%_real"])), ("hammer", json!(["tool"]))] {
        let new = json!({ "name": name, "licenses": ["MIT"], "labels": labels });
        ada.post("/packages/ada/tools").json(new).await.expect(201);
        ada.put(&format!("/content/ada/tools/{name}/1.0/{name}.txt?publish=1")).body(name).await.expect(201);
    }
    let open = async |query: &str| house.browser().open(&format!("/-/explore{query}")).await.expect(200).text();
    let all = open("").await;
    assert!(all.contains("/ada/tools/cat/1.0") && all.contains("/ada/tools/hammer/1.0"));
    assert!(all.contains("href=\"/-/explore?label=Pet\"") && all.contains("label=tool"));
    for (label, is_found) in [("pet", true), ("PET", true), ("100%25_real", true), ("pe", false), ("1%25", false)] {
        let page = open(&format!("?label={label}")).await;
        assert_eq!(page.contains("/ada/tools/cat/1.0"), is_found, "{label}");
        assert!(!page.contains("/ada/tools/hammer/1.0"), "{label}");
    }
}

#[tokio::test]
async fn thresholds_have_units_and_reasons_stand_beside_their_fields() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    house.admin().put("/subjects/ada/plan").json(json!({"plan": "enterprise"})).await.expect(200);
    ada.post("/repos/ada/tools").json(json!({})).await.expect(201);
    let browser = house.browser();
    browser.sign_in("ada", ada.key()).await.expect(303);
    let fields = [("monthly_storage_bytes", "10 GB"), ("daily_download_bytes", "1.5 MiB")];
    submit(&browser, "/-/usage/ada/tools", &fields).await.expect(303);
    let page = browser.open("/-/usage/ada/tools").await.expect(200).text();
    assert!(page.contains("value=\"10 GB\"") && page.contains("value=\"1536 KiB\""), "{page}");
    let wrong = submit(&browser, "/-/usage/ada/tools", &[("daily_download_bytes", "much")]).await.expect(400).text();
    assert!(wrong.contains("id=\"daily_download_bytes-error\"") && wrong.contains("aria-invalid=\"true\""));
}
