//! What people decide about devices.

use database::{
    ScopedFutureExt,
    accounts::device_codes::{self as rows, DeviceCode},
};

use super::{hash, plain};
use crate::{
    Caller, Error, House, Result, access,
    audit::{entry, record},
    guesses::{self, Target},
};

/// The maximum number of wrong codes of a person within a minute.
const WRONG_CODES: u64 = 10;

/// What a person is asked to allow.
#[derive(Debug, Clone)]
pub struct DeviceRequest {
    /// What the device calls itself.
    pub client: String,
    /// Its IP address.
    pub address: String,
    /// The scope of the token that it gets.
    pub scope: String,
}

/// Returns what a code asks for. Only users find codes, and not with a token.
#[boxed::future]
pub async fn find(house: &House, caller: &Caller, user_code: &str) -> Result<DeviceRequest> {
    let code = look_up(house, caller, user_code).await?;
    Ok(DeviceRequest { client: code.client, address: code.address, scope: code.scope })
}

/// Allows a device to sign in as the caller, or refuses it.
#[boxed::future]
pub async fn decide(house: &House, caller: &Caller, user_code: &str, is_allowed: bool) -> Result<()> {
    let code = &look_up(house, caller, user_code).await?;
    let user = access::identity(caller)?;
    let user_id = is_allowed.then_some(user.id);
    let action = if is_allowed { "device.allow" } else { "device.deny" };
    let log = &entry(house, caller, action, &user.name, format!("{} at {}", code.client, code.address));
    house
        .db
        .write(|tx| {
            async move {
                if !rows::decide(tx, &code.user_hash, user_id).await? {
                    return Err(unknown());
                }
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}

async fn look_up(house: &House, caller: &Caller, user_code: &str) -> Result<DeviceCode> {
    let user = access::identity(caller)?;
    if user.token.is_some() {
        return Err(Error::Denied("A token may not sign in a device".into()));
    }
    let target = Target::name("code", user.name.as_str(), WRONG_CODES);
    let begun = guesses::begin(house, &[target]).await?.map_err(|too_many| too_many.refusal("codes"))?;
    let found = rows::find_by_user_code(&house.db, &hash(house, "user", &plain(user_code))).await?;
    let now = house.clock.now().millis();
    let is_open = |code: &DeviceCode| now < code.expiry && code.user_id.is_none() && !code.is_denied;
    let found = found.filter(is_open).ok_or_else(unknown)?;
    guesses::end(house, begun.id).await?;
    Ok(found)
}

fn unknown() -> Error {
    Error::invalid("code", "it is wrong, was used, or has expired")
}
