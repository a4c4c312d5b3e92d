//! A local file that must not change while it is read.

use std::{
    fs::{File, Metadata},
    io,
    os::unix::fs::FileExt,
    time::SystemTime,
};

use super::files::LocalFile;

/// An open file, with its size and time at the start.
pub(super) struct Source {
    file: File,
    size: u64,
    modified: SystemTime,
}

impl Source {
    pub(super) fn open(local: &LocalFile) -> io::Result<Self> {
        let file = File::open(&local.path)?;
        let source = Self { size: local.size, modified: file.metadata()?.modified()?, file };
        source.check()?;
        Ok(source)
    }

    /// Fills a buffer from this offset, up to the end of the file, and returns the number of bytes.
    pub(super) fn read(&self, at: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.size - at).unwrap_or(usize::MAX);
        let length = buffer.len().min(left);
        match self.file.read_exact_at(&mut buffer[..length], at) {
            Ok(()) => Ok(length),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(changed()),
            Err(error) => Err(error),
        }
    }

    /// Returns an error if the file has changed.
    pub(super) fn check(&self) -> io::Result<()> {
        let now: Metadata = self.file.metadata()?;
        if now.len() == self.size && now.modified()? == self.modified { Ok(()) } else { Err(changed()) }
    }
}

fn changed() -> io::Error {
    io::Error::other("it changed during the push")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_that_is_written_to_is_noticed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        fs::write(&path, "abcdef").expect("written");
        let local = LocalFile { path: path.clone(), target: "a".to_owned(), size: 6 };
        let source = Source::open(&local).expect("it is there");
        let mut buffer = [0; 4];
        assert_eq!(source.read(4, &mut buffer).expect("readable"), 2);
        assert_eq!(&buffer[..2], b"ef");
        source.check().expect("nobody has written to it");

        fs::write(&path, "abc").expect("written");
        assert!(source.check().is_err());
        assert!(source.read(2, &mut buffer).is_err(), "it is shorter now");
        assert!(Source::open(&local).is_err());
    }

    #[test]
    fn the_same_size_at_another_time_is_another_content() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        fs::write(&path, "abc").expect("written");
        let source = Source::open(&LocalFile { path: path.clone(), target: "a".to_owned(), size: 3 }).expect("there");

        let file = File::options().write(true).open(&path).expect("writable");
        file.set_modified(SystemTime::UNIX_EPOCH).expect("set");

        assert!(source.check().is_err());
    }
}
