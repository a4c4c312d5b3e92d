//! Everything between the socket and the router: connections, framing, limits, targets, proxies, logs.

mod admission;
mod aliases;
mod client;
mod connections;
#[cfg(target_os = "linux")]
mod file_sender;
mod framing;
mod guard;
mod head_timer;
mod listener;
mod outgoing;
mod protection;
mod request_id;
mod service;
mod surface;
mod tls;
#[cfg(test)]
mod transfers;
mod unread;

pub use listener::{Listener, Server};
pub use tls::TlsFiles;

pub(crate) use client::Client;
pub(crate) use protection::protect;
pub(crate) use request_id::RequestId;
