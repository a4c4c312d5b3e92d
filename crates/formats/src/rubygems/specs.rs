//! `specs.4.8`, `latest_specs.4.8` and `prerelease_specs.4.8`: Marshal arrays of name, version and platform.

use super::{name::GemName, version::GemVersion};
use crate::readers::marshal::Marshal;

/// The three lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpecsList {
    /// All releases.
    Releases,
    /// The highest release of each platform of a gem.
    Latest,
    /// All prereleases.
    Prereleases,
}

impl SpecsList {
    /// The file of the list, compressed as one gzip member.
    pub fn file_name(self) -> &'static str {
        match self {
            Self::Releases => "specs.4.8.gz",
            Self::Latest => "latest_specs.4.8.gz",
            Self::Prereleases => "prerelease_specs.4.8.gz",
        }
    }
}

/// A version of a gem for one platform.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GemEntry {
    /// The name.
    pub name: GemName,
    /// The version.
    pub version: GemVersion,
    /// The platform.
    pub platform: String,
}

/// The start of a list with its number of entries. The entries follow, in blocks of any size.
pub fn specs_header(entries: usize) -> Vec<u8> {
    let mut marshal = Marshal::document();
    marshal.array(entries);
    marshal.into_bytes()
}

/// The entries of a block.
pub fn specs_block(entries: &[GemEntry]) -> Vec<u8> {
    let mut marshal = Marshal::default();
    for entry in entries {
        marshal.array(3);
        marshal.string(entry.name.as_str());
        write_version(&mut marshal, entry.version.as_str());
        marshal.string(&entry.platform);
    }
    marshal.into_bytes()
}

/// Writes a `Gem::Version`.
pub(super) fn write_version(marshal: &mut Marshal, version: &str) {
    marshal.custom("Gem::Version");
    marshal.array(1);
    marshal.string(version);
}

/// Selects the entries of one gem that belong to a list.
pub fn entries_of_list(list: SpecsList, entries: &[GemEntry]) -> Vec<&GemEntry> {
    let is_prerelease = list == SpecsList::Prereleases;
    let all = entries.iter().filter(|entry| entry.version.is_prerelease() == is_prerelease);
    if list != SpecsList::Latest {
        return all.collect();
    }
    let mut latest: Vec<&GemEntry> = Vec::new();
    for entry in all {
        match latest.iter_mut().find(|other| other.platform == entry.platform) {
            Some(other) if other.version.order(&entry.version).is_lt() => *other = entry,
            Some(_) => {}
            None => latest.push(entry),
        }
    }
    latest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(version: &str, platform: &str) -> GemEntry {
        GemEntry {
            name: GemName::parse("hello").expect("a name"),
            version: GemVersion::parse(version).expect("a version"),
            platform: platform.to_owned(),
        }
    }

    /// `oracles/rubygems_quick.rb` loads the same bytes with Ruby.
    #[test]
    fn a_list_is_a_marshal_array() {
        let entries = [entry("1.0.0", "ruby"), entry("1.1.0", "java")];
        let whole = [specs_header(2), specs_block(&entries)].concat();
        let parts = [specs_header(2), specs_block(&entries[..1]), specs_block(&entries[1..])].concat();
        assert_eq!(whole, parts);
        let hex: String = whole.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, include_str!("../../oracles/rubygems-specs.hex").trim());
    }

    #[test]
    fn the_latest_release_of_each_platform_is_listed() {
        let entries = [entry("1.0", "ruby"), entry("1.10", "ruby"), entry("1.9", "java"), entry("2.0.rc1", "ruby")];
        let list =
            |list| entries_of_list(list, &entries).into_iter().map(|entry| entry.version.as_str()).collect::<Vec<_>>();
        assert_eq!(list(SpecsList::Releases), ["1.0", "1.10", "1.9"]);
        assert_eq!(list(SpecsList::Latest), ["1.10", "1.9"]);
        assert_eq!(list(SpecsList::Prereleases), ["2.0.rc1"]);
        assert_eq!(SpecsList::Latest.file_name(), "latest_specs.4.8.gz");
    }
}
