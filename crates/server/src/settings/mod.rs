//! What the person who runs the house may set: each field, its manual and its default.
//! Reading the sources, checking and showing have files of their own; nothing here opens a database or a socket.

mod check;
mod error;
mod file;
mod known;
mod load;
mod locations;
mod network;
mod origin;
mod plan;
mod secret;
mod show;
mod staging;
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
pub use staging::{Staging, StagingProtocol};
pub(crate) use web_origin::WebOrigin;

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

/// `[s3]`: the object store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct S3 {
    /// The address of an S3-compatible store. Not set: AWS's own of the region.
    pub endpoint: Option<String>,
    /// The region the requests are signed for.
    pub region: String,
    /// The name of the key. Not set, with the secret not set either: credentials of the environment or the instance.
    pub access_key_id: Option<String>,
    /// The secret of the key; never shown.
    pub secret_access_key: Option<Secret>,
    /// Whether `endpoint` may be plain `http://`; for a store on the same machine or a closed network.
    pub allow_http: bool,
}

impl Default for S3 {
    fn default() -> Self {
        Self {
            endpoint: None,
            region: "us-east-1".to_owned(),
            access_key_id: None,
            secret_access_key: None,
            allow_http: false,
        }
    }
}

/// `[database]`: connections to the database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Database {
    /// The most connections held open at once.
    pub connections: usize,
    /// How long a request waits for the database before it gives up.
    pub timeout_secs: u64,
    /// A PEM file with the authorities trusted for PostgreSQL's TLS. Not set: the system's.
    pub ca_file: Option<PathBuf>,
}

impl Default for Database {
    fn default() -> Self {
        Self { connections: 16, timeout_secs: 10, ca_file: None }
    }
}

/// `[tls]`: both files or neither; read again when they change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Tls {
    /// A PEM file with the certificate and those that lead to its authority.
    pub certificate: Option<PathBuf>,
    /// A PEM file with the certificate's private key.
    pub key: Option<PathBuf>,
}

/// More bytes than any store has.
const UNLIMITED_BYTES: u64 = i64::MAX.unsigned_abs();

/// `[limits]`: how much, how many, how long.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Queries of others' resources that a subject of the free plan has each UTC day.
    pub free_queries_per_day: u32,
    /// The same for the premium plan; enterprise has no limit.
    pub premium_queries_per_day: u32,
    /// Bytes that the files of a subject of the free plan may take, published and staged. The default is no limit.
    pub free_storage_bytes: u64,
    /// The same for the premium plan.
    pub premium_storage_bytes: u64,
    /// The same for the enterprise plan.
    pub enterprise_storage_bytes: u64,
    /// Webhooks that one user may register.
    pub webhooks_per_user: u32,
    /// Consecutive failures after which a webhook is switched off.
    pub webhook_failures: u32,
    /// How long a signed URL lives when its maker does not say.
    pub signed_url_hours: u32,
    /// The largest file that may be uploaded.
    pub upload_bytes: u64,
    /// Connections from clients open at once.
    pub connections: usize,
    /// Connections open at once from one address.
    pub connections_per_address: usize,
    /// How many of a hundred connections may be open for those who have not signed in.
    pub anonymous_connections_percent: u32,
    /// How long a client may take to send a request's head.
    pub header_timeout_secs: u64,
    /// The longest silence in the middle of a body, in either direction.
    pub body_gap_secs: u64,
    /// The slowest that a client may send a body, in bytes a second, after the first seconds.
    pub body_bytes_per_sec: u64,
    /// How long a body may be slower than that.
    pub body_grace_secs: u64,
    /// Wrong passwords that one access key takes in a minute, from wherever they come; a user's name takes four times as
    /// many wrong API keys.
    pub wrong_credentials_per_name: u32,
    /// Wrong credentials that one address may send in a minute, for whichever names.
    pub wrong_credentials_per_address: u32,
    /// After how much silence an event stream sends an empty line.
    pub stream_keep_alive_secs: u64,
    /// How long running requests may go on once the server is asked to stop.
    pub drain_secs: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            free_queries_per_day: 300,
            premium_queries_per_day: 50_000,
            free_storage_bytes: UNLIMITED_BYTES,
            premium_storage_bytes: UNLIMITED_BYTES,
            enterprise_storage_bytes: UNLIMITED_BYTES,
            webhooks_per_user: 10,
            webhook_failures: 7,
            signed_url_hours: 24,
            upload_bytes: 5 * 1024 * 1024 * 1024,
            connections: 10_000,
            connections_per_address: 256,
            anonymous_connections_percent: 90,
            header_timeout_secs: 10,
            body_gap_secs: 30,
            body_bytes_per_sec: 1_024,
            body_grace_secs: 10,
            wrong_credentials_per_name: 300,
            wrong_credentials_per_address: 600,
            stream_keep_alive_secs: 30,
            drain_secs: 30,
        }
    }
}

/// `[windows]`: counted from a version's first publish.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Windows {
    /// How many days a published version still takes new files.
    pub upload_days: u32,
    /// How many days a published version may still be deleted.
    pub delete_days: u32,
}

impl Default for Windows {
    fn default() -> Self {
        Self { upload_days: 5, delete_days: 30 }
    }
}

/// `[downloads]`: who sends the bytes of large files. Every download is counted, whoever sends it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Downloads {
    /// What the `User-Agent` of clients begins with that are sent to the object store for large files. None by default.
    pub redirect_agents: Vec<String>,
    /// How long the address in the object store is good; that of private content for a minute at most.
    pub redirect_secs: u64,
    /// The address below which trusted proxies find the folder of content by `X-Accel-Redirect`. Not set: the server
    /// sends everything.
    pub accel_prefix: Option<String>,
    /// Whether public files name their owner and repository in `Surrogate-Key`, for a CDN that forgets by them.
    pub surrogate_keys: bool,
}

impl Default for Downloads {
    fn default() -> Self {
        Self { redirect_agents: Vec::new(), redirect_secs: 300, accel_prefix: None, surrogate_keys: false }
    }
}

/// `[download_logs]`: who downloaded what, a file a day and package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DownloadLogs {
    /// For how many days they are kept, today included.
    pub keep_days: u32,
}

impl Default for DownloadLogs {
    fn default() -> Self {
        Self { keep_days: 365 }
    }
}

/// `[garbage]`: content that no file has any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Garbage {
    /// How many hours content stays after its last file has gone; longer than any upload or backup takes.
    pub grace_hours: u32,
}

impl Default for Garbage {
    fn default() -> Self {
        Self { grace_hours: 24 }
    }
}

/// `[scrub]`: stored content is read and held against its checksums; what is damaged is withheld and healed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Scrub {
    /// Within how many days all content is read once; 0 reads none by itself.
    pub period_days: u32,
    /// The most bytes that are read in a second.
    pub bytes_per_second: u64,
    /// A second place with the same content, from which damaged content is healed: a folder, or `s3://bucket[/prefix]`
    /// of the same `[s3]`. It is only read. None by default.
    pub replica: Option<String>,
}

impl Default for Scrub {
    fn default() -> Self {
        Self { period_days: 30, bytes_per_second: 50 * 1024 * 1024, replica: None }
    }
}

/// `[geo]`: the countries of clients, for restrictions and statistics.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Geo {
    /// A file in MaxMind's format that has the countries of addresses; read again when it changes.
    pub database: Option<PathBuf>,
    /// A header in which trusted proxies tell the client's country; it goes before the file.
    pub country_header: Option<String>,
}

/// `[outgoing]`: requests to servers of others, whose addresses users choose.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Outgoing {
    /// Whether they may go to private networks and to this machine; for a server whose users are all trusted.
    pub allow_private: bool,
    /// Networks that they may never go to, besides those that are always refused. None by default.
    #[serde(deserialize_with = "network::list")]
    pub refused_networks: Vec<IpNet>,
}

/// `[licenses]`: the licences that packages may name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Licenses {
    /// Names of further licences that packages may name, such as `BUSL-1.1`. None by default.
    pub extra: Vec<String>,
}

/// `[log]`: what the server writes about itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Log {
    /// `text` for people, `json` for collectors.
    pub format: LogFormat,
    /// The least important level written, or a filter such as `info,server=debug`.
    pub level: String,
}

impl Default for Log {
    fn default() -> Self {
        Self { format: LogFormat::Text, level: "info".to_owned() }
    }
}

/// The shape of a log line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// One readable line an event.
    Text,
    /// One JSON object an event.
    Json,
}
