//! Errors of the content store.

use std::io;

use model::digest::Digest;

/// Any error, as the cause of one of ours.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// An error of the content store.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The body is longer than allowed.
    #[error("the body is larger than {max_bytes} bytes")]
    TooLarge {
        /// The limit that was exceeded.
        max_bytes: u64,
    },
    /// The body broke off: the client disconnected or sent invalid data.
    #[error("the body broke off: {0}")]
    Body(#[source] BoxError),
    /// The store is full.
    #[error("the store is full: {doing}: {source}")]
    Full {
        /// The operation that failed.
        doing: String,
        /// The store's own error.
        source: BoxError,
    },
    /// The store is unavailable or overloaded; the same call may succeed later.
    #[error("the store is unavailable: {doing}: {source}")]
    Unavailable {
        /// The operation that failed.
        doing: String,
        /// The store's own error.
        source: BoxError,
    },
    /// The store rejects the request or contradicts itself; an operator must act.
    #[error("the store is broken: {doing}: {source}")]
    Broken {
        /// The operation that failed.
        doing: String,
        /// The store's own error.
        source: BoxError,
    },
    /// The store lost the blob or has other bytes in its place; an operator must restore it.
    #[error("blob `{digest}` is damaged: {reason}")]
    Damaged {
        /// The blob.
        digest: Digest,
        /// The damage.
        reason: String,
    },
    /// The range does not lie within the blob.
    #[error("bytes {start}..{end} are not within the {size} bytes of blob `{digest}`")]
    Range {
        /// The blob.
        digest: Digest,
        /// The first requested byte.
        start: u64,
        /// The byte after the last requested one.
        end: u64,
        /// The blob's size.
        size: u64,
    },
}

impl Error {
    /// Converts an error of the file system, according to its meaning for the caller.
    pub(crate) fn io(doing: String, source: io::Error) -> Self {
        // Too many open files, in the system or in the process, is an error that passes when the load drops.
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
