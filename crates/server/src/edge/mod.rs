//! Everything between the socket and the router: connections, framing, limits, targets, proxies, logs.

mod admission;
mod aliases;
mod challenge;
mod client;
mod connections;
mod conversation;
mod cross_site;
#[cfg(target_os = "linux")]
mod file_sender;
mod framing;
mod guard;
mod head_timer;
mod listener;
mod outgoing;
mod pace;
mod protection;
mod repeater;
mod repeats;
mod request_id;
mod service;
mod surface;
mod tls;
#[cfg(test)]
mod transfers;
mod turn;
mod unread;

pub use listener::{Listener, Server};
pub use tls::TlsFiles;

pub(crate) use client::Client;
pub(crate) use connections::Standing;
pub(crate) use pace::too_slow_answer;
pub(crate) use protection::{add_security_headers, insist_on_tls};
pub(crate) use request_id::RequestId;
#[cfg(test)]
pub(crate) use request_id::RequestIds;
