//! Checksum files: `lib.jar.sha1` contains the SHA-1 of `lib.jar`.

use crate::file_path::FilePath;

/// A checksum algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Algorithm {
    /// 128 bits; for old clients.
    Md5,
    /// 160 bits; build tools compare it.
    Sha1,
    /// 256 bits.
    Sha256,
    /// 512 bits.
    Sha512,
}

impl Algorithm {
    /// Every algorithm that a checksum file can use.
    pub const ALL: [Self; 4] = [Self::Md5, Self::Sha1, Self::Sha256, Self::Sha512];

    /// Its usual name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Md5 => "MD5",
            Self::Sha1 => "SHA-1",
            Self::Sha256 => "SHA-256",
            Self::Sha512 => "SHA-512",
        }
    }

    /// The file extension of its checksum files, without the dot.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Md5 => "md5",
            Self::Sha1 => "sha1",
            Self::Sha256 => "sha256",
            Self::Sha512 => "sha512",
        }
    }

    /// The number of hexadecimal digits in a checksum.
    pub const fn hex_digits(self) -> usize {
        match self {
            Self::Md5 => 32,
            Self::Sha1 => 40,
            Self::Sha256 => 64,
            Self::Sha512 => 128,
        }
    }

    /// Reads the checksum from the content of a checksum file, in lower case. Returns `None` if it contains no checksum
    /// of this algorithm.
    ///
    /// Tools write only the digits, the digits and a file name, or `SHA1(name)= ` and the digits.
    pub fn read(self, content: &str) -> Option<String> {
        let line = content.lines().map(str::trim).find(|line| !line.is_empty())?;
        let first = line.split_whitespace().next();
        let last = line.rsplit_once("= ").map(|(_, sum)| sum);
        first.into_iter().chain(last).find(|sum| self.is_sum(sum)).map(str::to_ascii_lowercase)
    }

    fn is_sum(self, text: &str) -> bool {
        text.len() == self.hex_digits() && text.bytes().all(|digit| digit.is_ascii_hexdigit())
    }
}

/// The file and the algorithm that the name of a checksum file stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChecksumFile {
    /// The file whose checksum it contains.
    pub main: FilePath,
    /// The algorithm of the checksum.
    pub algorithm: Algorithm,
}

impl ChecksumFile {
    /// Parses the path of a checksum file. Returns `None` for other paths.
    pub fn parse(path: &FilePath) -> Option<Self> {
        let (main, extension) = path.as_str().rsplit_once('.')?;
        let algorithm = Algorithm::ALL.into_iter().find(|algorithm| algorithm.extension() == extension)?;
        Some(Self { main: FilePath::parse(main).ok()?, algorithm })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn side_file(path: &str) -> Option<(String, Algorithm)> {
        let side = ChecksumFile::parse(&FilePath::parse(path).expect("a path"))?;
        Some((side.main.to_string(), side.algorithm))
    }

    #[test]
    fn the_name_tells_the_file_and_the_algorithm() {
        assert_eq!(side_file("a/b.jar.md5"), Some(("a/b.jar".into(), Algorithm::Md5)));
        assert_eq!(side_file("a/b.jar.sha1"), Some(("a/b.jar".into(), Algorithm::Sha1)));
        assert_eq!(side_file("b.sha256"), Some(("b".into(), Algorithm::Sha256)));
        assert_eq!(side_file("a/b.asc.sha512"), Some(("a/b.asc".into(), Algorithm::Sha512)));
    }

    #[test]
    fn other_names_are_files_of_their_own() {
        for path in
            ["a/b.jar", "a/sha1", "a.sha1/b", "a/.sha1", ".md5", "a/b.SHA1", "a/b.sha", "a/b.sha3", "a/b.sha1.asc"]
        {
            assert_eq!(side_file(path), None, "{path}");
        }
    }

    #[test]
    fn every_spelling_of_a_checksum_is_read() {
        let sum = "da39a3ee5e6b4b0d3255bfef95601890afd80709";
        for content in [
            sum.to_owned(),
            format!("{}\n", sum.to_uppercase()),
            format!("\n  {sum}  lib.jar\n"),
            format!("{sum} *lib= 1.jar"),
            format!("SHA1(lib.jar)= {sum}\r\n"),
        ] {
            assert_eq!(Algorithm::Sha1.read(&content).as_deref(), Some(sum), "{content}");
        }
    }

    #[test]
    fn content_without_a_checksum_of_the_algorithm_is_refused() {
        for content in
            ["", "\n", "da39", &"g".repeat(40), &"a".repeat(64), "lib.jar da39a3ee5e6b4b0d3255bfef95601890afd80709"]
        {
            assert_eq!(Algorithm::Sha1.read(content), None, "{content}");
        }
    }

    proptest! {
        #[test]
        fn a_side_file_names_the_path_it_was_made_from(
            path in "[a-z.]{1,8}(/[a-z0-9.]{3,8}){0,3}",
            index in 0..4_usize,
        ) {
            prop_assume!(FilePath::parse(&path).is_ok());
            let algorithm = Algorithm::ALL[index];
            prop_assert_eq!(side_file(&format!("{path}.{}", algorithm.extension())), Some((path, algorithm)));
        }
    }
}
