//! Sessions of key holders on the pages: someone who has an access key signs in with it, and sees what it opens.

use database::{
    ScopedFutureExt,
    access::{access_keys, key_sessions as rows},
};
use model::timestamp::Timestamp;

use crate::{
    AccessKeyIdentity, Caller, Error, House, PresentedCredentials, Principal, Result,
    access::access_keys::confirm,
    accounts::{
        authentication::authenticate,
        sessions::{Token, new_token},
    },
    audit::{entry, record},
};

/// The lifetime of a session.
const LASTS_MS: i64 = 24 * 60 * 60 * 1_000;

/// Returns the key holder of a session that has not ended. The key has to be valid, and may be used from the address.
#[boxed::future]
pub async fn find(
    house: &House,
    token: &Token,
    presented: PresentedCredentials<'_>,
) -> Result<Option<AccessKeyIdentity>> {
    let now = house.clock.now();
    let Some(session) = rows::find(&house.db, &house.secrets.hash_session(token.expose())).await? else {
        return Ok(None);
    };
    let Some((key, owner)) = access_keys::find_by_id(&house.db, session.key_id).await? else { return Ok(None) };
    let is_over = now.millis() - session.created >= LASTS_MS || key.password_hash != session.password_hash;
    let is_expired = key.terms.expiry.is_some_and(|expiry| expiry <= now);
    if is_over || is_expired || !key.terms.networks.admit(presented.address) {
        return Ok(None);
    }
    match confirm(house, presented, &key, &owner).await {
        Ok(confirmed) => {
            let good_until = [key.terms.expiry, confirmed].into_iter().flatten().min();
            Ok(Some(AccessKeyIdentity::new(key, &owner, good_until)))
        }
        Err(Error::Unauthenticated(_) | Error::Denied(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Signs in with the name and the password of an access key.
#[boxed::future]
pub async fn open(house: &House, caller: &Caller, presented: PresentedCredentials<'_>) -> Result<Token> {
    if !presented.name.is_some_and(|name| name.contains('@')) {
        return Err(Error::Unauthenticated("The name of an access key is the key and its owner, such as key@owner"));
    }
    let principal = authenticate(house, presented).await?;
    let holder = Caller { principal, ..caller.clone() };
    let Principal::Key(key) = &holder.principal else { return Err(Error::wrong_credentials()) };
    let Some((found, _)) = access_keys::find_by_id(&house.db, key.id).await? else {
        return Err(Error::wrong_credentials());
    };
    let token = new_token(house);
    let (hash, found) = (&house.secrets.hash_session(token.expose()), &found);
    let log = &entry(house, &holder, "session.create", key.full_name(), "");
    house
        .db
        .write(|tx| {
            async move {
                match rows::insert(tx, hash, found.id, &found.password_hash, log.at).await {
                    // Deleted meanwhile.
                    Err(database::Error::Missing) => return Err(Error::wrong_credentials()),
                    other => other?,
                }
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await?;
    Ok(token)
}

/// Signs out.
#[boxed::future]
pub async fn close(house: &House, caller: &Caller, token: &Token) -> Result<()> {
    let hash = &house.secrets.hash_session(token.expose());
    let log = &entry(house, caller, "session.delete", caller.name().unwrap_or_default(), "");
    house
        .db
        .write(|tx| {
            async move { if rows::delete(tx, hash).await? { record(tx, log).await } else { Ok(()) } }.scope_boxed()
        })
        .await
}

/// Deletes the sessions that are over.
pub(crate) async fn delete_expired(house: &House) -> Result<()> {
    let before = Timestamp::from_millis(house.clock.now().millis() - LASTS_MS);
    house.db.write(|tx| async move { rows::delete_expired(tx, before).await.map_err(Error::from) }.scope_boxed()).await
}
