//! The sections of the settings file, by topic.

mod downloads;
mod licenses;
mod limits;
mod mail;
mod oidc;
mod outbound;
mod server;
mod staging;
mod stores;
mod traces;

pub use downloads::{DownloadLogs, Downloads, Geo};
pub use licenses::Licenses;
pub use limits::{Limits, Windows};
pub use mail::{Mail, MailTls};
pub use oidc::Oidc;
pub use outbound::{Outgoing, ReadmeImages};
pub use server::{Log, LogFormat, Tls};
pub use staging::{Staging, StagingProtocol};
pub use stores::{Database, Garbage, S3, Scrub};
pub use traces::Traces;
