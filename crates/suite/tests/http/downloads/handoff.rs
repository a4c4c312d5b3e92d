//! Large files that the object store or a proxy sends, and headers for a CDN.

use serde_json::json;
use suite::{Answer, Person, TestHouse};

use crate::{
    catalogue::{new_package, new_private_repo, new_repo},
    content::upload_published,
};

const AGENT: &str = "survivor/1.0";
const BIG: &str = "/ada/tools/big.bin";

/// Returns more content than the server requests from a store at once, and more than fits into a page of memory.
fn big() -> String {
    "meow".repeat(50_000)
}

/// Starts a house with a large and a small public file, and a large private one.
async fn house(settings: &[(&str, &str)]) -> (TestHouse, Person) {
    let house = TestHouse::start_with(settings).await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "cat").await;
    upload_published(&ada, "ada/tools/cat/1.0/big.bin", &big()).await;
    upload_published(&ada, "ada/tools/cat/1.0/small.bin", "meow").await;
    new_private_repo(&ada, "ada/vault").await;
    new_package(&ada, "ada/vault", "cat").await;
    upload_published(&ada, "ada/vault/cat/1.0/secret.bin", &big()).await;
    (house, ada)
}

/// Returns how often `ada/tools/cat` was downloaded.
async fn counted(house: &TestHouse, ada: &Person) -> serde_json::Value {
    house.flush().await;
    ada.get("/packages/ada/tools/cat/stats/total_downloads").await.expect(200).json()["records"].clone()
}

/// Follows the redirect of a response.
async fn follow(answer: &Answer) -> String {
    let client = reqwest::Client::builder().no_proxy().build().expect("a client");
    client.get(answer.header("location")).send().await.expect("answered").text().await.expect("read")
}

#[tokio::test]
async fn clients_on_the_list_are_sent_to_the_store_and_counted() {
    let (house, ada) = house(&[("downloads.redirect_agents", "survivor/,other/")]).await;
    let anyone = house.anyone();
    let answer = anyone.download(BIG).header("user-agent", AGENT).await;
    if house.stack().is_cluster() {
        let answer = answer.expect(302);
        assert_eq!(answer.header("cache-control"), "private, no-store");
        assert!(answer.header("location").contains("X-Amz-Expires=300"), "{}", answer.header("location"));
        assert_eq!(follow(&answer).await, big());
    } else {
        // A folder cannot send files itself.
        assert_eq!(answer.expect(200).text(), big());
    }
    assert_eq!(counted(&house, &ada).await, json!([{"version": "1.0", "count": 1}]));
}

#[tokio::test]
async fn others_and_small_files_and_parts_and_questions_are_answered_here() {
    let (house, _) = house(&[("downloads.redirect_agents", "survivor/")]).await;
    let anyone = house.anyone();
    let asked = |path| anyone.download(path).header("user-agent", AGENT);
    assert_eq!(asked("/ada/tools/small.bin").await.expect(200).text(), "meow");
    assert_eq!(asked(BIG).header("range", "bytes=0-3").await.expect(206).text(), "meow");
    anyone.head(&format!("//dl{BIG}")).header("user-agent", AGENT).await.expect(200);
    anyone.download(BIG).header("user-agent", "browser/1.0").await.expect(200);
    anyone.download(BIG).header("user-agent", "no survivor/1.0").await.expect(200);
    let etag = anyone.download(BIG).await.expect(200).header("etag").to_owned();
    asked(BIG).header("if-none-match", &etag).await.expect(304);
}

#[tokio::test]
async fn nobody_is_sent_anywhere_unless_it_is_set() {
    let (house, _) = house(&[]).await;
    let answer = house.anyone().download(BIG).header("user-agent", AGENT).await.expect(200);
    assert_eq!((answer.header("surrogate-key"), answer.header("x-accel-redirect")), ("", ""));
}

#[tokio::test]
async fn the_address_of_private_content_is_good_for_a_minute_at_most() {
    let settings = [("downloads.redirect_agents", "survivor/"), ("downloads.redirect_secs", "3600")];
    let (house, ada) = house(&settings).await;
    let answer = ada.download("/ada/vault/secret.bin").header("user-agent", AGENT).await;
    if house.stack().is_cluster() {
        let answer = answer.expect(302);
        assert!(answer.header("location").contains("X-Amz-Expires=60&"), "{}", answer.header("location"));
        assert_eq!(follow(&answer).await, big());
    } else {
        assert_eq!(answer.expect(200).text(), big());
    }
    house.anyone().download("/ada/vault/secret.bin").header("user-agent", AGENT).await.expect(401);
}

#[tokio::test]
async fn a_trusted_proxy_sends_large_files_of_a_folder_by_itself() {
    let settings = [("downloads.accel_prefix", "/inside"), ("trusted_proxies", "127.0.0.1/32")];
    let (house, ada) = house(&settings).await;
    let answer = house.anyone().download(BIG).await.expect(200);
    if house.stack().is_cluster() {
        // The proxy has no access to a bucket.
        assert_eq!((answer.text(), answer.header("x-accel-redirect")), (big(), ""));
    } else {
        let sum = answer.header("x-checksum-sha2");
        let place = format!("/inside/sha256/{}/{sum}", &sum[..2]);
        assert_eq!((answer.text(), answer.header("x-accel-redirect")), (String::new(), place.as_str()));
        assert_eq!(answer.header("content-type"), "application/octet-stream");
    }
    assert_eq!(counted(&house, &ada).await, json!([{"version": "1.0", "count": 1}]));
    let part = house.anyone().download(BIG).header("range", "bytes=0-3").await.expect(206);
    assert_eq!((part.text().as_str(), part.header("x-accel-redirect")), ("meow", ""));
}

/// nginx forwards the `Content-Disposition` header.
#[tokio::test]
async fn a_page_that_a_proxy_sends_is_saved_too() {
    let settings = [("downloads.accel_prefix", "/inside"), ("trusted_proxies", "127.0.0.1/32")];
    let (house, ada) = house(&settings).await;
    upload_published(&ada, "ada/tools/cat/1.0/big.html", &big()).await;
    let answer = house.anyone().download("/ada/tools/big.html").await.expect(200);
    assert_eq!(answer.header("content-disposition"), "attachment");
    assert_eq!(answer.header("x-accel-redirect").is_empty(), house.stack().is_cluster());
    assert_eq!(house.anyone().download(BIG).await.expect(200).header("content-disposition"), "");
}

#[tokio::test]
async fn nobody_but_a_trusted_proxy_is_told_of_places() {
    let settings = [("downloads.accel_prefix", "/inside"), ("trusted_proxies", "192.0.2.1/32")];
    let (house, _) = house(&settings).await;
    let answer = house.anyone().download(BIG).await.expect(200);
    assert_eq!((answer.text(), answer.header("x-accel-redirect")), (big(), ""));
}

#[tokio::test]
async fn public_files_name_their_owner_and_repository_for_a_cdn() {
    let (house, ada) = house(&[("downloads.surrogate_keys", "true")]).await;
    let anyone = house.anyone();
    let answer = anyone.download("/ada/tools/small.bin").await.expect(200);
    assert_eq!(answer.header("surrogate-key"), "ada ada/tools");
    let etag = answer.header("etag");
    let same = anyone.download("/ada/tools/small.bin").header("if-none-match", etag).await.expect(304);
    assert_eq!(same.header("surrogate-key"), "ada ada/tools");
    assert_eq!(ada.download("/ada/vault/secret.bin").await.expect(200).header("surrogate-key"), "");
}
