//! GPG keys and signatures.

pub mod gpg_guesses;
pub mod gpg_keys;
pub mod signatures;
pub mod usign_keys;
