//! Signing, and the keys for it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Secret;

/// The signing options of a call.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
pub struct Signing {
    /// The owner of the signing key, if it is not the key that the repository selects.
    pub subject: Option<String>,
    /// An armoured key for this call, which is not stored.
    pub private_key: Option<Secret>,
    /// The passphrase of the key.
    pub passphrase: Option<Secret>,
}

/// A key to store.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct NewGpgKey {
    /// The armoured private key.
    pub private_key: Secret,
    /// Its passphrase. If it is stored, later calls need none.
    pub passphrase: Option<Secret>,
}

/// A key, without anything secret.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct GpgKey {
    /// `success`, where it was just stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The fingerprint of the public key.
    pub fingerprint: String,
    /// Whether calls must send its passphrase.
    pub needs_passphrase: bool,
    /// When it was stored.
    pub created: String,
    /// When it expires; absent when it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires: Option<String>,
    /// Says that the key has expired, or expires within thirty days.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
}
