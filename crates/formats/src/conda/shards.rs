//! Shards: the records of one name, and the list of all names (CEP 16), each compressed with zstd.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::msgpack::Writer;
use crate::indexed::hex;

/// The level of compression.
const LEVEL: i32 = 6;

/// The name of the list of all names.
pub const SHARD_INDEX: &str = "repodata_shards.msgpack.zst";

/// The folder of the shards of a platform, and of the files that they are made from.
pub fn folder(subdir: &str) -> String {
    format!("{subdir}/shards/")
}

/// The platform of a shard or a list of them.
pub fn subdir_of(path: &str) -> Option<&str> {
    let (subdir, file) = path.split_once('/')?;
    let is_shard = file.strip_prefix("shards/").is_some_and(|name| name.ends_with(".msgpack.zst"));
    (is_shard || file == SHARD_INDEX).then_some(subdir)
}

type Records<'r> = Vec<(&'r str, &'r Map<String, Value>)>;

/// The shards of a channel's index, and the list of them, each with its path.
pub fn split(subdir: &str, index: &[u8]) -> Vec<(String, Vec<u8>)> {
    let Ok(index) = serde_json::from_slice::<Value>(index) else { return Vec::new() };
    let mut names: BTreeMap<&str, [Records<'_>; 2]> = BTreeMap::new();
    for (place, key) in ["packages", "packages.conda"].into_iter().enumerate() {
        for (file, record) in index[key].as_object().into_iter().flatten() {
            let Some(record) = record.as_object() else { continue };
            let name = record.get("name").and_then(Value::as_str).unwrap_or_default();
            names.entry(name).or_default()[place].push((file, record));
        }
    }
    let (mut files, mut digests) = (Vec::new(), Vec::new());
    for (name, records) in &names {
        let bytes = packed(&shard(records));
        let digest: [u8; 32] = Sha256::digest(&bytes).into();
        files.push((format!("{}{}.msgpack.zst", folder(subdir), hex(&digest)), bytes));
        digests.push((*name, digest));
    }
    files.push((format!("{subdir}/{SHARD_INDEX}"), packed(&shard_index(subdir, &digests))));
    files
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, LEVEL).expect("memory takes all bytes")
}

/// The records of all files of one name, before compression: of .tar.bz2 files, and of .conda files.
fn shard(records: &[Records<'_>; 2]) -> Vec<u8> {
    let mut writer = Writer::default();
    writer.map(3);
    for (key, group) in ["packages", "packages.conda"].into_iter().zip(records) {
        writer.text(key);
        writer.map(group.len());
        for (file, record) in group {
            writer.text(file);
            write_record(&mut writer, record);
        }
    }
    writer.text("removed");
    writer.value(&Value::Array(Vec::new()));
    writer.0
}

/// The list of all names with the SHA-256 of their compressed shards, before compression.
fn shard_index(subdir: &str, shards: &[(&str, [u8; 32])]) -> Vec<u8> {
    let mut writer = Writer::default();
    writer.map(3);
    writer.text("info");
    writer.map(3);
    for (key, value) in [("base_url", ""), ("shards_base_url", "./shards/"), ("subdir", subdir)] {
        writer.text(key);
        writer.text(value);
    }
    writer.text("version");
    writer.number(1);
    writer.text("shards");
    writer.map(shards.len());
    for (name, digest) in shards {
        writer.text(name);
        writer.bytes(digest);
    }
    writer.0
}

/// Digests are bytes here, not hexadecimal digits.
fn write_record(writer: &mut Writer, record: &Map<String, Value>) {
    writer.map(record.len());
    for (key, value) in record {
        writer.text(key);
        let digest = value.as_str().filter(|_| matches!(key.as_str(), "md5" | "sha256" | "legacy_bz2_md5"));
        match digest.and_then(unhex) {
            Some(bytes) => writer.bytes(&bytes),
            None => writer.value(value),
        }
    }
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let pairs = text.as_bytes().chunks(2);
    pairs.map(|pair| u8::from_str_radix(str::from_utf8(pair).ok().filter(|pair| pair.len() == 2)?, 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_shard_has_digests_as_bytes() {
        let record = json!({"name": "a", "sha256": "9f86", "md5": "5d41"});
        let record = record.as_object().expect("a map");
        let bytes = shard(&[vec![("a.tar.bz2", record)], vec![("a.conda", record)]]);
        assert!(bytes.starts_with(b"\x83\xa8packages\x81\xa9a.tar.bz2"));
        let has = |part: &[u8]| bytes.windows(part.len()).any(|window| window == part);
        assert!(has(b"\xa6sha256\xc4\x02\x9f\x86") && has(b"\xa3md5\xc4\x02\x5d\x41"));
        assert!(has(b"\xaepackages.conda\x81\xa7a.conda"));
        assert!(bytes.ends_with(b"\xa7removed\x90"));
    }

    #[test]
    fn the_index_has_digests_of_shards() {
        let bytes = shard_index("noarch", &[("a", [7; 32])]);
        assert!(bytes.ends_with(&[&b"\xa6shards\x81\xa1a\xc4\x20"[..], &[7; 32]].concat()));
    }

    #[test]
    fn a_channel_has_a_shard_for_each_name() {
        let text = json!({"packages": {}, "packages.conda": {
            "a-1-0.conda": {"name": "a"}, "a-2-0.conda": {"name": "a"}, "b-1-0.conda": {"name": "b"}}});
        let files = split("noarch", text.to_string().as_bytes());
        assert_eq!(files.len(), 3);
        assert_eq!(files[2].0, "noarch/repodata_shards.msgpack.zst");
        let index = zstd::decode_all(&files[2].1[..]).expect("zstd");
        for (path, bytes) in &files[..2] {
            assert_eq!(*path, format!("noarch/shards/{}.msgpack.zst", hex(&Sha256::digest(bytes))));
            assert!(index.windows(32).any(|window| window == &Sha256::digest(bytes)[..]));
            assert_eq!(subdir_of(path), Some("noarch"));
        }
        assert_eq!(subdir_of("noarch/repodata_shards.msgpack.zst"), Some("noarch"));
        assert_eq!((subdir_of("noarch/shards/0.json"), subdir_of("noarch/repodata.json")), (None, None));
        assert!(split("noarch", b"x").is_empty());
    }
}
