//! The files to upload and download.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use xtask::failure::{Attempt, Result};

/// A size in bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Size(pub(crate) u64);

impl Size {
    /// Fits into a few packets.
    pub(crate) const SMALL: Self = Self(4 << 10);
    /// Fits into a processor's cache, or nearly so.
    pub(crate) const MEDIUM: Self = Self(64 << 20);
    /// Does not fit into any buffer.
    pub(crate) const LARGE: Self = Self(1 << 30);

    /// Creates a size of `count` MiB.
    pub(crate) const fn mib(count: u64) -> Self {
        Self(count << 20)
    }

    /// Returns the size for people.
    pub(crate) fn name(self) -> String {
        match self.0 {
            bytes if bytes.is_multiple_of(1 << 30) => format!("{} GiB", bytes >> 30),
            bytes if bytes.is_multiple_of(1 << 20) => format!("{} MiB", bytes >> 20),
            bytes => format!("{} KiB", bytes >> 10),
        }
    }

    /// Returns the name of the file of this size.
    pub(crate) fn file_name(self) -> &'static str {
        match self {
            Self::SMALL => "small.bin",
            Self::MEDIUM => "medium.bin",
            Self::LARGE => "large.bin",
            _ => "other.bin",
        }
    }
}

/// Creates a file of random bytes in a folder, unless it exists, and returns its path.
pub(crate) fn ensure(folder: &Path, size: Size) -> Result<PathBuf> {
    let path = folder.join(size.file_name());
    if fs::metadata(&path).is_ok_and(|found| found.len() == size.0) {
        return Ok(path);
    }
    let mut file = File::create(&path).attempt("cannot create a file to upload")?;
    let random = File::open("/dev/urandom").attempt("cannot read randomness")?;
    io::copy(&mut random.take(size.0), &mut file).attempt("cannot write a file to upload")?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_names() {
        let names = [Size::SMALL, Size::MEDIUM, Size::LARGE, Size::mib(144)].map(Size::name);
        assert_eq!(names, ["4 KiB", "64 MiB", "1 GiB", "144 MiB"]);
    }
}
