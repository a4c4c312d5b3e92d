//! Why an archive is not taken.

use std::io;

use crate::Error;

/// The causes, in words for whoever made the archive.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ArchiveError {
    /// The first bytes are those of no kind that can be read.
    #[error("it is not a zip, tar, tar.gz, tar.xz or tar.zst archive")]
    UnknownKind,
    /// Folders at most.
    #[error("the archive holds no files")]
    Empty,
    /// The archive as a whole is cut, damaged or contradicts itself.
    #[error("the archive is damaged: {0}")]
    Damaged(String),
    /// One entry is damaged, or is something that is never taken.
    #[error("entry `{entry}` {reason}")]
    Entry {
        /// The entry's name, fit for a message.
        entry: String,
        /// What is wrong with it, as the rest of the sentence.
        reason: String,
    },
    /// Files and folders together are too many.
    #[error("the archive holds more than {limit} entries")]
    TooManyEntries {
        /// The most that are taken.
        limit: usize,
    },
    /// What comes out is too much.
    #[error("the archive unpacks to more than {limit} bytes")]
    TooManyBytes {
        /// The most that are taken.
        limit: u64,
    },
    /// What comes out is too much for what was sent.
    #[error("the archive unpacks to more than {limit} times its size")]
    TooDense {
        /// The highest ratio that is taken.
        limit: u64,
    },
    /// The local file could not be read: the one cause that is not the sender's.
    #[error("the uploaded archive could not be read: {0}")]
    Unreadable(#[source] io::Error),
}

impl ArchiveError {
    /// An entry that is never taken; the reason continues the sentence that its name begins.
    pub(super) fn entry(name: &[u8], reason: impl Into<String>) -> Self {
        ArchiveError::Entry { entry: shown(name), reason: reason.into() }
    }

    /// A failure to read the archive outside of an entry's content.
    pub(crate) fn of_stream(error: io::Error) -> Self {
        Self::of_read(error, ArchiveError::Damaged)
    }

    /// A failure to read the content of an entry.
    pub(super) fn of_content(name: &[u8], error: io::Error) -> Self {
        Self::of_read(error, |reason| Self::entry(name, format!("is damaged: {reason}")))
    }

    /// Readers can only pass on `io::Error`: what we put into one comes out again, what the system reported is its
    /// fault, and all the rest are decoders that complain about the data.
    fn of_read(error: io::Error, damaged: impl FnOnce(String) -> Self) -> Self {
        match error.downcast::<ArchiveError>() {
            Ok(own) => own,
            Err(error) if error.raw_os_error().is_some() => ArchiveError::Unreadable(error),
            Err(error) => damaged(error.to_string()),
        }
    }
}

impl From<ArchiveError> for io::Error {
    fn from(error: ArchiveError) -> Self {
        io::Error::other(error)
    }
}

impl From<ArchiveError> for Error {
    fn from(error: ArchiveError) -> Self {
        match error {
            ArchiveError::Unreadable(_) => Error::Internal(error.to_string()),
            refused => Error::invalid("archive", refused),
        }
    }
}

/// A name as messages may show it: short, on one line and without tricks.
fn shown(name: &[u8]) -> String {
    let name = String::from_utf8_lossy(name);
    let mut shown = String::new();
    for character in name.chars().take(200) {
        match character {
            '\\' | '\'' | '"' => shown.push(character),
            other => shown.extend(other.escape_debug()),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_messages_are_short_and_on_one_line() {
        assert_eq!(shown(b"a\nb\\c\0\xff"), "a\\nb\\c\\0\u{fffd}");
        assert_eq!(shown(&[b'x'; 5_000]).len(), 200);
    }

    #[test]
    fn what_the_system_reports_is_not_the_senders_fault() {
        let disk = ArchiveError::of_content(b"a", io::Error::from_raw_os_error(5));
        assert!(matches!(Error::from(disk), Error::Internal(_)));
        let data = ArchiveError::of_content(b"a", io::ErrorKind::InvalidData.into());
        assert!(matches!(Error::from(data), Error::Invalid { .. }));
    }
}
