//! The limits of file sizes and paths, and when an upload is refused.

use std::time::Duration;

use base64::{Engine, prelude::BASE64_STANDARD};
use futures_util::stream;
use suite::{Person, RawAnswer, TestHouse, exchange};

use crate::{
    catalogue::{new_package, new_repo},
    content::{cat, read, stored},
};

const FILE: &str = "/content/ada/tools/cat/1.0/cat.bin";

/// Starts a house where files have at most ten bytes, and ada.
async fn small_house() -> (TestHouse, Person) {
    let house = TestHouse::start_with(&[("limits.upload_bytes", "10")]).await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "cat").await;
    (house, ada)
}

#[tokio::test]
async fn a_file_may_be_as_large_as_the_limit_and_no_larger() {
    let (_house, ada) = small_house().await;
    ada.put(FILE).body("0123456789a").await.expect(413);
    assert_eq!(stored(&ada, "ada/tools/cat").await, [""; 0]);
    ada.get("/packages/ada/tools/cat/versions/1.0").await.expect(404);
    ada.put(FILE).body("0123456789").await.refuses(201, "success");
    assert_eq!(read(&ada, "/ada/tools/cat.bin").await, "0123456789");
}

#[tokio::test]
async fn a_file_of_unknown_size_meets_the_limit_too() {
    let (_house, ada) = small_house().await;
    let chunks = |count: usize| {
        let chunks = stream::iter((0..count).map(|_| Ok::<_, std::io::Error>("01234")));
        ada.put(FILE).body(reqwest::Body::wrap_stream(chunks))
    };
    chunks(3).await.expect(413);
    assert_eq!(stored(&ada, "ada/tools/cat").await, [""; 0]);
    chunks(2).await.refuses(201, "success");
    assert_eq!(read(&ada, "/ada/tools/cat.bin").await, "0123401234");
}

/// Sends a hand-written PUT, for paths that no client library would send and for bodies that never arrive.
async fn put_raw(house: &TestHouse, by: &Person, path: &str, lines: &str) -> RawAnswer {
    let login = BASE64_STANDARD.encode(format!("{}:{}", by.name(), by.key()));
    let head = format!("PUT /api/content/{path} HTTP/1.1\r\nHost: house\r\nConnection: close\r\n");
    let request = format!("{head}Authorization: Basic {login}\r\n{lines}");
    exchange(house.address, request.as_bytes(), Duration::from_secs(2)).await
}

#[tokio::test]
async fn paths_that_lead_elsewhere_are_refused() {
    let (house, ada) = cat().await;
    let long = "x".repeat(256);
    let paths =
        ["../x", "a/../x", "a/./x", "%2e%2e/x", "a/..%2fx", "a%5Cb", "a\\b", "a%00b", "a%0Ab", "a%7Fb", "%zz", &long];
    for path in paths {
        let body = "Content-Length: 4\r\n\r\nmeow";
        let answer = put_raw(&house, &ada, &format!("ada/tools/cat/1.0/{path}"), body).await;
        assert_eq!(answer.status(), Some(400), "{path}: {}", answer.text);
        let form = format!("ada/tools/{path};svc_package=cat;svc_version=1.0");
        let answer = put_raw(&house, &ada, &form, body).await;
        assert_eq!(answer.status(), Some(400), "{form}: {}", answer.text);
    }
    assert_eq!(stored(&ada, "ada/tools/cat").await, [""; 0]);
    put_raw(&house, &ada, "ada/tools/cat/1.0/a/x", "Content-Length: 4\r\n\r\nmeow").await;
    assert_eq!(stored(&ada, "ada/tools/cat").await, ["a/x"], "the form itself is good");
}

#[tokio::test]
async fn doubled_slashes_collapse() {
    let (_house, ada) = cat().await;
    ada.put("/content//ada/tools/cat//1.0//lib///cat.bin").body("meow").await.refuses(201, "success");
    assert_eq!(stored(&ada, "ada/tools/cat").await, ["lib/cat.bin"]);
}

#[tokio::test]
async fn a_refusal_comes_before_the_body() {
    let (house, ada) = cat().await;
    let eve = house.user("eve").await;
    let waiting = |length: u64| format!("Expect: 100-continue\r\nContent-Length: {length}\r\n\r\n");
    let refused = put_raw(&house, &eve, "ada/tools/cat/1.0/cat.bin", &waiting(1_000_000)).await;
    assert_eq!(refused.status(), Some(403), "{}", refused.text);
    let refused = put_raw(&house, &ada, "ada/tools/dog/1.0/cat.bin", &waiting(1_000_000)).await;
    assert_eq!(refused.status(), Some(404), "{}", refused.text);
    let refused = put_raw(&house, &ada, "ada/tools/cat/1.0/cat.bin", &waiting(u64::from(u32::MAX) * 4)).await;
    assert_eq!(refused.status(), Some(413), "{}", refused.text);
    let asked = put_raw(&house, &ada, "ada/tools/cat/1.0/cat.bin", &waiting(4)).await;
    assert_eq!(asked.status(), Some(100), "{}", asked.text);
    assert_eq!(stored(&ada, "ada/tools/cat").await, [""; 0], "a body that did not come whole is not kept");
}
