//! What each test shows about a client.

pub(crate) use suite::shows;
