//! The search for entitlements finds only those that the caller manages.

use serde_json::{Value, json};
use suite::Person;

use crate::{
    access::{
        acme::Cast,
        grants::{entitle, new_key, new_product, new_team, permit},
    },
    catalogue::{new_package, new_repo, new_version},
    content::cat,
};

#[tokio::test]
async fn a_search_finds_what_the_caller_manages() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    for repo in ["acme/tools", "acme/other"] {
        new_repo(&cast.owner, repo).await;
        new_package(&cast.owner, repo, "cat").await;
        new_version(&cast.owner, &format!("{repo}/cat"), "1.0").await;
    }
    new_product(&cast.house, "acme", "suite", &["tools/cat"]).await;
    new_key(&cast.house, "acme", "red").await;
    let (red, x) = (json!({"access": "r", "access_keys": ["red"]}), json!({"access": "rw", "tags": ["x"]}));
    let in_tools = entitle(&cast.owner, "/repos/acme/tools", red.clone()).await;
    let in_cat = entitle(&cast.owner, "/packages/acme/tools/cat", x.clone()).await;
    let in_version = entitle(&cast.owner, "/packages/acme/tools/cat/versions/1.0", red.clone()).await;
    let in_other = entitle(&cast.owner, "/repos/acme/other", red.clone()).await;
    let in_product = entitle(&cast.owner, "/products/acme/suite", x.clone()).await;
    let search = async |who: &Person, query: &str| {
        let found = who.get(&format!("/search/entitlements?{query}")).await.expect(200).json();
        let id = |item: &Value| item["id"].as_str().expect("an id").to_owned();
        found.as_array().expect("a list").iter().map(id).collect::<Vec<_>>()
    };
    let olga = &cast.owner;
    assert_eq!(search(olga, "access_key=red&scope=acme").await, [&in_tools, &in_version, &in_other].map(String::clone));
    assert_eq!(search(olga, "tag=x&scope=acme").await, [&in_cat, &in_product].map(String::clone));
    assert_eq!(search(olga, "access_key=red&scope=acme/tools").await, [&in_tools, &in_version].map(String::clone));
    assert_eq!(search(olga, "access_key=red&scope=acme/tools/cat").await, [in_version.as_str()]);
    assert_eq!(search(olga, "access_key=red&scope=acme/tools/cat/1.0").await, [in_version.as_str()]);
    assert_eq!(search(olga, "tag=x&scope=acme/tools/cat/1.0").await, [""; 0]);
    assert_eq!(search(olga, "access_key=red&tag=x&scope=acme").await, [""; 0]);
    assert_eq!(search(olga, "access_key=none&scope=acme").await, [""; 0]);
    let shown = olga.get("/search/entitlements?access_key=red&scope=acme/tools/cat").await.expect(200).json();
    let expected = json!([{
        "id": in_version, "access": "r", "access_keys": ["red"], "tags": [],
        "subject": "acme", "repo": "tools", "package": "cat", "version": "1.0",
    }]);
    assert_eq!(shown, expected);
    // Strangers manage nothing; a team manages its repository.
    assert_eq!(search(&cast.stranger, "access_key=red&scope=acme").await, [""; 0]);
    assert_eq!(search(&cast.member, "access_key=red&scope=acme").await, [""; 0]);
    new_team(olga, "acme", "devs", &["mike"]).await;
    permit(olga, "acme/other", "devs", "admin").await;
    permit(olga, "acme/tools", "devs", "publish").await;
    assert_eq!(search(&cast.member, "access_key=red&scope=acme").await, [in_other.as_str()]);
    assert_eq!(search(&cast.member, "tag=x&scope=acme").await, [""; 0]);
    cast.member.get("/search/entitlements?tag=x&scope=acme/tools").await.refuses(403, "You may not do this");
}

#[tokio::test]
async fn bad_searches_are_refused() {
    let (house, ada) = cat().await;
    new_version(&ada, "ada/tools/cat", "1.0").await;
    let get = |query: &str| ada.get(&format!("/search/entitlements?{query}"));
    get("scope=ada").await.refuses(400, "access_key: it or tag is required");
    assert!(get("tag=x").await.expect(400).message().starts_with("scope: "));
    assert!(get("tag=x&scope=ada/").await.expect(400).message().starts_with("scope: "));
    assert!(get("tag=x&scope=ada/tools/cat/1.0/x").await.expect(400).message().starts_with("scope: "));
    assert!(get("access_key=a%20b&scope=ada").await.expect(400).message().starts_with("access_key: "));
    get("tag=x&scope=nobody").await.refuses(404, "Subject 'nobody' was not found");
    get("tag=x&scope=ada/none").await.refuses(404, "Repository 'none' was not found");
    get("tag=x&scope=ada/tools/none").await.refuses(404, "Package 'none' was not found");
    get("tag=x&scope=ada/tools/cat/9").await.refuses(404, "Version '9' was not found");
    house.anyone().get("/search/entitlements?tag=x&scope=ada").await.expect(401);
}
