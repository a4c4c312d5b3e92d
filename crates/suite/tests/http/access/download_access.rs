//! Who may read which files on the download surface, and the responses to everyone else.

use reqwest::header::HeaderMap;
use serde_json::json;
use suite::{Answer, Person, TestHouse};

use crate::{
    catalogue::{new_package, new_private_repo},
    content::{cat, publish, read, upload, upload_published},
};

/// Returns the parts of a response that must not distinguish a hidden file from a missing one: everything but the
/// request id and the time.
fn comparable(answer: &Answer) -> (u16, HeaderMap, Vec<u8>) {
    let mut headers = answer.headers.clone();
    assert!(headers.remove("x-request-id").is_some() && headers.remove("date").is_some());
    (answer.status, headers, answer.body.clone())
}

/// Starts a house where ada has the public `ada/tools` and the private `ada/secret`, both with the published file
/// `cat.bin` and the unpublished `lib/draft.bin`, and with eve, who has no rights and no daily limit.
async fn secret() -> (TestHouse, Person, Person) {
    let (house, ada) = cat().await;
    let eve = house.user("eve").await;
    // Without a daily limit, no headers count down from one call to the next.
    house.admin().put("/subjects/eve/plan").json(json!({"plan": "enterprise"})).await.expect(200);
    new_private_repo(&ada, "ada/secret").await;
    new_package(&ada, "ada/secret", "cat").await;
    for repo in ["ada/tools", "ada/secret"] {
        upload_published(&ada, &format!("{repo}/cat/1.0/cat.bin"), "meow").await;
        upload(&ada, &format!("{repo}/cat/1.0/lib/draft.bin"), "purr").await;
    }
    (house, ada, eve)
}

/// Existing and missing paths in the private repository.
const PLACES: [&str; 7] = ["cat.bin", "cat.bin.sha1", "none.bin", "none.bin.md5", "lib/draft.bin", "lib/", ""];

#[tokio::test]
async fn unpublished_files_are_for_publishers() {
    let (house, ada, eve) = secret().await;
    assert_eq!(read(&ada, "/ada/tools/lib/draft.bin").await, "purr");
    assert_eq!(read(&house.admin(), "/ada/tools/lib/draft.bin").await, "purr");
    for who in [&eve, &house.anyone()] {
        let hidden = who.download("/ada/tools/lib/draft.bin").await.expect(404);
        let missing = who.download("/ada/tools/lib/other.bin").await.expect(404);
        let named = hidden.text().replace("draft", "other");
        assert_eq!((hidden.headers.len(), named), (missing.headers.len(), missing.text()));
        who.download("/ada/tools/lib/draft.bin.sha256").await.expect(404);
        who.head("//dl/ada/tools/lib/draft.bin").await.expect(404);
        who.download("/ada/tools/lib/draft.bin").header("range", "bytes=0-1").await.expect(404);
        who.download("/ada/tools/lib/draft.bin").header("if-none-match", "*").await.expect(404);
    }
    publish(&ada, "ada/tools/cat/1.0").await;
    assert_eq!(read(&eve, "/ada/tools/lib/draft.bin").await, "purr");
}

#[tokio::test]
async fn anonymous_callers_are_asked_to_sign_in_for_private_and_missing_repositories_alike() {
    let (house, _, _) = secret().await;
    let missing = house.anyone().download("/ada/absent/cat.bin").await.expect(401);
    assert!(missing.header("www-authenticate").starts_with("Basic"), "{}", missing.header("www-authenticate"));
    for place in PLACES {
        for repo in ["ada/secret", "ada/absent", "nobody/secret"] {
            let answer = house.anyone().download(&format!("/{repo}/{place}")).await;
            assert_eq!(comparable(&answer), comparable(&missing), "{repo}/{place}");
            for (header, value) in [("range", "bytes=90-"), ("if-none-match", "*"), ("accept", "application/json")] {
                let answer = house.anyone().download(&format!("/{repo}/{place}")).header(header, value).await;
                assert_eq!(answer.status, 401, "{repo}/{place} with {header}: {value}");
            }
        }
    }
    let missing = house.anyone().head("//dl/ada/absent/cat.bin").await.expect(401);
    let hidden = house.anyone().head("//dl/ada/secret/cat.bin").await.expect(401);
    assert_eq!(comparable(&hidden), comparable(&missing));
}

#[tokio::test]
async fn strangers_find_nothing_in_private_and_missing_repositories_alike() {
    let (_house, _, eve) = secret().await;
    for place in PLACES {
        let hidden = eve.download(&format!("/ada/secret/{place}")).await.expect(404);
        let mut missing = eve.download(&format!("/ada/absent/{place}")).await.expect(404);
        missing.body = missing.text().replace("absent", "secret").into_bytes();
        assert_eq!(comparable(&hidden), comparable(&missing), "{place}");
    }
}

#[tokio::test]
async fn a_public_repository_tells_that_a_file_is_missing() {
    let (house, _, eve) = secret().await;
    for who in [&eve, &house.anyone()] {
        who.download("/ada/tools/none.bin").await.expect(404);
        who.download("/ada/tools/none/").await.expect(404);
        who.download("/ada/tools/cat.bin/more").await.expect(404);
    }
}

#[tokio::test]
async fn wrong_credentials_are_refused_everywhere() {
    let (house, _, _) = secret().await;
    let wrong = house.person("ada", "wrong");
    let missing = wrong.download("/ada/absent/cat.bin").await.expect(401);
    for path in ["/ada/tools/cat.bin", "/ada/secret/cat.bin", "/nobody/tools/cat.bin", "/ada/tools/none.bin"] {
        assert_eq!(comparable(&wrong.download(path).await), comparable(&missing), "{path}");
    }
}

#[tokio::test]
async fn owners_read_what_is_private() {
    let (house, ada, eve) = secret().await;
    assert_eq!(read(&ada, "/ada/secret/cat.bin").await, "meow");
    assert_eq!(read(&ada, "/ada/secret/lib/draft.bin").await, "purr");
    assert_eq!(read(&house.admin(), "/ada/secret/cat.bin").await, "meow");
    eve.download("/ada/secret/cat.bin").await.expect(404);
}

#[tokio::test]
async fn hiding_and_showing_a_repository_takes_effect_at_once() {
    let (house, ada, eve) = secret().await;
    assert_eq!(read(&house.anyone(), "/ada/tools/cat.bin").await, "meow");
    ada.patch("/repos/ada/tools").json(json!({"private": true})).await.expect(200);
    house.anyone().download("/ada/tools/cat.bin").await.expect(401);
    eve.download("/ada/tools/cat.bin").await.expect(404);
    assert_eq!(read(&ada, "/ada/tools/cat.bin").await, "meow");
    ada.patch("/repos/ada/tools").json(json!({"private": false})).await.expect(200);
    assert_eq!(read(&house.anyone(), "/ada/tools/cat.bin").await, "meow");
}

#[tokio::test]
async fn a_deleted_repository_is_gone_at_once() {
    let (house, ada, _) = secret().await;
    assert_eq!(read(&house.anyone(), "/ada/tools/cat.bin").await, "meow");
    ada.delete("/repos/ada/tools").await.expect(200);
    house.anyone().download("/ada/tools/cat.bin").await.expect(401);
    ada.download("/ada/tools/cat.bin").await.expect(404);
}
