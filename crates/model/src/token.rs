//! Tokens: credentials of a user or an organization that are for some purposes and resources only.

use std::fmt;

use ipnet::IpNet;

use crate::{
    access::{Networks, Scope},
    id::{SubjectId, TokenId},
    names::{PackageName, RepoName, SubjectName},
    timestamp::Timestamp,
    trusted_publisher::Build,
};

/// The maximum length of a token's name, in characters.
pub const NAME_CHARACTERS: usize = 100;

/// The maximum number of resources of a token.
pub const RESOURCES: usize = 100;

/// A token, without its secret.
#[derive(Debug, Clone)]
pub struct Token {
    /// Its database id. No user and no access key has the same one.
    pub id: TokenId,
    /// The id of the user or organization that it belongs to.
    pub owner_id: SubjectId,
    /// When it was created.
    pub created: Timestamp,
    /// The editable fields.
    pub terms: TokenTerms,
    /// Its last use, if it was ever used.
    pub last_use: Option<TokenUse>,
    /// The build that it was made for, if a trusted publisher got it.
    pub build: Option<Build>,
}

/// The editable fields of a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenTerms {
    /// Its name, unique among the tokens of its owner.
    pub name: String,
    /// What it is for; at least one.
    pub scopes: Vec<Scope>,
    /// Where it works; everywhere if `None`.
    pub resources: Option<Vec<Resource>>,
    /// When it expires.
    pub expiry: Option<Timestamp>,
    /// The networks from which it may be used; all if empty.
    pub cidrs: Vec<IpNet>,
}

/// A use of a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenUse {
    /// When it was used.
    pub at: Timestamp,
    /// The IP address of the client.
    pub address: String,
    /// The client's user agent.
    pub agent: Option<String>,
}

/// A resource of a token: a subject, one of its repositories, or a package of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resource {
    /// The subject.
    pub subject: SubjectName,
    /// The repository; all of the subject if `None`.
    pub repo: Option<RepoName>,
    /// The package; the whole repository if `None`.
    pub package: Option<PackageName>,
}

impl TokenTerms {
    /// The highest of the scopes, which includes the others.
    pub fn scope(&self) -> Scope {
        self.scopes.iter().copied().max().unwrap_or(Scope::Read)
    }

    /// Its networks as rules for addresses.
    pub fn networks(&self) -> Networks {
        Networks { white: self.cidrs.clone(), black: Vec::new() }
    }

    /// Returns whether a token with these terms may do nothing that one with the others may not.
    pub fn is_within(&self, other: &Self) -> bool {
        let is_where = match (&self.resources, &other.resources) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(these), Some(those)) => these.iter().all(|one| those.iter().any(|other| other.includes(one))),
        };
        let is_until = other.expiry.is_none_or(|end| self.expiry.is_some_and(|expiry| expiry <= end));
        let is_known = |one: &IpNet| other.cidrs.iter().any(|other| other.contains(one));
        let is_from = other.cidrs.is_empty() || (!self.cidrs.is_empty() && self.cidrs.iter().all(is_known));
        self.scope() <= other.scope() && is_where && is_until && is_from
    }
}

impl Resource {
    /// Parses `subject`, `subject/repo` or `subject/repo/package`.
    pub fn parse(text: &str) -> Option<Self> {
        let mut names = text.split('/');
        let subject = SubjectName::parse(names.next()?).ok()?;
        let repo = names.next().map(RepoName::parse).transpose().ok()?;
        let package = names.next().map(PackageName::parse).transpose().ok()?;
        names.next().is_none().then_some(Self { subject, repo, package })
    }

    /// Returns whether another resource is this one or a part of it.
    pub fn includes(&self, other: &Self) -> bool {
        self.subject == other.subject
            && (self.repo.is_none() || self.repo == other.repo)
            && (self.package.is_none() || self.package == other.package)
    }
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.subject)?;
        self.repo.iter().try_for_each(|repo| write!(f, "/{repo}"))?;
        self.package.iter().try_for_each(|package| write!(f, "/{package}"))
    }
}

#[cfg(test)]
mod tests;
