//! Commands about the user's login, rights, tokens and access keys.

pub(crate) mod can_i;
pub(crate) mod device;
pub(crate) mod gpg;
pub(crate) mod keys;
pub(crate) mod login;
pub(crate) mod logout;
pub(crate) mod org;
pub(crate) mod publisher;
mod subject;
pub(crate) mod team;
pub(crate) mod token;
pub(crate) mod whoami;
