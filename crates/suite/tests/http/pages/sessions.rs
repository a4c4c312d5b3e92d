//! Sessions of the pages: their use and their end.

use serde_json::json;
use suite::{Browser, Person, TestHouse};

use crate::{catalogue::new_private_repo, content::DAY, pages::sign_in::ada};

const HOUR: i64 = 60 * 60 * 1_000;

async fn signed_in() -> (TestHouse, Person, Browser) {
    let (house, ada) = ada().await;
    let browser = house.browser();
    browser.sign_in("ada", ada.key()).await.expect(303);
    browser.open("/account").await.expect(200);
    (house, ada, browser)
}

#[tokio::test]
async fn a_session_opens_pages_and_neither_the_api_nor_downloads() {
    let (house, ada, browser) = signed_in().await;
    new_private_repo(&ada, "ada/secret").await;
    ada.post("/packages/ada/secret").json(json!({"name": "cat"})).await.expect(201);
    ada.put("/content/ada/secret/cat/1.0/cat.tar?publish=1").body("meow").await.expect(201);
    browser.open("/ada/secret/cat/1.0").await.expect(200);
    let cookies = browser.cookies();
    let anyone = house.anyone();
    anyone.get("/repos/ada/secret").header("cookie", &cookies).await.expect(404);
    anyone.get("/users/ada").header("cookie", &cookies).await.expect(401);
    anyone.download("/ada/secret/cat.tar").header("cookie", &cookies).await.expect(401);
    anyone.post("/users/ada/api_key").header("cookie", &cookies).await.expect(401);
    anyone.delete("/repos/ada/secret").header("cookie", &cookies).await.expect(401);
}

#[tokio::test]
async fn a_private_file_is_fetched_from_its_page_through_a_short_signed_address() {
    let (house, ada, browser) = signed_in().await;
    new_private_repo(&ada, "ada/secret").await;
    ada.post("/packages/ada/secret").json(json!({"name": "cat"})).await.expect(201);
    ada.put("/content/ada/secret/cat/1.0/bin/cat.tar?publish=1").body("meow").await.expect(201);
    let link = "/-/files/ada/secret/bin/cat.tar";
    for path in ["/ada/secret/cat/1.0", "/-/files/ada/secret/bin"] {
        let page = browser.open(path).await.expect(200).text();
        assert!(page.contains(&format!("href=\"{link}\"")), "{path}: {page}");
    }
    let signed = browser.open(link).await.expect(303).header("location").to_owned();
    let signed = signed.replace(&format!("http://{}", house.address), "/");
    assert_eq!(house.anyone().get(&signed).await.expect(200).text(), "meow");
    house.clock.advance(16_000);
    house.anyone().get(&signed).await.expect(403);
    house.browser().open(link).await.expect(404);
    let bob = house.user("bob").await;
    let other = house.browser();
    other.sign_in("bob", bob.key()).await.expect(303);
    other.open(link).await.expect(404);
    // Credentials in a header only give the location of the file.
    let plain = ada.get(&format!("/{link}")).await.expect(303).header("location").to_owned();
    assert_eq!(plain, format!("http://{}/dl/ada/secret/bin/cat.tar", house.address));
}

#[tokio::test]
async fn a_session_is_over_when_the_password_or_the_key_changes() {
    let (house, ada, browser) = signed_in().await;
    let other = house.browser();
    other.sign_in("ada", ada.key()).await.expect(303);
    ada.patch("/users/ada").json(json!({"full_name": "Ada"})).await.expect(200);
    browser.open("/account").await.expect(200);
    ada.patch("/users/ada").json(json!({"password": "analytical engine"})).await.expect(200);
    browser.open("/account").await.expect(303);
    other.open("/account").await.expect(303);
    browser.sign_in("ada", "analytical engine").await.expect(303);
    ada.post("/users/ada/api_key").await.expect(201);
    browser.open("/account").await.expect(303);
}

#[tokio::test]
async fn a_session_is_over_when_its_user_is_deleted() {
    let (house, _, browser) = signed_in().await;
    house.admin().delete("/users/ada").await.expect(200);
    browser.open("/account").await.expect(303);
    house.user("ada2").await;
    browser.open("/account").await.expect(303);
}

#[tokio::test]
async fn a_session_lasts_a_week_without_use_and_a_month_at_most() {
    let (house, ada, browser) = signed_in().await;
    house.clock.advance(7 * DAY - HOUR);
    browser.open("/account").await.expect(200);
    house.clock.advance(7 * DAY - HOUR);
    browser.open("/account").await.expect(200);
    house.clock.advance(7 * DAY);
    browser.open("/account").await.expect(303);
    browser.sign_in("ada", ada.key()).await.expect(303);
    for _ in 0..5 {
        house.clock.advance(6 * DAY - HOUR);
        browser.open("/account").await.expect(200);
    }
    house.clock.advance(5 * HOUR);
    browser.open("/account").await.expect(303);
}

#[tokio::test]
async fn a_made_up_session_is_none() {
    let (house, ..) = signed_in().await;
    for cookie in ["packhouse_session=", "packhouse_session=x", &format!("packhouse_session={}", "a".repeat(64)), "x"] {
        let call = house.anyone().get("//account").header("accept", "text/html").header("cookie", cookie);
        assert_eq!(call.await.expect(303).header("location"), "/login?next=/account", "{cookie}");
    }
}

#[tokio::test]
async fn credentials_in_a_header_go_before_the_session() {
    let (house, _, browser) = signed_in().await;
    let bob = house.user("bob").await;
    let page = bob.get("//").header("cookie", &browser.cookies()).await.expect(200).text();
    assert!(page.contains(">bob</") && !page.contains("ada"), "{page}");
    house.person("ada", "wrong").get("//").header("cookie", &browser.cookies()).await.expect(401);
}
