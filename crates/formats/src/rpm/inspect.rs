//! Reads an .rpm: the lead, the signature header and the main header.

use std::io::SeekFrom;

use serde::{Deserialize, Serialize};

use super::{
    dependencies::RpmDependency,
    fragments::{self, RpmFragments},
    header::RpmHeader,
    tags,
};
use crate::{
    indexed::matches,
    readers::{Content, Limits, quoted},
};

const LEAD_BYTES: u64 = 96;
const LEAD_MAGIC: [u8; 4] = [0xed, 0xab, 0xee, 0xdb];

/// The maximum size of all paths together.
const PATHS_BYTES: usize = 16 * 1024 * 1024;

/// The facts about an .rpm.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RpmFacts {
    /// The name of the package.
    pub name: String,
    /// The epoch, which is mostly 0.
    pub epoch: u64,
    /// The version.
    pub version: String,
    /// The release.
    pub release: String,
    /// The architecture; that of a source package is `src`.
    pub architecture: String,
    /// The texts of its index entries.
    pub fragments: RpmFragments,
}

impl RpmFacts {
    /// The version in the catalogue: `2.10-3`, or `1:2.10-3` with an epoch.
    pub fn full_version(&self) -> String {
        let epoch = if self.epoch == 0 { String::new() } else { format!("{}:", self.epoch) };
        format!("{epoch}{}-{}", self.version, self.release)
    }

    /// The usual file name, which a file need not have.
    pub fn usual_name(&self) -> String {
        format!("{}-{}-{}.{}.rpm", self.name, self.version, self.release, self.architecture)
    }

    /// The usual path: `Packages/h/hello-2.10-3.x86_64.rpm`.
    pub fn usual_path(&self) -> String {
        let letter = self.name.chars().next().unwrap_or('_').to_ascii_lowercase();
        format!("Packages/{letter}/{}", self.usual_name())
    }
}

/// Reads the facts of an .rpm.
pub fn inspect(content: &mut dyn Content, _limits: &Limits) -> Result<RpmFacts, String> {
    let unreadable = |error| format!("the content is unreadable: {error}");
    content.rewind().map_err(unreadable)?;
    let mut lead = [0; 4];
    if content.read_exact(&mut lead).is_err() || lead != LEAD_MAGIC {
        return Err("it is not an RPM package".to_owned());
    }
    content.seek(SeekFrom::Start(LEAD_BYTES)).map_err(unreadable)?;
    let signature = RpmHeader::read(&mut &mut *content, "signature header")?;
    let start = LEAD_BYTES + signature.size_bytes.next_multiple_of(8);
    content.seek(SeekFrom::Start(start)).map_err(unreadable)?;
    let header = RpmHeader::read(&mut &mut *content, "header")?;
    let range = (start, start + header.size_bytes);
    facts(&signature, &header, range)
}

fn facts(signature: &RpmHeader, header: &RpmHeader, range: (u64, u64)) -> Result<RpmFacts, String> {
    let epoch = header.numbers(tags::EPOCH).map_err(|_| "its epoch is not a number")?.into_iter().next().unwrap_or(0);
    let (name, architecture) = (header.text(tags::NAME)?, architecture(header)?);
    let (version, release) = (header.text(tags::VERSION)?, header.text(tags::RELEASE)?);
    check_name(&name)?;
    check_version("version", &version)?;
    check_version("release", &release)?;
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if !matches(&architecture, is_word, is_word) {
        return Err(format!("'{}' is not the name of an architecture", quoted(&architecture)));
    }
    let files = files(header)?;
    let dependencies = tags::DEPENDENCIES
        .iter()
        .map(|(kind, names, versions, flags)| Ok((*kind, RpmDependency::read(header, *names, *versions, *flags)?)))
        .collect::<Result<Vec<_>, String>>()?;
    let mut facts = RpmFacts { name, epoch, version, release, architecture, fragments: RpmFragments::default() };
    facts.fragments = fragments::build(&facts, signature, header, range, &files, &dependencies)?;
    Ok(facts)
}

/// A source package has no name of another package that it comes from.
fn architecture(header: &RpmHeader) -> Result<String, String> {
    let architecture = header.text(tags::ARCH)?;
    Ok(if header.text(tags::SOURCE_RPM)?.is_empty() { "src".to_owned() } else { architecture })
}

fn check_name(name: &str) -> Result<(), String> {
    let is_byte = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'+' | b'-' | b'%' | b'~');
    let is_valid = matches(name, |byte| byte.is_ascii_alphanumeric() || byte == b'_', is_byte);
    is_valid.then_some(()).ok_or_else(|| format!("'{}' is not the name of an RPM package", quoted(name)))
}

fn check_version(what: &str, text: &str) -> Result<(), String> {
    let is_byte = |byte: u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'+' | b'%' | b'~' | b'^' | b'{' | b'}')
    };
    matches(text, is_byte, is_byte)
        .then_some(())
        .ok_or_else(|| format!("'{}' is not the {what} of an RPM", quoted(text)))
}

/// A file of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RpmFile {
    /// Its path.
    pub path: String,
    /// `dir` or `ghost`, or empty for a plain file.
    pub file_type: &'static str,
}

fn files(header: &RpmHeader) -> Result<Vec<RpmFile>, String> {
    let (modes, flags) = (header.numbers(tags::FILE_MODES)?, header.numbers(tags::FILE_FLAGS)?);
    let mut paths = header.texts(tags::OLD_FILE_NAMES)?;
    if paths.is_empty() {
        let (folders, names) = (header.texts(tags::DIR_NAMES)?, header.texts(tags::BASE_NAMES)?);
        let indexes = header.numbers(tags::DIR_INDEXES)?;
        if indexes.len() != names.len() {
            return Err("the header has file names without folders".to_owned());
        }
        let mut bytes = 0;
        for (name, index) in names.iter().zip(indexes) {
            let folder = usize::try_from(index).ok().and_then(|index| folders.get(index));
            let folder = folder.ok_or("the header has a file in a folder that it does not have")?;
            bytes += folder.len() + name.len();
            if bytes > PATHS_BYTES {
                return Err(format!("its paths have more than {PATHS_BYTES} bytes"));
            }
            paths.push(format!("{folder}{name}"));
        }
    }
    let file_type = |at: usize| match (modes.get(at), flags.get(at)) {
        (Some(mode), _) if mode & 0o170_000 == 0o040_000 => "dir",
        (_, Some(flags)) if flags & 64 != 0 => "ghost",
        _ => "",
    };
    Ok(paths.into_iter().enumerate().map(|(at, path)| RpmFile { path, file_type: file_type(at) }).collect())
}

#[cfg(test)]
#[path = "inspect_tests.rs"]
mod tests;
