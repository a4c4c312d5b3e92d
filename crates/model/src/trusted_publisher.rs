//! Trusted publishers: builds that may publish, recognized by the identity tokens of the service that runs them.

mod build;
mod provider;
mod selector;

use crate::{
    id::{PublisherId, SubjectId},
    timestamp::Timestamp,
    token::Resource,
};

pub use build::Build;
pub use provider::Provider;
pub use selector::selectors_of;

/// The maximum number of claims that a publisher compares.
pub const CLAIMS: usize = 20;

/// The maximum length of the name of a claim, in bytes.
pub const CLAIM_BYTES: usize = 100;

/// The maximum length of a pattern, in bytes.
pub const PATTERN_BYTES: usize = 500;

/// A trusted publisher.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrustedPublisher {
    /// Its database id.
    pub id: PublisherId,
    /// The id of the user or organization that lists it.
    pub owner_id: SubjectId,
    /// Its name, unique among the publishers of its owner.
    pub name: String,
    /// The kind of service that runs the builds.
    pub provider: Provider,
    /// The issuer of the identity tokens.
    pub issuer: String,
    /// The claims that a token must have.
    pub claims: Vec<ClaimPattern>,
    /// Where its builds may publish.
    pub resource: Resource,
    /// When it was created.
    pub created: Timestamp,
}

/// A claim and a pattern of its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimPattern {
    /// The name of the claim.
    pub claim: String,
    /// The value, in which `*` matches any text. Letter case matters.
    pub pattern: String,
}

impl ClaimPattern {
    /// Returns whether a value fits: all of it, not a part.
    pub fn matches(&self, value: &str) -> bool {
        let mut pieces = self.pattern.split('*');
        let first = pieces.next().unwrap_or_default();
        let Some(mut rest) = value.strip_prefix(first) else { return false };
        let mut pieces: Vec<&str> = pieces.collect();
        let Some(last) = pieces.pop() else { return rest.is_empty() };
        for piece in pieces {
            match rest.split_once(piece) {
                Some((_, after)) => rest = after,
                None => return false,
            }
        }
        rest.ends_with(last)
    }

    /// Returns whether the pattern is one fixed text.
    pub fn is_exact(&self) -> bool {
        !self.pattern.contains('*')
    }
}

impl TrustedPublisher {
    /// Returns whether an identity is one of this publisher: every claim has a value that fits.
    pub fn accepts(&self, value_of: impl Fn(&str) -> Option<String>) -> bool {
        !self.claims.is_empty()
            && self.claims.iter().all(|one| value_of(&one.claim).is_some_and(|value| one.matches(&value)))
    }
}

#[cfg(test)]
mod tests;
