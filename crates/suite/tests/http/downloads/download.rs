//! Files on the download surface: their bytes, their headers and their checksums.

use suite::TestHouse;

use crate::{
    catalogue::{new_package, new_repo},
    content::{MEOW_MD5, MEOW_SHA1, MEOW_SHA256, SECOND, cat, publish, upload, upload_published},
};

const FILE: &str = "/ada/tools/cat.bin";
const MEOW_SHA512: &str = "e88348269bad036160f0d9558b7c5de68163b50e1a6ce46e85ee64692eba074529a4a2b48db4d5c36496e845001e13e6d07c585eacd564defcbf719ec9033e17";

/// Starts a house with the published file `ada/tools/cat.bin`, which contains `meow`.
async fn meow() -> TestHouse {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    house
}

#[tokio::test]
async fn a_published_file_is_read_by_anyone() {
    let house = meow().await;
    let answer = house.anyone().download(FILE).await.expect(200);
    assert_eq!(answer.text(), "meow");
    assert_eq!(answer.header("content-length"), "4");
    assert_eq!(answer.header("accept-ranges"), "bytes");
    house.user("eve").await.download(FILE).await.expect(200);
    house.anyone().download("/ada/tools/Cat.bin").await.expect(404);
}

#[tokio::test]
async fn head_answers_like_get_without_the_bytes() {
    let house = meow().await;
    let got = house.anyone().download(FILE).await.expect(200);
    let asked = house.anyone().head("//dl/ada/tools/cat.bin").await.expect(200);
    assert!(asked.body.is_empty());
    let comparable = |mut headers: reqwest::header::HeaderMap| {
        assert!(headers.remove("x-request-id").is_some() && headers.remove("date").is_some());
        headers
    };
    assert_eq!(comparable(asked.headers), comparable(got.headers));
    house.anyone().head("//dl/ada/tools/none.bin").await.expect(404);
}

#[tokio::test]
async fn a_file_keeps_its_bytes_whatever_they_are() {
    let (house, ada) = cat().await;
    let bytes: Vec<u8> = (0..300_000_u32).map(|number| number.to_le_bytes()[usize::from(number % 2 == 0)]).collect();
    let call = ada.put("/content/ada/tools/cat/1.0/all.bin?publish=1").header("content-encoding", "gzip");
    call.body(bytes.clone()).await.expect(201);
    let answer = house.anyone().download("/ada/tools/all.bin").header("accept-encoding", "gzip, br").await.expect(200);
    assert_eq!((answer.header("content-encoding"), answer.body == bytes), ("", true));
}

#[tokio::test]
async fn checksums_come_as_headers() {
    let house = meow().await;
    let answer = house.anyone().download(FILE).await.expect(200);
    assert_eq!(answer.header("x-checksum-sha1"), MEOW_SHA1);
    assert_eq!(answer.header("x-checksum-sha2"), MEOW_SHA256);
    assert_eq!(answer.header("x-checksum-md5"), MEOW_MD5);
}

#[tokio::test]
async fn checksums_come_as_files_beside_the_file() {
    let house = meow().await;
    let suffixes = [("sha1", MEOW_SHA1), ("md5", MEOW_MD5), ("sha256", MEOW_SHA256), ("sha512", MEOW_SHA512)];
    for (suffix, digest) in suffixes {
        let answer = house.anyone().download(&format!("{FILE}.{suffix}")).await.expect(200);
        assert_eq!(answer.text().trim_end(), digest, "{suffix}");
        assert!(answer.header("content-type").starts_with("text/plain"), "{}", answer.header("content-type"));
        house.anyone().download(&format!("/ada/tools/none.bin.{suffix}")).await.expect(404);
    }
    house.anyone().download(&format!("{FILE}.sha3")).await.expect(404);
    house.anyone().head("//dl/ada/tools/cat.bin.sha1").await.expect(200);
}

#[tokio::test]
async fn checksums_follow_the_bytes_that_are_published() {
    let (house, ada) = cat().await;
    upload(&ada, "ada/tools/cat/1.0/cat.bin", "purr").await;
    house.anyone().download(&format!("{FILE}.sha1")).await.expect(404);
    ada.put("/content/ada/tools/cat/1.0/cat.bin?override=1&publish=1").body("meow").await.expect(201);
    assert_eq!(house.anyone().download(&format!("{FILE}.sha1")).await.expect(200).text().trim_end(), MEOW_SHA1);
    ada.delete("/content/ada/tools/cat.bin").await.expect(200);
    house.anyone().download(&format!("{FILE}.sha1")).await.expect(404);
}

#[tokio::test]
async fn the_type_comes_from_the_name() {
    let (house, ada) = cat().await;
    let types = [
        ("a.txt", "text/plain"),
        ("a.json", "application/json"),
        ("a.zip", "application/zip"),
        ("a.tar.gz", "application/gzip"),
        ("a.jar", "application/java-archive"),
        ("a.bin", "application/octet-stream"),
        ("a.unheard-of", "application/octet-stream"),
        ("plain", "application/octet-stream"),
    ];
    for (name, expected) in types {
        let call = ada.put(&format!("/content/ada/tools/cat/1.0/{name}?publish=1")).header("content-type", "text/html");
        call.body("<script>").await.expect(201);
        let answer = house.anyone().download(&format!("/ada/tools/{name}")).await.expect(200);
        let shown = answer.header("content-type");
        assert_eq!(shown.split(';').next(), Some(expected), "{name}");
    }
}

#[tokio::test]
async fn a_page_in_a_package_cannot_act_as_the_site() {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/page.html", "<script>alert(1)</script>").await;
    for path in ["/ada/tools/page.html", "/ada/tools/page.html.sha1", "/ada/tools/"] {
        let answer = house.anyone().download(path).await.expect(200);
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        let policy = answer.header("content-security-policy");
        assert!(policy.split([';', ' ']).any(|word| word == "sandbox"), "{path}: {policy}");
        assert!(!policy.contains("allow-scripts"), "{path}: {policy}");
    }
}

#[tokio::test]
async fn caches_are_told_what_they_may_keep() {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    assert_ne!(house.anyone().download(FILE).await.expect(200).header("cache-control"), "");
    ada.patch("/repos/ada/tools").json(serde_json::json!({"private": true})).await.expect(200);
    let hidden = ada.download(FILE).await.expect(200);
    let control = hidden.header("cache-control");
    assert!(control.contains("private") || control.contains("no-store"), "{control}");
}

#[tokio::test]
async fn an_unchanged_file_is_not_sent_again() {
    let house = meow().await;
    let first = house.anyone().download(FILE).await.expect(200);
    let etag = first.header("etag");
    assert!(etag.starts_with('"') && etag.ends_with('"') && etag.len() > 2, "{etag}");
    let list = format!("\"other\", {etag}");
    let weak = format!("W/{etag}");
    for known in [etag, "*", list.as_str(), weak.as_str()] {
        let answer = house.anyone().download(FILE).header("if-none-match", known).await.expect(304);
        assert_eq!((answer.body.len(), answer.header("etag")), (0, etag), "{known}");
    }
    house.anyone().download(FILE).header("if-none-match", "\"other\"").await.expect(200);
    house.anyone().download(FILE).header("if-match", etag).await.expect(200);
    house.anyone().download(FILE).header("if-match", "\"other\"").await.expect(412);
}

#[tokio::test]
async fn a_file_tells_when_it_changed() {
    let house = meow().await;
    let at = "Thu, 15 Jan 2026 12:00:00 GMT";
    assert_eq!(house.anyone().download(FILE).await.expect(200).header("last-modified"), at);
    let since = |moment: &str| house.anyone().download(FILE).header("if-modified-since", moment);
    since(at).await.expect(304);
    since("Thu, 15 Jan 2026 12:00:01 GMT").await.expect(304);
    since("Thu, 15 Jan 2026 11:59:59 GMT").await.expect(200);
    since("yesterday").await.expect(200);
    since(at).header("if-none-match", "\"other\"").await.expect(200);
    let until = |moment: &str| house.anyone().download(FILE).header("if-unmodified-since", moment);
    until(at).await.expect(200);
    until("Thu, 15 Jan 2026 11:59:59 GMT").await.expect(412);
}

#[tokio::test]
async fn a_changed_file_is_sent_again() {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    let first = house.anyone().download(FILE).await.expect(200);
    house.clock.advance(10 * SECOND);
    ada.put("/content/ada/tools/cat/1.0/cat.bin?override=1").body("purr").await.expect(201);
    let again = || house.anyone().download(FILE).header("if-none-match", first.header("etag"));
    again().await.expect(304);
    assert_eq!(publish(&ada, "ada/tools/cat/1.0").await, 1);
    assert_eq!(again().await.expect(200).text(), "purr");
    let since = house.anyone().download(FILE).header("if-modified-since", first.header("last-modified"));
    assert_eq!(since.await.expect(200).text(), "purr");
}

#[tokio::test]
async fn downloads_are_only_read() {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    for method in [reqwest::Method::PUT, reqwest::Method::POST, reqwest::Method::DELETE] {
        let answer = ada.call(method, "//dl/ada/tools/cat.bin").body("purr").await.expect(405);
        assert!(answer.header("allow").contains("GET"), "{}", answer.header("allow"));
    }
    assert_eq!(house.anyone().download(FILE).await.expect(200).text(), "meow");
}

#[tokio::test]
async fn the_download_host_has_the_files_at_its_root() {
    let house = TestHouse::start_with(&[("download_host", "dl.example.com")]).await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "cat").await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    let answer = house.anyone().get("//ada/tools/cat.bin").header("host", "dl.example.com").await.expect(200);
    assert_eq!(answer.text(), "meow");
}

#[tokio::test]
async fn what_a_browser_would_make_a_page_of_is_saved() {
    let (house, ada) = cat().await;
    for (name, disposition) in [
        ("a.html", "attachment"),
        ("a.xhtml", "attachment"),
        ("a.svg", "attachment"),
        ("a.xml", "attachment"),
        ("a.pom", "attachment"),
        ("a.pdf", "attachment"),
        ("a.txt", ""),
        ("a.json", ""),
        ("a.png", ""),
        ("a.jar", ""),
        ("a.tar.gz", ""),
    ] {
        upload_published(&ada, &format!("ada/tools/cat/1.0/{name}"), "<p>meow</p>").await;
        let (path, anyone) = (format!("/ada/tools/{name}"), house.anyone());
        // From the second time on it is cached.
        for _ in 0..3 {
            assert_eq!(anyone.download(&path).await.expect(200).header("content-disposition"), disposition, "{name}");
        }
        let part = anyone.download(&path).header("range", "bytes=0-1").await.expect(206);
        let head = anyone.head(&format!("//dl{path}")).await.expect(200);
        for answer in [part, head] {
            assert_eq!(answer.header("content-disposition"), disposition, "{name}");
        }
    }
}
