//! Why an operation was refused or failed. Statuses are the edge's affair.

use model::address::VersionAddress;

/// The result of an operation.
pub type Result<T> = std::result::Result<T, Error>;

/// The causes that callers can tell apart.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// There is no such thing, or the caller may not know that there is.
    #[error("{what} '{name}' was not found")]
    NotFound {
        /// The kind of thing, capitalised as the message begins with it.
        what: &'static str,
        /// The name it was asked for by.
        name: String,
    },
    /// Credentials are missing or wrong.
    #[error("{0}")]
    Unauthenticated(&'static str),
    /// The caller is known and may not do this.
    #[error("{0}")]
    Denied(String),
    /// The caller holds a key that has to agree to terms first.
    #[error("The EULA of product '{product}' for version '{version}' has to be accepted before the download")]
    AgreementNeeded {
        /// The name of the product's owner.
        owner: String,
        /// The product's name.
        product: String,
        /// The version that is to be downloaded.
        version: String,
    },
    /// A value of the request is not acceptable.
    #[error("{field}: {reason}")]
    Invalid {
        /// The field, header or parameter.
        field: &'static str,
        /// What is wrong with its value.
        reason: String,
    },
    /// A value of the request names something that there is not.
    #[error("{what} '{name}' does not exist")]
    Unknown {
        /// The kind of thing, capitalised as the message begins with it.
        what: &'static str,
        /// The name that was given.
        name: String,
    },
    /// It exists already, or something else stands in the way.
    #[error("{0}")]
    Conflict(String),
    /// What is sent comes too slowly.
    #[error("{0}")]
    TooSlow(String),
    /// What is sent is larger than allowed.
    #[error("{0}")]
    TooLarge(String),
    /// The files of a subject or a repository would take more than they may.
    #[error("{0}")]
    QuotaReached(String),
    /// There is no room left to store anything.
    #[error("{0}")]
    Full(String),
    /// The caller has used up what a day gives.
    #[error("{message}")]
    LimitReached {
        /// What is used up.
        message: String,
        /// Seconds until there is more.
        retry_after_secs: u64,
        /// What a day gives.
        limit: u64,
    },
    /// Something the server needs is away; the same call may go through later.
    #[error("{0}")]
    Unavailable(String),
    /// The store has lost content, or has other bytes in its place. The text is for the log only.
    #[error("{0}")]
    Damaged(String),
    /// A mistake of ours. The text is for the log only.
    #[error("{0}")]
    Internal(String),
}

impl Error {
    /// Content that is withheld, since what the store has of it is damaged.
    pub fn damaged(digest: model::digest::Digest) -> Self {
        Error::Damaged(format!("blob `{digest}` is damaged and withheld"))
    }

    /// The refusal that asks for credentials.
    pub(crate) fn sign_in() -> Self {
        Error::Unauthenticated("This resource requires authentication")
    }

    /// The refusal of credentials that are nobody's: the same, whatever is wrong with them.
    pub(crate) fn wrong_credentials() -> Self {
        Error::Unauthenticated("The user name or the API key is wrong")
    }

    /// There is no such version.
    pub(crate) fn no_version(at: &VersionAddress) -> Self {
        Error::NotFound { what: "Version", name: at.version.to_string() }
    }

    /// A value that breaks the rules of its type.
    pub fn invalid(field: &'static str, reason: impl ToString) -> Self {
        Error::Invalid { field, reason: reason.to_string() }
    }
}

impl From<database::Error> for Error {
    fn from(error: database::Error) -> Self {
        match error {
            database::Error::Unavailable(_) | database::Error::Unanswered(_) | database::Error::Again(_) => {
                Error::Unavailable(error.to_string())
            }
            database::Error::Full => Error::Full(error.to_string()),
            other => Error::Internal(other.to_string()),
        }
    }
}

impl From<blobs::Error> for Error {
    fn from(error: blobs::Error) -> Self {
        match error {
            blobs::Error::TooLarge { max_bytes } => {
                Error::TooLarge(format!("The content is larger than {max_bytes} bytes, which is the limit"))
            }
            blobs::Error::Body(cause) if is_late(&*cause) => {
                Error::TooSlow("The content came too slowly; send it again, faster".into())
            }
            blobs::Error::Body(cause) => Error::invalid("content", format!("it broke off: {cause}")),
            blobs::Error::Full { .. } => Error::Full(error.to_string()),
            blobs::Error::Unavailable { .. } => Error::Unavailable(error.to_string()),
            blobs::Error::Damaged { .. } => Error::Damaged(error.to_string()),
            blobs::Error::Broken { .. } | blobs::Error::Range { .. } => Error::Internal(error.to_string()),
        }
    }
}

/// Whether a body broke off because its client was waited for too long.
pub fn is_late(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut cause = Some(error);
    while let Some(error) = cause {
        let error_here = error.downcast_ref::<std::io::Error>();
        if error_here.is_some_and(|error| error.kind() == std::io::ErrorKind::TimedOut) {
            return true;
        }
        cause = error.source();
    }
    false
}
