//! Commands about the user's login, rights and access keys.

pub(crate) mod can_i;
pub(crate) mod keys;
pub(crate) mod login;
pub(crate) mod logout;
pub(crate) mod whoami;
