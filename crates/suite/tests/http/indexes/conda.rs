//! conda channels.

use std::io::{Cursor, Write};

use serde_json::{Value, json};
use suite::Person;
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

use super::{repo_of, run_job};
use crate::catalogue::new_package;

/// A .conda of this package, without files.
pub(crate) fn conda(name: &str, version: &str, subdir: &str) -> Vec<u8> {
    conda_of(&json!({"name": name, "version": version, "build": "h0_0", "build_number": 0, "subdir": subdir}))
}

/// A .conda with this index, without files.
pub(crate) fn conda_of(index: &Value) -> Vec<u8> {
    let (name, version) = (index["name"].as_str().expect("a name"), index["version"].as_str().expect("a version"));
    let mut tar = tar::Builder::new(Vec::new());
    let text = index.to_string();
    let mut header = tar::Header::new_ustar();
    header.set_size(text.len() as u64);
    header.set_mode(0o644);
    tar.append_data(&mut header, "info/index.json", text.as_bytes()).expect("memory takes everything");
    let info = zstd::encode_all(&tar.into_inner().expect("memory")[..], 1).expect("memory takes everything");
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (member, bytes) in [
        ("metadata.json".to_owned(), br#"{"conda_pkg_format_version": 2}"#.to_vec()),
        (format!("info-{name}-{version}-h0_0.tar.zst"), info.clone()),
        (format!("pkg-{name}-{version}-h0_0.tar.zst"), info),
    ] {
        archive.start_file(member, stored).expect("memory takes everything");
        archive.write_all(&bytes).expect("memory takes everything");
    }
    archive.finish().expect("memory takes everything").into_inner()
}

async fn put(by: &Person, name: &str, version: &str, subdir: &str) {
    let path = format!("//dl/ada/repo/{subdir}/{name}-{version}-h0_0.conda");
    by.put(&path).body(conda(name, version, subdir)).await.refuses(201, "success");
}

async fn repodata(who: &Person, subdir: &str) -> Value {
    who.download(&format!("/ada/repo/{subdir}/repodata.json")).await.expect(200).json()
}

#[tokio::test]
async fn each_platform_has_an_index_of_its_packages() {
    let (house, ada) = repo_of("conda").await;
    new_package(&ada, "ada/repo", "hello").await;
    let anyone = house.anyone();
    let path = "/content/ada/repo/hello/1.0/linux-64/hello-1.0-h0_0.conda?publish=1";
    ada.put(path).body(conda("hello", "1.0", "linux-64")).await.refuses(201, "success");
    // Clients fail without this index.
    let empty = repodata(&anyone, "noarch").await;
    assert_eq!((&empty["packages"], &empty["packages.conda"]), (&json!({}), &json!({})));
    for number in 1..40 {
        put(&ada, "hello", &format!("1.{number}"), "linux-64").await;
    }
    put(&ada, "pure", "2.0", "noarch").await;
    let index = repodata(&anyone, "linux-64").await;
    assert_eq!(index["info"]["subdir"], "linux-64");
    let packed = anyone.download("/ada/repo/linux-64/repodata.json.zst").await.expect(200).body;
    let text = zstd::decode_all(&packed[..]).expect("one frame");
    assert_eq!(serde_json::from_slice::<Value>(&text).expect("JSON"), index);
    let records = index["packages.conda"].as_object().expect("a map");
    assert_eq!(records.len(), 40);
    let record = &records["hello-1.7-h0_0.conda"];
    let body = anyone.download("/ada/repo/linux-64/hello-1.7-h0_0.conda").await.expect(200).body;
    assert_eq!((&record["name"], &record["size"]), (&json!("hello"), &json!(body.len())));
    let pure = repodata(&anyone, "noarch").await;
    assert_eq!(pure["packages.conda"].as_object().expect("a map").len(), 1);
    ada.delete("/packages/ada/repo/hello/versions/1.7").await.expect(200);
    assert!(repodata(&anyone, "linux-64").await["packages.conda"].get("hello-1.7-h0_0.conda").is_none());
    let before = repodata(&anyone, "linux-64").await;
    ada.post("/calc_metadata/ada/repo").await.refuses(202, "success");
    assert_eq!(repodata(&anyone, "linux-64").await, before);
    // Files that clients try first.
    for name in ["repodata.json.bz2", "current_repodata.json"] {
        anyone.download(&format!("/ada/repo/linux-64/{name}")).await.expect(404);
    }
}

/// The names and the digests of shards: each is a text of up to 31 bytes and 32 bytes.
fn shards(index: &[u8]) -> Vec<(String, String)> {
    let index = zstd::decode_all(index).expect("zstd");
    let marks: Vec<usize> =
        index.windows(2).enumerate().filter(|(_, two)| *two == [0xc4, 0x20]).map(|(at, _)| at).collect();
    let shard = |at: usize| {
        let length = (1..32).find(|length| usize::from(index[at - 1 - length]) == 0xa0 + length).expect("a text");
        let name = String::from_utf8_lossy(&index[at - length..at]).into_owned();
        (name, index[at + 2..at + 34].iter().map(|byte| format!("{byte:02x}")).collect())
    };
    marks.into_iter().map(shard).collect()
}

#[tokio::test]
async fn each_name_has_a_shard_that_stays_after_it_was_replaced() {
    let (house, ada) = repo_of("conda").await;
    let anyone = house.anyone();
    let read = async || {
        let path = "/ada/repo/linux-64/repodata_shards.msgpack.zst";
        shards(&anyone.download(path).await.expect(200).body)
    };
    let shard = async |digest: &str| {
        let path = format!("/ada/repo/linux-64/shards/{digest}.msgpack.zst");
        let answer = anyone.download(&path).await.expect(200);
        assert!(answer.header("cache-control").contains("immutable"));
        assert_eq!(answer.header("x-checksum-sha2"), digest);
        String::from_utf8_lossy(&zstd::decode_all(&answer.body[..]).expect("zstd")).into_owned()
    };
    for (name, version) in [("hello", "1.0"), ("other", "2.0")] {
        put(&ada, name, version, "linux-64").await;
    }
    let first = read().await;
    assert_eq!(first.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["hello", "other"]);
    assert!(shard(&first[0].1).await.contains("hello-1.0-h0_0.conda"));
    put(&ada, "hello", "1.1", "linux-64").await;
    run_job(&house).await;
    let second = read().await;
    assert_eq!(second[1], first[1]);
    assert!(shard(&second[0].1).await.contains("hello-1.1-h0_0.conda"));
    assert!(!shard(&first[0].1).await.contains("hello-1.1-h0_0.conda"));
    anyone.download(&format!("/ada/repo/linux-64/shards/{}.msgpack.zst", "0".repeat(64))).await.expect(404);
    ada.put("/content/ada/repo/hello/1.0/linux-64/shards/x").body("x").await.expect(400);
}

#[tokio::test]
async fn a_package_must_be_at_its_own_path() {
    let (_house, ada) = repo_of("conda").await;
    new_package(&ada, "ada/repo", "hello").await;
    let path = "/content/ada/repo/hello/1.0/osx-64/hello-1.0-h0_0.conda?publish=1";
    ada.put(path).body(conda("hello", "1.0", "linux-64")).await.expect(400);
    let path = "/content/ada/repo/hello/1.0/linux-64/hello-1.0-h0_0.conda?publish=1";
    ada.put(path).body("x").await.expect(400);
}
