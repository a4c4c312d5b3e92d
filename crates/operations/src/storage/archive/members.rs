//! The part that all kinds of archives share: checks names, counts entries, and passes files to the visitor.

use std::io::{self, Read};

use model::file_path::FilePath;

use super::{ArchiveError, names::Names};

/// Receives the files of an archive.
type Visit<'a, E> = dyn FnMut(FilePath, &mut dyn Read) -> Result<(), E> + 'a;

/// The entries so far, and the visitor of their content.
pub(super) struct Members<'a, E> {
    most: usize,
    seen: usize,
    files: usize,
    names: Names,
    visit: &'a mut Visit<'a, E>,
}

impl<'a, E: From<ArchiveError>> Members<'a, E> {
    pub(super) fn new(most: usize, visit: &'a mut Visit<'a, E>) -> Self {
        Self { most, seen: 0, files: 0, names: Names::default(), visit }
    }

    /// The maximum number of entries.
    pub(super) fn most_entries(&self) -> usize {
        self.most
    }

    /// Accepts an entry by its name and returns the path of a file, or `None` for a folder, whose name ends with `/`.
    pub(super) fn enter(&mut self, name: &[u8]) -> Result<Option<FilePath>, ArchiveError> {
        self.seen += 1;
        if self.seen > self.most {
            return Err(ArchiveError::TooManyEntries { limit: self.most });
        }
        let Some(folder) = name.strip_suffix(b"/") else {
            return self.enter_file(name).map(Some);
        };
        // `./` is the folder that contains everything.
        if folder != b"." {
            let path = path_of(folder).map_err(|reason| ArchiveError::entry(name, reason))?;
            self.names.enter(path.as_str(), false).map_err(|reason| ArchiveError::entry(name, reason))?;
        }
        Ok(None)
    }

    /// Passes a file to the visitor, and reads to the file's end if the visitor did not: the checksum is verified only
    /// there.
    pub(super) fn file(&mut self, path: FilePath, content: &mut dyn Read) -> Result<(), E> {
        let name = path.as_str().to_owned();
        let mut content = Content { inner: content, name: name.as_bytes(), failure: None };
        let visited = (self.visit)(path, &mut content);
        if visited.is_ok() && content.failure.is_none() {
            // A failure is stored in the content, like one that the visitor met.
            let _ = io::copy(&mut content, &mut io::sink());
        }
        match content.failure {
            Some(failure) => Err(failure.into()),
            None => visited,
        }
    }

    /// Must be called at the end of the archive.
    pub(super) fn finish(self) -> Result<(), ArchiveError> {
        if self.files == 0 { Err(ArchiveError::Empty) } else { Ok(()) }
    }

    fn enter_file(&mut self, name: &[u8]) -> Result<FilePath, ArchiveError> {
        let path = path_of(name).map_err(|reason| ArchiveError::entry(name, reason))?;
        self.names.enter(path.as_str(), true).map_err(|reason| ArchiveError::entry(name, reason))?;
        self.files += 1;
        Ok(path)
    }
}

/// Returns the path for an entry's name. `tar` writes a leading `./` when it is given `.` to pack.
fn path_of(name: &[u8]) -> Result<FilePath, String> {
    let Ok(name) = str::from_utf8(name) else {
        return Err("has a name that is not UTF-8".to_owned());
    };
    let path = name.strip_prefix("./").unwrap_or(name);
    if let [letter, b':', ..] = path.as_bytes()
        && letter.is_ascii_alphabetic()
    {
        return Err("has a path that is not allowed: it names a drive".to_owned());
    }
    FilePath::parse_new(path).map_err(|error| format!("has a path that is not allowed: {}", error.reason))
}

/// The content of a file as the visitor sees it. The visitor gets a plain error, and the cause is stored for us.
struct Content<'a> {
    inner: &'a mut dyn Read,
    name: &'a [u8],
    failure: Option<ArchiveError>,
}

impl Read for Content<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // Decoders need not work after a failure.
        if let Some(failure) = &self.failure {
            return Err(io::Error::other(failure.to_string()));
        }
        match self.inner.read(buffer) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                let failure = ArchiveError::of_content(self.name, error);
                let told = io::Error::other(failure.to_string());
                self.failure = Some(failure);
                Err(told)
            }
            read => read,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails first, as a decoder does, and returns invented data on the next read.
    struct Unsound(bool);

    impl Read for Unsound {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            let has_failed = std::mem::replace(&mut self.0, true);
            if has_failed { Ok(1) } else { Err(io::ErrorKind::InvalidData.into()) }
        }
    }

    #[test]
    fn a_decoder_that_failed_is_not_asked_again() {
        let mut visit = |_, content: &mut dyn Read| {
            content.read(&mut [0]).expect_err("it fails");
            content.read(&mut [0]).expect_err("it still fails");
            Ok::<_, ArchiveError>(())
        };
        let mut members = Members::new(1, &mut visit);
        let path = members.enter(b"a").expect("allowed").expect("a file");
        let error = members.file(path, &mut Unsound(false)).expect_err("it failed");
        assert_eq!(error.to_string(), "entry `a` is damaged: invalid data");
    }
}
