//! The settings of the server: their fields, documentation and defaults, and code that reads the sources, validates and
//! prints them. Nothing here opens a database or a socket.

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
    Database, DownloadLogs, Downloads, Garbage, Geo, Licenses, Limits, Log, LogFormat, Mail, MailTls, Oidc, Outgoing,
    ReadmeImages, S3, Scrub, Staging, StagingProtocol, Tls, Traces, Windows,
};
pub use web_origin::WebOrigin;

/// All settings. `Settings::default()` runs a server on one machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The IP address and port that the server listens on.
    pub listen: SocketAddr,
    /// The folder for everything that the server stores on this machine. Created at the first start.
    pub data: PathBuf,
    /// The location of metadata: `sqlite://path` or `postgres://user:password@host/name`.
    /// Not set: an SQLite file in `data`.
    pub database_url: Option<DatabaseUrl>,
    /// The location of content: a folder, or `s3://bucket[/prefix]` together with `[s3]`.
    /// Not set: the folder `blobs` in `data`.
    pub blobs: Option<String>,
    /// The URL that people and clients use; every link is built from it. `http` or `https`, without a query. Not set:
    /// the address of `listen`.
    pub public_url: Option<String>,
    /// A host name that serves the API at its root, in addition to `/api` of `public_url`. It has the scheme and port
    /// of `public_url`.
    pub api_host: Option<String>,
    /// A host name that serves downloads at its root, in addition to `/dl` of `public_url`. It has the scheme and port
    /// of `public_url`.
    pub download_host: Option<String>,
    /// Networks or IP addresses of the proxies whose `X-Forwarded-*` headers are trusted. Networks that together cover
    /// the internet are refused. Empty by default.
    #[serde(deserialize_with = "network::list")]
    pub trusted_proxies: Vec<IpNet>,
    /// Origins of other sites, such as `https://tools.example.com`, whose pages may make changes here on behalf of the
    /// person who views them. All others get 403. Empty by default.
    pub allowed_origins: Vec<String>,
    /// The realm of the Basic authentication challenge; some clients choose their credentials by it. At most 100
    /// printable ASCII characters.
    pub auth_realm: String,
    /// Whether responses over TLS have `Strict-Transport-Security: max-age=31536000`, so that browsers use only TLS for
    /// a year. Only if `public_url` is set and begins with `https://`.
    pub hsts: bool,
    /// Where people report security problems, such as `mailto:security@example.com` or `https://example.com/security`:
    /// the contact in `/.well-known/security.txt`. Not set: the server has no such file.
    pub security_contact: Option<String>,
    /// The plan of new users and organizations: `free`, `premium` or `enterprise`.
    #[serde(with = "plan")]
    pub default_plan: Plan,
    /// Whether anyone may create an account. Otherwise, only site administrators can.
    pub open_registration: bool,
    /// The file with the key that seals secrets at rest. Back it up separately from the data. Not set: `master.key` in
    /// `data`, created at the first start.
    pub master_key_file: Option<PathBuf>,
    /// The name of this node in the list at `/-/admin`. Not set: the host name of the machine.
    pub node_name: Option<String>,
    /// Whether the server accepts the `X-Bintray-*` headers and `bt_*` parameters of old clients, and sends the old
    /// header names in addition to the current ones in responses and callbacks.
    pub old_client_names: bool,
    /// Networks or IP addresses that may read `/metrics`.
    #[serde(deserialize_with = "network::list")]
    pub metrics_from: Vec<IpNet>,
    /// The object store, used when `blobs` begins with `s3://`.
    pub s3: S3,
    /// Connections to the database, for both engines.
    pub database: Database,
    /// The server's certificate. Without one, the server uses plain HTTP.
    pub tls: Tls,
    /// Quotas, sizes and time-outs.
    pub limits: Limits,
    /// How long a published version may be changed.
    pub windows: Windows,
    /// Which downloads a proxy or the object store sends instead of the server.
    pub downloads: Downloads,
    /// How long download logs are stored.
    pub download_logs: DownloadLogs,
    /// When content that no file refers to is removed.
    pub garbage: Garbage,
    /// How stored content is compared with its checksums.
    pub scrub: Scrub,
    /// How the server finds the countries of clients.
    pub geo: Geo,
    /// Outbound requests.
    pub outgoing: Outgoing,
    /// Images of other sites in readmes.
    pub readme_images: ReadmeImages,
    /// The licenses that packages may name.
    pub licenses: Licenses,
    /// The public registry that versions are pushed to.
    pub staging: Staging,
    /// The mail server that messages to users are sent through.
    pub mail: Mail,
    /// Where the server reports how long requests took.
    pub traces: Traces,
    /// Single sign-on with an OpenID Connect provider.
    pub oidc: Oidc,
    /// The server's log.
    pub log: Log,
    /// The source of each value; not a setting.
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
            security_contact: None,
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
            readme_images: ReadmeImages::default(),
            licenses: Licenses::default(),
            staging: Staging::default(),
            mail: Mail::default(),
            traces: Traces::default(),
            oidc: Oidc::default(),
            log: Log::default(),
            origins: Origins::default(),
        }
    }
}
