//! The fields of a new trusted publisher.

use model::{
    id::PublisherId,
    subject::Subject,
    token::{NAME_CHARACTERS, Resource},
    trusted_publisher::{CLAIM_BYTES, CLAIMS, ClaimPattern, PATTERN_BYTES, Provider, TrustedPublisher},
};

use super::resources;
use crate::{Error, House, Result, oidc::check_issuer};

/// A trusted publisher to add.
#[derive(Debug, Clone, Default)]
pub struct NewPublisher {
    /// Its name.
    pub name: String,
    /// The kind of service that runs the builds.
    pub provider: String,
    /// The issuer of the identity tokens; that of the provider if absent.
    pub issuer: Option<String>,
    /// The claims with the patterns of their values.
    pub claims: Vec<(String, String)>,
    /// Where its builds may publish: the owner, one of its repositories, or a package of one.
    pub resource: String,
}

impl NewPublisher {
    pub(super) fn check(&self, house: &House, owner: &Subject) -> Result<TrustedPublisher> {
        let provider = Provider::parse(&self.provider).ok_or_else(unknown_provider)?;
        let none = || Error::invalid("issuer", "it is required for this provider");
        let issuer = self.issuer.as_deref().or(provider.issuer()).ok_or_else(none)?;
        check_issuer(house, issuer).map_err(|reason| Error::invalid("issuer", reason))?;
        let claims = check_claims(&self.claims)?;
        provider.check(&claims).map_err(|reason| Error::invalid("claims", reason))?;
        let resource = Resource::parse(&self.resource).filter(|resource| resource.subject == owner.name);
        Ok(TrustedPublisher {
            id: PublisherId::new(house.next_id()),
            owner_id: owner.id,
            name: check_name(&self.name)?,
            provider,
            issuer: issuer.to_owned(),
            claims,
            resource: resource.ok_or_else(|| resources::unknown(&self.resource))?,
            created: house.clock.now(),
        })
    }
}

/// What a publisher accepts, in the audit log.
pub(super) fn summary(publisher: &TrustedPublisher) -> String {
    let claims = publisher.claims.iter().map(|one| format!("{}={}", one.claim, one.pattern)).collect::<Vec<_>>();
    format!("resource: {}; issuer: {}; claims: {}", publisher.resource, publisher.issuer, claims.join(" "))
}

fn unknown_provider() -> Error {
    Error::invalid("provider", format!("it must be one of {}", Provider::ALL.map(Provider::as_str).join(", ")))
}

fn check_name(name: &str) -> Result<String> {
    let is_good = !name.is_empty() && name.trim() == name && !name.chars().any(char::is_control);
    if is_good && name.chars().count() <= NAME_CHARACTERS {
        return Ok(name.to_owned());
    }
    let reason = format!("it must have 1 to {NAME_CHARACTERS} printable characters, without blanks around them");
    Err(Error::invalid("name", reason))
}

fn check_claims(given: &[(String, String)]) -> Result<Vec<ClaimPattern>> {
    if given.len() > CLAIMS {
        return Err(Error::invalid("claims", format!("there are more than {CLAIMS}")));
    }
    let mut claims: Vec<ClaimPattern> = Vec::new();
    for (claim, pattern) in given {
        let shown: String = claim.chars().take(40).collect();
        let is_name = |c: char| c.is_ascii_graphic() && c != '=';
        if claim.is_empty() || claim.len() > CLAIM_BYTES || !claim.chars().all(is_name) {
            return Err(Error::invalid("claims", format!("'{shown}' is not the name of a claim")));
        }
        let is_pattern = !pattern.is_empty() && pattern.len() <= PATTERN_BYTES && !pattern.contains(char::is_control);
        if !is_pattern {
            let reason = format!("the value of '{shown}' must have 1 to {PATTERN_BYTES} printable bytes");
            return Err(Error::invalid("claims", reason));
        }
        if claims.iter().any(|other| other.claim == *claim) {
            return Err(Error::invalid("claims", format!("'{shown}' appears twice")));
        }
        claims.push(ClaimPattern { claim: claim.clone(), pattern: pattern.clone() });
    }
    Ok(claims)
}
