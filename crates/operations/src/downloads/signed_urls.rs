//! Signed URLs, which open one file to everyone for a limited time. None of them are stored: the signature in the URL
//! is the proof.

mod create;
mod find;
mod maker;
mod proof;

pub use create::{NewSignedUrl, UrlLifetime, create, revoke_all};
pub use find::{SignedDownload, find, refused};

pub(crate) use create::check_key;
pub(crate) use maker::Maker;
pub(crate) use proof::sign;

/// The signature of a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// The time of expiry, in milliseconds since the start of 1970.
    pub expiry: i64,
    /// The proof that this server signed the URL, with the name that its creator gave to it.
    pub signature: String,
}
