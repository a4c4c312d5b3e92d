//! Holders of access keys on pages: they sign in with the key, see what it opens, and accept terms there.

use serde_json::json;
use suite::{Answer, Browser};

use crate::{
    access::{eulas::Sold, grants::entitle},
    catalogue::new_package,
    pages::orgs::token,
};

async fn sign_in(browser: &Browser, name: &str, password: &str) -> Answer {
    let fields = [("form_token", token(browser, "/-/key").await), ("name", name.to_owned())];
    let fields: Vec<_> =
        fields.into_iter().chain([("secret", password.to_owned()), ("next", "/".to_owned())]).collect();
    let fields: Vec<_> = fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    browser.post("/-/key", &fields).await
}

#[tokio::test]
async fn a_key_holder_signs_in_reads_accepts_and_downloads() {
    let sold = Sold::start().await;
    let browser = sold.house.browser();
    let signed = sign_in(&browser, "guest@ada", sold.key.key()).await.expect(303);
    assert_eq!(signed.header("location"), "/-/key");
    let page = browser.open("/-/key").await.expect(200).text();
    assert!(page.contains("href=\"/ada/secret/dog/1.0\"") && page.contains("guest@ada"), "{page}");
    assert!(page.contains("href=\"/eula/ada/suite/1.0\"") && page.contains("Read and accept"), "{page}");
    let version = browser.open("/ada/secret/dog/1.0").await.expect(200).text();
    assert!(version.contains("dog.bin") && !version.contains("id=\"upload"), "{version}");
    let blocked = browser.open("/-/files/ada/secret/dog.bin").await.expect(303);
    assert_eq!(blocked.header("location"), "/eula/ada/suite/1.0");
    let terms = browser.open("/eula/ada/suite/1.0").await.expect(200).text();
    let given = terms.split_once("name=\"token\" value=\"").expect("a token").1.split('"').next().expect("a value");
    browser.post("/eula/ada/suite/1.0", &[("token".to_owned(), given.to_owned())]).await.expect(200);
    let open = browser.open("/-/files/ada/secret/dog.bin").await.expect(303);
    assert!(open.header("location").contains("/dl/ada/secret/dog.bin?"), "{}", open.header("location"));
    assert!(browser.open("/-/key").await.expect(200).text().contains("You have accepted these terms"));
}

#[tokio::test]
async fn a_session_of_a_key_ends_with_the_key_its_password_and_the_sign_out() {
    let sold = Sold::start().await;
    let (kept, left) = (sold.house.browser(), sold.house.browser());
    for browser in [&kept, &left] {
        sign_in(browser, "guest@ada", sold.key.key()).await.expect(303);
    }
    left.post("/-/key/sign-out", &[("form_token".to_owned(), "0".repeat(64))]).await.expect(403);
    let own = token(&left, "/-/key").await;
    left.post("/-/key/sign-out", &[("form_token".to_owned(), own)]).await.expect(303);
    assert!(left.open("/-/key").await.expect(200).text().contains("id=\"key-form\""));
    left.open("/ada/secret/dog").await.expect(404);
    kept.open("/ada/secret/dog").await.expect(200);
    sold.ada.patch("/users/ada/access_keys/guest").json(json!({"password": "another-long-password"})).await.expect(200);
    kept.open("/ada/secret/dog").await.expect(404);
    sign_in(&kept, "guest@ada", "another-long-password").await.expect(303);
    kept.open("/ada/secret/dog").await.expect(200);
    sold.ada.delete("/users/ada/access_keys/guest").await.expect(200);
    kept.open("/ada/secret/dog").await.expect(404);
}

#[tokio::test]
async fn wrong_keys_users_and_other_networks_do_not_sign_in() {
    let sold = Sold::start().await;
    let browser = sold.house.browser();
    for (name, password) in [("guest@ada", "wrong"), ("nobody@ada", sold.key.key()), ("ada", sold.ada.key())] {
        let page = sign_in(&browser, name, password).await.expect(401);
        assert!(page.text().contains("role=\"alert\"") && page.text().contains("id=\"key-form\""), "{name}");
    }
    sign_in(&browser, "guest@ada", sold.key.key()).await.expect(303);
    browser.open("/ada/secret/dog").await.expect(200);
    let elsewhere = json!({"white_cidrs": ["192.0.2.0/24"]});
    sold.ada.patch("/users/ada/access_keys/guest").json(elsewhere).await.expect(200);
    browser.open("/ada/secret/dog").await.expect(404);
    for path in ["/account", "/-/new/repo/ada", "/-/admin"] {
        let status = browser.open(path).await.status;
        assert!([303, 403, 404].contains(&status), "{path}: {status}");
    }
}

#[tokio::test]
async fn terms_that_block_a_download_are_a_page_in_a_browser() {
    let sold = Sold::start().await;
    let answer = sold.key.download("/ada/secret/dog.bin").header("accept", "text/html").await.expect(403);
    assert!(answer.header("content-type").starts_with("text/html"), "{}", answer.text());
    assert!(answer.text().contains("href=\"/eula/ada/suite/1.0\" id=\"terms\""), "{}", answer.text());
    let answer = sold.key.download("/ada/secret/dog.bin").await.expect(403);
    assert_eq!(answer.header("content-type"), "application/json");
    let asked = sold.house.browser().open("/eula/ada/suite/1.0").await.expect(303);
    assert_eq!(asked.header("location"), "/-/key?next=/eula/ada/suite/1.0");
}

#[tokio::test]
async fn a_key_holder_sees_licences_and_yanked_versions() {
    let sold = Sold::start().await;
    let browser = sold.house.browser();
    sign_in(&browser, "guest@ada", sold.key.key()).await.expect(303);
    let list = async || browser.open("/-/key").await.expect(200).text();
    let before = list().await;
    assert!(!before.contains("MIT") && !before.contains("Yanked"), "{before}");
    sold.ada.patch("/packages/ada/secret/dog").json(json!({"licenses": ["MIT"]})).await.expect(200);
    sold.ada.patch("/packages/ada/secret/dog/versions/1.0").json(json!({"yanked": "It bites"})).await.expect(200);
    let after = list().await;
    assert!(after.contains("MIT</span>") && after.contains("Yanked</span>"), "{after}");
    sold.ada.patch("/packages/ada/secret/dog/versions/1.0").json(json!({"yanked": false})).await.expect(200);
    assert!(!list().await.contains("Yanked"));
}

#[tokio::test]
async fn a_key_for_a_repository_lists_its_packages_and_their_terms() {
    let sold = Sold::start().await;
    new_package(&sold.ada, "ada/secret", "owl").await;
    let given = sold.ada.get("/products/ada/suite/entitlements").await.expect(200).json();
    let id = given[0]["id"].as_str().expect("an id").to_owned();
    sold.ada.delete(&format!("/products/ada/suite/entitlements/{id}")).await.expect(200);
    let browser = sold.house.browser();
    sign_in(&browser, "guest@ada", sold.key.key()).await.expect(303);
    let list = async || browser.open("/-/key").await.expect(200).text();
    assert!(list().await.contains("This key opens nothing yet"));
    entitle(&sold.ada, "/repos/ada/secret", json!({"access": "r", "access_keys": ["guest"]})).await;
    let all = list().await;
    assert!(all.contains("href=\"/ada/secret/dog/1.0\"") && all.contains("href=\"/ada/secret/owl\""), "{all}");
    assert!(all.contains("4 B</span>") && all.contains("/dl/ada/secret/FILE"), "{all}");
    assert!(all.contains("href=\"/eula/ada/suite/1.0\""), "terms of a product hold for every key: {all}");
    entitle(&sold.ada, "/products/ada/suite", json!({"access": "r", "access_keys": ["guest"]})).await;
    let opened = list().await;
    let (_, opened) = opened.split_once("id=\"opened\"").expect("a list");
    assert_eq!(opened.matches("<h3><a class=\"ink\" href=\"/ada/secret/dog/1.0\"").count(), 1, "{opened}");
}
