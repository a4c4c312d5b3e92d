//! Reads a .dsc: the control file of a source package, which is often signed in cleartext.

use serde::{Deserialize, Serialize};

use super::names;
use crate::{
    indexed::{IndexedFile, matches},
    readers::{deb822::Stanza, quoted},
};

/// The maximum number of files of a source package.
const FILES: usize = 1_000;

/// Fields that an index writes itself.
const INDEX_FIELDS: &[&str] =
    &["Files", "Checksums-Sha1", "Checksums-Sha256", "Checksums-Sha512", "Directory", "Source"];

/// The facts about a .dsc.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFacts {
    /// The fields in their order, without those that an index writes itself.
    pub control: Stanza,
    /// The name of the source package.
    pub source: String,
    /// The version, with its epoch.
    pub version: String,
    /// The other files of the source package.
    pub files: Vec<SourceFile>,
}

/// A file that a .dsc names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFile {
    /// Its name, without a folder.
    pub name: String,
    /// Its size.
    pub size_bytes: u64,
    /// Its SHA-256 in hexadecimal digits.
    pub sha256: String,
    /// Its MD5 in hexadecimal digits, if the .dsc has it.
    pub md5: Option<String>,
}

/// Reads the facts of a .dsc. The signature is not verified here.
pub fn inspect(bytes: &[u8]) -> Result<SourceFacts, String> {
    let text = str::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
    let mut control = Stanza::parse_text(unsigned(text)?)?;
    // `Source: hello (1.0)` names another version than that of the upload.
    let source = control.line("Source")?.split_whitespace().next().unwrap_or_default().to_owned();
    let version = control.line("Version")?.to_owned();
    names::check_package(&source)?;
    names::check_version(&version)?;
    let files = control.get("Checksums-Sha256").ok_or("it has no field 'Checksums-Sha256'")?;
    let mut files: Vec<SourceFile> =
        files.lines().filter(|line| !line.is_empty()).map(file).collect::<Result<_, _>>()?;
    if files.len() > FILES {
        return Err(format!("it names more than {FILES} files"));
    }
    for file in &mut files {
        file.md5 = md5(control.get("Files").unwrap_or_default(), &file.name);
    }
    control.remove(INDEX_FIELDS);
    Ok(SourceFacts { control, source, version, files })
}

/// The signed text of a document in a cleartext signature, or the document itself.
fn unsigned(text: &str) -> Result<&str, String> {
    let Some(signed) = text.trim_start().strip_prefix("-----BEGIN PGP SIGNED MESSAGE-----") else { return Ok(text) };
    let (_, body) = signed.split_once("\n\n").ok_or("its signature has no text")?;
    let end = body.find("\n-----BEGIN PGP SIGNATURE-----").ok_or("its signature has no end")?;
    Ok(&body[..end])
}

/// Parses a line of `Checksums-Sha256`: digest, size and name.
fn file(line: &str) -> Result<SourceFile, String> {
    let invalid = || format!("its line '{}' names no file", quoted(line));
    let [sha256, size, name] = line.split_whitespace().collect::<Vec<_>>()[..] else { return Err(invalid()) };
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'.' | b'_' | b'-' | b'~' | b':');
    let is_digest = sha256.len() == 64 && sha256.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_digest || !matches(name, |byte| byte.is_ascii_alphanumeric(), is_name) {
        return Err(invalid());
    }
    let size_bytes = size.parse().map_err(|_| invalid())?;
    Ok(SourceFile { name: name.to_owned(), size_bytes, sha256: sha256.to_ascii_lowercase(), md5: None })
}

/// The MD5 of a file in the lines of `Files`, which old tools read.
fn md5(lines: &str, name: &str) -> Option<String> {
    let lines = lines.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let mut digests = lines.filter(|words| words.len() == 3 && words[2] == name).map(|words| words[0]);
    let is_digest = |digest: &&str| digest.len() == 32 && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
    digests.find(is_digest).map(str::to_ascii_lowercase)
}

impl SourceFacts {
    /// The files that the .dsc names, as an index lists them.
    pub fn named_files(&self) -> Vec<IndexedFile<'_>> {
        fn indexed(file: &SourceFile) -> IndexedFile<'_> {
            let SourceFile { name, size_bytes, sha256, md5 } = file;
            IndexedFile { path: name, size_bytes: *size_bytes, sha256, md5: md5.as_deref(), published: 0 }
        }
        self.files.iter().map(indexed).collect()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in super::super) fn dsc() -> String {
        let digest = "0f".repeat(32);
        format!(
            "Format: 3.0 (quilt)\nSource: hello\nBinary: hello\nArchitecture: any\nVersion: 1:2.10-3\nFiles:\n 00 12 hello_2.10.orig.tar.gz\nChecksums-Sha256:\n {digest} 12 hello_2.10.orig.tar.gz\n {digest} 7 hello_2.10-3.debian.tar.xz\n"
        )
    }

    #[test]
    fn a_source_package_is_read_signed_or_not() {
        let facts = inspect(dsc().as_bytes()).expect("valid");
        assert_eq!((facts.source.as_str(), facts.version.as_str()), ("hello", "1:2.10-3"));
        let names: Vec<&str> = facts.files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names, ["hello_2.10.orig.tar.gz", "hello_2.10-3.debian.tar.xz"]);
        let signed = format!(
            "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n{}\n-----BEGIN PGP SIGNATURE-----\n\nx\n-----END PGP SIGNATURE-----\n",
            dsc()
        );
        assert_eq!(inspect(signed.as_bytes()), Ok(facts));
    }

    #[test]
    fn named_files_have_all_their_digests() {
        let text = dsc().replace(" 00 12 hello_2.10", &format!(" {} 12 hello_2.10", "AB".repeat(16)));
        let facts = inspect(text.as_bytes()).expect("valid");
        let files = facts.named_files();
        assert_eq!((files[0].name(), files[0].size_bytes), ("hello_2.10.orig.tar.gz", 12));
        assert_eq!((files[0].md5, files[1].md5), (Some(&*"ab".repeat(16)), None));
        assert_eq!(files[1].sha256, "0f".repeat(32));
    }

    #[test]
    fn other_documents_are_refused() {
        for (from, to) in [
            ("Source: hello", "Source: ../x"),
            ("Version: 1:2.10-3", "Version: 1:"),
            (" 12 hello_2.10.orig.tar.gz\n 0f", " 12 ../x\n 0f"),
            (" 7 hello", " -7 hello"),
            ("Checksums-Sha256:", "Other:"),
            ("Binary: hello", "\nBinary: hello"),
            ("Format", "-----BEGIN PGP SIGNED MESSAGE-----\n\nFormat"),
        ] {
            let text = dsc().replacen(from, to, if from.starts_with(" 12") { 2 } else { 1 });
            assert_ne!(text, dsc(), "{from}");
            assert!(inspect(text.as_bytes()).is_err(), "{to}");
        }
    }
}
