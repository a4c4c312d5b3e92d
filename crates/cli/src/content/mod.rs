//! Commands that send, fetch, sign, publish and discard files.

pub(crate) mod discard;
pub(crate) mod publish;
pub(crate) mod pull;
pub(crate) mod push;
pub(crate) mod sign;
pub(crate) mod sign_url;
