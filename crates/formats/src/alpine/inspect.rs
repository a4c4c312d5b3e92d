//! Reads an .apk: .PKGINFO in its control member.

use base64::{Engine, engine::general_purpose::STANDARD};
use serde::{Deserialize, Serialize};

use super::{container, version};
use crate::{
    indexed::{hex, matches},
    readers::{Content, Limits, key_values::KeyValues, quoted, walk},
    tar_text,
};

/// The facts about an .apk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApkFacts {
    /// The checksum of the control member, as the index has it: `Q1` and the SHA-1 in base64.
    pub checksum: String,
    /// The name of the package.
    pub name: String,
    /// The version.
    pub version: String,
    /// The architecture, or `noarch`.
    pub architecture: String,
    /// The size after installation.
    pub installed_bytes: u64,
    /// Other single values: the key of the index and the value.
    pub values: Vec<(char, String)>,
    /// Dependencies, provided names and packages that trigger the installation.
    pub depends: Vec<String>,
    /// Provided names.
    pub provides: Vec<String>,
    /// Packages that trigger the installation.
    pub install_if: Vec<String>,
}

/// The keys of .PKGINFO with one value and those of the index, in the order of the index.
const VALUES: &[(&str, char)] = &[
    ("pkgdesc", 'T'),
    ("url", 'U'),
    ("license", 'L'),
    ("origin", 'o'),
    ("maintainer", 'm'),
    ("builddate", 't'),
    ("commit", 'c'),
    ("provider_priority", 'k'),
];

/// Reads the facts of an .apk. Packages without a signature are refused unless `may_be_unsigned`.
pub fn inspect(content: &mut dyn Content, limits: &Limits, may_be_unsigned: bool) -> Result<ApkFacts, String> {
    let container = container::read(content, limits)?;
    if !container.is_signed && !may_be_unsigned {
        return Err("it is not signed".to_owned());
    }
    check_plain_names(&container.control)?;
    // Control members have no end mark, because the data member continues the tar.
    let tar = [&container.control[..], &tar_text::END].concat();
    let files = walk::collect(&tar[..], limits, &|path| path == ".PKGINFO");
    let mut files = files.map_err(|reason| format!("its control member: {reason}"))?;
    let (_, pkginfo) = files.pop().ok_or("its control member holds no file `.PKGINFO`")?;
    let info = KeyValues::parse(&pkginfo).map_err(|reason| format!(".PKGINFO: {reason}"))?;
    let facts = facts(&info, &container.control_sha1).map_err(|reason| format!(".PKGINFO: {reason}"))?;
    let data_hash = info.one("datahash")?;
    if data_hash.is_some_and(|hash| !hash.eq_ignore_ascii_case(&hex(&container.data_sha256))) {
        return Err("its data member has another hash than .PKGINFO says".to_owned());
    }
    Ok(facts)
}

fn facts(info: &KeyValues, sha1: &[u8]) -> Result<ApkFacts, String> {
    let (name, version) = (info.required("pkgname")?, info.required("pkgver")?);
    let architecture = info.required("arch")?;
    let is_name_byte = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'+' | b'-');
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if !matches(name, is_word, is_name_byte) {
        return Err(format!("'{}' is not the name of an Alpine package", quoted(name)));
    }
    if !version::is_valid(version) {
        return Err(format!("'{}' is not an Alpine version", quoted(version)));
    }
    if !matches(architecture, is_word, |byte| is_word(byte) || byte == b'-') {
        return Err(format!("'{}' is not the name of an architecture", quoted(architecture)));
    }
    let mut values = Vec::new();
    for (key, short) in VALUES {
        if let Some(value) = info.one(key)? {
            values.push((*short, value.to_owned()));
        }
    }
    info.number("builddate")?;
    info.number("provider_priority")?;
    Ok(ApkFacts {
        checksum: format!("Q1{}", STANDARD.encode(sha1)),
        name: name.to_owned(),
        version: version.to_owned(),
        architecture: architecture.to_owned(),
        installed_bytes: info.number("size")?.unwrap_or(0),
        values,
        depends: words(info, "depend")?,
        provides: words(info, "provides")?,
        install_if: words(info, "install_if")?,
    })
}

/// All words of a key that may repeat, or have several words in a line.
fn words(info: &KeyValues, key: &str) -> Result<Vec<String>, String> {
    let lines = info.all(key);
    let words: Vec<String> = lines.iter().flat_map(|line| line.split_whitespace()).map(str::to_owned).collect();
    if words.len() > 10_000 { Err(format!("it has more than 10000 values of '{key}'")) } else { Ok(words) }
}

/// Checks that no extension renames an entry of the control member: readers do not agree on which name counts. Headers
/// that are damaged are left to the reader of the tar.
fn check_plain_names(tar: &[u8]) -> Result<(), String> {
    let mut rest = tar;
    while let Some((header, after)) = rest.split_at_checked(512) {
        let size = str::from_utf8(&header[124..136]).ok().map(|size| size.trim_matches(['\0', ' ']));
        let size = size.and_then(|size| usize::from_str_radix(size, 8).ok()).unwrap_or(0);
        let content = &after[..size.min(after.len())];
        let is_renaming = match header[156] {
            b'L' => true,
            b'x' | b'g' => content.windows(5).any(|window| window == b"path="),
            _ => false,
        };
        if is_renaming {
            return Err("its control member has an entry with two names".to_owned());
        }
        rest = after.get(size.next_multiple_of(512)..).unwrap_or(&[]);
    }
    Ok(())
}

impl ApkFacts {
    /// The file name of the package.
    pub fn file_name(&self) -> String {
        format!("{}-{}.apk", self.name, self.version)
    }

    /// Checks the file name of the package, by which clients ask for it.
    pub fn check_file_name(&self, name: &str) -> Result<(), String> {
        let expected = self.file_name();
        let wrong = || format!("the file name '{}' is not that of the package, '{expected}'", quoted(name));
        (name == expected).then_some(()).ok_or_else(wrong)
    }
}

#[cfg(test)]
#[path = "inspect_tests.rs"]
mod tests;
