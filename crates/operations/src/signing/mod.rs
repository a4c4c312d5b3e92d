//! Signatures that the server makes: keys, and the armoured `.asc` files beside what they sign.
//!
//! A private key is opened in the task that signs and nowhere else. Signatures are made with no transaction open: a plan
//! says which ones are needed, and the transaction that needs them compares.

mod certificate;
mod choice;
mod cost;
mod expiry;
mod guesses;
mod keys;
mod new_key;
mod own_key;
mod pool;
mod sealed;
mod secret_text;
mod sign;
pub(crate) mod signatures;
pub(crate) mod signer;
mod signing_key;
mod unlock;

use model::names::SubjectName;

pub use expiry::{OwnedExpiringKey, list_expiring};
pub use keys::{KeyOwner, PublicKeyDetail, delete, generate, import, public_key, show};
pub use own_key::own_public_key;
pub use pool::{Pause, calls, pause};
pub use secret_text::SecretText;

pub(crate) use choice::check_ready;
pub(crate) use expiry::warn_of_expiry;
pub(crate) use pool::SigningPool;
pub(crate) use sealed::place as sealed_place;

/// What a call says about how to sign.
#[derive(Clone, Default)]
pub struct SigningOptions {
    /// Whose key is to be used, when it is not the one that the repository says.
    pub subject: Option<SubjectName>,
    /// A key that is used for this call and kept nowhere.
    pub private_key: Option<SecretText>,
    /// What opens the key.
    pub passphrase: Option<SecretText>,
}
