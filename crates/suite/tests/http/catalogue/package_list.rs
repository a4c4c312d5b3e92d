//! The list of a repository's packages.

use serde_json::json;
use suite::{Answer, Person, TestHouse};

use crate::{
    catalogue::{new_package, new_private_repo, new_repo, segment},
    cluster::together::together,
};

#[tokio::test]
async fn own_and_linked_packages_are_listed_together_by_name() {
    let house = TestHouse::start().await;
    let (ada, bob) = (house.user("ada").await, house.user("bob").await);
    new_repo(&ada, "ada/tools").await;
    new_repo(&bob, "bob/lib").await;
    for name in ["zebra", "Ant", "cat"] {
        new_package(&ada, "ada/tools", name).await;
    }
    new_package(&bob, "bob/lib", "bee").await;
    ada.put("/repository/ada/tools/links/bob/lib/bee").await.expect(201);
    let listed = house.anyone().get("/repos/ada/tools/packages").await.expect(200);
    insta::assert_snapshot!(listed.text(), @r#"[{"name":"Ant","linked":false},{"name":"bee","linked":true},{"name":"cat","linked":false},{"name":"zebra","linked":false}]"#);
    assert_eq!(range(&listed), ["4", "0", "3"]);
    let detail = ada.get("/repos/ada/tools").await.expect(200).json();
    assert_eq!(detail["package_count"], 3, "a linked package is not the repository's own");
}

#[tokio::test]
async fn pages_hold_fifty_and_strangers_see_a_hundred() {
    let house = TestHouse::start().await;
    let ada = full_repo(&house).await;
    let anyone = house.anyone();
    let page = async |who: &Person, start: u32| {
        let answer = who.get(&format!("/repos/ada/tools/packages?start_pos={start}")).await.expect(200);
        format!("{} {:?}", summary(&answer), range(&answer))
    };
    let mut seen = String::new();
    for start in [0, 50, 99, 100, 119, 120] {
        seen += &format!("{start}: ada {}; anyone {}\n", page(&ada, start).await, page(&anyone, start).await);
    }
    insta::assert_snapshot!(seen, @r#"
    0: ada 50 p000..p049 ["120", "0", "49"]; anyone 50 p000..p049 ["100", "0", "49"]
    50: ada 50 p050..p099 ["120", "50", "99"]; anyone 50 p050..p099 ["100", "50", "99"]
    99: ada 21 p099..p119 ["120", "99", "119"]; anyone 1 p099..p099 ["100", "99", "99"]
    100: ada 20 p100..p119 ["120", "100", "119"]; anyone empty ["100", "", ""]
    119: ada 1 p119..p119 ["120", "119", "119"]; anyone empty ["100", "", ""]
    120: ada empty ["120", "", ""]; anyone empty ["100", "", ""]
    "#);
}

#[tokio::test]
async fn a_prefix_selects_names_exactly_and_is_counted() {
    let house = TestHouse::start().await;
    let ada = full_repo(&house).await;
    for name in ["a_b", "aXb", "é1", "É2", "日本", "100!"] {
        new_package(&ada, "ada/tools", name).await;
    }
    let select = async |who: &Person, prefix: &str| {
        let path = format!("/repos/ada/tools/packages?start_name={}", segment(prefix));
        let answer = who.get(&path).await.expect(200);
        format!("{} of {}", summary(&answer), answer.header("x-rangelimit-total"))
    };
    let mut seen = String::new();
    for prefix in ["p", "p1", "p11", "P", "a_", "é", "日", "100!", "%", "p1199", ""] {
        seen += &format!("{prefix:?}: {}\n", select(&ada, prefix).await);
    }
    insta::assert_snapshot!(seen, @r#"
    "p": 50 p000..p049 of 120
    "p1": 20 p100..p119 of 20
    "p11": 10 p110..p119 of 10
    "P": empty of 0
    "a_": 1 a_b..a_b of 1
    "é": 1 é1..é1 of 1
    "日": 1 日本..日本 of 1
    "100!": 1 100!..100! of 1
    "%": empty of 0
    "p1199": empty of 0
    "": 50 100!..p046 of 126
    "#);
    assert_eq!(select(&house.anyone(), "p").await, "50 p000..p049 of 100");
    assert_eq!(select(&house.anyone(), "p1").await, "20 p100..p119 of 20");
}

#[tokio::test]
async fn linked_packages_take_their_places_on_pages_far_down() {
    let house = TestHouse::start().await;
    let (ada, bob) = (full_repo(&house).await, house.user("bob").await);
    new_repo(&bob, "bob/lib").await;
    for name in ["a", "p0505", "p1015", "p1175", "q"] {
        new_package(&bob, "bob/lib", name).await;
        ada.put(&format!("/repository/ada/tools/links/bob/lib/{name}")).await.expect(201);
    }
    let mut seen = String::new();
    for query in ["start_pos=50", "start_pos=102", "start_pos=103", "start_pos=124", "start_name=p&start_pos=102"] {
        let answer = ada.get(&format!("/repos/ada/tools/packages?{query}")).await.expect(200);
        seen += &format!("{query}: {} {:?}\n", summary(&answer), range(&answer));
    }
    insta::assert_snapshot!(seen, @r#"
    start_pos=50: 50 p049..p097 ["125", "50", "99"]
    start_pos=102: 23 p100..q ["125", "102", "124"]
    start_pos=103: 22 p101..q ["125", "103", "124"]
    start_pos=124: 1 q..q ["125", "124", "124"]
    start_name=p&start_pos=102: 21 p101..p119 ["123", "102", "122"]
    "#);
}

#[tokio::test]
async fn bad_positions_and_hidden_repositories_are_refused() {
    let house = TestHouse::start().await;
    let (ada, eve) = (house.user("ada").await, house.user("eve").await);
    new_private_repo(&ada, "ada/secret").await;
    new_package(&ada, "ada/secret", "cat").await;
    for start in ["", "-1", "x", "9007199254740993"] {
        let path = format!("/repos/ada/secret/packages?start_pos={start}");
        let message = format!("start_pos: '{start}' is not a number from 0 to 9007199254740992");
        ada.get(&path).await.refuses(400, &message);
    }
    ada.get("/repos/ada/secret/packages?start_name=%00").await.expect(400);
    ada.get("/repos/ada/secret/packages?start_pos=9007199254740992").await.expect(200);
    ada.get("/repos/ada/secret/packages").await.expect(200);
    for who in [&eve, &house.anyone()] {
        who.get("/repos/ada/secret/packages").await.refuses(404, "Repository 'secret' was not found");
    }
    eve.get("/repos/eve/secret/packages").await.refuses(404, "Repository 'secret' was not found");
}

/// Creates a repository of 120 packages, and returns its owner.
async fn full_repo(house: &TestHouse) -> Person {
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    let create = |number: u32| ada.post("/packages/ada/tools").json(json!({ "name": format!("p{number:03}") }));
    for some in [0..40, 40..80, 80..120] {
        for answer in together(some.map(create)).await {
            answer.expect(201);
        }
    }
    ada
}

/// Returns the number of items on the page, the first and the last.
fn summary(answer: &Answer) -> String {
    let list = answer.json();
    let names: Vec<&str> =
        list.as_array().expect("a list").iter().filter_map(|package| package["name"].as_str()).collect();
    match (names.first(), names.last()) {
        (Some(first), Some(last)) => format!("{} {first}..{last}", names.len()),
        _ => "empty".to_owned(),
    }
}

/// Returns the three headers of a page.
fn range(answer: &Answer) -> [String; 3] {
    ["total", "startpos", "endpos"].map(|name| answer.header(&format!("x-rangelimit-{name}")).to_owned())
}
