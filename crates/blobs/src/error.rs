//! What can go wrong with content.

use std::io;

use model::digest::Digest;

/// Any error, as the cause of one of ours.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// What went wrong with content.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The body is longer than allowed.
    #[error("the body is larger than {max_bytes} bytes")]
    TooLarge {
        /// The limit that was passed.
        max_bytes: u64,
    },
    /// The body broke off: the client went away or sent nonsense.
    #[error("the body broke off: {0}")]
    Body(#[source] BoxError),
    /// The store has no room left.
    #[error("the store is full: {doing}: {source}")]
    Full {
        /// What was being done.
        doing: String,
        /// The store's own words.
        source: BoxError,
    },
    /// The store is away or overloaded; the same call may succeed later.
    #[error("the store is unavailable: {doing}: {source}")]
    Unavailable {
        /// What was being done.
        doing: String,
        /// The store's own words.
        source: BoxError,
    },
    /// The store refuses or contradicts itself; someone must act.
    #[error("the store is broken: {doing}: {source}")]
    Broken {
        /// What was being done.
        doing: String,
        /// The store's own words.
        source: BoxError,
    },
    /// The store has lost the blob, or has other bytes in its place; someone must bring it back.
    #[error("blob `{digest}` is damaged: {reason}")]
    Damaged {
        /// The blob.
        digest: Digest,
        /// What is wrong with it.
        reason: String,
    },
    /// The range does not lie within the blob.
    #[error("bytes {start}..{end} are not within the {size} bytes of blob `{digest}`")]
    Range {
        /// The blob.
        digest: Digest,
        /// The first byte that was asked for.
        start: u64,
        /// The byte after the last one that was asked for.
        end: u64,
        /// The blob's size.
        size: u64,
    },
}

impl Error {
    /// An error of the file system, by what it means for the caller.
    pub(crate) fn io(doing: String, source: io::Error) -> Self {
        // Too many open files, in the system or in the process, passes when load does.
        const ENFILE: i32 = 23;
        const EMFILE: i32 = 24;
        let code = source.raw_os_error();
        let kind = source.kind();
        let source = source.into();
        match kind {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full { doing, source },
            io::ErrorKind::StaleNetworkFileHandle
            | io::ErrorKind::TimedOut
            | io::ErrorKind::HostUnreachable
            | io::ErrorKind::NetworkUnreachable
            | io::ErrorKind::ResourceBusy => Self::Unavailable { doing, source },
            _ if matches!(code, Some(ENFILE | EMFILE)) => Self::Unavailable { doing, source },
            _ => Self::Broken { doing, source },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from_code(code: i32) -> Error {
        Error::io("writing `x`".to_owned(), io::Error::from_raw_os_error(code))
    }

    #[test]
    fn a_full_disk_and_a_used_up_quota_are_full() {
        assert!(matches!(from_code(28), Error::Full { .. }), "ENOSPC");
        assert!(matches!(from_code(122), Error::Full { .. }), "EDQUOT");
    }

    #[test]
    fn what_passes_is_unavailable() {
        assert!(matches!(from_code(116), Error::Unavailable { .. }), "ESTALE");
        assert!(matches!(from_code(24), Error::Unavailable { .. }), "EMFILE");
    }

    #[test]
    fn what_stays_is_broken() {
        assert!(matches!(from_code(5), Error::Broken { .. }), "EIO");
        assert!(matches!(from_code(13), Error::Broken { .. }), "EACCES");
    }
}
