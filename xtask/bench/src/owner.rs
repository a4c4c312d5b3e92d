//! The user who owns the measured repositories.

use serde_json::{Value, json};

use crate::client::{Call, Caller, Client};
use crate::house::ADMIN_KEY;
use xtask::failure::{Attempt, Failure, Result};

/// The name of the owner.
pub(crate) const OWNER: &str = "ada";

/// Creates the owner as an administrator would. The plan has no limit of queries, so that none are counted.
pub(crate) async fn create_owner(address: &str) -> Result<Caller> {
    let admin = Caller { address: address.into(), name: "admin".into(), key: ADMIN_KEY.into() };
    let owner = json!({ "name": OWNER, "plan": "enterprise" });
    let key = create(&admin, Call::post("/api/users", owner), "api_key").await?;
    Ok(Caller { address: address.into(), name: OWNER.into(), key })
}

/// Creates a token of the owner that may read everything.
pub(crate) async fn create_token(owner: &Caller) -> Result<String> {
    let token = json!({ "name": "bench", "scopes": ["read"] });
    create(owner, Call::post(format!("/api/users/{OWNER}/tokens"), token), "token").await
}

/// Returns the secret in this field of what the call creates.
async fn create(caller: &Caller, call: Call, field: &str) -> Result<String> {
    let created = Client::connect(caller).await?.send(&call).await?;
    let created: Value = serde_json::from_slice(&created).attempt("cannot read the response")?;
    let secret = created.get(field).and_then(Value::as_str);
    Ok(secret.ok_or_else(|| Failure::new(format!("the response has no {field}")))?.to_owned())
}
