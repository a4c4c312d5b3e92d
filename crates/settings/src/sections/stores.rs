//! Where rows and content are stored, and how they are maintained.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::secret::Secret;

/// `[s3]`: the object store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct S3 {
    /// The URL of an S3-compatible store. Not set: the AWS endpoint of the region.
    pub endpoint: Option<String>,
    /// The region that requests are signed for.
    pub region: String,
    /// The id of the access key. If neither the id nor the secret is set, the server uses the credentials of the
    /// environment or the instance.
    pub access_key_id: Option<String>,
    /// The secret of the access key; never printed.
    pub secret_access_key: Option<Secret>,
    /// Whether `endpoint` may be plain `http://`, for a store on the same machine or in a closed network.
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
    /// The maximum number of open connections.
    pub connections: usize,
    /// How long a request waits for the database before it fails.
    pub timeout_secs: u64,
    /// A PEM file with the certificate authorities to trust for TLS to PostgreSQL. Not set: those of the system.
    pub ca_file: Option<PathBuf>,
}

impl Default for Database {
    fn default() -> Self {
        Self { connections: 16, timeout_secs: 10, ca_file: None }
    }
}

/// `[garbage]`: content that no file refers to any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Garbage {
    /// The number of hours that content stays in the store after its last file is deleted. Should be longer than any
    /// upload or backup takes.
    pub grace_hours: u32,
}

impl Default for Garbage {
    fn default() -> Self {
        Self { grace_hours: 24 }
    }
}

/// `[scrub]`: reads stored content and compares it with its checksums. Damaged content is withheld and healed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Scrub {
    /// The number of days in which all content is read once. 0 turns automatic reading off.
    pub period_days: u32,
    /// The maximum number of bytes to read per second. A pass is as slow as its period allows, but at least 1 MiB per
    /// second.
    pub bytes_per_second: u64,
    /// A second location with the same content, from which damaged content is healed: a folder, or
    /// `s3://bucket[/prefix]` of the same `[s3]`. The server only reads from it. Not set by default.
    pub replica: Option<String>,
}

impl Default for Scrub {
    fn default() -> Self {
        Self { period_days: 30, bytes_per_second: 50 * 1024 * 1024, replica: None }
    }
}
