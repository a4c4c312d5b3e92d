//! Search for packages and versions by their attributes.

use serde_json::{Value, json};
use suite::{Answer, Person, TestHouse};

use crate::catalogue::{new_package, new_private_repo, new_repo, new_version};

const PACKAGES: &str = "/search/attributes/ada/tools";
const VERSIONS: &str = "/search/attributes/ada/tools/all/versions";

/// Starts a house where packages of `ada/tools`, and versions of its package `all`, have these values of `a`.
async fn start(values: Value) -> (TestHouse, Person) {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "all").await;
    for (name, values) in values.as_object().expect("values by name") {
        let attributes = json!([{"name": "a", "values": values}]);
        new_package(&ada, "ada/tools", name).await;
        ada.post(&format!("/packages/ada/tools/{name}/attributes")).json(attributes.clone()).await.expect(200);
        new_version(&ada, "ada/tools/all", name).await;
        let path = format!("/packages/ada/tools/all/versions/{name}/attributes");
        ada.post(&path).json(attributes).await.expect(200);
    }
    (house, ada)
}

/// Returns the names of the found packages and versions, which must be the same, in the order of packages.
async fn found(by: &Person, clauses: Value) -> Vec<String> {
    let packages = names(&by.post(PACKAGES).json(clauses.clone()).await.expect(200));
    let mut versions = names(&by.post(VERSIONS).json(clauses.clone()).await.expect(200));
    versions.sort_unstable();
    assert_eq!(packages, versions, "{clauses}");
    packages
}

fn names(answer: &Answer) -> Vec<String> {
    let list = answer.json();
    let name = |item: &Value| item["name"].as_str().expect("a name").to_owned();
    list.as_array().expect("a list").iter().map(name).collect()
}

#[tokio::test]
async fn an_array_clause_names_what_a_scalar_may_be() {
    let (_house, ada) = start(json!({"n1": [1], "n2": [2], "s1": ["1"], "t": [true], "nil": null})).await;
    assert_eq!(found(&ada, json!([{"a": [1, 3]}])).await, ["n1"]);
    assert_eq!(found(&ada, json!([{"a": [1, 2, "1"]}])).await, ["n1", "n2", "s1"]);
    assert_eq!(found(&ada, json!([{"a": [true, null]}])).await, ["nil", "t"]);
    assert_eq!(found(&ada, json!([{"a": ["true", 3]}])).await, [""; 0]);
    assert_eq!(found(&ada, json!([{"a": []}])).await, [""; 0]);
    assert_eq!(found(&ada, json!([{"b": [1]}])).await, [""; 0]);
}

#[tokio::test]
async fn a_stored_array_must_contain_the_array_of_the_clause() {
    let values = json!({"abc": ["a", "b", "c"], "ab": ["a", "b"], "aa": ["a", "a"], "a": ["a"], "anil": ["a", null]});
    let (_house, ada) = start(values).await;
    assert_eq!(found(&ada, json!([{"a": ["b", "a"]}])).await, ["a", "ab", "abc"]);
    assert_eq!(found(&ada, json!([{"a": ["a", "b", "c"]}])).await, ["a", "abc"]);
    assert_eq!(found(&ada, json!([{"a": ["b", "b"]}])).await, ["ab", "abc"]);
    assert_eq!(found(&ada, json!([{"a": ["a", null]}])).await, ["a", "anil"]);
    assert_eq!(found(&ada, json!([{"a": ["a", 1]}])).await, ["a"]);
    assert_eq!(found(&ada, json!([{"a": []}])).await, ["aa", "ab", "abc", "anil"]);
}

#[tokio::test]
async fn a_single_value_is_what_a_scalar_is_or_an_array_contains() {
    let values = json!({
        "one": [1], "real": [1.0], "two": [1, 2], "text": ["1"], "long": ["x".repeat(3000)], "other": ["x".repeat(3001)],
        "yes": [true], "nil": [null], "none": [], "zero": [-0.0],
    });
    let (_house, ada) = start(values).await;
    assert_eq!(found(&ada, json!([{"a": 1}])).await, ["one", "real", "two"]);
    assert_eq!(found(&ada, json!([{"a": 2}])).await, ["two"]);
    assert_eq!(found(&ada, json!([{"a": "1"}])).await, ["text"]);
    assert_eq!(found(&ada, json!([{"a": true}])).await, ["yes"]);
    assert_eq!(found(&ada, json!([{"a": null}])).await, ["nil", "none"]);
    assert_eq!(found(&ada, json!([{"a": 0}])).await, ["zero"]);
    assert_eq!(found(&ada, json!([{"a": "x".repeat(3000)}])).await, ["long"]);
    assert_eq!(found(&ada, json!([{"A": 1}])).await, [""; 0]);
}

#[tokio::test]
async fn every_form_of_interval_finds_what_it_says() {
    let values = json!({"n1": [1], "n2": [2.5], "n3": [3], "s2": ["2"], "t": [true], "nil": null, "far": [-10, 10]});
    let (_house, ada) = start(values).await;
    for (interval, expected) in [
        ("[1,3]", vec!["n1", "n2", "n3"]),
        ("[1,3[", vec!["n1", "n2"]),
        ("]1,3]", vec!["n2", "n3"]),
        ("]1,3[", vec!["n2"]),
        ("[,2.5]", vec!["far", "n1", "n2"]),
        ("[,2.5[", vec!["far", "n1"]),
        ("]2.5,]", vec!["far", "n3"]),
        ("[2.5,]", vec!["far", "n2", "n3"]),
        ("[ 1 , 1e0 ]", vec!["n1"]),
        ("[,]", vec!["far", "n1", "n2", "n3"]),
        ("[3,1]", vec![]),
        ("]1,1[", vec![]),
        ("[-10,-10]", vec!["far"]),
        ("[2026-01-01,]", vec![]),
    ] {
        assert_eq!(found(&ada, json!([{"a": interval}])).await, expected, "{interval}");
    }
}

#[tokio::test]
async fn dates_are_found_as_moments_whatever_their_offset() {
    let values = json!({
        "noon": ["2026-01-02T12:00:00Z"], "rome": ["2026-01-02T13:00:00.000+0100"], "later": ["2026-01-02T12:00:00-05:00"],
        "day": ["2026-01-02"], "both": ["2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"],
    });
    let (_house, ada) = start(values).await;
    for (clause, expected) in [
        (json!("2026-01-02T14:00:00+02:00"), vec!["noon", "rome"]),
        (json!(["2026-01-02T12:00:00.000Z", "2026-01-02T17:00:00Z"]), vec!["later", "noon", "rome"]),
        (json!(["2026-01-31T19:00:00-05:00", "2026-01-01T01:00:00+01:00"]), vec!["both"]),
        (json!("2026-01-02"), vec!["day"]),
        (json!("[2026-01-02T12:00:00Z,2026-01-02T13:00:00+01:00]"), vec!["noon", "rome"]),
        (json!("]2026-01-02T12:00:00Z,2026-01-03]"), vec!["later"]),
        (json!("[2026-01-02,2026-01-03["), vec!["later", "noon", "rome"]),
        (json!("[,2026-01-01T00:00:00Z]"), vec!["both"]),
        (json!("[,2026-01-01T00:00:00Z["), vec![]),
        (json!("[,]"), vec!["both", "later", "noon", "rome"]),
        (json!("[1,]"), vec![]),
    ] {
        assert_eq!(found(&ada, json!([{ "a": clause }])).await, expected, "{clause}");
    }
}

#[tokio::test]
async fn clauses_are_combined_with_and() {
    let (_house, ada) = start(json!({"one": [1], "two": [2], "three": [3]})).await;
    for (name, color) in [("one", "red"), ("two", "red"), ("three", "blue")] {
        let body = json!([{"name": "color", "values": [color, "any"]}, {"name": "fast", "values": [true]}]);
        ada.patch(&format!("/packages/ada/tools/{name}/attributes")).json(body.clone()).await.expect(200);
        ada.patch(&format!("/packages/ada/tools/all/versions/{name}/attributes")).json(body).await.expect(200);
    }
    for (clauses, expected) in [
        (json!([{"color": "red"}, {"a": "[2,]"}]), vec!["two"]),
        (json!([{"a": "[2,]"}, {"fast": true}]), vec!["three", "two"]),
        (json!([{"a": "[2,]"}, {"a": "[,2]"}]), vec!["two"]),
        (json!([{"a": [1, 2]}, {"color": ["red", "any"]}, {"fast": [true]}]), vec!["one", "two"]),
        (json!([{"a": "[,]"}, {"color": ["any", "blue"]}]), vec!["three"]),
        (json!([{"color": "red"}, {"a": "[,]"}, {"fast": true}, {"a": 1}]), vec!["one"]),
        (json!([{"color": "red"}, {"color": "blue"}]), vec![]),
    ] {
        assert_eq!(found(&ada, clauses.clone()).await, expected, "{clauses}");
    }
}

#[tokio::test]
async fn results_are_what_the_details_show() {
    let (house, ada) = start(json!({"one": [1], "two": [1, 2]})).await;
    for (by, suffix) in
        [(&ada, ""), (&ada, "?attribute_values=1"), (&house.anyone(), ""), (&house.anyone(), "?attribute_values=1")]
    {
        let packages = by.post(&format!("{PACKAGES}{suffix}")).json(json!([{"a": 1}])).await.expect(200).json();
        let versions = by.post(&format!("{VERSIONS}{suffix}")).json(json!([{"a": 1}])).await.expect(200).json();
        for (place, name) in ["one", "two"].into_iter().enumerate() {
            let package = by.get(&format!("/packages/ada/tools/{name}{suffix}")).await.expect(200).json();
            assert_eq!(packages[place], package);
            let version = by.get(&format!("/packages/ada/tools/all/versions/{name}{suffix}")).await.expect(200).json();
            // Versions are found newest first.
            assert_eq!(versions[1 - place], version);
        }
    }
    let shown = ada.post(&format!("{PACKAGES}?attribute_values=1")).json(json!([{"a": 2}])).await.expect(200).json();
    assert_eq!(shown[0]["attributes"], json!({"a": [1, 2]}));
}

#[tokio::test]
async fn results_come_fifty_a_page() {
    let many: serde_json::Map<String, Value> = (0..53).map(|n| (format!("p{n:02}"), json!([n]))).collect();
    let (_house, ada) = start(Value::Object(many)).await;
    for path in [PACKAGES, VERSIONS] {
        let page = async |query: &str| {
            let answer = ada.post(&format!("{path}{query}")).json(json!([{"a": "[,]"}])).await.expect(200);
            let header = |name| answer.header(name).to_owned();
            let range = ["x-rangelimit-total", "x-rangelimit-startpos", "x-rangelimit-endpos"].map(header);
            (names(&answer), range)
        };
        let (first, range) = page("").await;
        assert_eq!((first.len(), range), (50, ["53", "0", "49"].map(str::to_owned)));
        let (second, range) = page("?start_pos=50").await;
        assert_eq!((second.len(), range), (3, ["53", "50", "52"].map(str::to_owned)));
        assert!(second.iter().all(|name| !first.contains(name)));
        assert_eq!(page("?start_pos=53").await, (vec![], ["53", "", ""].map(str::to_owned)));
        ada.post(&format!("{path}?start_pos=-1")).json(json!([{"a": 1}])).await.expect(400);
    }
}

#[tokio::test]
async fn searches_stay_in_their_repository_and_package() {
    let (_house, ada) = start(json!({"one": [1]})).await;
    new_repo(&ada, "ada/others").await;
    new_package(&ada, "ada/others", "all").await;
    new_version(&ada, "ada/others/all", "9").await;
    for path in ["/packages/ada/others/all", "/packages/ada/others/all/versions/9"] {
        ada.post(&format!("{path}/attributes")).json(json!([{"name": "a", "values": [1]}])).await.expect(200);
    }
    assert_eq!(found(&ada, json!([{"a": 1}])).await, ["one"]);
    assert_eq!(names(&ada.post("/search/attributes/ada/others").json(json!([{"a": 1}])).await), ["all"]);
    assert_eq!(names(&ada.post("/search/attributes/ada/others/all/versions").json(json!([{"a": 1}])).await), ["9"]);
}

#[tokio::test]
async fn what_a_caller_may_not_see_is_not_found() {
    let (house, ada) = start(json!({"one": [1]})).await;
    for path in ["/packages/ada/tools/one", "/packages/ada/tools/all/versions/one"] {
        ada.patch(&format!("{path}/attributes")).json(json!([{"name": "_b", "values": [1]}])).await.expect(200);
    }
    assert_eq!(found(&ada, json!([{"_b": 1}])).await, ["one"]);
    assert_eq!(found(&house.anyone(), json!([{"a": 1}])).await, ["one"]);
    for clauses in [json!([{"_b": 1}]), json!([{"a": 1}, {"_b": [1]}])] {
        let answer = house.anyone().post(PACKAGES).json(clauses.clone()).await.expect(200);
        assert_eq!((answer.text(), answer.header("x-rangelimit-total")), ("[]".to_owned(), "0"));
        assert_eq!(found(&house.user(&format!("u{}", clauses.to_string().len())).await, clauses).await, [""; 0]);
    }
    new_private_repo(&ada, "ada/secret").await;
    new_package(&ada, "ada/secret", "all").await;
    let eve = house.user("eve").await;
    for path in ["/search/attributes/ada/secret", "/search/attributes/ada/secret/all/versions"] {
        let hidden = eve.post(path).json(json!([{"a": 1}])).await.refuses(404, "Repository 'secret' was not found");
        ada.post(path).json(json!([{"a": 1}])).await.expect(200);
        let missing = path.replace("secret", "hidden");
        let missing = eve.post(&missing).json(json!([{"a": 1}])).await.expect(404);
        assert_eq!(hidden.text().replace("secret", "hidden"), missing.text());
    }
}

#[tokio::test]
async fn bad_clauses_are_refused_with_their_place() {
    let (_house, ada) = start(json!({"one": [1]})).await;
    let interval = |text: &str, rest: &str| format!("[0].a: interval '{text}' is not valid at position {rest}");
    for (body, message) in [
        (json!({"a": 1}), "The body must be a JSON list".to_owned()),
        (json!([]), "clauses: there is none".into()),
        (json!([{"a": 1}, "b"]), "[1]: it must be a JSON object".into()),
        (json!([{}]), "[0]: a clause has one key, the attribute's name".into()),
        (json!([{"a": 1, "b": 2}]), "[0]: a clause has one key, the attribute's name".into()),
        (json!([{"a": {"b": 1}}]), "[0].a: it must be a text, a number, true, false or null".into()),
        (json!([{"a": [[1]]}]), "[0].a: it must be a text, a number, true, false or null".into()),
        (json!([{"": 1}]), "[0].: its name is empty".into()),
        (json!([{"a,b": 1}]), "[0].a,b: its name holds a comma".into()),
        (json!([{"a": "[1,2"}]), interval("[1,2", "3: a closing bracket is missing")),
        (json!([{"a": "[12]"}]), interval("[12]", "3: a comma is missing")),
        (json!([{"a": "[1,2,3]"}]), interval("[1,2,3]", "4: there is a second comma")),
        (json!([{"a": "[x,2]"}]), interval("[x,2]", "1: a number or an ISO 8601 date is expected")),
        (json!([{"a": "[1,2026-01-02]"}]), interval("[1,2026-01-02]", "3: both ends must be numbers, or both dates")),
        (json!(vec![json!({"a": 1}); 21]), "clauses: there are 21, more than 20".into()),
        (json!([{"a": vec![1; 101]}]), "clauses: 'a' has 101 values, more than 100".into()),
    ] {
        ada.post(PACKAGES).json(body.clone()).await.refuses(400, &message);
        ada.post(VERSIONS).json(body).await.refuses(400, &message);
    }
    ada.post(PACKAGES).await.refuses(400, "A JSON body is required");
    ada.post(&format!("{PACKAGES}?attribute_values=2")).json(json!([{"a": 1}])).await.expect(400);
}

#[tokio::test]
async fn the_largest_search_is_answered() {
    let (_house, ada) = start(json!({"one": ["v7"], "two": ["v8"]})).await;
    let values: Vec<String> = (0..100).map(|n| format!("v{n}")).collect();
    let dates = |second: usize| (0..100).map(|n| format!("2026-01-02T00:00:{second:02}.{n:03}Z")).collect::<Vec<_>>();
    assert_eq!(found(&ada, json!(vec![json!({ "a": values }); 20])).await, ["one", "two"]);
    assert_eq!(
        found(&ada, json!((0..20).map(|second| json!({ "a": dates(second) })).collect::<Vec<_>>())).await,
        [""; 0]
    );
}
