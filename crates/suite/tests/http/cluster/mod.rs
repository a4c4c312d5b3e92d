//! Several servers on one house.

pub(crate) mod together;
pub(crate) mod two_servers;
