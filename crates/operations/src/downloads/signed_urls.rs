//! Addresses that anyone may read one file by, for a while. Nothing of them is kept: an address proves itself.

mod create;
mod find;
mod maker;
mod proof;

pub use create::{NewSignedUrl, UrlLifetime, create, revoke_all};
pub use find::{SignedDownload, find, refused};

pub(crate) use create::check_key;
pub(crate) use maker::Maker;
pub(crate) use proof::sign;

/// What makes an address good.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// Until when, in milliseconds since the start of 1970.
    pub expiry: i64,
    /// The proof that we made it, and what its maker calls it.
    pub signature: String,
}
