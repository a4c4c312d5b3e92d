//! The token of a caller, and what it takes away from what its owner may.

use std::{net::IpAddr, ops::Deref, sync::Arc};

use model::{
    access::{Right, Scope},
    id::TokenId,
    names::{RepoName, SubjectName},
    timestamp::Timestamp,
    token::{Resource, Token, TokenTerms},
    trusted_publisher::Build,
};

use crate::{Caller, Error, Result, UserIdentity};

/// A token whose secret was right.
#[derive(Debug)]
pub struct TokenIdentity {
    /// The token's id.
    pub id: TokenId,
    /// What it is for.
    pub terms: TokenTerms,
    /// Until when the secret is good: until the token expires, or until the overlap after a rotation ends.
    pub good_until: Option<Timestamp>,
    /// The build that it was made for, if a trusted publisher got it.
    pub build: Option<Build>,
}

/// The token of a request.
#[derive(Debug, Clone)]
pub struct PresentedToken {
    identity: Arc<TokenIdentity>,
    /// The scope that the call needs by its method and address.
    asked: Scope,
}

impl Deref for PresentedToken {
    type Target = TokenIdentity;

    fn deref(&self) -> &TokenIdentity {
        &self.identity
    }
}

impl TokenIdentity {
    /// Builds the identity of a token, whose secret is good until this time if it was replaced.
    pub(crate) fn new(token: Token, until: Option<Timestamp>) -> Self {
        let good_until = [token.terms.expiry, until].into_iter().flatten().min();
        Self { id: token.id, terms: token.terms, good_until, build: token.build }
    }

    /// Rejects a secret that is no longer valid, or not from this address.
    pub(crate) fn check(&self, now: Timestamp, address: IpAddr) -> Result<()> {
        if !self.is_good(now) {
            return Err(Error::Unauthenticated("The token has expired"));
        }
        if !self.terms.networks().admit(address) {
            return Err(Error::Unauthenticated("The token may not be used from this network"));
        }
        Ok(())
    }

    /// Returns whether the secret is still valid.
    pub(crate) fn is_good(&self, now: Timestamp) -> bool {
        self.good_until.is_none_or(|until| now < until)
    }

    /// Returns whether it is for some resources only.
    pub(crate) fn is_limited(&self) -> bool {
        self.terms.resources.is_some()
    }

    /// Returns whether it is for the whole account.
    fn reaches_account(&self, name: &SubjectName) -> bool {
        let is_whole = |one: &Resource| one.subject == *name && one.repo.is_none();
        self.terms.resources.as_ref().is_none_or(|all| all.iter().any(is_whole))
    }

    /// Returns whether it is for the repository or a part of it.
    fn reaches_repo(&self, owner: &SubjectName, repo: &RepoName) -> bool {
        let Some(resources) = &self.terms.resources else { return true };
        resources.iter().any(|one| one.subject == *owner && one.repo.as_ref().is_none_or(|name| name == repo))
    }
}

impl PresentedToken {
    /// The token of a request whose call needs this scope.
    pub(crate) fn new(identity: Arc<TokenIdentity>, asked: Scope) -> Self {
        Self { identity, asked }
    }
}

impl UserIdentity {
    /// The same user with a token.
    pub(crate) fn with_token(self, token: PresentedToken) -> Self {
        Self { token: Some(token), ..self }
    }
}

impl Caller {
    /// The token that the caller has presented, if any.
    pub fn token(&self) -> Option<&PresentedToken> {
        self.user().and_then(|user| user.token.as_ref())
    }

    /// The build that publishes, if a trusted publisher does.
    pub(crate) fn build(&self) -> Option<&Build> {
        self.token().and_then(|token| token.build.as_ref())
    }

    /// Returns whether the caller is signed in where a repository is: elsewhere, a token for some resources is nobody's.
    pub fn is_known_in(&self, owner: &SubjectName, repo: &RepoName) -> bool {
        self.is_signed_in() && self.token().is_none_or(|token| token.reaches_repo(owner, repo))
    }

    /// Asks for credentials if the caller is not signed in where a repository is.
    pub fn check_known_in(&self, owner: &SubjectName, repo: &RepoName) -> Result<()> {
        if self.is_known_in(owner, repo) { Ok(()) } else { Err(Error::sign_in()) }
    }

    /// Returns whether the caller is somebody to an account: a token for other resources is not.
    pub(crate) fn is_known_to(&self, account: &SubjectName) -> bool {
        self.token().is_none_or(|token| token.reaches_account(account))
    }

    /// Asks for credentials if the caller is nobody to an account.
    pub(crate) fn check_known_to(&self, account: &SubjectName) -> Result<()> {
        self.check_signed_in()?;
        if self.is_known_to(account) { Ok(()) } else { Err(Error::sign_in()) }
    }

    /// Asks for credentials if the token is for some resources only.
    pub(crate) fn check_unlimited(&self) -> Result<()> {
        if self.token().is_some_and(|token| token.is_limited()) { Err(Error::sign_in()) } else { Ok(()) }
    }

    /// Rejects tokens that lack the scope that this needs, or that the call needs by its address.
    pub(crate) fn check_scope(&self, needed: Scope) -> Result<()> {
        match self.token() {
            Some(token) if token.terms.scope() < needed.max(token.asked) => Err(missing(needed.max(token.asked))),
            _ => Ok(()),
        }
    }

    /// The right that remains of one in a repository.
    pub(crate) fn capped(&self, right: Right) -> Right {
        self.token().map_or(right, |token| right.min(token.terms.scope().highest_right()))
    }
}

fn missing(scope: Scope) -> Error {
    Error::Denied(format!("The token needs the scope '{}'", scope.as_str()))
}
