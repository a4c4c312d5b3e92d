//! Storage and traffic of subjects and repositories by month, and the storage of packages.

pub(crate) mod statistics;
pub(crate) mod usage_thresholds;

use operations::jobs;
use serde_json::{Value, json};
use suite::{Person, TestHouse};

use crate::{
    access::{acme::Cast, grants::new_key},
    catalogue::{new_package, new_private_repo, new_repo},
    content::{DAY, cat, upload, upload_published},
};

/// Starts a house where `ada/tools` was used in January and, from the fourth on, in February.
async fn used() -> (TestHouse, Person) {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    download(&house, "/ada/tools/cat.bin", 2).await;
    note(&house).await;
    house.clock.advance(20 * DAY);
    upload_published(&ada, "ada/tools/cat/2.0/more.bin", "purring").await;
    download(&house, "/ada/tools/more.bin", 1).await;
    (house, ada)
}

async fn download(house: &TestHouse, path: &str, times: usize) {
    for _ in 0..times {
        house.anyone().download(path).await.expect(200);
    }
    house.flush().await;
}

/// Records the storage of repositories, as the server does on its own.
async fn note(house: &TestHouse) {
    jobs::run_once(house.app().house(), "storage_usage").await.expect("noted");
}

/// Returns start, storage, downloads and whether it is over, for each month.
async fn months(who: &Person, path: &str) -> Vec<String> {
    let list = who.post(path).await.expect(200).json();
    let line = |month: &Value| {
        let from = month["from"].as_str().expect("a moment").to_owned();
        let part = if month["partial_period"] == true { " so far" } else { "" };
        format!("{}: {} stored, {} sent{part}", &from[..7], month["storage_bytes"], month["download_bytes"])
    };
    list.as_array().expect("a list").iter().map(line).collect()
}

#[tokio::test]
async fn months_show_what_was_stored_at_their_end_and_downloaded() {
    let (_house, ada) = used().await;
    let shown = ada.post("/usage/ada/tools").await.expect(200);
    assert_eq!(shown.header("x-rangelimit-total"), "2");
    insta::assert_snapshot!(shown.text().replace("},", "},\n"), @r#"
    [{"from":"2026-01-01T00:00:00.000Z","to":"2026-01-31T23:59:59.999Z","partial_period":false,"storage_bytes":4,"download_bytes":8},
    {"from":"2026-02-01T00:00:00.000Z","to":"2026-02-04T12:00:00.000Z","partial_period":true,"storage_bytes":11,"download_bytes":7}]
    "#);
    assert_eq!(ada.post("/usage/ada").await.expect(200).text(), shown.text());
}

#[tokio::test]
async fn months_in_which_nothing_changed_keep_what_was_stored() {
    let (house, ada) = used().await;
    note(&house).await;
    house.clock.advance(60 * DAY);
    let shown = months(&ada, "/usage/ada").await;
    let expected = [
        "2026-01: 4 stored, 8 sent",
        "2026-02: 11 stored, 7 sent",
        "2026-03: 11 stored, 0 sent",
        "2026-04: 11 stored, 0 sent so far",
    ];
    assert_eq!(shown, expected);
    ada.delete("/content/ada/tools/more.bin").await.expect(403);
    house.admin().delete("/content/ada/tools/more.bin").await.expect(200);
    note(&house).await;
    assert_eq!(months(&ada, "/usage/ada").await[3], "2026-04: 4 stored, 0 sent so far");
    assert_eq!(months(&ada, "/usage/ada").await[..3], expected[..3]);
}

#[tokio::test]
async fn downloads_count_on_when_a_version_has_gone() {
    let (_house, ada) = used().await;
    ada.delete("/packages/ada/tools/cat/versions/2.0").await.expect(200);
    assert_eq!(months(&ada, "/usage/ada/tools").await[1], "2026-02: 4 stored, 7 sent so far");
}

#[tokio::test]
async fn a_subject_uses_what_all_its_repositories_do() {
    let (house, ada) = used().await;
    let bob = house.user("bob").await;
    for (who, repo) in [(&ada, "ada/secret"), (&bob, "bob/tools")] {
        new_private_repo(who, repo).await;
        new_package(who, repo, "cat").await;
        upload_published(who, &format!("{repo}/cat/1.0/cat.bin"), "0123456789").await;
        who.download(&format!("/{repo}/cat.bin")).await.expect(200);
    }
    house.flush().await;
    assert_eq!(months(&ada, "/usage/ada").await[1], "2026-02: 21 stored, 17 sent so far");
    assert_eq!(months(&ada, "/usage/ada/secret").await, ["2026-02: 10 stored, 10 sent so far"]);
    assert_eq!(months(&bob, "/usage/bob").await, ["2026-02: 10 stored, 10 sent so far"]);
}

#[tokio::test]
async fn months_are_chosen_by_moments_of_the_first_and_the_last() {
    let (house, ada) = used().await;
    house.clock.advance(60 * DAY);
    let names = async |query: &str| {
        let shown = months(&ada, &format!("/usage/ada{query}")).await;
        shown.iter().map(|line| line[..7].to_owned()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names("?from=2026-02-10&to=2026-03-01").await, "2026-02 2026-03");
    assert_eq!(names("?from=2026-01-31T23:30:00-01:00&to=2026-02-03").await, "2026-02");
    assert_eq!(names("?from=2025-01-01").await, "2026-01 2026-02 2026-03 2026-04", "not before there was anything");
    assert_eq!(names("?to=2027-01-01").await, "2026-02 2026-03 2026-04", "twelve months, those to come left out");
    assert_eq!(names("?start_pos=3").await, "2026-04");
    assert_eq!(names("?start_pos=4").await, "");
    let body = json!({"from": "2026-03-05", "to": "2026-03-06"});
    assert_eq!(ada.post("/usage/ada/tools").json(body).await.expect(200).json().as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn what_are_no_months_is_refused() {
    let (_house, ada) = used().await;
    let mut refusals = String::new();
    for query in ["from=x", "to=2026-01-01&from=2026-01-02", "from=2010-01-01", "start_pos=-1"] {
        let refused = ada.post(&format!("/usage/ada?{query}")).await.expect(400);
        refusals += &format!("{query} -> {}\n", refused.message());
    }
    insta::assert_snapshot!(refusals, @r"
    from=x -> from: 'x' is not an ISO 8601 date or time with an offset
    to=2026-01-01&from=2026-01-02 -> to: it is before the start
    from=2010-01-01 -> from: more than 120 months lie between it and the end
    start_pos=-1 -> start_pos: '-1' is not a number from 0 to 9007199254740992
    ");
}

#[tokio::test]
async fn packages_show_what_they_take_up() {
    let (_house, ada) = used().await;
    new_package(&ada, "ada/tools", "empty").await;
    upload(&ada, "ada/tools/cat/2.0/staged.bin", "0123456789").await;
    let shown = ada.post("/usage/package_usage/ada/tools").await.expect(200);
    let expected = json!([
        {"package": "cat", "storage_bytes": 21, "file_count": 3},
        {"package": "empty", "storage_bytes": 0, "file_count": 0},
    ]);
    assert_eq!(shown.json(), expected);
    let one = ada.post("/usage/package_usage/ada/tools/cat").await.expect(200);
    assert_eq!(one.text(), r#"[{"package":"cat","storage_bytes":21,"file_count":3}]"#);
    ada.post("/usage/package_usage/ada/tools/dog").await.refuses(404, "Package 'dog' was not found");
    ada.post("/usage/package_usage/ada/none").await.refuses(404, "Repository 'none' was not found");
}

#[tokio::test]
async fn packages_come_in_pages() {
    let (_house, ada) = cat().await;
    for number in 0..60 {
        new_package(&ada, "ada/tools", &format!("p{number:02}")).await;
    }
    let first = ada.post("/usage/package_usage/ada/tools").await.expect(200);
    assert_eq!(first.json().as_array().map(Vec::len), Some(50));
    let second = ada.post("/usage/package_usage/ada/tools?start_pos=50").await.expect(200);
    let ends = ["x-rangelimit-total", "x-rangelimit-startpos", "x-rangelimit-endpos"].map(|name| second.header(name));
    assert_eq!(ends, ["61", "50", "60"]);
    let names: Vec<_> = second.json().as_array().expect("a list").iter().map(|item| item["package"].clone()).collect();
    assert_eq!((names.len(), &names[0], &names[10]), (11, &json!("p49"), &json!("p59")));
    assert_eq!(ada.post("/usage/package_usage/ada/tools?start_pos=61").await.expect(200).text(), "[]");
}

#[tokio::test]
async fn usage_is_for_owners() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    new_repo(&cast.owner, "acme/tools").await;
    new_package(&cast.owner, "acme/tools", "cat").await;
    let key = new_key(&cast.house, "acme", "client").await;
    let places = ["/usage/acme", "/usage/acme/tools", "/usage/package_usage/acme/tools"];
    for path in places.into_iter().chain(["/usage/package_usage/acme/tools/cat"]) {
        for who in [&cast.owner, &cast.admin, &cast.site_admin] {
            who.post(path).await.expect(200);
        }
        for who in [&cast.member, &cast.stranger, &key] {
            who.post(path).await.refuses(403, "You may not do this");
        }
        cast.house.anyone().post(path).await.refuses(401, "This resource requires authentication");
    }
    cast.stranger.post("/usage/none").await.refuses(404, "Subject 'none' was not found");
}
