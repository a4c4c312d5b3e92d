//! The server's own key, for repositories whose owner has none.

use database::{
    ScopedFutureExt,
    signing::gpg_keys::{self, GpgKey, OWN},
};

use crate::{
    Caller, Error, House, Result,
    audit::{entry, record},
    signing::{new_key, sealed::seal},
};

/// Returns the server's own armored public key, for anyone.
#[boxed::future]
pub async fn own_public_key(house: &House, caller: &Caller) -> Result<String> {
    Ok(find(house, caller).await?.public_key)
}

/// Returns the server's own key, which is generated on first use.
pub(super) async fn find(house: &House, caller: &Caller) -> Result<GpgKey> {
    if let Some(key) = gpg_keys::find_own(&house.db).await? {
        return Ok(key);
    }
    let certificate = new_key::generate("packhouse", &house.entropy, house.clock.now())?;
    let key = &seal(house, OWN, None, certificate)?;
    let log = &entry(house, caller, "gpg_key.generate", "server", &key.fingerprint);
    house
        .db
        .write(|tx| {
            async move {
                // Another node may have been first; then its key is used.
                if gpg_keys::insert(tx, key).await? {
                    record(tx, log).await?;
                }
                gpg_keys::find_own(tx).await?.ok_or_else(|| Error::Internal("the server's key was not stored".into()))
            }
            .scope_boxed()
        })
        .await
}
