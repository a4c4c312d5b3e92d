//! The client commands. They know the API's wire types but nothing else of the server.

mod account;
mod address;
mod catalogue;
mod client;
mod clock;
mod command;
mod connection_args;
mod content;
mod credentials;
mod digest;
mod error;
mod insight;
mod output;
mod passphrase;
mod pattern;
mod progress;
mod session;
mod text_file;

pub use command::{Command, run};
pub use connection_args::ConnectionArgs;
pub use error::{EXIT_CODES, Error};
