//! Ranges of files.

use suite::{Answer, Call, TestHouse};

use crate::content::{cat, upload_published};

/// Starts a house with the published file `ada/tools/digits`, which contains `0123456789`.
async fn digits() -> TestHouse {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/digits", "0123456789").await;
    house
}

fn get(house: &TestHouse, range: &str) -> Call {
    house.anyone().download("/ada/tools/digits").header("range", range)
}

/// Returns the parts of a response to several ranges: the position and the bytes of each.
fn parts(answer: &Answer) -> Vec<(String, String)> {
    let (kind, boundary) = answer.header("content-type").split_once("boundary=").expect("a boundary");
    assert_eq!(kind.trim(), "multipart/byteranges;");
    let (text, boundary) = (answer.text(), format!("--{}", boundary.trim_matches('"')));
    let (content, end) = text.rsplit_once(boundary.as_str()).expect("an end");
    assert_eq!(end.trim_end(), "--");
    let part = |part: &str| {
        let (head, bytes) = part.split_once("\r\n\r\n").expect("a part has a head");
        let is_range = |line: &&str| line.to_ascii_lowercase().starts_with("content-range:");
        let range = head.lines().find(is_range).expect("a part has a range");
        (range["content-range:".len()..].trim().to_owned(), bytes.trim_end_matches("\r\n").to_owned())
    };
    content.split(boundary.as_str()).skip(1).map(part).collect()
}

#[tokio::test]
async fn one_range_is_answered_with_its_bytes() {
    let house = digits().await;
    for (range, place, bytes) in [
        ("bytes=0-3", "bytes 0-3/10", "0123"),
        ("bytes=4-4", "bytes 4-4/10", "4"),
        ("bytes=7-", "bytes 7-9/10", "789"),
        ("bytes=-2", "bytes 8-9/10", "89"),
        ("bytes=-100", "bytes 0-9/10", "0123456789"),
        ("bytes=8-100", "bytes 8-9/10", "89"),
        ("bytes=0-", "bytes 0-9/10", "0123456789"),
    ] {
        let answer = get(&house, range).await.expect(206);
        assert_eq!((answer.header("content-range"), answer.text().as_str()), (place, bytes), "{range}");
        assert_eq!(answer.header("content-length"), bytes.len().to_string());
    }
}

#[tokio::test]
async fn a_part_names_the_whole() {
    let house = digits().await;
    let whole = house.anyone().download("/ada/tools/digits").await.expect(200);
    let part = get(&house, "bytes=0-3").await.expect(206);
    for header in ["etag", "last-modified", "content-type", "x-content-type-options", "content-security-policy"] {
        assert_eq!(part.header(header), whole.header(header), "{header}");
    }
}

#[tokio::test]
async fn several_ranges_are_answered_in_parts() {
    let house = digits().await;
    let answer = get(&house, "bytes=0-1, 4-5, -1").await.expect(206);
    let expected = [("bytes 0-1/10", "01"), ("bytes 4-5/10", "45"), ("bytes 9-9/10", "9")];
    assert_eq!(parts(&answer), expected.map(|(place, bytes)| (place.to_owned(), bytes.to_owned())));
    let some = get(&house, "bytes=20-30,1-2,5-6").await.expect(206);
    assert_eq!(parts(&some).len(), 2, "ranges beyond the end are left out");
}

#[tokio::test]
async fn a_range_beyond_the_end_is_refused_with_the_size() {
    let house = digits().await;
    for range in ["bytes=10-", "bytes=10-20", "bytes=100-200", "bytes=20-30,40-50", "bytes=-0"] {
        let answer = get(&house, range).await.expect(416);
        assert_eq!(answer.header("content-range"), "bytes */10", "{range}");
    }
}

#[tokio::test]
async fn what_is_no_range_selects_nothing() {
    let house = digits().await;
    for range in ["lines=0-1", "0-1"] {
        assert_eq!(get(&house, range).await.expect(200).text(), "0123456789", "{range}");
    }
    for range in ["bytes=", "bytes=a-b", "bytes=3-1", "bytes=1-2-3", "bytes=--1"] {
        let answer = get(&house, range).await;
        assert!(matches!(answer.status, 200 | 416), "{range}: {}", answer.status);
    }
}

#[tokio::test]
async fn many_overlapping_ranges_do_not_multiply_the_file() {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/digits", &"0123456789".repeat(10_000)).await;
    let answer = get(&house, &format!("bytes={}", ["0-"; 1_000].join(","))).await;
    assert!(matches!(answer.status, 200 | 206 | 416), "{}", answer.status);
    assert!(answer.body.len() < 200_000, "{} bytes", answer.body.len());
}

#[tokio::test]
async fn a_range_holds_only_while_the_file_is_the_same() {
    let house = digits().await;
    let whole = house.anyone().download("/ada/tools/digits").await.expect(200);
    let known = get(&house, "bytes=0-1").header("if-range", whole.header("etag")).await.expect(206);
    assert_eq!(known.text(), "01");
    let dated = get(&house, "bytes=0-1").header("if-range", whole.header("last-modified")).await;
    assert!(matches!(dated.status, 200 | 206), "{}", dated.status);
    let other = get(&house, "bytes=0-1").header("if-range", "\"other\"").await.expect(200);
    assert_eq!(other.text(), "0123456789");
    let older = get(&house, "bytes=0-1").header("if-range", "Wed, 14 Jan 2026 12:00:00 GMT").await.expect(200);
    assert_eq!(older.text(), "0123456789");
    get(&house, "bytes=0-1").header("if-none-match", whole.header("etag")).await.expect(304);
    get(&house, "bytes=0-1").header("if-match", "\"other\"").await.expect(412);
}

#[tokio::test]
async fn ranges_are_for_get_alone() {
    let house = digits().await;
    let answer = house.anyone().head("//dl/ada/tools/digits").header("range", "bytes=0-1").await.expect(200);
    assert_eq!((answer.header("content-length"), answer.header("content-range")), ("10", ""));
}

#[tokio::test]
async fn an_empty_file_has_no_ranges() {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/digits", "").await;
    for range in ["bytes=0-", "bytes=0-0"] {
        let answer = get(&house, range).await;
        assert!(matches!(answer.status, 200 | 416), "{range}: {}", answer.status);
        assert!(answer.status == 200 || answer.header("content-range") == "bytes */0", "{range}");
    }
    get(&house, "lines=0-1").await.expect(200);
}
