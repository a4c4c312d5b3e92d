//! Records and lists accepted agreements.

use database::{
    Read, ScopedFutureExt,
    access::signed_eulas::{self, SignedEula},
};
use model::{
    digest::hex,
    eula::{Eula, ListedSignature},
    names::VersionName,
    page::PAGE_SIZE,
};
use sha2::{Digest, Sha256};

use crate::{
    AccessKeyIdentity, Caller, House, Page, Result,
    access::products::{self, ProductAddress},
    audit::{entry, record},
};

/// Lists the acceptances of a product's agreements, newest first, for callers who manage its owner.
#[boxed::future]
pub async fn list(house: &House, caller: &Caller, at: &ProductAddress, start: u64) -> Result<Page<ListedSignature>> {
    let product = products::managed(&house.db, caller, at).await?;
    let total = signed_eulas::count(&house.db, product.id).await?.unsigned_abs();
    let bounded = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let items = if start < total {
        signed_eulas::list(&house.db, product.id, bounded(start), bounded(PAGE_SIZE)).await?
    } else {
        Vec::new()
    };
    Ok(Page { items, start, total })
}

/// Returns whether a key has accepted this text for this version.
pub(super) async fn is_accepted(db: &dyn Read, key: &AccessKeyIdentity, eula: &Eula, version: &str) -> Result<bool> {
    let signed = signed_eulas::list_of_key(db, eula.product_id, key.id, version).await?;
    Ok(signed.contains(&digest(eula)))
}

/// Records that a key has accepted a text for a version.
pub(super) async fn sign(
    house: &House,
    caller: &Caller,
    key: &AccessKeyIdentity,
    at: &ProductAddress,
    version: &VersionName,
    eula: &Eula,
) -> Result<()> {
    let log = &entry(house, caller, "eula.accept", at, format!("{} for {version}", eula.name));
    let signed = &SignedEula {
        product_id: eula.product_id,
        key_id: key.id,
        key_name: key.full_name(),
        version: version.to_string(),
        eula_id: eula.id,
        eula: eula.name.to_string(),
        eula_sha256: digest(eula),
        at: log.at,
        address: log.address.clone(),
    };
    house
        .db
        .write(|tx| {
            async move {
                let is_new = match signed_eulas::insert(tx, signed).await {
                    // Deleted while it was being accepted.
                    Err(database::Error::Missing) => return Err(products::not_found(at)),
                    other => other?,
                };
                if is_new { record(tx, log).await } else { Ok(()) }
            }
            .scope_boxed()
        })
        .await
}

/// Returns the digest of the text. Acceptance is bound to the text: a different one has to be accepted again.
pub(super) fn digest(eula: &Eula) -> String {
    hex(&Sha256::digest(eula.document.content.as_bytes()))
}
