//! Tokens of users and organizations.

mod change;
pub(super) mod resources;

use std::fmt;

use database::{
    Read, ScopedFutureExt, Tx,
    accounts::{token_resources, tokens},
};
use model::{
    access::{Action, decide, scope_of_action},
    api_key::ApiKey,
    id::TokenId,
    names::SubjectName,
    subject::{Subject, SubjectKind},
    timestamp::Timestamp,
    token::{Token, TokenTerms},
};

use crate::{
    Caller, Error, House, Result, access,
    audit::{entry, record, record_edits},
    change::Edits,
};

pub use change::TokenChange;

/// The maximum number of tokens of an owner.
pub const TOKENS: i64 = 100;

/// The longest time that the old secret is valid after a rotation, in seconds: 30 days.
pub const LONGEST_OVERLAP_SECS: i64 = 30 * 86_400;

/// The owner of tokens.
#[derive(Debug, Clone)]
pub struct TokenOwner {
    /// The kind of the owner.
    pub kind: SubjectKind,
    /// The owner's name.
    pub name: SubjectName,
}

/// Lists the tokens of an owner, by name.
#[boxed::future]
pub async fn list(house: &House, caller: &Caller, of: &TokenOwner) -> Result<Vec<Token>> {
    let owner = owner(&house.db, caller, of, Action::RevokeTokens).await?;
    house.token_uses.flush(house).await?;
    Ok(tokens::list_of_owner(&house.db, owner.id).await?)
}

/// Returns whether the caller may see the tokens of an owner.
#[boxed::future]
pub async fn may_list(house: &House, caller: &Caller, of: &TokenOwner) -> Result<bool> {
    match owner(&house.db, caller, of, Action::RevokeTokens).await {
        Ok(_) => Ok(true),
        Err(Error::Denied(_) | Error::NotFound { .. } | Error::Unauthenticated(_)) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Creates a token and returns its secret, which cannot be retrieved later.
#[boxed::future]
pub async fn create(house: &House, caller: &Caller, of: &TokenOwner, change: &TokenChange) -> Result<(Token, ApiKey)> {
    let owner = &owner(&house.db, caller, of, Action::MakeTokens).await?;
    let terms = change.new_terms(house)?;
    check_within(caller, &terms)?;
    let resources = &resources::find(&house.db, caller, &terms).await?;
    let secret = ApiKey::token_from_random(house.entropy.bytes());
    let hash = &house.secrets.hash_key(&secret);
    let log = &entry(house, caller, "token.create", target(of, &terms), change::summary(&terms));
    let id = TokenId::new(house.next_id());
    let token = &Token { id, owner_id: owner.id, created: log.at, terms, last_use: None, build: None };
    house
        .db
        .write(|tx| {
            async move {
                lock(tx, caller, owner).await?;
                if tokens::count_of_owner(tx, owner.id).await? >= TOKENS {
                    return Err(Error::invalid("name", format!("there are {TOKENS} tokens already; revoke one first")));
                }
                or_conflict(tokens::insert(tx, token, hash).await, &token.terms)?;
                token_resources::replace(tx, token.id, resources).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await?;
    Ok((token.clone(), secret))
}

/// Changes a token. When this returns, the old terms no longer apply.
#[boxed::future]
pub async fn edit(house: &House, caller: &Caller, of: &TokenOwner, id: TokenId, change: &TokenChange) -> Result<()> {
    let owner = &owner(&house.db, caller, of, Action::MakeTokens).await?;
    let mut terms = find(&house.db, caller, owner, id).await?.terms;
    let log = &entry(house, caller, "token.edit", target(of, &terms), "");
    change.apply(house, &mut terms, &mut Edits::default())?;
    let resources = match change.resources {
        Some(_) => Some(resources::find(&house.db, caller, &terms).await?),
        None => None,
    };
    let resources = &resources;
    house
        .db
        .write(|tx| {
            async move {
                lock(tx, caller, owner).await?;
                let mut terms = find(tx, caller, owner, id).await?.terms;
                let mut edits = Edits::default();
                change.apply(house, &mut terms, &mut edits)?;
                check_within(caller, &terms)?;
                or_conflict(tokens::update_terms(tx, id, &terms).await, &terms)?;
                if let Some(resources) = resources {
                    token_resources::replace(tx, id, resources).await?;
                }
                record_edits(tx, log, &edits).await
            }
            .scope_boxed()
        })
        .await
}

/// Gives a token a new secret and returns it. The old one is valid for some seconds more.
#[boxed::future]
pub async fn rotate(
    house: &House,
    caller: &Caller,
    of: &TokenOwner,
    id: TokenId,
    overlap_secs: i64,
) -> Result<(Token, ApiKey)> {
    let owner = &owner(&house.db, caller, of, Action::MakeTokens).await?;
    let token = find(&house.db, caller, owner, id).await?;
    if !(0..=LONGEST_OVERLAP_SECS).contains(&overlap_secs) {
        return Err(Error::invalid("overlap_secs", format!("it must be a number from 0 to {LONGEST_OVERLAP_SECS}")));
    }
    let secret = ApiKey::token_from_random(house.entropy.bytes());
    let hash = &house.secrets.hash_key(&secret);
    let log = &entry(house, caller, "token.rotate", target(of, &token.terms), format!("overlap: {overlap_secs} s"));
    let until = (overlap_secs > 0).then(|| Timestamp::from_millis(log.at.millis() + 1_000 * overlap_secs));
    house
        .db
        .write(|tx| {
            async move {
                lock(tx, caller, owner).await?;
                find(tx, caller, owner, id).await?;
                tokens::replace_secret(tx, id, hash, until).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await?;
    Ok((token, secret))
}

/// Revokes a token. When this returns, it is valid on no node.
#[boxed::future]
pub async fn revoke(house: &House, caller: &Caller, of: &TokenOwner, id: TokenId) -> Result<()> {
    let owner = &owner(&house.db, caller, of, Action::RevokeTokens).await?;
    let token = find(&house.db, caller, owner, id).await?;
    let log = &entry(house, caller, "token.revoke", target(of, &token.terms), "");
    house
        .db
        .write(|tx| {
            async move {
                access::lock(tx, owner).await?;
                check(tx, caller, owner, Action::RevokeTokens).await?;
                find(tx, caller, owner, id).await?;
                tokens::delete(tx, id).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}

/// Returns the owner, for a caller who may do this to the owner's tokens.
pub(super) async fn owner(db: &dyn Read, caller: &Caller, of: &TokenOwner, action: Action) -> Result<Subject> {
    let owner = access::account(db, caller, of.kind, &of.name, Action::SeeProfile).await?;
    check(db, caller, &owner, action).await?;
    Ok(owner)
}

/// Rejects callers who may not do this. A site administrator creates tokens like everyone else: for themselves and for
/// organizations that they own.
pub(super) async fn check(db: &dyn Read, caller: &Caller, owner: &Subject, action: Action) -> Result<()> {
    let standing = match action {
        Action::MakeTokens => access::own_standing(db, caller, owner).await?,
        _ => access::standing(db, caller, owner).await?,
    };
    access::enforce(decide(action, standing))?;
    caller.check_scope(scope_of_action(action))
}

/// Locks the owner and checks the right again, because it may have been lost in the meantime.
async fn lock(tx: &mut Tx, caller: &Caller, owner: &Subject) -> Result<()> {
    let owner = access::lock(tx, owner).await?;
    check(tx, caller, &owner, Action::MakeTokens).await
}

/// Returns a token of an owner. A token may not change one with more rights than its own.
async fn find(db: &dyn Read, caller: &Caller, owner: &Subject, id: TokenId) -> Result<Token> {
    let not_found = || Error::NotFound { what: "Token", name: id.name() };
    let found = tokens::find_of_owner(db, owner.id, id).await?.ok_or_else(not_found)?;
    check_within(caller, &found.terms)?;
    Ok(found)
}

fn check_within(caller: &Caller, terms: &TokenTerms) -> Result<()> {
    match caller.token() {
        Some(token) if !terms.is_within(&token.terms) => {
            Err(Error::Denied("A token may not create or change a token with more rights than its own".into()))
        }
        _ => Ok(()),
    }
}

fn or_conflict(outcome: database::Result<()>, terms: &TokenTerms) -> Result<()> {
    match outcome {
        Err(database::Error::Conflict) => Err(Error::Conflict(format!("Token '{}' already exists", terms.name))),
        other => Ok(other?),
    }
}

fn target(of: &TokenOwner, terms: &TokenTerms) -> String {
    format!("{of}/{}", terms.name)
}

impl fmt::Display for TokenOwner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)
    }
}
