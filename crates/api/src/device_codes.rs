//! Sign-ins of devices.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The body that begins the sign-in of a device.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct NewDeviceCode {
    /// What the device calls itself; people see it when they confirm.
    #[serde(default)]
    pub client: Option<String>,
    /// The scope of the token that it gets: `read`, `publish`, `manage` or `admin`; `manage` when absent.
    #[serde(default)]
    pub scope: Option<String>,
}

/// A device that waits for a person.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct DeviceCode {
    /// The code that the device asks with. It is a secret.
    pub device_code: String,
    /// The code that the person types.
    pub user_code: String,
    /// The page on which the person types it.
    pub verification_url: String,
    /// For how many seconds the codes are valid.
    pub expires_in: i64,
    /// How many seconds the device waits before it asks again.
    pub interval: i64,
}

/// The body of a device that asks.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct DevicePoll {
    /// Its code.
    pub device_code: String,
}

/// The answer to a device that asks.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct DeviceAnswer {
    /// `pending`, `slow_down`, `denied`, `expired` or `allowed`.
    pub status: String,
    /// The user who has allowed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// The secret of the user's new token, which is shown only once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
}
