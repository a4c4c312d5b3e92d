//! Signatures made by the server: keys, and the armored `.asc` files next to the files they sign.
//!
//! A private key is unlocked only in the task that signs. Signatures are made while no transaction is open: a plan
//! lists the required ones, and the transaction that needs them compares.

mod certificate;
mod choice;
mod cost;
mod expiry;
mod guesses;
mod keyring;
mod keys;
mod new_key;
mod own_key;
mod pool;
mod rsa;
mod sealed;
mod secret_text;
mod sign;
pub(crate) mod signatures;
pub(crate) mod signer;
mod signing_key;
mod unlock;
pub(crate) mod usign;

use model::names::SubjectName;

pub use expiry::{OwnedExpiringKey, list_expiring};
pub use keyring::{Keyring, keyring};
pub use keys::{KeyOwner, PublicKeyDetail, RepoSigner, delete, find_of_repo, generate, import, public_key, show};
pub use own_key::own_public_key;
#[cfg(feature = "testing")]
pub use pool::testing::{Pause, calls, pause};
pub use secret_text::SecretText;

pub(crate) use choice::check_ready;
pub(crate) use expiry::warn_of_expiry;
pub(crate) use pool::SigningPool;
pub(crate) use sealed::place as sealed_place;
pub(crate) use signing_key::binary_key;

/// The signing options of a call.
#[derive(Clone, Default)]
pub struct SigningOptions {
    /// The subject whose key is used, if it is not the repository's default.
    pub subject: Option<SubjectName>,
    /// A key that is used for this call and not stored.
    pub private_key: Option<SecretText>,
    /// The passphrase of the key.
    pub passphrase: Option<SecretText>,
}
