//! Resolves credentials to a principal.

use std::net::IpAddr;

use database::access::access_keys;
use model::{
    access::Scope,
    api_key::ApiKey,
    id::KeyId,
    names::{AccessKeyName, SubjectName},
};

use crate::{
    AccessKeyIdentity, Error, House, PresentedToken, Principal, Result,
    access::access_keys::confirm,
    accounts::{failures, user_cache::KnownUser},
};

/// The credentials of a request.
#[derive(Debug, Clone, Copy)]
pub struct PresentedCredentials<'a> {
    /// The name; `None` if the key is presented alone, which only API keys of users and tokens can be.
    pub name: Option<&'a str>,
    /// The user's API key, a token, or the password of an access key.
    pub password: &'a ApiKey,
    /// The IP address of the client.
    pub address: IpAddr,
    /// Whether many clients share this address.
    pub is_shared: bool,
    /// The client's user agent.
    pub agent: Option<&'a str>,
    /// The request id, for the audit log.
    pub request_id: &'a str,
    /// The scope that a token needs for the call.
    pub scope: Scope,
}

/// Returns the user with this name and key, or the key holder with an access key, whose name is `key@owner`. An API key
/// alone finds its user as well.
#[boxed::future]
pub async fn authenticate(house: &House, presented: PresentedCredentials<'_>) -> Result<Principal> {
    let outcome = match look_up(house, presented).await {
        Err(wrong) if wrong == Error::wrong_credentials() => Err(failures::record(house, presented, wrong).await),
        other => other,
    };
    house.logins.record(house, presented, &outcome).await;
    outcome
}

/// Returns whether an address has sent so many wrong credentials that cached responses must not be used for it, even
/// for right ones.
pub fn is_suspect(house: &House, address: IpAddr) -> bool {
    failures::is_suspect(house, address)
}

async fn look_up(house: &House, presented: PresentedCredentials<'_>) -> Result<Principal> {
    let is_guessable = failures::is_guessable(presented);
    if is_guessable {
        failures::check(house, presented)?;
    }
    let found = match presented.name.map(|name| (name, name.rsplit_once('@'))) {
        Some((_, Some((key, owner)))) => key_holder(house, key, owner, presented).await,
        Some((name, None)) => user(house, Some(name), presented).await,
        None => user(house, None, presented).await,
    };
    if is_guessable && found.is_ok() {
        // Other attempts may have failed during this look-up: simultaneous attempts must not get around the limit.
        failures::check(house, presented)?;
    }
    found
}

/// Looks up a user by the hash of the key, and compares the name afterwards, if there is one: an unknown user, a wrong
/// key and another user's key take the same path and get the same answer.
async fn user(house: &House, name: Option<&str>, presented: PresentedCredentials<'_>) -> Result<Principal> {
    let found = house.known_users.find(house, presented.password).await?;
    let found = found.filter(|known| name.is_none_or(|name| known.user.name.as_str() == name));
    let KnownUser { user, token } = found.ok_or_else(Error::wrong_credentials)?;
    let Some(token) = token else { return Ok(Principal::User(user)) };
    token.check(house.clock.now(), presented.address)?;
    house.token_uses.record(house, token.id, presented.address, presented.agent);
    Ok(Principal::User(user.with_token(PresentedToken::new(token, presented.scope))))
}

async fn key_holder(house: &House, key: &str, owner: &str, presented: PresentedCredentials<'_>) -> Result<Principal> {
    let wrong = || Error::wrong_credentials();
    let (Ok(name), Ok(owner)) = (AccessKeyName::parse(key), SubjectName::parse(owner)) else { return Err(wrong()) };
    let found = access_keys::find(&house.db, &owner, &name).await?;
    // A key that does not exist costs as much as one that does.
    let (id, hash) = found.as_ref().map_or((KeyId::NONE, ""), |(key, _)| (key.id, key.password_hash.as_str()));
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
