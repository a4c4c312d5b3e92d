//! Sign-ins of devices: a program shows a code, a person who is signed in confirms it on a page, and the program gets a
//! token of that person.

mod decision;

use database::{
    ScopedFutureExt,
    accounts::{
        device_codes::{self as rows, DeviceCode},
        subjects, tokens,
    },
};
use model::{
    access::Scope,
    api_key::ApiKey,
    digest::hex,
    id::{SubjectId, TokenId},
    names::SubjectName,
    timestamp::Timestamp,
    token::{NAME_CHARACTERS, Token, TokenTerms},
};

use super::tokens::TOKENS;
use crate::{
    Caller, Error, House, Result, Via,
    audit::{entry, record},
    guesses::{self, Target},
};

pub use decision::{DeviceRequest, decide, find};

/// How long a device waits, in seconds.
pub const WAITS_SECS: i64 = 10 * 60;

/// How often a device may ask, in seconds.
pub const INTERVAL_SECS: i64 = 5;

/// How long the token of a device is valid, in milliseconds: 90 days.
const TOKEN_MS: i64 = 90 * 24 * 60 * 60 * 1_000;

/// The letters of codes that people type: without vowels, so that they do not form words.
const LETTERS: &[u8; 20] = b"BCDFGHJKLMNPQRSTVWXZ";

/// The maximum number of devices from one address that begin within a minute.
const BEGINNINGS: u64 = 20;

/// The most characters that are kept of a device's name.
const CLIENT_CHARACTERS: usize = 60;

/// A device that waits for a person.
#[derive(Debug)]
pub struct WaitingDevice {
    /// The code that the device asks with.
    pub device_code: String,
    /// The code that the person types.
    pub user_code: String,
}

/// The answer to a device that asks.
#[derive(Debug)]
pub enum DeviceAnswer {
    /// Nobody has decided yet.
    Pending,
    /// Nobody has decided yet, and the device asks too often.
    SlowDown,
    /// A person has refused.
    Denied,
    /// The code is unknown, was used, or has expired.
    Expired,
    /// A person has allowed it: the user, and the secret of a new token.
    Allowed(SubjectName, ApiKey),
}

/// Begins the sign-in of a device.
#[boxed::future]
pub async fn begin(house: &House, caller: &Caller, client: &str, scope: &str) -> Result<WaitingDevice> {
    let scope =
        Scope::parse(scope).ok_or_else(|| Error::invalid("scope", "it must be read, publish, manage or admin"))?;
    let target = match caller.via {
        Via::Network { address, .. } => Target::address("device", address, BEGINNINGS),
        Via::CommandLine | Via::Job => Target::name("device", &caller.audit_address(), BEGINNINGS),
    };
    guesses::begin(house, &[target]).await?.map_err(|too_many| too_many.refusal("sign-ins of devices"))?;
    let (device_code, user_code) = (hex(&house.entropy.bytes()), user_code(house.entropy.bytes()));
    let now = house.clock.now().millis();
    let client: String = client.chars().filter(|c| !c.is_control()).take(CLIENT_CHARACTERS).collect();
    let code = &DeviceCode {
        hash: hash(house, "device", &device_code),
        user_hash: hash(house, "user", &plain(&user_code)),
        client: if client.trim().is_empty() { "a device".to_owned() } else { client.trim().to_owned() },
        address: caller.audit_address(),
        scope: scope.as_str().to_owned(),
        created: now,
        expiry: now + 1_000 * WAITS_SECS,
        polled: None,
        user_id: None,
        is_denied: false,
    };
    let written: database::Result<()> = house.db.write(|tx| rows::insert(tx, code).scope_boxed()).await;
    written?;
    Ok(WaitingDevice { device_code, user_code })
}

/// Answers a device that asks whether somebody has decided.
#[boxed::future]
pub async fn poll(house: &House, caller: &Caller, device_code: &str) -> Result<DeviceAnswer> {
    let (hash, now) = (&hash(house, "device", device_code), house.clock.now());
    let Some(code) = rows::find(&house.db, hash).await?.filter(|code| now.millis() < code.expiry) else {
        return Ok(DeviceAnswer::Expired);
    };
    if code.is_denied {
        let deleted: database::Result<bool> = house.db.write(|tx| rows::delete(tx, hash).scope_boxed()).await;
        deleted?;
        return Ok(DeviceAnswer::Denied);
    }
    if let Some(user_id) = code.user_id {
        return give(house, caller, &code, user_id).await;
    }
    if code.polled.is_some_and(|polled| now.millis() - polled < 1_000 * (INTERVAL_SECS - 1)) {
        return Ok(DeviceAnswer::SlowDown);
    }
    let touched: database::Result<()> = house.db.write(|tx| rows::touch(tx, hash, now).scope_boxed()).await;
    touched?;
    Ok(DeviceAnswer::Pending)
}

/// Makes the token of a device, once.
async fn give(house: &House, caller: &Caller, code: &DeviceCode, user_id: SubjectId) -> Result<DeviceAnswer> {
    let secret = &ApiKey::token_from_random(house.entropy.bytes());
    let (hash, id, now) = (&house.secrets.hash_key(secret), TokenId::new(house.next_id()), house.clock.now());
    let name: String = format!("{} {}", code.client, id.name()).chars().take(NAME_CHARACTERS).collect();
    let scope = Scope::parse(&code.scope).unwrap_or(Scope::Read);
    let expiry = Some(Timestamp::from_millis(now.millis() + TOKEN_MS));
    let terms = TokenTerms { name, scopes: vec![scope], resources: None, expiry, cidrs: Vec::new() };
    let token = &Token { id, owner_id: user_id, created: now, terms, last_use: None, build: None };
    let user = house
        .db
        .write(|tx| {
            async move {
                let Some(user) = subjects::lock(tx, user_id).await? else { return Ok(None) };
                if !rows::delete(tx, &code.hash).await? {
                    return Ok(None);
                }
                if tokens::count_of_owner(tx, user_id).await? >= TOKENS {
                    return Err(Error::Conflict(format!("There are {TOKENS} tokens already; revoke one first")));
                }
                tokens::insert(tx, token, hash).await?;
                let target = format!("{}/{}", user.name, token.terms.name);
                record(tx, &entry(house, caller, "token.create", target, format!("device; scopes: {}", code.scope)))
                    .await?;
                Ok(Some(user.name))
            }
            .scope_boxed()
        })
        .await?;
    Ok(user.map_or(DeviceAnswer::Expired, |user| DeviceAnswer::Allowed(user, secret.clone())))
}

/// The stored hash of a code. The peppers of keys have other forms, so no code has the hash of a key.
fn hash(house: &House, kind: &str, code: &str) -> String {
    house.secrets.hash_session(&format!("{kind} code {code}"))
}

fn plain(code: &str) -> String {
    code.chars().filter(char::is_ascii_alphabetic).map(|c| c.to_ascii_uppercase()).take(20).collect()
}

fn user_code(random: [u8; 32]) -> String {
    // 240 is a multiple of 20, so every letter is as likely as the others.
    let letters = random.iter().filter(|byte| **byte < 240).map(|byte| char::from(LETTERS[usize::from(byte % 20)]));
    let code: String = letters.chain(std::iter::repeat('X')).take(8).collect();
    format!("{}-{}", &code[..4], &code[4..])
}

/// Deletes the codes that have expired.
pub(crate) async fn delete_expired(house: &House) -> Result<()> {
    let now = house.clock.now();
    let deleted: database::Result<()> = house.db.write(|tx| rows::delete_expired(tx, now).scope_boxed()).await;
    Ok(deleted?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_typed_in_any_way() {
        let code = user_code(*b"abcdefghijklmnopqrstuvwxyz012345");
        assert_eq!((code.len(), code.as_bytes()[4]), (9, b'-'));
        assert_eq!(plain(&code), plain(&code.to_lowercase().replace('-', " ")));
    }
}
