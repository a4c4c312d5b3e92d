//! Download statistics: who sees them, for which days, and that they are right.

use serde_json::{Value, json};
use suite::{Person, TestHouse};

use crate::{
    catalogue::new_private_repo,
    cluster::together::together,
    content::{DAY, cat, upload_published},
};

const PACKAGE: &str = "/packages/ada/tools/cat/stats";
const VERSION: &str = "/packages/ada/tools/cat/versions/1.0/stats";

/// Starts a house where `ada/tools/cat` was downloaded: 1.0 twice and 2.0 once on a day, 1.0 once two days later.
async fn downloaded() -> (TestHouse, Person) {
    let (house, ada) = cat().await;
    for version in ["1.0", "2.0"] {
        upload_published(&ada, &format!("ada/tools/cat/{version}/cat-{version}.bin"), "meow").await;
    }
    download(&house, "1.0", 2).await;
    download(&house, "2.0", 1).await;
    house.clock.advance(2 * DAY);
    download(&house, "1.0", 1).await;
    (house, ada)
}

async fn download(house: &TestHouse, version: &str, times: usize) {
    for _ in 0..times {
        house.anyone().download(&format!("/ada/tools/cat-{version}.bin")).await.expect(200);
    }
    house.flush().await;
}

async fn ask(who: &Person, path: &str) -> Value {
    who.get(path).await.expect(200).json()
}

#[tokio::test]
async fn days_list_their_versions_and_days_without_downloads_are_left_out() {
    let (_house, ada) = downloaded().await;
    let shown = ada.get(&format!("{PACKAGE}/time_range_downloads?from=2026-01-15&to=2026-01-17")).await.expect(200);
    insta::assert_snapshot!(shown.text().replace("},{", "},\n{"), @r#"
    {"from":"2026-01-15T00:00:00.000Z","to":"2026-01-17T23:59:59.999Z","records":[{"date":"2026-01-15","downloads":[{"version":"1.0","count":2},
    {"version":"2.0","count":1}]},
    {"date":"2026-01-17","downloads":[{"version":"1.0","count":1}]}]}
    "#);
    let of_version = ask(&ada, &format!("{VERSION}/time_range_downloads")).await;
    let days = json!([
        {"date": "2026-01-15", "downloads": [{"version": "1.0", "count": 2}]},
        {"date": "2026-01-17", "downloads": [{"version": "1.0", "count": 1}]},
    ]);
    assert_eq!(of_version["records"], days);
}

#[tokio::test]
async fn totals_and_countries_are_sums() {
    let (_house, ada) = downloaded().await;
    let records = async |path: String| ask(&ada, &path).await["records"].clone();
    let totals = json!([{"version": "1.0", "count": 3}, {"version": "2.0", "count": 1}]);
    assert_eq!(records(format!("{PACKAGE}/total_downloads")).await, totals);
    assert_eq!(records(format!("{VERSION}/total_downloads")).await, json!([{"version": "1.0", "count": 3}]));
    assert_eq!(records(format!("{PACKAGE}/country_downloads")).await, json!([{"country": "ZZ", "count": 4}]));
    assert_eq!(records(format!("{VERSION}/country_downloads")).await, json!([{"country": "ZZ", "count": 3}]));
    assert_eq!(records(format!("{PACKAGE}/total_downloads?to=2026-01-14")).await, json!([]));
}

#[tokio::test]
async fn a_signature_beside_its_file_is_not_counted_and_one_by_itself_is() {
    let (house, ada) = cat().await;
    for name in ["cat.bin", "cat.bin.asc", "key.asc"] {
        upload_published(&ada, &format!("ada/tools/cat/1.0/{name}"), "meow").await;
        house.anyone().download(&format!("/ada/tools/{name}")).await.expect(200);
    }
    house.flush().await;
    let totals = ask(&ada, &format!("{PACKAGE}/total_downloads")).await;
    assert_eq!(totals["records"], json!([{"version": "1.0", "count": 2}]));
}

#[tokio::test]
async fn the_days_stand_in_the_body_or_in_the_query_of_a_get_or_a_post() {
    let (_house, ada) = downloaded().await;
    let path = format!("{PACKAGE}/total_downloads");
    let query = format!("{path}?from=2026-01-17T23:00:00-01:00&to=2026-01-18T01:00:00%2B01:00");
    let body = json!({"from": "2026-01-17T00:00:00.000Z", "to": "2026-01-18T00:00:00.000Z"});
    let answers = [
        ada.get(&query).await,
        ada.post(&query).await,
        ada.get(&path).json(body.clone()).await,
        ada.post(&path).json(body).await,
    ];
    let expected = [
        json!({"from": "2026-01-18T00:00:00.000Z", "to": "2026-01-18T23:59:59.999Z", "records": []}),
        json!({"from": "2026-01-17T00:00:00.000Z", "to": "2026-01-18T23:59:59.999Z",
            "records": [{"version": "1.0", "count": 1}]}),
    ];
    let shown = answers.map(|answer| answer.expect(200).json());
    assert_eq!(shown, [expected[0].clone(), expected[0].clone(), expected[1].clone(), expected[1].clone()]);
}

#[tokio::test]
async fn without_days_the_last_thirty_are_meant() {
    let (house, ada) = downloaded().await;
    let ends = async |query: &str| {
        let shown = ask(&ada, &format!("{PACKAGE}/total_downloads{query}")).await;
        [&shown["from"], &shown["to"]].map(|end| end.as_str().expect("a moment")[..10].to_owned())
    };
    assert_eq!(ends("").await, ["2025-12-19", "2026-01-17"]);
    assert_eq!(ends("?to=2025-12-31").await, ["2025-12-02", "2025-12-31"]);
    assert_eq!(ends("?from=2026-01-01").await, ["2026-01-01", "2026-01-17"]);
    house.clock.advance(30 * DAY);
    assert_eq!(ask(&ada, &format!("{PACKAGE}/total_downloads")).await["records"], json!([]));
}

#[tokio::test]
async fn what_are_no_days_is_refused() {
    let (_house, ada) = downloaded().await;
    let mut refusals = String::new();
    for query in [
        "from=yesterday",
        "to=",
        "from=2026-01-02T03:04:05",
        "from=2026-01-18",
        "from=2026-01-10&to=2026-01-09",
        "from=2024-01-01&to=2025-01-01",
    ] {
        let refused = ada.get(&format!("{PACKAGE}/time_range_downloads?{query}")).await.expect(400);
        refusals += &format!("{query} -> {}\n", refused.message());
    }
    for body in [r#"{"from": 5}"#, r#"{"to": "soon"}"#, "[]"] {
        let refused = ada.post(&format!("{PACKAGE}/country_downloads")).body(body).await.expect(400);
        refusals += &format!("{body} -> {}\n", refused.message());
    }
    let both = ada.post(&format!("{PACKAGE}/total_downloads?to=2026-01-01")).json(json!({"to": "2026-01-01"}));
    refusals += &both.await.expect(400).message();
    insta::assert_snapshot!(refusals, @r#"
    from=yesterday -> from: 'yesterday' is not an ISO 8601 date or time with an offset
    to= -> to: '' is not an ISO 8601 date or time with an offset
    from=2026-01-02T03:04:05 -> from: '2026-01-02T03:04:05' is not an ISO 8601 date or time with an offset
    from=2026-01-18 -> to: it is before the start
    from=2026-01-10&to=2026-01-09 -> to: it is before the start
    from=2024-01-01&to=2025-01-01 -> from: more than 366 days lie between it and the end
    {"from": 5} -> from: invalid type: integer `5`, expected a string
    {"to": "soon"} -> to: 'soon' is not an ISO 8601 date or time with an offset
    [] -> The body must be a JSON object
    to: it is given in the body and in the query
    "#);
    ada.get(&format!("{PACKAGE}/time_range_downloads?from=2024-01-01&to=2024-12-31")).await.expect(200);
}

#[tokio::test]
async fn numbers_are_for_publishers_until_they_are_public() {
    let (house, ada) = downloaded().await;
    let bob = house.user("bob").await;
    let path = format!("{PACKAGE}/total_downloads");
    bob.get(&path).await.refuses(403, "You may not do this");
    house.anyone().get(&path).await.expect(401);
    house.admin().get(&path).await.expect(200);
    ada.patch("/packages/ada/tools/cat").json(json!({"public_download_numbers": true})).await.expect(200);
    bob.get(&path).await.expect(200);
    assert_eq!(house.anyone().post(&path).await.expect(200).json()["records"][0]["count"], 3);
    house.admin().put("/subjects/ada/plan").json(json!({"plan": "free"})).await.expect(200);
    ada.get(&path).await.refuses(403, "This needs the plan 'premium' or more");
}

#[tokio::test]
async fn what_is_not_there_has_no_numbers() {
    let (house, ada) = downloaded().await;
    ada.get("/packages/ada/tools/dog/stats/total_downloads").await.refuses(404, "Package 'dog' was not found");
    ada.get("/packages/ada/tools/cat/versions/9/stats/total_downloads").await.refuses(404, "Version '9' was not found");
    new_private_repo(&ada, "ada/secret").await;
    let hidden = house.user("bob").await.get("/packages/ada/secret/cat/stats/total_downloads").await;
    hidden.refuses(404, "Repository 'secret' was not found");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_downloads_at_once_are_a_thousand() {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    let anyone = house.anyone();
    for answer in together((0..1_000).map(|_| anyone.download("/ada/tools/cat.bin"))).await {
        answer.expect(200);
    }
    house.flush().await;
    let shown = ask(&ada, &format!("{PACKAGE}/total_downloads")).await;
    assert_eq!(shown["records"], json!([{"version": "1.0", "count": 1_000}]));
}
