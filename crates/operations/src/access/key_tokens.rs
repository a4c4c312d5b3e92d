//! Tokens of container clients, of uploads and of one repository: they prove a key for a while, and say what they are for
//! at most.
//!
//! A token is not stored. It names the row of a key, which is looked up on each use: a key that was withdrawn or got
//! another password ends its tokens at once.

use std::sync::Arc;

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use database::{
    access::access_keys,
    accounts::{api_keys, subjects, tokens},
};
use model::{
    access::Scope,
    api_key::ApiKey,
    id::{KeyId, TokenId},
    timestamp::Timestamp,
};

use crate::{AccessKeyIdentity, Caller, Error, House, PresentedToken, Principal, Result, TokenIdentity, UserIdentity};

/// How long a token is good, in seconds.
pub const LIFETIME_SECS: i64 = 900;

/// The same for a token of one repository. Its clients ask the person at the keyboard for the next one.
pub const REPOSITORY_LIFETIME_SECS: i64 = 24 * 60 * 60;

/// The maximum length of a token that is looked at.
const TOKEN_BYTES: usize = 8 * 1024;

/// The kind of calls that a token is for. It is no good for others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenUse {
    /// Calls of container clients.
    Registry,
    /// One upload to a URL that the server gives.
    Upload,
    /// Requests of a format's clients below the URL of one repository.
    Repository,
}

impl TokenUse {
    fn lifetime_secs(self) -> i64 {
        match self {
            Self::Registry | Self::Upload => LIFETIME_SECS,
            Self::Repository => REPOSITORY_LIFETIME_SECS,
        }
    }

    /// What is signed before everything else, so that no token passes for one of another use.
    fn prefix(self) -> &'static str {
        match self {
            Self::Registry => "",
            Self::Upload => "upload\n",
            Self::Repository => "repository\n",
        }
    }
}

/// A good token.
#[derive(Debug)]
pub struct OpenedToken {
    /// Whom it stands for.
    pub principal: Principal,
    /// What it is for at most, in the words of the client's request.
    pub scopes: Vec<String>,
    /// Until when it is good.
    pub until: Timestamp,
}

/// The parts of a token, without its signature.
#[derive(Debug, PartialEq, Eq)]
struct Statement {
    kind: char,
    row: i64,
    until: i64,
    scopes: Vec<String>,
}

/// Returns a token for a caller who has presented this key, or for an anonymous one.
#[boxed::future]
pub async fn issue(
    house: &House,
    caller: &Caller,
    key: &ApiKey,
    usage: TokenUse,
    scopes: Vec<String>,
) -> Result<String> {
    let mut until = house.clock.now().millis() + usage.lifetime_secs() * 1_000;
    let (kind, row, secret) = match &caller.principal {
        Principal::User(UserIdentity { token: Some(token), .. }) => {
            until = token.good_until.map_or(until, |good| good.millis().min(until));
            ('t', token.id.get(), house.secrets.hash_key(key))
        }
        Principal::User(_) => {
            let hash = house.secrets.hash_key(key);
            let id = api_keys::find_id(&house.db, &hash).await?.ok_or_else(Error::wrong_credentials)?;
            ('u', id, hash)
        }
        Principal::Key(key) => {
            let found = access_keys::find_by_id(&house.db, key.id).await?;
            let (row, _) = found.ok_or_else(Error::wrong_credentials)?;
            // Whether the key still exists elsewhere can be asked with its password only.
            until = key.good_until.map_or(until, |good| good.millis().min(until));
            ('k', key.id.get(), row.password_hash)
        }
        _ => ('a', 0, String::new()),
    };
    Ok(Statement { kind, row, until, scopes }.sign(house, usage, &secret))
}

/// Returns whether a text has the form of a token. Only its signature makes it good.
pub fn has_token_form(text: &str) -> bool {
    Statement::parse(text).is_some()
}

/// Checks a token and returns whom it stands for; a token that is not good is like wrong credentials.
#[boxed::future]
pub async fn open(
    house: &House,
    caller_address: std::net::IpAddr,
    usage: TokenUse,
    token: &str,
    scope: Scope,
) -> Result<OpenedToken> {
    let said = Statement::parse(token).ok_or_else(not_good)?;
    let (principal, secret) = match said.kind {
        'a' => (Principal::Anonymous, String::new()),
        'u' => {
            let (user, hash) = subjects::find_by_key_id(&house.db, said.row).await?.ok_or_else(not_good)?;
            (Principal::User(UserIdentity::from(&user)), hash)
        }
        't' => of_token(house, usage, &said, token, caller_address, scope).await?.ok_or_else(not_good)?,
        _ => {
            let found = access_keys::find_by_id(&house.db, KeyId::new(said.row)).await?;
            let (key, owner) = found.ok_or_else(not_good)?;
            let now = house.clock.now();
            let is_over = key.terms.expiry.is_some_and(|expiry| expiry <= now);
            if is_over || !key.terms.networks.admit(caller_address) {
                return Err(not_good());
            }
            let (hash, until) = (key.password_hash.clone(), Timestamp::from_millis(said.until));
            (Principal::Key(Box::new(AccessKeyIdentity::new(key, &owner, Some(until)))), hash)
        }
    };
    let is_right = house.secrets.is_same(said.sign(house, usage, &secret).as_bytes(), token.as_bytes());
    let until = Timestamp::from_millis(said.until);
    if !is_right || until <= house.clock.now() {
        return Err(not_good());
    }
    Ok(OpenedToken { principal, scopes: said.scopes, until })
}

/// The error for a token that is not good, whatever the reason is.
pub(crate) fn not_good() -> Error {
    Error::Unauthenticated("The token is not valid, or has expired")
}

/// Returns the owner of a token, with the token and the hash of the secret that the statement was signed with.
async fn of_token(
    house: &House,
    usage: TokenUse,
    said: &Statement,
    text: &str,
    address: std::net::IpAddr,
    scope: Scope,
) -> Result<Option<(Principal, String)>> {
    let id = TokenId::new(said.row);
    let hashes = tokens::list_hashes(&house.db, id).await?;
    let is_signed = |hash: &str| house.secrets.is_same(said.sign(house, usage, hash).as_bytes(), text.as_bytes());
    let Some((hash, until)) = hashes.into_iter().find(|(hash, _)| is_signed(hash)) else { return Ok(None) };
    let Some(token) = tokens::find_by_id(&house.db, id).await? else { return Ok(None) };
    let Some(owner) = subjects::find_active(&house.db, token.owner_id).await? else { return Ok(None) };
    let token = TokenIdentity::new(token, until.map(Timestamp::from_millis));
    if token.check(house.clock.now(), address).is_err() {
        return Ok(None);
    }
    let token = PresentedToken::new(Arc::new(token), scope);
    Ok(Some((Principal::User(UserIdentity::from(&owner).with_token(token)), hash)))
}

impl Statement {
    fn text(&self) -> String {
        let Self { kind, row, until, scopes } = self;
        format!("{kind}\n{row}\n{until}\n{}", scopes.join("\n"))
    }

    fn sign(&self, house: &House, usage: TokenUse, secret: &str) -> String {
        let text = self.text();
        let mac = house.secrets.sign_token(&format!("{}{secret}\n{text}", usage.prefix()));
        format!("{}.{}", BASE64_URL_SAFE_NO_PAD.encode(text), BASE64_URL_SAFE_NO_PAD.encode(mac))
    }

    /// Reads the parts of a token. Only their signature makes them true.
    fn parse(token: &str) -> Option<Self> {
        let (text, _) = token.split_once('.').filter(|_| token.len() <= TOKEN_BYTES)?;
        let text = String::from_utf8(BASE64_URL_SAFE_NO_PAD.decode(text).ok()?).ok()?;
        let mut lines = text.split('\n');
        let kind = lines.next().filter(|kind| matches!(*kind, "a" | "u" | "k" | "t"))?.chars().next()?;
        let (row, until) = (lines.next()?.parse().ok()?, lines.next()?.parse().ok()?);
        let scopes = lines.filter(|scope| !scope.is_empty()).map(str::to_owned).collect();
        Some(Self { kind, row, until, scopes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_read_as_it_was_written() {
        let said = Statement { kind: 'u', row: 7, until: 9, scopes: vec!["repository:a/b/c:pull".to_owned()] };
        let token = format!("{}.x", BASE64_URL_SAFE_NO_PAD.encode(said.text()));
        assert_eq!(Statement::parse(&token), Some(said));
        let empty = Statement { kind: 'a', row: 0, until: 1, scopes: Vec::new() };
        let token = format!("{}.", BASE64_URL_SAFE_NO_PAD.encode(empty.text()));
        assert_eq!(Statement::parse(&token), Some(empty));
    }

    #[test]
    fn other_texts_are_no_tokens() {
        for bad in ["", ".", "a", "!!!.x", "eA.x", &"a".repeat(9_000)] {
            assert_eq!(Statement::parse(bad), None, "{bad}");
            assert!(!has_token_form(bad), "{bad}");
        }
    }
}
