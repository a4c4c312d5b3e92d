//! Where rows and content are stored, and how they are looked after.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::secret::Secret;

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
