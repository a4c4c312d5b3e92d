//! Signing, and the signing keys.

mod files;
mod keyring;
mod keys;

pub(crate) use files::sign;
pub(crate) use keyring::{show_binary_keyring, show_key_file, show_keyring};
pub(crate) use keys::{
    delete_gpg_key, generate_gpg_key, show_gpg_key, show_own_public_key, show_public_key, store_gpg_key,
};
