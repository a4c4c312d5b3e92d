//! The settings of the server: each field, its manual and its default; reading the sources, checking and printing them.
//! Nothing here opens a database or a socket.

mod check;
mod error;
mod file;
mod load;
mod locations;
mod network;
mod origin;
mod plan;
mod schema;
mod secret;
mod sections;
mod show;
mod web_origin;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use ipnet::IpNet;
use model::plan::Plan;
use serde::{Deserialize, Serialize};

pub use error::{Problem, SettingsError};
pub use load::{DEFAULT_FILE, Sources};
pub use origin::{Origin, Origins};
pub use secret::{DatabaseUrl, Secret};
pub use sections::{
    Database, DownloadLogs, Downloads, Garbage, Geo, Licenses, Limits, Log, LogFormat, Outgoing, S3, Scrub, Staging,
    StagingProtocol, Tls, Windows,
};
pub use web_origin::WebOrigin;

/// Everything that can be set; `Settings::default()` runs a house on one machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The address and port the server listens on.
    pub listen: SocketAddr,
    /// The folder for all that the server keeps on this machine; made at the first start.
    pub data: PathBuf,
    /// Where metadata lives: `sqlite://path` or `postgres://user:password@host/name`.
    /// Not set: a SQLite file in `data`.
    pub database_url: Option<DatabaseUrl>,
    /// Where content lives: a folder, or `s3://bucket[/prefix]` together with `[s3]`.
    /// Not set: the folder `blobs` in `data`.
    pub blobs: Option<String>,
    /// The address people and clients use, from which every link is built. Not set: the address of `listen`.
    pub public_url: Option<String>,
    /// A host name that serves the API at its root, too. Not set: only `/api` of `public_url`.
    pub api_host: Option<String>,
    /// A host name that serves downloads at its root, too. Not set: only `/dl` of `public_url`.
    pub download_host: Option<String>,
    /// Networks of the proxies whose `X-Forwarded-*` headers are believed. None by default.
    #[serde(deserialize_with = "network::list")]
    pub trusted_proxies: Vec<IpNet>,
    /// Origins of other sites, such as `https://tools.example.com`, whose pages may change something here in the name of
    /// whoever looks at them. None by default.
    pub allowed_origins: Vec<String>,
    /// The realm in which clients are asked for credentials; some choose credentials by it.
    pub auth_realm: String,
    /// Whether answers over TLS tell browsers to use nothing else for a year. Only where `public_url` is set and begins with
    /// `https://`.
    pub hsts: bool,
    /// The plan of new users and organisations: `free`, `premium` or `enterprise`.
    #[serde(with = "plan")]
    pub default_plan: Plan,
    /// Whether anyone may make an account; else only site administrators make them.
    pub open_registration: bool,
    /// The file with the key that seals secrets at rest. Not set: `master.key` in `data`, made at the first start.
    pub master_key_file: Option<PathBuf>,
    /// What this server is called among others. Not set: the name of the machine.
    pub node_name: Option<String>,
    /// Whether the `X-Bintray-*` headers and `bt_*` parameters of old clients are understood, and answers and callbacks have
    /// the old header names beside today's.
    pub old_client_names: bool,
    /// Networks that may read `/metrics`.
    #[serde(deserialize_with = "network::list")]
    pub metrics_from: Vec<IpNet>,
    /// The object store, used when `blobs` begins with `s3://`.
    pub s3: S3,
    /// How the database is used, wherever it is.
    pub database: Database,
    /// The server's own certificate; without one it speaks plain HTTP.
    pub tls: Tls,
    /// How much is allowed, and how long the server waits.
    pub limits: Limits,
    /// How long a published version may still be changed.
    pub windows: Windows,
    /// How downloads are handed to those who can send them better.
    pub downloads: Downloads,
    /// What is kept of the logs of downloads.
    pub download_logs: DownloadLogs,
    /// When content goes that no file has any more.
    pub garbage: Garbage,
    /// How stored content is held against its checksums.
    pub scrub: Scrub,
    /// How the countries of clients are known.
    pub geo: Geo,
    /// Requests to servers of others.
    pub outgoing: Outgoing,
    /// The licences that packages may name.
    pub licenses: Licenses,
    /// Where releases are staged for the public.
    pub staging: Staging,
    /// What the server writes about itself.
    pub log: Log,
    /// Which source each value came from; not a setting.
    #[serde(skip)]
    pub origins: Origins,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 8080)),
            data: PathBuf::from("./packhouse-data"),
            database_url: None,
            blobs: None,
            public_url: None,
            api_host: None,
            download_host: None,
            trusted_proxies: Vec::new(),
            allowed_origins: Vec::new(),
            auth_realm: "packhouse".to_owned(),
            hsts: true,
            default_plan: Plan::Premium,
            open_registration: false,
            master_key_file: None,
            node_name: None,
            old_client_names: true,
            metrics_from: network::loopback(),
            s3: S3::default(),
            database: Database::default(),
            tls: Tls::default(),
            limits: Limits::default(),
            windows: Windows::default(),
            downloads: Downloads::default(),
            download_logs: DownloadLogs::default(),
            garbage: Garbage::default(),
            scrub: Scrub::default(),
            geo: Geo::default(),
            outgoing: Outgoing::default(),
            licenses: Licenses::default(),
            staging: Staging::default(),
            log: Log::default(),
            origins: Origins::default(),
        }
    }
}
