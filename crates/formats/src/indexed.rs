//! Plain types that all formats with repository indexes share.

use std::fmt::Write;

use operations::format::FileView;
use serde::{Serialize, de::DeserializeOwned};

/// A published file, as its index entry needs it. Size and digests come from the store, never from the package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexedFile<'a> {
    /// Its path in the repository.
    pub path: &'a str,
    /// Its size.
    pub size_bytes: u64,
    /// Its SHA-256 in hexadecimal digits.
    pub sha256: &'a str,
    /// Its MD5 in hexadecimal digits, if the store has it.
    pub md5: Option<&'a str>,
    /// The time it was published, in milliseconds since the start of 1970.
    pub published: i64,
}

impl IndexedFile<'_> {
    /// The last segment of the path.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(self.path)
    }

    /// The time it was published, in seconds.
    pub fn published_secs(&self) -> i64 {
        self.published.div_euclid(1_000)
    }
}

/// A complete file of an index, which a document over it refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BuiltIndexFile<'a> {
    /// Its path, relative to the document.
    pub path: &'a str,
    /// Its size.
    pub size_bytes: u64,
    /// Its SHA-256 in hexadecimal digits.
    pub sha256: &'a str,
}

/// A published file with the facts about its content.
#[derive(Debug)]
pub struct DescribedFile<'f, T> {
    /// The facts.
    pub facts: T,
    view: &'f FileView,
    sha256: String,
}

impl<'f, T: DeserializeOwned> DescribedFile<'f, T> {
    /// Decodes the facts of files. Files without valid ones are left out.
    pub fn read_all(files: &'f [FileView]) -> Vec<Self> {
        let read = |view: &'f FileView| {
            let facts = decode(view.about.as_deref()?).ok()?;
            Some(Self { facts, view, sha256: view.sha256.to_string() })
        };
        files.iter().filter_map(read).collect()
    }

    /// The file, as its entry needs it.
    pub fn file(&self) -> IndexedFile<'_> {
        IndexedFile {
            path: self.view.path.as_str(),
            size_bytes: self.view.size_bytes,
            sha256: &self.sha256,
            md5: self.view.md5.as_deref(),
            published: self.view.published.millis(),
        }
    }
}

/// Encodes facts for the database.
pub fn encode(facts: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(facts).expect("facts have text keys")
}

/// Decodes facts from the database.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    serde_json::from_slice(bytes).map_err(|error| format!("the stored facts are damaged: {error}"))
}

/// Formats bytes in hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Returns whether a text begins with one character class and continues with another, and is not too long.
pub(crate) fn matches(text: &str, first: impl Fn(u8) -> bool, rest: impl Fn(u8) -> bool) -> bool {
    match text.as_bytes() {
        [head, tail @ ..] => text.len() <= 200 && first(*head) && tail.iter().all(|byte| rest(*byte)),
        [] => false,
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::cmp::Ordering;

    use super::*;

    /// Checks a comparison against that of the ecosystem's own tool: each line has a version, and a sign for each of the
    /// versions after it.
    pub(crate) fn check_order(file: &str, compare: impl Fn(&str, &str) -> Ordering) {
        let lines: Vec<(&str, &str)> = file.lines().map(|line| line.split_once(' ').unwrap_or((line, ""))).collect();
        let mut count = 0;
        for (at, (left, signs)) in lines.iter().enumerate() {
            assert_eq!(signs.len(), lines.len() - at - 1, "{left} is compared with all later versions");
            for ((right, _), sign) in lines[at + 1..].iter().zip(signs.chars()) {
                let expected = match sign {
                    '<' => Ordering::Less,
                    '=' => Ordering::Equal,
                    _ => Ordering::Greater,
                };
                assert_eq!(compare(left, right), expected, "{left} {sign} {right}");
                assert_eq!(compare(right, left), expected.reverse(), "{left} {sign} {right}, the other way");
                count += 1;
            }
        }
        assert!(count >= 10_000, "only {count} pairs");
    }

    /// A published file for samples.
    pub(crate) fn file(path: &str) -> IndexedFile<'_> {
        IndexedFile { path, size_bytes: 1412, sha256: "9f86", md5: Some("5d41"), published: 1_763_287_200_000 }
    }

    #[test]
    fn a_file_has_a_name_and_a_time() {
        assert_eq!(file("a/b.deb").name(), "b.deb");
        assert_eq!(file("b.deb").name(), "b.deb");
        assert_eq!(file("b.deb").published_secs(), 1_763_287_200);
        assert_eq!(hex(&[0, 0x9f, 0xff]), "009fff");
    }

    #[test]
    fn facts_survive_the_database() {
        let facts = vec![("a".to_owned(), "\n\u{2028}".to_owned())];
        assert_eq!(decode(&encode(&facts)), Ok(facts));
        assert!(decode::<Vec<String>>(b"{").is_err());
    }
}
