//! Tokens that clients of a format get when they sign in, and send with every request to one repository.
//!
//! A token stands for the key that asked for it, in the repository that it was asked for. It ends with the key, and with
//! the right to read the repository: a repository that was deleted, hidden or replaced is the same to it.

use model::{access::Scope, address::RepoAddress, api_key::ApiKey, timestamp::Timestamp};

use super::enter;
use crate::{
    Caller, Error, House, Result,
    access::key_tokens::{self, TokenUse},
};

pub use crate::access::key_tokens::has_token_form;

/// Returns a token for a caller who has signed in with this key and may read the repository.
#[boxed::future]
pub async fn issue(house: &House, caller: &Caller, key: &ApiKey, at: &RepoAddress) -> Result<String> {
    caller.check_signed_in()?;
    let repo_id = enter(house, caller, at).await?.access.repo.id;
    key_tokens::issue(house, caller, key, TokenUse::Repository, vec![repo_id.to_string()]).await
}

/// Checks a token that came with a request to a repository. Returns the same caller as the one whom it stands for, and
/// until when it is good.
#[boxed::future]
pub async fn open(
    house: &House,
    caller: Caller,
    at: &RepoAddress,
    token: &str,
    scope: Scope,
) -> Result<(Caller, Timestamp)> {
    let address = caller.origin().address;
    let opened = key_tokens::open(house, address, TokenUse::Repository, token, scope).await?;
    let caller = Caller { principal: opened.principal, ..caller };
    let entered = enter(house, &caller, at).await.map_err(|error| match error {
        Error::NotFound { .. } => key_tokens::not_good(),
        other => other,
    })?;
    if opened.scopes != [entered.access.repo.id.to_string()] {
        return Err(key_tokens::not_good());
    }
    if let Some(token) = caller.token() {
        house.token_uses.record(house, token.id, address, caller.agent.as_deref());
    }
    Ok((caller, opened.until))
}
