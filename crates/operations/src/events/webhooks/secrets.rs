//! Stores the secrets that sign callbacks: sealed, each for its own row.

use database::{Tx, events::webhooks};
use model::{api_key::ApiKey, id::SubjectId};
use zeroize::Zeroizing;

use crate::{Error, House, Result, events::webhooks::mac, sealing::SealContext};

/// Seals the header computed from the user's API key, for a webhook.
pub(super) fn seal_mac(house: &House, id: i64, key: &ApiKey, package: &str) -> Result<String> {
    house.secrets.seal(mac_place(id), mac::of_package(key, package).as_bytes(), &house.entropy)
}

/// Unseals the header computed from the user's API key.
pub(super) fn open_mac(house: &House, id: i64, sealed: &str) -> Result<Zeroizing<String>> {
    let bytes = house.secrets.unseal(mac_place(id), sealed)?;
    let text = str::from_utf8(&bytes).map_err(|_| Error::Internal(format!("webhook {id} has a damaged header")))?;
    Ok(Zeroizing::new(text.to_owned()))
}

/// Seals a webhook's own secret.
pub(super) fn seal_secret(house: &House, id: i64, secret: &[u8]) -> Result<String> {
    house.secrets.seal(secret_place(id), secret, &house.entropy)
}

/// Unseals a webhook's own secret.
pub(super) fn open_secret(house: &House, id: i64, sealed: &str) -> Result<Zeroizing<Vec<u8>>> {
    house.secrets.unseal(secret_place(id), sealed)
}

/// Recomputes the headers of a user's webhooks for a new API key: the key is available only at this moment.
pub(crate) async fn renew_macs(tx: &mut Tx, house: &House, user_id: SubjectId, key: &ApiKey) -> Result<()> {
    for (id, package) in webhooks::list_of_user(tx, user_id).await? {
        webhooks::update_mac(tx, id, &seal_mac(house, id, key, &package)?).await?;
    }
    Ok(())
}

pub(crate) fn mac_place(row: i64) -> SealContext {
    SealContext { table: "webhooks", column: "sealed_mac", row }
}

pub(crate) fn secret_place(row: i64) -> SealContext {
    SealContext { table: "webhooks", column: "sealed_secret", row }
}
