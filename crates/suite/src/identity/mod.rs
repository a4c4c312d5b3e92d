//! Issuers of identity tokens: a real provider of single sign-on, and an issuer whose tokens a test makes itself.

mod issuer;
mod provider;
mod runner;

pub use issuer::{Issuer, encode};
pub use provider::Provider;
pub use runner::Runner;
