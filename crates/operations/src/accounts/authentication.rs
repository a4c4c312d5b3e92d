//! From credentials to whoever has them.

use std::net::IpAddr;

use database::access::access_keys;
use model::{
    api_key::ApiKey,
    names::{AccessKeyName, SubjectName},
};

use crate::{AccessKeyIdentity, Error, House, Principal, Result, access::access_keys::confirm, accounts::failures};

/// Credentials as a request shows them.
#[derive(Debug, Clone, Copy)]
pub struct PresentedCredentials<'a> {
    /// Whose they are.
    pub name: &'a str,
    /// The user's API key, or the password of a key for outsiders.
    pub password: &'a ApiKey,
    /// Where the request comes from.
    pub address: IpAddr,
    /// Whether this address speaks for many.
    pub is_shared: bool,
    /// What the client says it is.
    pub agent: Option<&'a str>,
    /// The request, for the audit log.
    pub request_id: &'a str,
}

/// The user of this name with this key, or the outsider with an access key, which is named `key@owner`.
pub async fn authenticate(house: &House, presented: PresentedCredentials<'_>) -> Result<Principal> {
    let outcome = match look_up(house, presented).await {
        Err(wrong) if wrong == Error::wrong_credentials() => Err(failures::note(house, presented, wrong).await),
        other => other,
    };
    house.logins.note(house, presented, &outcome).await;
    outcome
}

/// Whether an address has shown wrong credentials so often that right ones are looked at, too.
pub fn is_suspect(house: &House, address: IpAddr) -> bool {
    failures::is_suspect(house, address)
}

async fn look_up(house: &House, presented: PresentedCredentials<'_>) -> Result<Principal> {
    let is_guessable = failures::is_guessable(presented);
    if is_guessable {
        failures::check(house, presented)?;
    }
    let found = match presented.name.rsplit_once('@') {
        Some((key, owner)) => key_holder(house, key, owner, presented).await,
        None => user(house, presented.name, presented.password).await,
    };
    if is_guessable && found.is_ok() {
        // Others may have failed while this was looked up: of many that come at once, no more are told apart.
        failures::check(house, presented)?;
    }
    found
}

/// A key is looked up by its hash, and the name is compared afterwards: an unknown user, a wrong key and a key of
/// somebody else take the same path and get the same answer.
async fn user(house: &House, name: &str, key: &ApiKey) -> Result<Principal> {
    let found = house.known_users.find(house, &house.secrets.hash_key(key)).await?;
    match found {
        Some(user) if user.name.as_str() == name => Ok(Principal::User(user)),
        _ => Err(Error::wrong_credentials()),
    }
}

async fn key_holder(house: &House, key: &str, owner: &str, presented: PresentedCredentials<'_>) -> Result<Principal> {
    let wrong = || Error::wrong_credentials();
    let (Ok(name), Ok(owner)) = (AccessKeyName::parse(key), SubjectName::parse(owner)) else { return Err(wrong()) };
    let found = access_keys::find(&house.db, &owner, &name).await?;
    // A key that does not exist costs as much as one that does.
    let (id, hash) = found.as_ref().map_or((0, ""), |(key, _)| (key.id, key.password_hash.as_str()));
    let is_right =
        house.secrets.is_same(house.secrets.hash_password(id, presented.password).as_bytes(), hash.as_bytes());
    let (key, owner) = found.filter(|_| is_right).ok_or_else(wrong)?;
    if key.terms.expiry.is_some_and(|expiry| expiry <= house.clock.now()) {
        return Err(Error::Unauthenticated("The access key has expired"));
    }
    if !key.terms.networks.admit(presented.address) {
        return Err(Error::Denied("The access key may not be used from this network".into()));
    }
    let confirmed = confirm(house, presented, &key, &owner).await?;
    let good_until = [key.terms.expiry, confirmed].into_iter().flatten().min();
    Ok(Principal::Key(Box::new(AccessKeyIdentity::new(key, &owner, good_until))))
}
