//! What waits for a user, on the home page.

use serde_json::json;
use suite::TestHouse;

use crate::content::{cat, upload, upload_published};

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

#[tokio::test]
async fn files_that_wait_in_a_published_version_are_no_draft() {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/a.txt", "meow").await;
    upload(&ada, "ada/tools/cat/1.0/b.txt", "meow").await;
    upload(&ada, "ada/tools/cat/2.0/c.txt", "meow").await;
    let browser = house.browser();
    browser.sign_in("ada", ada.key()).await.expect(303);
    let page = browser.open("/").await.expect(200).text();
    let states: Vec<&str> = ["1.0", "2.0"]
        .iter()
        .map(|version| {
            let row = page.split_once(&format!("href=\"/ada/tools/cat/{version}\">")).expect("a row").1;
            let row = row.split_once("</li>").expect("it ends").0;
            if row.contains("Staged files</span>") {
                "staged"
            } else if row.contains("Draft</span>") {
                "draft"
            } else {
                row
            }
        })
        .collect();
    assert_eq!(states, ["staged", "draft"]);
    for (version, title) in [("1.0", "Staged: <span"), ("2.0", "Draft: <span")] {
        let page = browser.open(&format!("/ada/tools/cat/{version}")).await.expect(200).text();
        assert!(page.contains(title), "{version}: {page}");
    }
}
