//! The search for files by name and by checksum.

use serde_json::{Value, json};
use suite::{Answer, Person, TestHouse};

use crate::{
    catalogue::{new_package, new_private_repo, new_repo, segment},
    cluster::together::together,
    content::{MEOW_SHA1, PURR_SHA1, SECOND, cat, paths, publish, upload, upload_published},
};

/// Returns the results as `owner/repo/path` in alphabetical order.
async fn find(who: &Person, query: &str) -> Vec<String> {
    let answer = who.get(&format!("/search/file?{query}")).await.expect(200);
    let list = answer.json();
    let text = |file: &Value, field: &str| file[field].as_str().expect("a text").to_owned();
    let place = |file: &Value| format!("{}/{}/{}", text(file, "owner"), text(file, "repo"), text(file, "path"));
    let mut found: Vec<String> = list.as_array().expect("a list").iter().map(place).collect();
    assert_eq!(answer.header("x-rangelimit-total"), found.len().to_string(), "{query}");
    found.sort_unstable();
    found
}

/// Starts a house with published files of these names in `ada/tools`.
async fn with_files(names: &[&str]) -> (TestHouse, Person) {
    let (house, ada) = cat().await;
    for name in names {
        let path: Vec<String> = name.split('/').map(segment).collect();
        upload_published(&ada, &format!("ada/tools/cat/1.0/{}", path.join("/")), name).await;
    }
    (house, ada)
}

#[tokio::test]
async fn the_answer_is_an_array_of_files() {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/lib/cat.bin", "meow").await;
    for query in ["name=cat.bin", &format!("sha1={MEOW_SHA1}")] {
        let found = house.anyone().get(&format!("/search/file?{query}")).await.expect(200);
        assert_eq!(range(&found), ["1", "0", "0"]);
        let found = found.json();
        let expected = json!({
            "name": "cat.bin", "path": "lib/cat.bin", "package": "cat", "version": "1.0", "repo": "tools",
            "owner": "ada", "created": "2026-01-15T12:00:00.000Z",
        });
        for (field, value) in expected.as_object().expect("an object") {
            assert_eq!(&found[0][field], value, "{field} by {query}");
        }
    }
}

#[tokio::test]
async fn a_name_is_matched_as_a_whole_and_without_its_folder() {
    let (house, _) = with_files(&["cat.bin", "lib/cat.bin", "bobcat.bin", "cat.bin.asc", "cat/dog.bin"]).await;
    assert_eq!(find(&house.anyone(), "name=cat.bin").await, ["ada/tools/cat.bin", "ada/tools/lib/cat.bin"]);
    assert_eq!(find(&house.anyone(), "name=cat").await, [""; 0]);
    assert_eq!(find(&house.anyone(), "name=none").await, [""; 0]);
}

#[tokio::test]
async fn wildcards_stand_for_any_characters_or_for_one() {
    let (house, _) = with_files(&["cat-1.bin", "cat-12.bin", "dog-1.bin", "lib/cat-1.txt"]).await;
    for (pattern, expected) in [
        ("cat*", vec!["cat-1.bin", "cat-12.bin", "lib/cat-1.txt"]),
        ("*.bin", vec!["cat-1.bin", "cat-12.bin", "dog-1.bin"]),
        ("cat-?.bin", vec!["cat-1.bin"]),
        ("cat-??.bin", vec!["cat-12.bin"]),
        ("???-1.*", vec!["cat-1.bin", "dog-1.bin", "lib/cat-1.txt"]),
        ("*-1*.b?n", vec!["cat-1.bin", "cat-12.bin", "dog-1.bin"]),
        ("cat-1.bin*", vec!["cat-1.bin"]),
        ("*", vec!["cat-1.bin", "cat-12.bin", "dog-1.bin", "lib/cat-1.txt"]),
        ("?", vec![]),
    ] {
        let expected: Vec<String> = expected.into_iter().map(|path| format!("ada/tools/{path}")).collect();
        assert_eq!(find(&house.anyone(), &format!("name={}", segment(pattern))).await, expected, "{pattern}");
    }
}

#[tokio::test]
async fn every_other_character_stands_for_itself() {
    let names = ["100%.txt", "1000.txt", "a_b.txt", "axb.txt", "[ab].txt", "b.txt", "a'b.txt", "^a.txt", "a+b.txt"];
    let (house, _) = with_files(&names).await;
    for name in names {
        let found = find(&house.anyone(), &format!("name={}", segment(name))).await;
        assert_eq!(found, [format!("ada/tools/{name}")], "{name}");
    }
    assert_eq!(find(&house.anyone(), "name=a_*").await, ["ada/tools/a_b.txt"]);
    assert_eq!(find(&house.anyone(), "name=%25*").await, [""; 0]);
    assert_eq!(find(&house.anyone(), "name=*%25*").await, ["ada/tools/100%.txt"]);
}

#[tokio::test]
async fn a_checksum_finds_every_file_of_these_bytes() {
    let (house, ada) = cat().await;
    for name in ["a.bin", "lib/b.bin"] {
        upload_published(&ada, &format!("ada/tools/cat/1.0/{name}"), "meow").await;
    }
    upload_published(&ada, "ada/tools/cat/1.0/other.bin", "purr").await;
    let expected = ["ada/tools/a.bin", "ada/tools/lib/b.bin"];
    assert_eq!(find(&house.anyone(), &format!("sha1={MEOW_SHA1}")).await, expected);
    assert_eq!(find(&house.anyone(), &format!("sha1={}", MEOW_SHA1.to_uppercase())).await, expected);
    assert_eq!(find(&house.anyone(), &format!("sha1={}", "0".repeat(40))).await, [""; 0]);
}

#[tokio::test]
async fn the_search_may_keep_to_a_subject_and_a_repository() {
    let house = TestHouse::start().await;
    let (ada, bob) = (house.user("ada").await, house.user("bob").await);
    for (by, repo) in [(&ada, "ada/tools"), (&ada, "ada/lib"), (&bob, "bob/tools")] {
        new_repo(by, repo).await;
        new_package(by, repo, "cat").await;
        upload_published(by, &format!("{repo}/cat/1.0/cat.bin"), "meow").await;
    }
    let everywhere = ["ada/lib/cat.bin", "ada/tools/cat.bin", "bob/tools/cat.bin"];
    for query in ["name=cat*", &format!("sha1={MEOW_SHA1}")] {
        let find = async |rest: &str| find(&house.anyone(), &format!("{query}{rest}")).await;
        assert_eq!(find("").await, everywhere);
        assert_eq!(find("&repo=tools").await, ["ada/tools/cat.bin", "bob/tools/cat.bin"]);
        assert_eq!(find("&subject=ada").await, ["ada/lib/cat.bin", "ada/tools/cat.bin"]);
        assert_eq!(find("&subject=ada&repo=tools").await, ["ada/tools/cat.bin"]);
        assert_eq!(find("&repo=tool").await, [""; 0], "the scope is an exact name");
        assert_eq!(find("&subject=nobody").await, [""; 0]);
    }
}

#[tokio::test]
async fn the_search_may_keep_to_newer_files() {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/old.bin", "meow").await;
    house.clock.advance(10 * SECOND);
    upload_published(&ada, "ada/tools/cat/1.0/young.bin", "meow").await;
    let after = async |moment: &str| find(&house.anyone(), &format!("name=*.bin&created_after={moment}")).await;
    assert_eq!(after("2026-01-15T11:59:59Z").await, ["ada/tools/old.bin", "ada/tools/young.bin"]);
    assert_eq!(after("2026-01-15T12:00:05.000Z").await, ["ada/tools/young.bin"]);
    assert_eq!(after("2026-01-15T13:00:05%2B0100").await, ["ada/tools/young.bin"]);
    assert_eq!(after("2026-01-15").await.len(), 2);
    assert_eq!(after("2026-01-16").await, [""; 0]);
    for bad in ["yesterday", "2026-13-01", "15.01.2026"] {
        house.anyone().get(&format!("/search/file?name=*&created_after={bad}")).await.expect(400);
    }
}

#[tokio::test]
async fn only_published_files_are_found() {
    let (house, ada) = cat().await;
    upload(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    for who in [&ada, &house.admin(), &house.anyone()] {
        assert_eq!(find(who, "name=cat.bin").await, [""; 0]);
        assert_eq!(find(who, &format!("sha1={MEOW_SHA1}")).await, [""; 0]);
    }
    publish(&ada, "ada/tools/cat/1.0").await;
    assert_eq!(find(&house.anyone(), &format!("sha1={MEOW_SHA1}")).await, ["ada/tools/cat.bin"]);
    ada.put("/content/ada/tools/cat/1.0/cat.bin?override=1").body("purr").await.expect(201);
    assert_eq!(find(&ada, &format!("sha1={PURR_SHA1}")).await, [""; 0], "it waits");
    assert_eq!(find(&ada, &format!("sha1={MEOW_SHA1}")).await, ["ada/tools/cat.bin"]);
    publish(&ada, "ada/tools/cat/1.0").await;
    assert_eq!(find(&ada, &format!("sha1={PURR_SHA1}")).await, ["ada/tools/cat.bin"]);
    assert_eq!(find(&ada, &format!("sha1={MEOW_SHA1}")).await, [""; 0]);
}

#[tokio::test]
async fn files_of_private_repositories_are_found_by_their_readers() {
    let (house, ada) = cat().await;
    let eve = house.user("eve").await;
    new_private_repo(&ada, "ada/secret").await;
    new_package(&ada, "ada/secret", "cat").await;
    upload_published(&ada, "ada/secret/cat/1.0/cat.bin", "meow").await;
    for query in ["name=cat.bin".to_owned(), format!("sha1={MEOW_SHA1}"), "name=*&subject=ada&repo=secret".to_owned()] {
        assert_eq!(find(&ada, &query).await, ["ada/secret/cat.bin"]);
        assert_eq!(find(&house.admin(), &query).await, ["ada/secret/cat.bin"]);
        for who in [&eve, &house.anyone()] {
            assert_eq!(find(who, &query).await, [""; 0], "{query}");
        }
    }
}

/// Returns the three headers of a page.
fn range(answer: &Answer) -> [&str; 3] {
    ["x-rangelimit-total", "x-rangelimit-startpos", "x-rangelimit-endpos"].map(|name| answer.header(name))
}

#[tokio::test]
async fn pages_hold_fifty() {
    let (house, ada) = cat().await;
    let send = |number: usize| ada.put(&format!("/content/ada/tools/cat/1.0/{number:02}.bin?publish=1")).body("meow");
    together((0..60).map(send)).await.into_iter().for_each(|answer| drop(answer.expect(201)));
    for query in ["name=*.bin", &format!("sha1={MEOW_SHA1}")] {
        let page = async |start: &str| house.anyone().get(&format!("/search/file?{query}&start_pos={start}")).await;
        let (first, second, past) = (page("0").await, page("50").await, page("60").await);
        assert_eq!((range(&first), range(&second)), (["60", "0", "49"], ["60", "50", "59"]), "{query}");
        assert_eq!((past.text().as_str(), range(&past)), ("[]", ["60", "", ""]));
        let mut all = [paths(&first), paths(&second)].concat();
        all.sort_unstable();
        assert_eq!(all, (0..60).map(|number| format!("{number:02}.bin")).collect::<Vec<_>>());
        page("-1").await.expect(400);
        page("").await.expect(400);
    }
}

#[tokio::test]
async fn a_search_needs_a_name_or_a_checksum() {
    let (house, _) = cat().await;
    for query in ["", "?repo=tools", "?name=", "?sha1=", "?name=&sha1=", "?subject=ada&start_pos=0"] {
        house.anyone().get(&format!("/search/file{query}")).await.expect(400);
    }
    for sha1 in ["meow", &MEOW_SHA1[1..], &format!("{MEOW_SHA1}0"), &MEOW_SHA1.replace('7', "g"), "*"] {
        house.anyone().get(&format!("/search/file?sha1={sha1}")).await.expect(400);
    }
    house.anyone().get("/search/file?name=a&name=b").await.expect(400);
}
