//! The API path of an account, which differs for users and organizations.

use serde_json::Value;

use crate::{address::encode, client::Client, error::Result};

/// Returns `/users/name` or `/orgs/name`.
pub(crate) async fn path(client: &Client, name: &str) -> Result<String> {
    let is_own = client.login.as_ref().is_some_and(|login| login.user == name);
    let org = format!("/orgs/{}", encode(name));
    if !is_own && client.find::<Value>(&org).await?.is_some() {
        return Ok(org);
    }
    Ok(format!("/users/{}", encode(name)))
}
