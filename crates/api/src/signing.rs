//! Signing, and the keys for it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Secret;

/// What a call says about how to sign.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
pub struct Signing {
    /// Whose key to use, when it is not the one that the repository says.
    pub subject: Option<String>,
    /// An armoured key for this call, which is kept nowhere.
    pub private_key: Option<Secret>,
    /// What opens the key.
    pub passphrase: Option<Secret>,
}

/// A key to keep.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct NewGpgKey {
    /// The armoured private key.
    pub private_key: Secret,
    /// What opens it. With it, calls need none later.
    pub passphrase: Option<Secret>,
}

/// A key, without anything secret.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct GpgKey {
    /// `success`, where it was just stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What the public key is known by.
    pub fingerprint: String,
    /// Whether calls must send its passphrase.
    pub needs_passphrase: bool,
    /// When the server got it.
    pub created: String,
    /// Until when it signs; absent when it does not end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires: Option<String>,
    /// That it ends soon, from thirty days before, or has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
}
