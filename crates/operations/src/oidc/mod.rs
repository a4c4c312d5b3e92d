//! OpenID Connect: the configured sign-in provider, other issuers of identity tokens, and how their tokens are checked.
//!
//! A token is checked with the keys that its issuer publishes, and with algorithms of a fixed list of signatures by key
//! pairs. Nothing in a token decides where its keys come from.

mod claims;
mod config;
mod issuer;
mod jose;
mod keys;
mod providers;

pub(crate) use claims::{Claims, Expected};
pub(crate) use issuer::check_issuer;
pub(crate) use jose::SignedToken;
pub(crate) use providers::{Metadata, Providers};

pub use config::{ClientSecret, OidcConfig};
