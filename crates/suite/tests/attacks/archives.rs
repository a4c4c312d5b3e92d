//! Archives that programs unpack differently, and archives that are expensive to reject.

use std::io::{Cursor, Write};

use futures_util::TryStreamExt;
use serde_json::json;
use suite::{Answer, Person, TestHouse};

/// Starts a house with the package `ada/tools/cat`, and ada.
async fn cat() -> (TestHouse, Person) {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.post("/repos/ada/tools").await.expect(201);
    ada.post("/packages/ada/tools").json(json!({"name": "cat"})).await.expect(201);
    (house, ada)
}

async fn explode(by: &Person, archive: Vec<u8>) -> Answer {
    by.put("/content/ada/tools/cat/1.0/x.archive?explode=1&publish=1").body(archive).await
}

fn header(name: &str, size: usize, kind: tar::EntryType) -> tar::Header {
    let mut header = tar::Header::new_ustar();
    header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
    header.set_size(size as u64);
    header.set_mode(0o644);
    header.set_entry_type(kind);
    header.set_cksum();
    header
}

fn tar(names: &[&str]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for name in names {
        let kind = if name.ends_with('/') { tar::EntryType::Directory } else { tar::EntryType::Regular };
        builder.append(&header(name, 0, kind), b"".as_slice()).expect("appended");
    }
    builder.into_inner().expect("finished")
}

fn zip(names: &[&str]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for name in names {
        if name.ends_with('/') {
            writer.add_directory(*name, options).expect("a folder");
        } else {
            writer.start_file(*name, options).expect("a file");
        }
    }
    writer.finish().expect("finished").into_inner()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("memory takes it");
    encoder.finish().expect("memory takes it")
}

/// Escapes a name as messages do.
fn shown(name: &str) -> String {
    name.chars().flat_map(char::escape_debug).collect()
}

/// Returns the number of blobs in the store.
async fn stored(house: &TestHouse) -> usize {
    let listed: Vec<_> = house.app().house().blobs.list().try_collect().await.expect("listed");
    listed.len()
}

#[tokio::test]
async fn names_that_some_systems_take_for_one_are_refused() {
    let (house, ada) = cat().await;
    let alike = "has a name that differs from another one by letter case or by the composition of its characters only";
    let both = "is in the archive as a file and as a folder";
    for (names, reason) in [
        (["README", "readme"], alike),
        (["lib/a", "Lib/b"], alike),
        (["caf\u{e9}", "cafe\u{301}"], "is in the archive twice"),
        (["a", "a/b"], both),
        (["a/b", "a"], both),
        (["a/", "a"], both),
    ] {
        let expected = format!("archive: entry `{}` {reason}", shown(names[1]));
        for archive in [tar(&names), gzip(&tar(&names)), zip(&names)] {
            explode(&ada, archive).await.refuses(400, &expected);
        }
    }
    assert_eq!(stored(&house).await, 0);
    explode(&ada, zip(&["lib/", "lib/a", "lib/A2", "b"])).await.expect(201);
}

#[tokio::test]
async fn a_pax_size_that_contradicts_the_header_is_refused() {
    let (house, ada) = cat().await;
    let padded = |text: &[u8]| [text, &vec![0; text.len().wrapping_neg() % 512]].concat();
    let with_pax = |record: &[u8]| {
        let pax = header("pax", record.len(), tar::EntryType::XHeader);
        let file = header("a", 4, tar::EntryType::Regular);
        [pax.as_bytes(), &padded(record)[..], file.as_bytes(), &padded(b"meow")[..], &[0; 1_024]].concat()
    };
    let reason = "archive: entry `a` has another size in its pax header than in its own";
    for record in [&b"12 size=512\n"[..], b"10 size=0\n"] {
        explode(&ada, with_pax(record)).await.refuses(400, reason);
    }
    assert_eq!(stored(&house).await, 0);
    explode(&ada, with_pax(b"10 size=4\n")).await.expect(201);
}

#[tokio::test]
async fn entries_are_counted_before_any_is_stored() {
    let (house, ada) = cat().await;
    let names: Vec<String> = (0..10_001).map(|number| number.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    for archive in [tar(&names), gzip(&tar(&names)), zip(&names)] {
        explode(&ada, archive).await.refuses(400, "archive: the archive holds more than 10000 entries");
        assert_eq!(stored(&house).await, 0);
    }
}

#[tokio::test]
async fn what_is_wrong_with_the_last_entry_is_found_before_the_first_is_stored() {
    let (house, ada) = cat().await;
    explode(&ada, gzip(&tar(&["good", "better", "../evil"]))).await.expect(400);
    let cut = tar(&["good", "better"]);
    explode(&ada, cut[..cut.len() - 1_024].to_vec()).await.expect(400);
    assert_eq!(stored(&house).await, 0);
}
