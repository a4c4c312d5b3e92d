//! Tokens in the URLs of uploads, for clients that send no header with the file.
//!
//! A token stands for the key that asked for it, on one path and for some minutes. It ends with the key.

use std::net::IpAddr;

use model::{access::Scope, address::RepoAddress, api_key::ApiKey};

use crate::{
    Caller, Error, House, Principal, Result,
    access::key_tokens::{self, TokenUse},
};

/// Returns a token for one upload to a path below the repository's URL.
#[boxed::future]
pub async fn issue(house: &House, caller: &Caller, key: &ApiKey, at: &RepoAddress, path: &str) -> Result<String> {
    let scope = format!("{}/{}/{path}", at.owner, at.repo);
    key_tokens::issue(house, caller, key, TokenUse::Upload, vec![scope]).await
}

/// Checks a token that was sent with an upload to this path, which begins with the owner. Returns whom it stands for.
#[boxed::future]
pub async fn open(house: &House, address: IpAddr, token: &str, path: &str, scope: Scope) -> Result<Principal> {
    let opened = key_tokens::open(house, address, TokenUse::Upload, token, scope).await?;
    if opened.scopes != [path] {
        return Err(Error::Unauthenticated("The token is for another URL"));
    }
    Ok(opened.principal)
}
