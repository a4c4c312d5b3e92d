//! Shards: the records of one name, and the list of all names (CEP 16). The texts are compressed with zstd when they are
//! stored.

use serde_json::{Map, Value};

use super::{
    index::{is_conda, record},
    inspect::CondaFacts,
    msgpack::Writer,
};
use crate::indexed::IndexedFile;

/// The records of all files of one name, before compression.
pub fn shard(files: &[(&CondaFacts, IndexedFile<'_>)]) -> Vec<u8> {
    let mut writer = Writer::default();
    writer.map(3);
    for (key, is_new) in [("packages", false), ("packages.conda", true)] {
        let group: Vec<_> = files.iter().filter(|(_, file)| is_conda(file.name()) == is_new).collect();
        writer.text(key);
        writer.map(group.len());
        for (facts, file) in group {
            writer.text(file.name());
            write_record(&mut writer, &record(facts, file));
        }
    }
    writer.text("removed");
    writer.value(&Value::Array(Vec::new()));
    writer.0
}

/// The list of all names with the SHA-256 of their compressed shards, before compression.
pub fn shard_index(subdir: &str, shards: &[(&str, [u8; 32])]) -> Vec<u8> {
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
    use super::{
        super::{
            inspect::tests::look,
            samples::{INDEX, conda},
        },
        *,
    };
    use crate::indexed::tests::file;

    #[test]
    fn a_shard_has_digests_as_bytes() {
        let facts = look(conda(INDEX)).expect("valid");
        let bytes = shard(&[(&facts, file("linux-64/a.conda")), (&facts, file("linux-64/a.tar.bz2"))]);
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
}
