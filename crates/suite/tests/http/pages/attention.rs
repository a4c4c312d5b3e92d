//! What waits for a user, on the home page.

use serde_json::json;
use suite::TestHouse;

#[tokio::test]
async fn the_home_page_shows_what_waits_to_be_published_to_those_who_may() {
    let house = TestHouse::start().await;
    let (ada, bob) = (house.user("ada").await, house.user("bob").await);
    ada.post("/repos/ada/tools").json(json!({})).await.expect(201);
    ada.post("/packages/ada/tools").json(json!({ "name": "cat", "licenses": ["MIT"] })).await.expect(201);
    for file in ["a.txt", "b.txt"] {
        ada.put(&format!("/content/ada/tools/cat/1.0/{file}")).body("meow").await.expect(201);
    }
    let (own, other) = (house.browser(), house.browser());
    own.sign_in("ada", ada.key()).await.expect(303);
    other.sign_in("bob", bob.key()).await.expect(303);
    let page = own.open("/").await.expect(200).text();
    let (_, waiting) = page.split_once("id=\"staged-versions\"").expect("a list");
    assert!(waiting.contains("href=\"/ada/tools/cat/1.0\"") && waiting.contains("2 files, 8 B"), "{waiting}");
    assert!(waiting.contains("MIT</span>") && waiting.contains("<time datetime="), "{waiting}");
    assert!(!waiting.contains("Private</span>") && !waiting.contains("Pre-release</span>"), "{waiting}");
    for browser in [&other, &house.browser()] {
        assert!(!browser.open("/").await.expect(200).text().contains("staged-versions"));
    }
    ada.post("/content/ada/tools/cat/1.0/publish").await.expect(200);
    assert!(!own.open("/").await.expect(200).text().contains("staged-versions"));
}
