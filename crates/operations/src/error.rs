//! The errors of operations. The server maps them to HTTP statuses.

use model::address::VersionAddress;

/// The result of an operation.
pub type Result<T> = std::result::Result<T, Error>;

/// The causes that callers can distinguish.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The object does not exist, or the caller may not know that it does.
    #[error("{what} '{name}' was not found")]
    NotFound {
        /// The kind of object, capitalized because the message begins with it.
        what: &'static str,
        /// The requested name.
        name: String,
    },
    /// Credentials are missing or wrong.
    #[error("{0}")]
    Unauthenticated(&'static str),
    /// The caller is authenticated but may not do this.
    #[error("{0}")]
    Denied(String),
    /// The caller is a key holder who has to accept an agreement first.
    #[error("The EULA of product '{product}' for version '{version}' has to be accepted before the download")]
    AgreementNeeded {
        /// The name of the product's owner.
        owner: String,
        /// The product's name.
        product: String,
        /// The version to be downloaded.
        version: String,
    },
    /// A value of the request is invalid.
    #[error("{field}: {reason}")]
    Invalid {
        /// The field, header or parameter.
        field: &'static str,
        /// The reason.
        reason: String,
    },
    /// A format rejects the request of its client, with a text that is for that client.
    #[error("{0}")]
    Refused(String),
    /// A value of the request refers to an object that does not exist.
    #[error("{what} '{name}' does not exist")]
    Unknown {
        /// The kind of object, capitalized because the message begins with it.
        what: &'static str,
        /// The given name.
        name: String,
    },
    /// The object already exists, or its state prevents the action.
    #[error("{0}")]
    Conflict(String),
    /// The request body arrives too slowly.
    #[error("{0}")]
    TooSlow(String),
    /// The request body is larger than allowed.
    #[error("{0}")]
    TooLarge(String),
    /// The storage quota of a subject or a repository is exceeded.
    #[error("{0}")]
    QuotaReached(String),
    /// The storage is full.
    #[error("{0}")]
    Full(String),
    /// The caller's quota is used up.
    #[error("{message}")]
    LimitReached {
        /// The message.
        message: String,
        /// Seconds until the caller may try again.
        retry_after_secs: u64,
        /// The limit.
        limit: u64,
    },
    /// A service that the server needs is unavailable; the same call may succeed later.
    #[error("{0}")]
    Unavailable(String),
    /// The sign-in provider, or another issuer of identity tokens, does not answer. The text is for the log only.
    #[error("{0}")]
    ProviderUnavailable(String),
    /// The store has lost content, or has different bytes in its place. The text is for the log only.
    #[error("{0}")]
    Damaged(String),
    /// A bug in the server. The text is for the log only.
    #[error("{0}")]
    Internal(String),
}

impl Error {
    /// The error for content that is withheld because its stored bytes are damaged.
    pub fn damaged(digest: model::digest::Digest) -> Self {
        Error::Damaged(format!("blob `{digest}` is damaged and withheld"))
    }

    /// The error that asks for credentials.
    pub(crate) fn sign_in() -> Self {
        Error::Unauthenticated("This resource requires authentication")
    }

    /// The error for wrong credentials: the same, regardless of what is wrong with them.
    pub(crate) fn wrong_credentials() -> Self {
        Error::Unauthenticated("The user name or the API key is wrong")
    }

    /// The error for a version that does not exist.
    pub(crate) fn no_version(at: &VersionAddress) -> Self {
        Error::NotFound { what: "Version", name: at.version.to_string() }
    }

    /// The error for a value that breaks the rules of its type.
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

/// Returns whether a body was aborted because its client was too slow.
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
