//! Searching on the pages.

use serde_json::json;

use crate::{
    catalogue::new_package,
    content::{cat, upload_published},
    pages::furnished,
};

#[tokio::test]
async fn visitors_find_what_they_may_see() {
    let (house, ada) = furnished().await;
    let open = house.browser().open("/search?q=cat").await.expect(200).text();
    assert!(
        open.contains("href=\"/ada/tools/cat\"><span class=\"soft\">ada/tools/</span><mark>cat</mark></a>"),
        "{open}"
    );
    assert!(open.contains("bin/<mark>cat</mark>.tar") && !open.contains("found-users"), "{open}");
    let hidden = house.browser().open("/search?q=dog").await.expect(200).text();
    assert!(!hidden.contains("ada/secret"), "{hidden}");
    assert!(ada.open("/search?q=dog").await.expect(200).text().contains("href=\"/ada/secret/dog\""));
    let users = ada.open("/search?q=ada&in=users").await.expect(200).text();
    assert!(users.contains("href=\"/ada\"><mark>ada</mark></a>") && !users.contains("found-packages"), "{users}");
    let repos = ada.open("/search?q=secret").await.expect(200).text();
    let name = "href=\"/ada/secret\"><span class=\"soft\">ada/</span><mark>secret</mark></a>";
    assert!(repos.contains(name), "{repos}");
}

#[tokio::test]
async fn long_results_have_pages_and_wrong_questions_are_refused() {
    let (house, ada) = cat().await;
    for number in 0..55 {
        new_package(&ada, "ada/tools", &format!("cat-{number:02}")).await;
    }
    let browser = house.browser();
    let all = browser.open("/search?q=cat").await.expect(200).text();
    assert!(all.contains("href=\"/search?q=cat&#38;in=packages\">All 56</a>"), "{all}");
    let first = browser.open("/search?q=cat&in=packages").await.expect(200).text();
    assert!(first.contains("1 to 50 of 56") && first.contains("in=packages&#38;start_pos=50\""), "{first}");
    let second = browser.open("/search?q=cat&in=packages&start_pos=50").await.expect(200).text();
    assert!(second.contains("51 to 56 of 56"), "{second}");
    browser.open("/search?q=cat&in=everything").await.expect(400);
    browser.open("/search?q=cat&q=dog").await.expect(400);
    let long = browser.open(&format!("/search?q={}", "x".repeat(300))).await.expect(200).text();
    assert!(long.contains("found-packages"), "{long}");
    assert!(browser.open("/search?q=%3Cscript%3E").await.expect(200).text().contains("&#60;script&#62;"));
}

#[tokio::test]
async fn suggestions_are_what_the_visitor_may_see() {
    let (house, ada) = furnished().await;
    let open = house.browser().open("/-/suggest?q=cat").await.expect(200);
    let expected =
        json!([{"kind": "package", "name": "ada/tools/cat", "address": "/ada/tools/cat", "description": ""}]);
    assert_eq!(open.json(), expected);
    assert_eq!(house.browser().open("/-/suggest?q=dog").await.expect(200).json(), json!([]));
    assert_eq!(ada.open("/-/suggest?q=dog").await.expect(200).json()[0]["address"], "/ada/secret/dog");
    assert_eq!(ada.open("/-/suggest?q=secret").await.expect(200).json()[0]["kind"], "repository");
    for short in ["/-/suggest", "/-/suggest?q=c", "/-/suggest?q=%20%20"] {
        assert_eq!(ada.open(short).await.expect(200).json(), json!([]), "{short}");
    }
}

#[tokio::test]
async fn the_page_ranks_as_the_call_does() {
    let (house, ada) = cat().await;
    for (name, description) in [("other", "a tool"), ("my-tool", ""), ("toolbox", ""), ("tool", ""), ("none", "")] {
        ada.post("/packages/ada/tools").json(json!({"name": name, "desc": description})).await.expect(201);
    }
    let found = house.anyone().get("/search/packages?q=tool").await.expect(200).json();
    let called: Vec<&str> =
        found.as_array().expect("a list").iter().map(|package| package["name"].as_str().expect("a name")).collect();
    assert_eq!(called, ["tool", "toolbox", "my-tool", "other"]);
    let page = house.browser().open("/search?q=tool&in=packages").await.expect(200).text();
    let places: Vec<_> = called.iter().map(|name| page.find(&format!("href=\"/ada/tools/{name}\""))).collect();
    assert!(places.is_sorted() && places.iter().all(Option::is_some), "{places:?}: {page}");
}

#[tokio::test]
async fn packages_are_sorted_as_the_url_says() {
    let (house, ada) = cat().await;
    let fields = [("cat-b", "the second"), ("cat-c", "the third"), ("cat-a", "the last")];
    for (name, description) in fields {
        house.clock.advance(60_000);
        let fields = json!({"name": name, "desc": description, "public_download_numbers": name == "cat-c"});
        ada.post("/packages/ada/tools").json(fields).await.expect(201);
    }
    for name in ["cat-a", "cat-c"] {
        upload_published(&ada, &format!("ada/tools/{name}/1.0/{name}.bin"), name).await;
        house.anyone().download(&format!("/ada/tools/{name}.bin")).await.expect(200);
    }
    house.flush().await;
    let browser = house.browser();
    let order = async |query: &str| -> Vec<String> {
        let text = browser.open(&format!("/search?q=cat{query}")).await.expect(200).text();
        assert!(text.contains("4 packages for &ldquo;cat&rdquo;"), "{text}");
        let links = text.split("<a class=\"ink\" href=\"/ada/tools/").skip(1);
        links.filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect()
    };
    assert_eq!(order("&in=packages").await, ["cat", "cat-a", "cat-b", "cat-c"]);
    assert_eq!(order("&sort=name").await, ["cat", "cat-a", "cat-b", "cat-c"]);
    assert_eq!(order("&sort=updated").await[3], "cat", "it is the oldest");
    // The downloads of `cat-a` are for its publishers.
    assert_eq!(order("&sort=downloads").await, ["cat-c", "cat", "cat-a", "cat-b"]);
    browser.open("/search?q=cat&sort=size").await.expect(400);
}

#[tokio::test]
async fn facets_count_what_the_other_filters_leave_and_the_visitor_may_see() {
    let (house, ada) = cat().await;
    ada.post("/repos/ada/jars").json(json!({"type": "maven"})).await.expect(201);
    ada.post("/repos/ada/secret").json(json!({"private": true})).await.expect(201);
    for (repo, name, license) in [
        ("tools", "cat-a", "MIT"),
        ("tools", "cat-b", "Apache-2.0"),
        ("jars", "cat-c", "MIT"),
        ("secret", "cat-d", "ISC"),
    ] {
        let package = json!({"name": name, "licenses": [license]});
        ada.post(&format!("/packages/ada/{repo}")).json(package).await.expect(201);
    }
    let browser = house.browser();
    let facets = async |query: &str| -> Vec<String> {
        let text = browser.open(&format!("/search?{query}")).await.expect(200).text();
        let values = text.split("<span class=\"clip\">").skip(1).filter_map(|rest| rest.split_once("</span>"));
        let count = |rest: &str| rest.split("count\">").nth(1)?.split('<').next().map(str::to_owned);
        values.filter_map(|(value, rest)| Some(format!("{value} {}", count(rest)?))).collect()
    };
    let all = ["Generic 3", "Maven 1", "ada 4", "MIT 2", "Apache-2.0 1"];
    assert_eq!(facets("q=cat").await, all, "the private package is not counted");
    let narrowed = ["Generic 1", "Maven 1", "ada 2", "MIT 2", "Apache-2.0 1"];
    assert_eq!(facets("q=cat&license=MIT").await, narrowed);
    assert_eq!(facets("q=cat&license=MIT&format=maven").await, ["Generic 1", "Maven 1", "ada 1", "MIT 1"]);
    let text = browser.open("/search?q=cat&format=maven").await.expect(200).text();
    assert!(text.contains("1 package for &ldquo;cat&rdquo;"), "{text}");
    let remove = "href=\"/search?q=cat&#38;in=packages\" aria-current=\"true\"><span class=\"clip\">Maven</span>";
    assert!(text.contains(remove), "{text}");
    assert_eq!(facets("q=none").await, [""; 0]);
}

#[tokio::test]
async fn filters_without_words_ask_for_words_and_stay() {
    let (house, _ada) = furnished().await;
    let asked = house.browser().open("/search?q=&in=packages&format=generic&license=MIT").await.expect(200).text();
    assert!(asked.contains("<h1>Search</h1>") && asked.contains("id=\"ask\""), "{asked}");
    assert!(asked.contains("href=\"/-/explore?format=generic\"") && asked.contains("id=\"filters-set\""), "{asked}");
    assert!(!asked.contains("is required") && !asked.contains("id=\"orders\""), "{asked}");
    for kept in ["name=\"format\" value=\"generic\"", "name=\"license\" value=\"MIT\""] {
        assert!(asked.contains(kept), "{kept}: {asked}");
    }
    let found = house.browser().open("/search?q=cat&format=generic").await.expect(200).text();
    assert!(found.contains("found-packages") && !found.contains("name=\"format\""), "{found}");
}
