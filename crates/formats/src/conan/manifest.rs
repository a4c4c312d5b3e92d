//! conanmanifest.txt: the time of an export and the MD5 of each file in it.

use crate::readers::quoted;

/// The maximum size of a manifest, and the maximum number of its files.
pub const MANIFEST_BYTES: usize = 1024 * 1024;
const FILES: usize = 100_000;

/// A parsed manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConanManifest {
    /// The time of the export, in seconds since the start of 1970.
    pub seconds: i64,
    /// The files with their MD5 in hex.
    pub files: Vec<(String, String)>,
}

impl ConanManifest {
    /// Parses a manifest: a time, then lines of `path: md5`.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        if bytes.len() > MANIFEST_BYTES {
            return Err("conanmanifest.txt is larger than 1 MiB".to_owned());
        }
        let text = str::from_utf8(bytes).map_err(|_| "conanmanifest.txt is not UTF-8".to_owned())?;
        let mut lines = text.lines().filter(|line| !line.trim().is_empty());
        let first = lines.next().unwrap_or_default().trim();
        let seconds = first.parse().map_err(|_| "conanmanifest.txt does not begin with a time".to_owned())?;
        let files: Vec<(String, String)> = lines.take(FILES + 1).map(file).collect::<Result<_, _>>()?;
        if files.len() > FILES {
            return Err(format!("conanmanifest.txt has more than {FILES} files"));
        }
        Ok(Self { seconds, files })
    }
}

fn file(line: &str) -> Result<(String, String), String> {
    let is_md5 = |text: &str| text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let pair = line.rsplit_once(": ").filter(|(path, md5)| !path.is_empty() && is_md5(md5.trim()));
    let (path, md5) = pair.ok_or_else(|| format!("the line '{}' of conanmanifest.txt is not valid", quoted(line)))?;
    Ok((path.to_owned(), md5.trim().to_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn time_and_files_are_read() {
        let text = format!("1767268800\nconanfile.py: {}\ninclude/a b.h: {}\n", "0f".repeat(16), "AB".repeat(16));
        let manifest = ConanManifest::parse(text.as_bytes()).expect("valid");
        assert_eq!((manifest.seconds, manifest.files.len()), (1_767_268_800, 2));
        assert_eq!(manifest.files[1], ("include/a b.h".to_owned(), "ab".repeat(16)));
    }

    #[test]
    fn other_texts_are_refused() {
        for bad in [&b""[..], b"now\n", b"1\nx\n", b"1\nx: y\n", b"1\n\xff", &vec![b'1'; 2 << 20]] {
            assert!(ConanManifest::parse(bad).is_err(), "{}", bad.len());
        }
    }

    proptest! {
        #[test]
        fn any_text_is_parsed_or_refused(text in "[0-9a-f: \\n]{0,60}") {
            let _ = ConanManifest::parse(text.as_bytes());
        }
    }
}
