//! Everything between the socket and the service behind it: connections, TLS, framing, limits, clients behind proxies,
//! and the replay of responses to byte-identical requests.
//!
//! The edge knows nothing about packages. It reaches the service through the [`Backend`] trait.

mod backend;
mod body_watch;
mod client;
mod connections;
mod draining;
#[cfg(target_os = "linux")]
mod file_sender;
mod framing;
mod guard;
mod head_timer;
mod http_connection;
mod http_date;
mod listener;
mod options;
mod pace;
mod parser_state;
mod replay;
mod replayer;
mod request_id;
mod response_body;
mod security_headers;
mod service;
#[cfg(feature = "testing")]
pub mod testing;
mod tls;

pub use backend::{Backend, BoxError, CompletedReplay, Context, FileRange, Replay, Reply};
pub use client::{Client, Proxies};
pub use connections::Standing;
pub use draining::Draining;
pub use http_date::HttpDate;
pub use listener::{Listener, Server};
pub use options::Options;
pub use replay::{LARGEST_REPLAY, ResponseHead};
pub use request_id::RequestId;
pub use security_headers::{add_hsts, add_security_headers};
pub use service::RequestBody;
pub use tls::TlsFiles;

/// The reason phrase of an HTTP/1.1 response, as an extension of it.
pub use hyper::ext::ReasonPhrase;
