//! Signatures that the server makes: keys, and the armoured `.asc` files beside what they sign.
//!
//! A private key is opened in the task that signs and nowhere else. Signatures are made before the transaction that needs
//! them: it says which ones those are, and is run again when they are there.

mod bench;
mod beside;
mod certificate;
mod choice;
mod cost;
mod expiry;
mod files;
mod guesses;
mod keys;
mod maker;
mod new_key;
mod own_key;
mod part;
mod place;
mod sealed;
mod secret_text;
mod session;
mod unlock;

use model::names::SubjectName;

pub use expiry::{Expiring, list_expiring};
pub use files::{sign_file, sign_version};
pub use keys::{KeyOwner, Shown, delete, generate, import, public_key, show};
pub use own_key::own_public_key;
pub use secret_text::SecretText;

pub(crate) use bench::Bench;
pub(crate) use beside::{attach, clear_stale, gives_way};
pub(crate) use choice::check_ready;
pub(crate) use expiry::warn;
pub(crate) use sealed::place as sealed_place;
pub(crate) use session::{Session, Text};

/// What a call says about how to sign.
#[derive(Clone, Default)]
pub struct With {
    /// Whose key is to be used, when it is not the one that the repository says.
    pub subject: Option<SubjectName>,
    /// A key that is used for this call and kept nowhere.
    pub private_key: Option<SecretText>,
    /// What opens the key.
    pub passphrase: Option<SecretText>,
}
