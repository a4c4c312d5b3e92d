//! Lists of files, and calls by a file's path.

use serde_json::json;
use suite::{Answer, Person, TestHouse};

use crate::{
    catalogue::{fields, new_package, new_private_repo, new_version},
    cluster::together::{statuses, together},
    content::{SECOND, cat, paths, publish, read, stored, upload, upload_published},
};

const FILES: &str = "/packages/ada/tools/cat/files";

/// Starts a house with `1.0.bin` and `lib/1.1.bin` published in versions of their names, and `draft.bin` staged in 1.1.
async fn three() -> (TestHouse, Person) {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/1.0.bin", "meow").await;
    house.clock.advance(SECOND);
    upload_published(&ada, "ada/tools/cat/1.1/lib/1.1.bin", "purr").await;
    upload(&ada, "ada/tools/cat/1.1/draft.bin", "hiss").await;
    (house, ada)
}

/// Returns the three headers of a page.
fn range(answer: &Answer) -> [&str; 3] {
    ["x-rangelimit-total", "x-rangelimit-startpos", "x-rangelimit-endpos"].map(|name| answer.header(name))
}

#[tokio::test]
async fn a_file_shows_these_fields() {
    let (house, _) = three().await;
    let mut list = house.anyone().get("/packages/ada/tools/cat/versions/1.1/files").await.expect(200);
    assert_eq!(range(&list), ["1", "0", "0"]);
    list.body = list.text().trim_matches(['[', ']']).to_owned().into_bytes();
    insta::assert_snapshot!(fields(&list), @r#"
    {"name":"1.1.bin",
    "path":"lib/1.1.bin",
    "package":"cat",
    "version":"1.1",
    "repo":"tools",
    "owner":"ada",
    "created":"2026-01-15T12:00:01.000Z",
    "size":4,
    "sha1":"a6c7b1cd310f6895c24b43551912ca133f3018ae",
    "sha256":"b66358a34a718d2af7d501f2a51fe2f610c082180f9d6ee9a3a28e8881d290dd"}
    "#);
}

#[tokio::test]
async fn a_package_lists_the_files_of_all_versions_and_a_version_its_own() {
    let (house, _) = three().await;
    let all = house.anyone().get(FILES).await.expect(200);
    assert_eq!((paths(&all), range(&all)), (vec!["1.0.bin".into(), "lib/1.1.bin".into()], ["2", "0", "1"]));
    let one = house.anyone().get("/packages/ada/tools/cat/versions/1.0/files").await.expect(200);
    assert_eq!((paths(&one), range(&one)), (vec!["1.0.bin".into()], ["1", "0", "0"]));
}

#[tokio::test]
async fn unpublished_files_are_listed_for_publishers_who_ask() {
    let (house, ada) = three().await;
    let eve = house.user("eve").await;
    for (path, all) in [(FILES, "3"), ("/packages/ada/tools/cat/versions/1.1/files", "2")] {
        let asked = ada.get(&format!("{path}?include_unpublished=1")).await.expect(200);
        assert!(paths(&asked).contains(&"draft.bin".to_owned()), "{path}");
        assert_eq!(range(&asked)[0], all);
        for rest in ["", "?include_unpublished=0"] {
            let plain = ada.get(&format!("{path}{rest}")).await.expect(200);
            assert!(!plain.text().contains("draft.bin"), "{path}{rest}");
        }
        for who in [&eve, &house.anyone()] {
            let answer = who.get(&format!("{path}?include_unpublished=1")).await;
            assert!(matches!(answer.status, 200 | 401 | 403), "{}", answer.status);
            assert!(!answer.text().contains("draft.bin"), "{}", answer.text());
            assert_ne!(range(&answer)[0], all, "the total tells nothing either");
        }
    }
    ada.get(&format!("{FILES}?include_unpublished=yes")).await.expect(400);
}

#[tokio::test]
async fn pages_hold_fifty_files() {
    let (house, ada) = cat().await;
    let send = |number: usize| ada.put(&format!("/content/ada/tools/cat/1.0/{number:02}.bin")).body("meow");
    together((0..60).map(send)).await.into_iter().for_each(|answer| drop(answer.expect(201)));
    assert_eq!(publish(&ada, "ada/tools/cat/1.0").await, 60);
    for path in [FILES, "/packages/ada/tools/cat/versions/1.0/files"] {
        let page = async |start: u32| house.anyone().get(&format!("{path}?start_pos={start}")).await.expect(200);
        let (first, second, past) = (page(0).await, page(50).await, page(60).await);
        assert_eq!((range(&first), range(&second)), (["60", "0", "49"], ["60", "50", "59"]), "{path}");
        assert_eq!((past.text().as_str(), range(&past)), ("[]", ["60", "", ""]));
        let mut all = [paths(&first), paths(&second)].concat();
        all.sort_unstable();
        assert_eq!(all, (0..60).map(|number| format!("{number:02}.bin")).collect::<Vec<_>>());
        assert_eq!(range(&house.anyone().get(path).await.expect(200)), ["60", "0", "59"], "all without a position");
        for start in ["", "-1", "x", "9007199254740993"] {
            house.anyone().get(&format!("{path}?start_pos={start}")).await.expect(400);
        }
    }
}

#[tokio::test]
async fn files_of_what_is_not_there_are_not_found() {
    let (house, ada) = three().await;
    new_private_repo(&ada, "ada/secret").await;
    new_package(&ada, "ada/secret", "cat").await;
    upload_published(&ada, "ada/secret/cat/1.0/cat.bin", "meow").await;
    new_version(&ada, "ada/tools/cat", "2.0").await;
    let get = |path: &str| house.anyone().get(&format!("/packages/ada/{path}"));
    get("tools/dog/files").await.refuses(404, "Package 'dog' was not found");
    get("tools/cat/versions/9/files").await.refuses(404, "Version '9' was not found");
    get("secret/cat/files").await.refuses(404, "Repository 'secret' was not found");
    get("secret/cat/versions/1.0/files").await.refuses(404, "Repository 'secret' was not found");
    let empty = get("tools/cat/versions/2.0/files").await.expect(200);
    assert_eq!((empty.text().as_str(), range(&empty)), ("[]", ["0", "", ""]));
}

#[tokio::test]
async fn a_file_leads_to_its_package_and_its_version() {
    let (house, ada) = three().await;
    for who in [&ada, &house.anyone()] {
        let package = who.get("/file_package/ada/tools/lib/1.1.bin").await.expect(200);
        assert_eq!(package.text(), who.get("/packages/ada/tools/cat").await.expect(200).text());
        let version = who.get("/file_version/ada/tools/lib/1.1.bin").await.expect(200);
        assert_eq!(version.text(), who.get("/packages/ada/tools/cat/versions/1.1").await.expect(200).text());
    }
    for call in ["file_package", "file_version"] {
        ada.get(&format!("/{call}/ada/tools/draft.bin")).await.expect(200);
        ada.get(&format!("/{call}/ada/tools/lib")).await.expect(404);
        ada.get(&format!("/{call}/ada/none/1.0.bin")).await.refuses(404, "Repository 'none' was not found");
        let hidden = house.anyone().get(&format!("/{call}/ada/tools/draft.bin")).await.expect(404);
        let missing = house.anyone().get(&format!("/{call}/ada/tools/other.bin")).await.expect(404);
        assert_eq!(hidden.text().replace("draft", "other"), missing.text());
    }
}

#[tokio::test]
async fn a_published_file_is_put_on_the_list_of_downloads() {
    let (_house, ada) = three().await;
    let put = |path: &str| ada.put(&format!("/file_metadata/ada/tools/{path}"));
    put("lib/1.1.bin").json(json!({"list_in_downloads": true})).await.refuses(200, "success");
    put("lib/1.1.bin").json(json!({"list_in_downloads": false})).await.refuses(200, "success");
    put("draft.bin").json(json!({"list_in_downloads": true})).await.expect(400);
    put("none.bin").json(json!({"list_in_downloads": true})).await.expect(404);
    for bad in [json!({"list_in_downloads": "x"}), json!({"list_in_downloads": 1}), json!([])] {
        put("lib/1.1.bin").json(bad).await.expect(400);
    }
}

#[tokio::test]
async fn a_deleted_file_is_gone_everywhere() {
    let (house, ada) = three().await;
    ada.delete("/content/ada/tools/lib/1.1.bin").await.refuses(200, "success");
    ada.download("/ada/tools/lib/1.1.bin").await.expect(404);
    house.anyone().download("/ada/tools/lib/1.1.bin.sha1").await.expect(404);
    assert_eq!(stored(&ada, "ada/tools/cat").await, ["1.0.bin", "draft.bin"]);
    assert_eq!(house.anyone().get("/search/file?name=1.1.bin").await.expect(200).text(), "[]");
    ada.get("/file_version/ada/tools/lib/1.1.bin").await.expect(404);
    ada.delete("/content/ada/tools/lib/1.1.bin").await.expect(404);
    ada.get("/packages/ada/tools/cat/versions/1.1").await.expect(200);
    assert_eq!(read(&house.anyone(), "/ada/tools/1.0.bin").await, "meow");
}

#[tokio::test]
async fn a_deleted_unpublished_file_leaves_its_path_free() {
    let (house, ada) = three().await;
    ada.delete("/content/ada/tools/draft.bin").await.refuses(200, "success");
    assert_eq!(publish(&ada, "ada/tools/cat/1.1").await, 0);
    upload_published(&ada, "ada/tools/cat/1.0/draft.bin", "other").await;
    assert_eq!(read(&house.anyone(), "/ada/tools/draft.bin").await, "other");
}

#[tokio::test]
async fn folders_and_missing_files_cannot_be_deleted() {
    let (_house, ada) = three().await;
    for path in ["lib", "none.bin", "1.0.bin/x", "1.0.bin.sha1"] {
        ada.delete(&format!("/content/ada/tools/{path}")).await.expect(404);
    }
    ada.delete("/content/ada/none/1.0.bin").await.refuses(404, "Repository 'none' was not found");
    assert_eq!(stored(&ada, "ada/tools/cat").await, ["1.0.bin", "draft.bin", "lib/1.1.bin"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_deletions_at_once_one_finds_nothing() {
    let (_house, ada) = cat().await;
    for round in 0..10 {
        upload(&ada, &format!("ada/tools/cat/1.0/{round}.bin"), "meow").await;
        let path = format!("/content/ada/tools/{round}.bin");
        let answers = together([(); 2].map(|()| ada.delete(&path))).await;
        assert_eq!(statuses(&answers), [200, 404], "round {round}");
    }
}
