//! The home page of a user: repositories with their downloads, what happened, and the storage that is left.

use operations::jobs;
use serde_json::json;
use suite::TestHouse;

use crate::{
    content::{cat_that_calls, upload},
    events::webhooks::release,
    pages::orgs::browser_of,
};

#[tokio::test]
async fn repositories_show_their_downloads_and_their_newest_change_to_publishers() {
    let (house, ada) = cat_that_calls().await;
    let bob = house.user("bob").await;
    release(&ada, "1.0").await;
    for _ in 0..3 {
        ada.download("/ada/tools/1.0.bin").await.expect(200);
    }
    house.flush().await;
    let own = browser_of(&house, &ada).await;
    for page in ["/", "/ada"] {
        let text = own.open(page).await.expect(200).text();
        let card = text.split("<article").nth(1).expect("a card").split("</article>").next().unwrap_or_default();
        assert!(card.contains("3<span class=\"hidden\"> downloads in 30 days</span>"), "{card}");
        assert!(card.contains("class=\"spark full\"") && card.contains("<time"), "{card}");
    }
    for browser in [browser_of(&house, &bob).await, house.browser()] {
        let text = browser.open("/ada").await.expect(200).text();
        let card = text.split("<article").nth(1).expect("a card");
        assert!(!card.contains("downloads in 30 days") && card.contains("<time"), "{card}");
    }
    house.clock.advance(31 * 86_400_000);
    let own = browser_of(&house, &ada).await;
    let text = own.open("/").await.expect(200).text();
    assert!(text.contains("0<span class=\"hidden\"> downloads in 30 days</span>"), "{text}");
}

#[tokio::test]
async fn releases_and_deletions_are_listed_to_publishers() {
    let (house, ada) = cat_that_calls().await;
    let bob = house.user("bob").await;
    release(&ada, "1.0").await;
    release(&ada, "2.0").await;
    upload(&ada, "ada/tools/cat/3.0/3.0.bin", "hidden").await;
    ada.delete("/packages/ada/tools/cat/versions/1.0").await.expect(200);
    let text = browser_of(&house, &ada).await.open("/").await.expect(200).text();
    let (_, list) = text.split_once("id=\"activity\"").expect("a list");
    let list = list.split("</section>").next().unwrap_or_default();
    let newest = list.find("deleted").zip(list.find("released")).expect("both");
    assert!(newest.0 < newest.1, "the newest first: {list}");
    assert!(list.contains("<a href=\"/ada/tools/cat/2.0\">cat 2.0</a>"), "{list}");
    assert!(list.contains("released cat 1.0") && !list.contains("3.0"), "a deleted version has no link: {list}");
    for browser in [browser_of(&house, &bob).await, house.browser()] {
        assert!(!browser.open("/").await.expect(200).text().contains("id=\"activity\""));
    }
}

#[tokio::test]
async fn storage_is_shown_where_it_has_a_quota() {
    let (house, ada) = cat_that_calls().await;
    release(&ada, "1.0").await;
    let own = browser_of(&house, &ada).await;
    assert!(!own.open("/").await.expect(200).text().contains("Storage of"));
    house.admin().put("/subjects/ada/quota").json(json!({"quota_bytes": 8})).await.expect(200);
    let text = own.open("/").await.expect(200).text();
    let (_, bar) = text.split_once("Storage of ada").expect("a bar");
    assert!(bar.contains(">4 B<") && bar.contains("of 8 B") && bar.contains("<rect width=\"50\""), "{bar}");
    assert!(!bar.contains("Almost full"), "{bar}");
    house.admin().put("/subjects/ada/quota").json(json!({"quota_bytes": 4})).await.expect(200);
    assert!(own.open("/").await.expect(200).text().contains("Almost full"));
    let bob = house.user("bob").await;
    assert!(!browser_of(&house, &bob).await.open("/").await.expect(200).text().contains("Storage of"));
}

#[tokio::test]
async fn strangers_see_the_formats_and_the_most_downloaded_packages() {
    let (house, ada) = cat_that_calls().await;
    release(&ada, "1.0").await;
    ada.download("/ada/tools/1.0.bin").await.expect(200);
    house.flush().await;
    let popular = async || {
        jobs::run_once(house.app().house(), "popular_packages").await.expect("ran");
        house.browser().open("/").await.expect(200).text()
    };
    assert!(!popular().await.contains("id=\"popular\""), "its publishers alone may see the downloads");
    ada.patch("/packages/ada/tools/cat").json(json!({"public_download_numbers": true})).await.expect(200);
    let text = popular().await;
    let (_, list) = text.split_once("id=\"popular\"").expect("a list");
    assert!(list.contains("href=\"/ada/tools/cat\">cat</a>") && list.contains("class=\"spark\""), "{list}");
    let list = list.split("</ul>").next().expect("its rows");
    assert!(list.contains("1.0</span>") && list.contains("<time datetime=") && list.contains(" B</span>"), "{list}");
    assert!(text.contains("<a class=\"label\" href=\"/-/explore?format=maven\">Maven</a>"), "{text}");
}

#[tokio::test]
async fn organizations_are_listed_with_what_the_visitor_may_see() {
    let house = TestHouse::start().await;
    let (ada, bob) = (house.user("ada").await, house.user("bob").await);
    for org in ["acme", "hidden", "empty"] {
        ada.post("/orgs").json(json!({"name": org})).await.expect(201);
    }
    for (repo, is_private) in [("acme/tools", false), ("acme/secret", true), ("hidden/secret", true)] {
        ada.post(&format!("/repos/{repo}")).json(json!({"private": is_private})).await.expect(201);
        ada.post(&format!("/packages/{repo}")).json(json!({"name": "cat"})).await.expect(201);
    }
    let listed = |text: &str| -> Vec<String> {
        let list = text.split_once("id=\"orgs\"").map(|(_, list)| list.split("</section>").next().unwrap_or_default());
        let items = list.into_iter().flat_map(|list| list.split("<a class=\"ink\" href=\"/").skip(1));
        let contents = |rest: &str| rest.split("<p").nth(1)?.split(['>', '<']).nth(1).map(str::to_owned);
        items.filter_map(|rest| Some(format!("{}: {}", rest.split('"').next()?, contents(rest)?))).collect()
    };
    let open = house.browser().open("/").await.expect(200).text();
    assert_eq!(listed(&open), ["acme: 1 package, 1 repository"], "{open}");
    let own = browser_of(&house, &ada).await.open("/").await.expect(200).text();
    let expected =
        ["acme: 2 packages, 2 repositories", "hidden: 1 package, 1 repository", "empty: 0 packages, 0 repositories"];
    assert_eq!(listed(&own), expected, "{own}");
    let others = browser_of(&house, &bob).await.open("/").await.expect(200).text();
    assert_eq!(listed(&others), [""; 0], "users see their own: {others}");
}
