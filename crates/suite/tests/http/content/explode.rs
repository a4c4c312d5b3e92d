//! Archives that are uploaded as their files.

use suite::{Answer, Call, Person};

use crate::content::{
    SECOND,
    archives::{Entries, gz, tar, tar_with_link, xz, zip, zst},
    cat, publish, published, read, stored, upload,
};

const TWO: Entries<'static> = &[("lib/", ""), ("lib/cat.bin", "meow"), ("README", "A cat")];

/// PUT of an archive to this path of version 1.0 of `cat`.
fn explode(by: &Person, path: &str, archive: Vec<u8>) -> Call {
    by.put(&format!("/content/ada/tools/cat/1.0/{path}")).header("x-service-explode", "1").body(archive)
}

/// Explodes an archive into an empty package and returns the paths of its files; asserts the bytes of the first one.
async fn landed(path: &str, archive: Vec<u8>) -> Vec<String> {
    let (_house, ada) = cat().await;
    explode(&ada, path, archive).await.refuses(201, "success");
    let stored = stored(&ada, "ada/tools/cat").await;
    assert_eq!(read(&ada, &format!("/ada/tools/{}", stored[0])).await, "A cat");
    assert_eq!(read(&ada, &format!("/ada/tools/{}", stored[1])).await, "meow");
    stored
}

#[tokio::test]
async fn a_zip_is_unpacked() {
    assert_eq!(landed("two.zip", zip(TWO)).await, ["README", "lib/cat.bin"]);
}

#[tokio::test]
async fn a_tar_is_unpacked() {
    assert_eq!(landed("two.tar", tar(TWO)).await, ["README", "lib/cat.bin"]);
}

#[tokio::test]
async fn a_tar_gz_is_unpacked() {
    assert_eq!(landed("two.tar.gz", gz(&tar(TWO))).await, ["README", "lib/cat.bin"]);
}

#[tokio::test]
async fn a_tar_xz_is_unpacked() {
    assert_eq!(landed("two.tar.xz", xz(&tar(TWO))).await, ["README", "lib/cat.bin"]);
}

#[tokio::test]
async fn a_tar_zst_is_unpacked() {
    assert_eq!(landed("two.tar.zst", zst(&tar(TWO))).await, ["README", "lib/cat.bin"]);
}

#[tokio::test]
async fn entries_land_in_the_folder_of_the_path() {
    assert_eq!(landed("a/b/two.zip", zip(TWO)).await, ["a/b/README", "a/b/lib/cat.bin"]);
}

#[tokio::test]
async fn a_leading_dot_is_no_folder() {
    let entries = [("./", ""), ("./README", "A cat"), ("./lib/cat.bin", "meow")];
    assert_eq!(landed("two.tar.gz", gz(&tar(&entries))).await, ["README", "lib/cat.bin"]);
}

#[tokio::test]
async fn the_flag_may_be_given_in_three_forms() {
    let (_house, ada) = cat().await;
    let put =
        |path: &str, name: &str| ada.put(&format!("/content/ada/tools/cat/1.0/{path}")).body(zip(&[(name, "meow")]));
    put("x.zip?explode=1", "query").await.refuses(201, "success");
    put("x.zip;explode=1", "matrix").await.refuses(201, "success");
    put("x.zip", "header").header("x-service-explode", "1").await.refuses(201, "success");
    put("x.zip", "old").header("x-bintray-explode", "1").await.refuses(201, "success");
    put("x.zip", "none").await.refuses(201, "success");
    assert_eq!(stored(&ada, "ada/tools/cat").await, ["header", "matrix", "old", "query", "x.zip"]);
}

#[tokio::test]
async fn package_and_version_may_come_in_every_form() {
    let (_house, ada) = cat().await;
    let path = "/content/ada/tools/a/two.zip;svc_package=cat;svc_version=2.0;explode=1";
    ada.put(path).body(zip(TWO)).await.refuses(201, "success");
    assert_eq!(stored(&ada, "ada/tools/cat").await, ["a/README", "a/lib/cat.bin"]);
}

#[tokio::test]
async fn entries_wait_for_the_publish_or_come_with_it() {
    let (house, ada) = cat().await;
    explode(&ada, "a/two.zip", zip(TWO)).await.refuses(201, "success");
    assert_eq!(published(&house.anyone(), "ada/tools/cat").await, [""; 0]);
    assert_eq!(publish(&ada, "ada/tools/cat/1.0").await, 2);
    explode(&ada, "b/two.zip?publish=1", zip(TWO)).await.refuses(201, "success");
    let all = ["a/README", "a/lib/cat.bin", "b/README", "b/lib/cat.bin"];
    assert_eq!(published(&house.anyone(), "ada/tools/cat").await, all);
    assert_eq!(publish(&ada, "ada/tools/cat/1.0").await, 0);
}

#[tokio::test]
async fn one_entry_that_conflicts_keeps_out_all() {
    let (house, ada) = cat().await;
    upload(&ada, "ada/tools/cat/1.0/b", "purr").await;
    let three = zip(&[("a", "meow"), ("b", "meow"), ("c", "meow")]);
    explode(&ada, "three.zip?publish=1", three.clone()).await.expect(409);
    assert_eq!(stored(&ada, "ada/tools/cat").await, ["b"]);
    assert_eq!(published(&house.anyone(), "ada/tools/cat").await, [""; 0]);
    assert_eq!(read(&ada, "/ada/tools/b").await, "purr");
    explode(&ada, "three.zip?override=1&publish=1", three).await.refuses(201, "success");
    assert_eq!(published(&house.anyone(), "ada/tools/cat").await, ["a", "b", "c"]);
    assert_eq!(read(&ada, "/ada/tools/b").await, "meow");
}

#[tokio::test]
async fn one_entry_of_another_version_keeps_out_all() {
    let (_house, ada) = cat().await;
    upload(&ada, "ada/tools/cat/0.9/b", "meow").await;
    explode(&ada, "two.tar?override=1", tar(&[("a", "meow"), ("b", "meow")])).await.expect(409);
    assert_eq!(stored(&ada, "ada/tools/cat").await, ["b"]);
    ada.get("/packages/ada/tools/cat/versions/1.0").await.expect(404);
}

#[tokio::test]
async fn the_same_archive_again_changes_nothing() {
    let (house, ada) = cat().await;
    explode(&ada, "two.zip?publish=1", zip(TWO)).await.refuses(201, "success");
    let before = ada.get("/packages/ada/tools/cat/files").await.expect(200).text();
    house.clock.advance(SECOND);
    explode(&ada, "two.tar.gz?publish=1", gz(&tar(TWO))).await.refuses(201, "success");
    assert_eq!(ada.get("/packages/ada/tools/cat/files").await.expect(200).text(), before);
}

/// Explodes a bad archive into ada's empty package, and asserts that nothing was stored.
async fn refused(ada: &Person, path: &str, archive: Vec<u8>) -> Answer {
    let answer = explode(ada, &format!("{path}?publish=1"), archive).await;
    assert_eq!(stored(ada, "ada/tools/cat").await, [""; 0], "{path}: {}", answer.text());
    ada.get("/packages/ada/tools/cat/versions/1.0").await.expect(404);
    assert_eq!(ada.get("/users/ada").await.expect(200).json()["quota_used_bytes"], 0);
    answer
}

#[tokio::test]
async fn what_is_no_archive_is_refused() {
    let (_house, ada) = cat().await;
    for name in ["x.zip", "x.tar", "x.tar.gz", "x.tar.xz", "x.tar.zst", "x.bin", "x"] {
        refused(&ada, name, b"This is no archive.".repeat(100)).await.expect(400);
        refused(&ada, name, Vec::new()).await.expect(400);
    }
}

#[tokio::test]
async fn a_compressed_file_that_holds_no_archive_is_refused() {
    let (_house, ada) = cat().await;
    let text = b"This is no archive.".repeat(100);
    refused(&ada, "x.tar.gz", gz(&text)).await.expect(400);
    refused(&ada, "x.tar.xz", xz(&text)).await.expect(400);
    refused(&ada, "x.tar.zst", zst(&text)).await.expect(400);
}

#[tokio::test]
async fn an_archive_that_was_cut_off_is_refused() {
    let (_house, ada) = cat().await;
    let bytes = "0123456789".repeat(500);
    let entries = [("first", "meow"), ("second", bytes.as_str())];
    let archives = [("x.zip", zip(&entries)), ("x.tar", tar(&entries)), ("x.tar.gz", gz(&tar(&entries)))];
    for (name, archive) in archives {
        refused(&ada, name, archive[..archive.len() * 2 / 3].to_vec()).await.expect(400);
    }
}

#[tokio::test]
async fn entries_that_lead_elsewhere_are_refused() {
    let (_house, ada) = cat().await;
    for name in ["../evil", "a/../../evil", "a/../evil", "/evil", "a\\evil", "..\\evil", "C:\\evil", "evil\n"] {
        let entries = [("good", "meow"), (name, "evil")];
        refused(&ada, "folder/x.zip", zip(&entries)).await.expect(400);
        refused(&ada, "folder/x.tar", tar(&entries)).await.expect(400);
        refused(&ada, "folder/x.tar.gz", gz(&tar(&entries))).await.expect(400);
    }
}

#[tokio::test]
async fn entries_that_are_links_are_refused() {
    let (_house, ada) = cat().await;
    for kind in [tar::EntryType::Symlink, tar::EntryType::Link] {
        refused(&ada, "x.tar", tar_with_link(kind, "evil", "/etc/passwd")).await.expect(400);
        refused(&ada, "x.tar", tar_with_link(kind, "evil", "../other")).await.expect(400);
    }
}

#[tokio::test]
async fn an_archive_that_grows_beyond_measure_is_refused() {
    let (_house, ada) = cat().await;
    let zeros = "\0".repeat(20 * 1024 * 1024);
    let archive = gz(&tar(&[("zeros", zeros.as_str())]));
    assert!(archive.len() * 100 < zeros.len());
    let status = refused(&ada, "x.tar.gz", archive).await.status;
    assert!(matches!(status, 400 | 413), "{status}");
}

#[tokio::test]
async fn an_archive_of_too_many_entries_is_refused() {
    let (_house, ada) = cat().await;
    let names: Vec<String> = (0..10_001).map(|number| number.to_string()).collect();
    let entries: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "")).collect();
    let status = refused(&ada, "x.tar", tar(&entries)).await.status;
    assert!(matches!(status, 400 | 413), "{status}");
}

#[tokio::test]
async fn a_checksum_is_that_of_the_archive() {
    let (_house, ada) = cat().await;
    let sent = |sha1: &str| explode(&ada, "two.zip", zip(TWO)).header("x-checksum-sha1", sha1);
    sent("7d5c2a2d6136fbf166211d5183bf66214a247f31").await.expect(409);
    assert_eq!(stored(&ada, "ada/tools/cat").await, [""; 0]);
}

#[tokio::test]
async fn only_publishers_explode() {
    let (house, ada) = cat().await;
    let eve = house.user("eve").await;
    explode(&eve, "two.zip", zip(TWO)).await.expect(403);
    explode(&house.anyone(), "two.zip", zip(TWO)).await.expect(401);
    assert_eq!(stored(&ada, "ada/tools/cat").await, [""; 0]);
}
