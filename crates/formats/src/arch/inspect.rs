//! Reads a .pkg.tar: .PKGINFO and the list of files.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::{
    indexed::matches,
    readers::{
        Content, Limits,
        key_values::KeyValues,
        quoted,
        unpack::{self, Packing, STREAMED_BYTES, Unpacked},
        walk::{TarWalk, WalkedType},
    },
};

/// The maximum size of all file names together.
const NAMES_BYTES: usize = 16 * 1024 * 1024;

/// The file name extensions of packages.
const EXTENSIONS: &[&str] = &[".pkg.tar.zst", ".pkg.tar.xz", ".pkg.tar.gz"];

/// The keys of .PKGINFO and those of the database, in the order of `repo-add`. Sizes and digests of the file stand
/// between `GROUPS` and `URL`.
pub(super) const KEYS: &[(&str, &str)] = &[
    ("pkgdesc", "DESC"),
    ("group", "GROUPS"),
    ("url", "URL"),
    ("license", "LICENSE"),
    ("arch", "ARCH"),
    ("builddate", "BUILDDATE"),
    ("packager", "PACKAGER"),
    ("replaces", "REPLACES"),
    ("conflict", "CONFLICTS"),
    ("provides", "PROVIDES"),
    ("depend", "DEPENDS"),
    ("optdepend", "OPTDEPENDS"),
    ("makedepend", "MAKEDEPENDS"),
    ("checkdepend", "CHECKDEPENDS"),
];

/// Keys that have one value.
const SINGLE: &[&str] = &["pkgdesc", "url", "arch", "builddate", "packager"];

/// The facts about a package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchFacts {
    /// The name of the package.
    pub name: String,
    /// The name of the source that it comes from.
    pub base: String,
    /// The version, with epoch and release.
    pub version: String,
    /// The architecture, or `any`.
    pub architecture: String,
    /// The size after installation.
    pub installed_bytes: u64,
    /// Other values by the keys of the database, in its order.
    pub values: Vec<(String, Vec<String>)>,
    /// The paths of all files, sorted; those of folders end with `/`.
    pub files: Vec<String>,
}

/// Reads the facts of a package. The file list needs the whole archive, of which only names are stored.
pub fn inspect(content: &mut dyn Content, limits: &Limits) -> Result<ArchFacts, String> {
    // Content that is not stored has no ratio.
    let limits = Limits { bytes: STREAMED_BYTES, ratio: u64::MAX, ..limits.clone() };
    let size_bytes = content.size();
    let mut packed = unpack::open(content, &limits)?;
    let packing = Packing::of(unpack::peek(&mut packed)?);
    if !matches!(packing, Packing::Zstd | Packing::Xz | Packing::Gzip) {
        return Err("it is not a tar.zst, tar.xz or tar.gz archive".to_owned());
    }
    let mut walk = TarWalk::new(Unpacked::new(packed, packing, size_bytes, &limits)?, &limits);
    let (mut info, mut files, mut names_bytes) = (None, BTreeSet::new(), 0);
    while let Some(entry) = walk.next_entry()? {
        if entry.path == ".PKGINFO" {
            if info.is_some() {
                return Err("entry `.PKGINFO` appears in the archive twice".to_owned());
            }
            info = Some(walk.read(&entry)?);
        } else if !entry.path.starts_with('.') && !entry.path.is_empty() {
            let slash = if entry.entry_type == WalkedType::Folder { "/" } else { "" };
            names_bytes += entry.path.len();
            if names_bytes > NAMES_BYTES {
                return Err(format!("its file names have more than {NAMES_BYTES} bytes"));
            }
            check_line(&entry.path)?;
            files.insert(format!("{}{slash}", entry.path));
        }
    }
    walk.finish()?;
    let info = info.ok_or("it holds no file `.PKGINFO`")?;
    facts(&info, files.into_iter().collect()).map_err(|reason| format!(".PKGINFO: {reason}"))
}

fn facts(info: &[u8], files: Vec<String>) -> Result<ArchFacts, String> {
    let info = KeyValues::parse(info)?;
    let (name, version) = (info.required("pkgname")?.to_owned(), info.required("pkgver")?.to_owned());
    let architecture = info.required("arch")?.to_owned();
    let base = info.one("pkgbase")?.unwrap_or(&name).to_owned();
    check_name(&name)?;
    check_name(&base)?;
    check_version(&version)?;
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if !matches(&architecture, is_word, is_word) {
        return Err(format!("'{}' is not the name of an architecture", quoted(&architecture)));
    }
    SINGLE.iter().try_for_each(|key| info.one(key).map(|_| ()))?;
    info.number("builddate")?;
    let mut values = Vec::new();
    for (key, database_key) in KEYS {
        let all = info.all(key);
        all.iter().try_for_each(|value| check_line(value))?;
        if !all.is_empty() {
            values.push(((*database_key).to_owned(), all));
        }
    }
    let installed_bytes = info.number("size")?.unwrap_or(0);
    Ok(ArchFacts { name, base, version, architecture, installed_bytes, values, files })
}

/// Checks that a text is a value in the database: on one line, and not like a key.
fn check_line(text: &str) -> Result<(), String> {
    if text.starts_with('%') && text.ends_with('%') {
        return Err(format!("the text '{}' looks like a key of the database", quoted(text)));
    }
    if text.chars().any(char::is_control) {
        return Err(format!("the text '{}' holds a control character", quoted(text)));
    }
    Ok(())
}

fn check_name(name: &str) -> Result<(), String> {
    let is_first = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'@' | b'_' | b'+');
    let is_valid = matches(name, is_first, |byte| is_first(byte) || matches!(byte, b'.' | b'-')) && name.len() <= 100;
    is_valid.then_some(()).ok_or_else(|| format!("'{}' is not the name of an Arch package", quoted(name)))
}

fn check_version(text: &str) -> Result<(), String> {
    let (epoch, rest) = text.split_once(':').unwrap_or(("0", text));
    let parts = rest.split_once('-');
    let is_byte = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'+' | b'~');
    let is_valid = !epoch.is_empty()
        && epoch.bytes().all(|byte| byte.is_ascii_digit())
        && text.len() <= 50
        && parts.is_some_and(|(version, release)| {
            matches(version, is_byte, is_byte) && matches(release, |byte| byte.is_ascii_digit(), is_byte)
        });
    is_valid.then_some(()).ok_or_else(|| format!("'{}' is not the version of an Arch package", quoted(text)))
}

impl ArchFacts {
    /// Checks that a file name is `name-version-architecture` with a known extension.
    pub fn check_file_name(&self, name: &str) -> Result<(), String> {
        let stem = format!("{}-{}-{}", self.name, self.version, self.architecture);
        let is_own = name.strip_prefix(&stem).is_some_and(|rest| EXTENSIONS.contains(&rest));
        let wrong = || format!("the file name '{}' is not that of the package, '{stem}.pkg.tar.zst'", quoted(name));
        is_own.then_some(()).ok_or_else(wrong)
    }
}

#[cfg(test)]
#[path = "inspect_tests.rs"]
mod tests;
