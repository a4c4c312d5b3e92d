//! Details of the search for files.

use serde_json::Value;
use suite::{Answer, TestHouse};

use crate::{
    catalogue::{new_package, new_repo, segment},
    content::{MEOW_SHA1, SECOND, cat, upload_published},
};

/// Returns the found paths in their order, and the total number.
fn found(answer: &Answer) -> String {
    let list = answer.json();
    let path = |file: &Value| file["path"].as_str().expect("a path").to_owned();
    let paths: Vec<String> = list.as_array().expect("a list").iter().map(path).collect();
    format!("{} ({})", paths.join(" "), answer.header("x-rangelimit-total"))
}

#[tokio::test]
async fn the_newest_files_come_first() {
    let (house, ada) = cat().await;
    for name in ["b", "d", "a", "c"] {
        house.clock.advance(SECOND);
        upload_published(&ada, &format!("ada/tools/cat/1.0/{name}.bin"), "meow").await;
    }
    let find = async |query: &str| found(&house.anyone().get(&format!("/search/file?{query}")).await.expect(200));
    for query in ["name=*.bin", "name=?.bin", "name=*", &format!("sha1={MEOW_SHA1}")] {
        assert_eq!(find(query).await, "c.bin a.bin d.bin b.bin (4)", "{query}");
        assert_eq!(find(&format!("{query}&start_pos=3")).await, "b.bin (4)", "{query}");
        let after = format!("{query}&created_after=2026-01-15T12:00:02Z");
        assert_eq!(find(&after).await, "c.bin a.bin (2)", "{after}, and not at that moment");
    }
}

#[tokio::test]
async fn a_name_and_a_checksum_must_both_fit() {
    let (house, ada) = cat().await;
    for (name, content) in [("cat.bin", "meow"), ("cat.txt", "meow"), ("dog.bin", "bark")] {
        upload_published(&ada, &format!("ada/tools/cat/1.0/{name}"), content).await;
    }
    let find = async |query: &str| found(&house.anyone().get(&format!("/search/file?{query}")).await.expect(200));
    assert_eq!(find(&format!("name=*.bin&sha1={MEOW_SHA1}")).await, "cat.bin (1)");
    assert_eq!(find(&format!("name=dog.*&sha1={MEOW_SHA1}")).await, " (0)");
    assert_eq!(find(&format!("name=?at*&sha1={MEOW_SHA1}&repo=tools")).await, "cat.txt cat.bin (2)");
}

#[tokio::test]
async fn letter_case_and_language_do_not_matter() {
    let (house, ada) = cat().await;
    let names =
        ["Straße.txt", "ΟΔΟΣ.txt", "日本語の本.txt", "c++-utils.txt", "a\"b\"c.txt", "x--__--y.txt", "ÅNGSTRÖM.txt"];
    for name in names {
        upload_published(&ada, &format!("ada/tools/cat/1.0/{}", segment(name)), name).await;
    }
    let find = async |pattern: &str| {
        found(&house.anyone().get(&format!("/search/file?name={}", segment(pattern))).await.expect(200))
    };
    for (pattern, name) in [
        ("*STRASSE*", names[0]),
        ("stra??e.txt", names[0]),
        ("*οδος*", names[1]),
        ("*本語の*", names[2]),
        ("?本語*", names[2]),
        ("*c++*", names[3]),
        ("*b\"c*", names[4]),
        ("*-__-*", names[5]),
        ("*ngström*", names[6]),
        ("åNGSTRÖM.TXT", names[6]),
    ] {
        assert_eq!(find(pattern).await, format!("{name} (1)"), "{pattern}");
    }
    assert_eq!(find("*stra?e*").await, " (0)", "ß is two letters to a search");
}

#[tokio::test]
async fn what_cannot_be_searched_for_is_refused() {
    let house = TestHouse::start().await;
    let long = format!("name={}", "x".repeat(256));
    let mut refusals = String::new();
    for query in [
        "",
        "name=&sha1=&subject=ada",
        &long,
        "name=a%01b",
        "sha1=xyz",
        "name=abc&sha1=7d5c",
        "name=abc&subject=a%20b",
        "name=abc&repo=..",
        "name=abc&created_after=yesterday",
        "name=abc&start_pos=-1",
    ] {
        refusals += &format!("{}\n", house.anyone().get(&format!("/search/file?{query}")).await.expect(400).message());
    }
    insta::assert_snapshot!(refusals, @r"
    name: at least one of name and sha1 is required
    name: at least one of name and sha1 is required
    name: it is longer than 255 bytes
    the request's query is not valid: a parameter holds a control character
    sha1: 'xyz' is not 40 hexadecimal digits
    sha1: '7d5c' is not 40 hexadecimal digits
    subject: subject name 'a b' is not valid: it may hold letters, digits, '.', '_' and '-' only
    repo: repository name '..' is not valid: it must begin with a letter or a digit
    created_after: 'yesterday' is not an ISO 8601 date or time with an offset
    start_pos: '-1' is not a number from 0 to 9007199254740992
    ");
}

#[tokio::test]
async fn a_repository_that_is_hidden_hides_its_files_at_once() {
    let (house, ada) = cat().await;
    new_repo(&ada, "ada/lib").await;
    new_package(&ada, "ada/lib", "cat").await;
    for repo in ["tools", "lib"] {
        upload_published(&ada, &format!("ada/{repo}/cat/1.0/{repo}.bin"), "meow").await;
    }
    let queries = ["name=*.bin", "name=???*.bin", "name=*&subject=ada", &format!("sha1={MEOW_SHA1}")];
    for query in queries {
        let shown = house.anyone().get(&format!("/search/file?{query}")).await.expect(200);
        assert_eq!(found(&shown), "lib.bin tools.bin (2)", "{query}");
    }
    ada.patch("/repos/ada/lib").json(serde_json::json!({"private": true})).await.expect(200);
    for query in queries {
        let shown = house.anyone().get(&format!("/search/file?{query}")).await.expect(200);
        assert_eq!(found(&shown), "tools.bin (1)", "{query}");
        let own = ada.get(&format!("/search/file?{query}")).await.expect(200);
        assert_eq!(found(&own), "lib.bin tools.bin (2)", "{query}");
    }
}
