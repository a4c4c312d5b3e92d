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
    let created = Client::connect(&admin).await?.send(&Call::post("/api/users", owner)).await?;
    let created: Value = serde_json::from_slice(&created).attempt("cannot read the response")?;
    let key = created.get("api_key").and_then(Value::as_str);
    let key = key.ok_or_else(|| Failure::new("the new user has no key"))?.to_owned();
    Ok(Caller { address: address.into(), name: OWNER.into(), key })
}
