//! The client's commands. They know the API's wire types and nothing of the server behind it.

mod client;
mod whoami;

pub use client::{Error, Server};
pub use whoami::whoami;
