//! The errors of archives.

use std::io;

use crate::Error;

/// The reasons, worded for the creator of the archive.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The first bytes match no supported kind.
    #[error("it is not a zip, tar, tar.gz, tar.xz or tar.zst archive")]
    UnknownKind,
    /// The archive contains no files, only folders at most.
    #[error("the archive holds no files")]
    Empty,
    /// The archive as a whole is truncated, damaged or inconsistent.
    #[error("the archive is damaged: {0}")]
    Damaged(String),
    /// One entry is damaged, or of a kind that is never accepted.
    #[error("entry `{entry}` {reason}")]
    Entry {
        /// The entry's name, safe for a message.
        entry: String,
        /// The reason, as the rest of the sentence.
        reason: String,
    },
    /// The archive has too many files and folders.
    #[error("the archive holds more than {limit} entries")]
    TooManyEntries {
        /// The maximum number.
        limit: usize,
    },
    /// The unpacked content is too large.
    #[error("the archive unpacks to more than {limit} bytes")]
    TooManyBytes {
        /// The maximum number of bytes.
        limit: u64,
    },
    /// The unpacked content is too large compared with the archive.
    #[error("the archive unpacks to more than {limit} times its size")]
    TooDense {
        /// The maximum ratio.
        limit: u64,
    },
    /// Reading the local file failed: the only cause that is not the sender's fault.
    #[error("reading the uploaded archive failed: {0}")]
    Unreadable(#[source] io::Error),
}

impl ArchiveError {
    /// The error for an entry that is never accepted; the reason continues the sentence that its name begins.
    pub(super) fn entry(name: &[u8], reason: impl Into<String>) -> Self {
        ArchiveError::Entry { entry: shown(name), reason: reason.into() }
    }

    /// The error for a failed read outside an entry's content.
    pub fn of_stream(error: io::Error) -> Self {
        Self::of_read(error, ArchiveError::Damaged)
    }

    /// The error for a failed read of an entry's content.
    pub(super) fn of_content(name: &[u8], error: io::Error) -> Self {
        Self::of_read(error, |reason| Self::entry(name, format!("is damaged: {reason}")))
    }

    /// Readers can return only `io::Error`: errors that we wrapped in one are unwrapped, system errors are ours, and
    /// all others come from decoders that complain about the data.
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

/// Formats a name for messages: short, on one line, and without control characters or other tricks.
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
