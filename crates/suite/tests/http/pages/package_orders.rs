//! The packages of a repository in other orders than by name: the whole list is sorted, page after page.

use operations::jobs;
use serde_json::json;
use suite::{Browser, Person, TestHouse};

use crate::{
    catalogue::{new_package, new_repo},
    content::{DAY, SECOND, upload_published},
};

/// The number of packages of the repository: more than two pages, and more than strangers see.
const OWN: usize = 110;

/// A package of the list: its name and its licence.
type Listed = (String, String);

/// Starts a house with `ada/tools`: many packages of the same age with three kinds of licences, and a linked one.
async fn shelf() -> (TestHouse, Person) {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    for repo in ["tools", "others"] {
        new_repo(&ada, &format!("ada/{repo}")).await;
    }
    for number in 0..OWN {
        let licenses = [json!(["MIT"]), json!(["Apache-2.0"]), json!([])][number % 3].clone();
        let new = json!({ "name": format!("p{number:03}"), "licenses": licenses });
        ada.post("/packages/ada/tools").json(new).await.expect(201);
    }
    new_package(&ada, "ada/others", "linked").await;
    ada.put("/repository/ada/tools/links/ada/others/linked").await.expect(201);
    (house, ada)
}

async fn signed_in(house: &TestHouse, ada: &Person) -> Browser {
    let browser = house.browser();
    browser.sign_in("ada", ada.key()).await.expect(303);
    browser
}

/// Walks through all pages of a list.
async fn walk(browser: &Browser, first: &str) -> Vec<Listed> {
    let (mut found, mut next) = (Vec::new(), Some(first.to_owned()));
    while let Some(path) = next {
        let page = browser.open(&path).await.expect(200).text();
        let rows = page.split("<tr><th scope=\"row\">").skip(1);
        found.extend(rows.map(|row| (between(row, "\">", "</a>"), between(row, "data-label=\"Licence\">", "</td>"))));
        assert!(found.len() <= 2 * OWN, "the pages do not end");
        next = page.contains("id=\"pager-after\"").then(|| link(&page));
    }
    found
}

fn between(text: &str, start: &str, end: &str) -> String {
    text.split_once(start).and_then(|(_, rest)| rest.split_once(end)).expect(start).0.to_owned()
}

/// The URL of the next page.
fn link(page: &str) -> String {
    let (before, _) = page.split_once("\" rel=\"next\"").expect("a next page");
    before.rsplit_once("href=\"").expect("a URL").1.replace("&amp;", "&").replace("&#38;", "&")
}

fn names(listed: &[Listed]) -> Vec<&str> {
    listed.iter().map(|(name, _)| name.as_str()).collect()
}

/// Checks that a list has every package once.
fn check_complete(listed: &[Listed], count: usize) {
    let mut sorted = names(listed);
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!((listed.len(), sorted.len()), (count, count));
}

#[tokio::test]
async fn a_long_list_is_sorted_by_the_last_change_over_all_pages() {
    let (house, ada) = shelf().await;
    for name in ["p077", "p003"] {
        house.clock.advance(SECOND);
        ada.patch(&format!("/packages/ada/tools/{name}")).json(json!({ "desc": "Changed" })).await.expect(200);
    }
    let browser = signed_in(&house, &ada).await;
    let listed = walk(&browser, "/ada/tools?sort=updated").await;
    check_complete(&listed, OWN + 1);
    assert_eq!(names(&listed)[..2], ["p003", "p077"]);
    let filtered = walk(&browser, "/ada/tools?sort=updated&start_name=p0").await;
    check_complete(&filtered, 100);
    assert_eq!(names(&filtered)[..2], ["p003", "p077"]);
    assert_eq!(names(&walk(&browser, "/ada/tools?sort=updated&start_name=p00").await)[..1], ["p003"]);
    let second = browser.open("/ada/tools?sort=updated").await.expect(200).text();
    let second = browser.open(&link(&second)).await.expect(200).text();
    assert!(second.contains("51 to 100 of 111") && second.contains("First page</a>"), "{second}");
    assert!(second.contains("aria-sort=\"descending\""), "{second}");
}

#[tokio::test]
async fn a_long_list_is_sorted_by_licence_and_packages_without_one_come_last() {
    let (house, ada) = shelf().await;
    let listed = walk(&signed_in(&house, &ada).await, "/ada/tools?sort=licence").await;
    check_complete(&listed, OWN + 1);
    let licenses: Vec<&str> = listed.iter().map(|(_, license)| license.as_str()).collect();
    let runs: Vec<&[&str]> = licenses.chunk_by(|one, other| one == other).collect();
    assert_eq!(runs.iter().map(|run| run[0]).collect::<Vec<_>>(), ["Apache-2.0", "MIT", ""]);
}

#[tokio::test]
async fn a_long_list_is_sorted_by_downloads_for_those_who_may_see_them() {
    let (house, ada) = shelf().await;
    for (name, times) in [("p099", 3), ("p050", 1)] {
        upload_published(&ada, &format!("ada/tools/{name}/1.0/{name}.tar"), name).await;
        for _ in 0..times {
            house.anyone().download(&format!("/ada/tools/{name}.tar")).await.expect(200);
        }
    }
    house.flush().await;
    let browser = signed_in(&house, &ada).await;
    let listed = walk(&browser, "/ada/tools?sort=downloads").await;
    check_complete(&listed, OWN + 1);
    assert_eq!(names(&listed)[..4], ["p099", "p050", "linked", "p000"]);
    // The order must not tell strangers the numbers that they may not see.
    let listed = walk(&house.browser(), "/ada/tools?sort=downloads").await;
    assert_eq!(names(&listed)[..3], ["linked", "p000", "p001"]);
    ada.patch("/packages/ada/tools/p050").json(json!({ "public_download_numbers": true })).await.expect(200);
    let listed = walk(&house.browser(), "/ada/tools?sort=downloads").await;
    assert_eq!(names(&listed)[..3], ["p050", "linked", "p000"]);
    check_complete(&listed, 100);
    ada.delete("/packages/ada/tools/p099").await.expect(200);
    assert_eq!(names(&walk(&browser, "/ada/tools?sort=downloads").await)[..2], ["p050", "linked"]);
}

#[tokio::test]
async fn downloads_of_more_than_thirty_days_ago_no_longer_count() {
    let (house, ada) = shelf().await;
    for name in ["p099", "p050"] {
        upload_published(&ada, &format!("ada/tools/{name}/1.0/{name}.tar"), name).await;
    }
    let download = async |name: &str| {
        house.anyone().download(&format!("/ada/tools/{name}.tar")).await.expect(200);
        house.flush().await;
    };
    download("p099").await;
    download("p099").await;
    house.clock.advance(29 * DAY);
    download("p050").await;
    let browser = signed_in(&house, &ada).await;
    let most = async || {
        jobs::run_once(house.app().house(), "popular_packages").await.expect("ran");
        let listed = walk(&browser, "/ada/tools?sort=downloads").await;
        names(&listed)[..2].iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(most().await, ["p099", "p050"]);
    house.clock.advance(DAY);
    assert_eq!(most().await, ["p050", "linked"]);
    // A number that was corrected today grows with later downloads.
    download("p099").await;
    download("p099").await;
    assert_eq!(most().await, ["p099", "p050"]);
}

#[tokio::test]
async fn strangers_see_as_many_packages_in_every_order_and_no_hidden_links() {
    let (house, ada) = shelf().await;
    ada.patch("/repos/ada/others").json(json!({ "private": true })).await.expect(200);
    for sort in ["updated", "licence", "downloads"] {
        let listed = walk(&house.browser(), &format!("/ada/tools?sort={sort}")).await;
        check_complete(&listed, 100);
        assert!(!names(&listed).contains(&"linked"), "{sort}");
    }
    for query in ["sort=updated&after=x", "after=1.1", "sort=size", "sort=licence&after=MIT"] {
        house.browser().open(&format!("/ada/tools?{query}")).await.expect(400);
    }
}

#[tokio::test]
async fn the_repositories_of_a_subject_are_sorted_and_filtered_by_url() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    for number in 0..60 {
        new_repo(&ada, &format!("ada/r{number:02}")).await;
    }
    for package in ["a", "b"] {
        new_package(&ada, "ada/r55", package).await;
    }
    house.clock.advance(SECOND);
    new_package(&ada, "ada/r30", "c").await;
    let first = async |query: &str| {
        let page = house.browser().open(&format!("/ada?{query}")).await.expect(200).text();
        let cards = page.split("<article").skip(1).map(|card| between(card, "href=\"/ada/", "\""));
        cards.take(3).collect::<Vec<_>>()
    };
    assert_eq!(first("").await, ["r00", "r01", "r02"]);
    assert_eq!(first("sort=updated").await, ["r30", "r55", "r00"]);
    assert_eq!(first("sort=packages").await, ["r55", "r30", "r00"]);
    assert_eq!(first("sort=packages&start_name=r3").await, ["r30", "r31", "r32"]);
    assert_eq!(first("sort=updated&start_pos=50").await, ["r49", "r50", "r51"]);
    assert!(first("start_name=x").await.is_empty());
    house.browser().open("/ada?sort=size").await.expect(400);
}

#[tokio::test]
async fn a_list_costs_as_many_statements_for_many_packages_as_for_few() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    for (repo, count) in [("few", 2), ("many", 45)] {
        new_repo(&ada, &format!("ada/{repo}")).await;
        for number in 0..count {
            new_package(&ada, &format!("ada/{repo}"), &format!("p{number}")).await;
        }
    }
    let browser = signed_in(&house, &ada).await;
    let statements = || house.apps().map(|app| app.house().db.statements_run()).sum::<u64>();
    let cost = async |page: &str| {
        let mut fewest = u64::MAX;
        // One of the visits coincides with no background work.
        for _ in 0..8 {
            let began = statements();
            let text = browser.open(page).await.expect(200).text();
            fewest = fewest.min(statements() - began);
            assert!(text.contains("Downloads, 30 days"), "{text}");
        }
        fewest
    };
    assert_eq!(cost("/ada/many").await, cost("/ada/few").await);
}
