//! Clients that request all files at once.

use serde_json::Value;
use suite::{Answer, Person};

use crate::content::{archives::tar, cat};

const LISTS: [&str; 2] = ["/packages/ada/tools/cat/files", "/packages/ada/tools/cat/versions/1.0/files"];

/// Adds this many files to version 1.0 of `cat`, and publishes them.
async fn fill(ada: &Person, count: usize) {
    let names: Vec<String> = (0..count).map(|number| format!("{number:05}.txt")).collect();
    let entries: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "meow")).collect();
    let call = ada.put("/content/ada/tools/cat/1.0/all.tar?explode=1&publish=1");
    call.body(tar(&entries)).await.refuses(201, "success");
}

fn names(list: &Answer) -> Vec<String> {
    let name = |file: &Value| file["name"].as_str().expect("a name").to_owned();
    list.json().as_array().expect("a list").iter().map(name).collect()
}

fn range(list: &Answer) -> [&str; 3] {
    ["x-rangelimit-total", "x-rangelimit-startpos", "x-rangelimit-endpos"].map(|name| list.header(name))
}

#[tokio::test]
async fn whoever_asks_once_gets_all_files() {
    let (house, ada) = cat().await;
    fill(&ada, 120).await;
    for list in LISTS {
        let all = house.anyone().get(list).await.expect(200);
        assert_eq!(names(&all).len(), 120);
        assert_eq!(range(&all), ["120", "0", "119"]);
        let unpublished = ada.get(&format!("{list}?include_unpublished=1")).await.expect(200);
        assert_eq!(names(&unpublished), names(&all));
    }
}

#[tokio::test]
async fn whoever_asks_for_a_position_gets_a_page() {
    let (house, ada) = cat().await;
    fill(&ada, 120).await;
    for list in LISTS {
        let all = names(&house.anyone().get(list).await.expect(200));
        let mut read = Vec::new();
        for (start, end) in [(0, 49), (50, 99), (100, 119)] {
            let page = house.anyone().get(&format!("{list}?start_pos={start}")).await.expect(200);
            assert_eq!(range(&page), ["120", &start.to_string(), &end.to_string()]);
            read.extend(names(&page));
        }
        assert_eq!(read, all);
        house.anyone().get(&format!("{list}?start_pos=")).await.expect(400);
    }
}

#[tokio::test]
async fn a_long_list_comes_in_parts_and_whole() {
    let (house, ada) = cat().await;
    fill(&ada, 1200).await;
    for list in LISTS {
        let all = house.anyone().get(list).await.expect(200);
        let wanted: Vec<String> = (0..1200).map(|number| format!("{number:05}.txt")).collect();
        assert_eq!(names(&all), wanted);
        assert_eq!(range(&all), ["1200", "0", "1199"]);
        assert_eq!(all.header("content-type"), "application/json");
        // Only a streamed response has no length.
        assert!(!all.headers.contains_key("content-length"), "{:?}", all.headers);
        let head = house.anyone().head(list).await.expect(200);
        assert_eq!((range(&head), head.text().as_str()), (["1200", "0", "1199"], ""));
    }
}

#[tokio::test]
async fn a_list_that_fills_its_last_part_ends() {
    let (house, ada) = cat().await;
    fill(&ada, 500).await;
    for list in LISTS {
        assert_eq!(names(&house.anyone().get(list).await.expect(200)).len(), 500);
    }
}

#[tokio::test]
async fn a_list_of_no_files_is_empty() {
    let (house, _ada) = cat().await;
    let list = house.anyone().get(LISTS[0]).await.expect(200);
    assert_eq!((list.text().as_str(), list.header("x-rangelimit-total")), ("[]", "0"));
}
