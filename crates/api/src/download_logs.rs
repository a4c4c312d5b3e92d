//! Download logs.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A log file of downloads.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct LogFile {
    /// Its name.
    pub name: String,
    /// Its size in bytes.
    pub size: i64,
    /// When its last line was written, to the second.
    pub update: String,
}
