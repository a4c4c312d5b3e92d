//! Documents that are made from the text of `versions` when they are read.

use std::io::Write;

use flate2::{Compression, write::GzEncoder};

use operations::format::{LogGroup, StreamLog};

use super::{
    compact,
    format::Rubygems,
    layout::NAMES,
    name::{GemName, split_number},
    specs::{GemEntry, SpecsList, entries_of_list, specs_block, specs_header},
    version::GemVersion,
};

/// The document at a path.
pub(super) fn document(path: &str, text: Vec<u8>) -> Vec<u8> {
    if path == NAMES {
        return names(&text).into_bytes();
    }
    let lists = [SpecsList::Releases, SpecsList::Latest, SpecsList::Prereleases];
    match lists.into_iter().find(|list| list.file_name() == path) {
        Some(list) => specs(list, &text),
        None => text,
    }
}

fn names(text: &[u8]) -> String {
    let mut names: Vec<GemName> = gems(text).into_iter().map(|(name, _)| name).collect();
    names.sort();
    compact::names(&names)
}

fn specs(list: SpecsList, text: &[u8]) -> Vec<u8> {
    let (mut count, mut blocks) = (0, Vec::new());
    for (_, entries) in gems(text) {
        let chosen: Vec<GemEntry> = entries_of_list(list, &entries).into_iter().cloned().collect();
        count += chosen.len();
        blocks.extend(specs_block(&chosen));
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(&specs_header(count)).expect("memory takes all bytes");
    encoder.write_all(&blocks).expect("memory takes all bytes");
    encoder.finish().expect("memory takes all bytes")
}

/// The gems that have versions, by name.
fn gems(text: &[u8]) -> Vec<(GemName, Vec<GemEntry>)> {
    let start = text.windows(5).position(|window| window == b"\n---\n").map_or(0, |at| at + 5);
    let gem = |(name, group): (String, LogGroup)| {
        let name = GemName::parse(&name).ok()?;
        let entry = |number: &String| {
            let (version, platform) = split_number(number);
            let version = GemVersion::parse(version).ok()?;
            Some(GemEntry { name: name.clone(), version, platform: platform.to_owned() })
        };
        let entries: Vec<GemEntry> = group.labels.iter().filter_map(entry).collect();
        (!entries.is_empty()).then_some((name, entries))
    };
    Rubygems.read(&text[start..]).into_iter().filter_map(gem).collect()
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::GzDecoder;

    use super::*;

    const TEXT: &[u8] = b"created_at: x\n---\nhello 1.0,1.1-java 5d41\nant 1.0 7d79\nold 1 1234\n\
                          hello 2.0.rc1,9 5e41\nhello -9 5f41\nold -1 4321\n";

    fn unpacked(path: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        GzDecoder::new(document(path, TEXT.to_vec()).as_slice()).read_to_end(&mut bytes).expect("one member");
        bytes
    }

    #[test]
    fn names_are_sorted() {
        assert_eq!(document("names", TEXT.to_vec()), b"---\nant\nhello\n");
        assert_eq!(document("names", b"created_at: x\n---\n".to_vec()), b"---\n");
        assert_eq!(document("versions", TEXT.to_vec()), TEXT);
    }

    #[test]
    fn lists_have_their_number_of_entries() {
        for (path, count) in [("specs.4.8.gz", 3), ("latest_specs.4.8.gz", 3), ("prerelease_specs.4.8.gz", 1)] {
            assert!(unpacked(path).starts_with(&specs_header(count)), "{path}");
        }
        let java = unpacked("specs.4.8.gz");
        assert!(java.windows(4).any(|window| window == b"java") && !java.windows(3).any(|window| window == b"rc1"));
    }
}
