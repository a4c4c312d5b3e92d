//! The caller of an operation, and its origin.

use std::net::{IpAddr, Ipv4Addr};

use model::{
    access::{Country, Networks, Origin},
    access_key::AccessKey,
    id::{GranteeId, KeyId, SubjectId},
    names::{AccessKeyName, SubjectName},
    plan::Plan,
    subject::{Subject, SubjectKind},
    timestamp::Timestamp,
};

use crate::{Error, PresentedToken, Result};

/// The caller of an operation. The server creates one per request.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The caller's identity.
    pub principal: Principal,
    /// How the request came in.
    pub via: Via,
    /// The client's user agent.
    pub agent: Option<String>,
    /// The request id, for the audit log.
    pub request_id: String,
}

/// The identity of a caller.
#[derive(Debug, Clone)]
pub enum Principal {
    /// A caller without credentials.
    Anonymous,
    /// A user whose credentials were checked.
    User(UserIdentity),
    /// A key holder whose access key was checked.
    Key(Box<AccessKeyIdentity>),
    /// The operator of this server. Only [`Caller::operator`] creates one: no credentials and no missing field do.
    Operator,
}

/// How a request comes in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Via {
    /// Over the network.
    Network {
        /// The IP address of the client.
        address: IpAddr,
        /// The country of the client, if a proxy names it.
        country: Option<Country>,
    },
    /// From the command line on the machine of the server.
    CommandLine,
    /// From a job of this node, on behalf of a user.
    Job,
}

/// A user, or an organization whose token was presented.
#[derive(Debug, Clone)]
pub struct UserIdentity {
    /// The user's id.
    pub id: SubjectId,
    /// Whether it is an organization.
    pub is_org: bool,
    /// The user's name.
    pub name: SubjectName,
    /// Whether the user is a site administrator.
    pub is_site_admin: bool,
    /// The user's plan.
    pub plan: Plan,
    /// The token that was presented, if it was not an API key or a session.
    pub token: Option<PresentedToken>,
}

/// A key holder.
#[derive(Debug, Clone)]
pub struct AccessKeyIdentity {
    /// The key's id.
    pub id: KeyId,
    /// The key's name.
    pub name: AccessKeyName,
    /// The owner, whose quota the key uses. The key does not have the owner's rights.
    pub owner: UserIdentity,
    /// Whether it is barred from downloads.
    pub is_api_only: bool,
    /// Whether its downloads are limited, so that each is deducted from the rest before it begins.
    pub has_download_limit: bool,
    /// The networks it may be used from.
    pub networks: Networks,
    /// Until when its existence need not be checked again.
    pub good_until: Option<Timestamp>,
}

impl Principal {
    /// The user whose daily quota pays for a request: a key holder uses the quota of the key's owner.
    pub fn counted(&self) -> Option<&UserIdentity> {
        match self {
            Principal::User(user) => Some(user),
            Principal::Key(key) => Some(&key.owner),
            Principal::Anonymous | Principal::Operator => None,
        }
    }
}

impl AccessKeyIdentity {
    /// The name it signs in with, which is also its name in logs.
    pub fn full_name(&self) -> String {
        format!("{}@{}", self.name, self.owner.name)
    }

    /// Builds the identity of a key whose password was right.
    pub(crate) fn new(key: AccessKey, owner: &Subject, good_until: Option<Timestamp>) -> Self {
        Self {
            id: key.id,
            name: key.name,
            owner: UserIdentity { is_site_admin: false, ..UserIdentity::from(owner) },
            is_api_only: key.terms.is_api_only,
            has_download_limit: key.terms.max_downloads.is_some(),
            networks: key.terms.networks,
            good_until,
        }
    }
}

impl Caller {
    /// The operator at the command line of the server. A test lists the crates that may call this.
    pub fn operator() -> Self {
        Self { principal: Principal::Operator, via: Via::CommandLine, agent: None, request_id: String::new() }
    }

    /// A job of this node that works on nobody's behalf.
    pub(crate) fn job() -> Self {
        Self { principal: Principal::Anonymous, via: Via::Job, agent: None, request_id: String::new() }
    }

    /// A user on whose behalf a job of this node works.
    pub(crate) fn job_of(user: UserIdentity) -> Self {
        Self { principal: Principal::User(user), via: Via::Job, agent: None, request_id: String::new() }
    }

    /// Asks for credentials if the caller sent none.
    pub fn check_signed_in(&self) -> Result<()> {
        if self.is_signed_in() { Ok(()) } else { Err(Error::sign_in()) }
    }

    /// Rejects keys that are for the API only.
    pub fn check_may_download(&self) -> Result<()> {
        match self.key().filter(|key| key.is_api_only) {
            None => Ok(()),
            Some(_) => Err(Error::Denied("The access key is for the API only and cannot download files".into())),
        }
    }

    /// Returns whether the caller has presented credentials.
    pub fn is_signed_in(&self) -> bool {
        matches!(self.principal, Principal::User(_) | Principal::Key(_))
    }

    /// The signed-in user.
    pub fn user(&self) -> Option<&UserIdentity> {
        match &self.principal {
            Principal::User(user) => Some(user),
            _ => None,
        }
    }

    /// The access key of a key holder.
    pub fn key(&self) -> Option<&AccessKeyIdentity> {
        match &self.principal {
            Principal::Key(key) => Some(key),
            _ => None,
        }
    }

    /// The user whose daily quota pays for this caller.
    pub fn counted(&self) -> Option<&UserIdentity> {
        self.principal.counted()
    }

    /// The caller's name in logs, if it has one.
    pub fn name(&self) -> Option<String> {
        match &self.principal {
            Principal::User(user) => Some(user.name.to_string()),
            Principal::Key(key) => Some(key.full_name()),
            Principal::Anonymous | Principal::Operator => None,
        }
    }

    /// The origin that the rules for downloads compare; without a network, it is this machine.
    pub fn origin(&self) -> Origin {
        match self.via {
            Via::Network { address, country } => Origin { address, country },
            Via::CommandLine | Via::Job => Origin { address: IpAddr::V4(Ipv4Addr::LOCALHOST), country: None },
        }
    }

    /// Returns whether the caller may administer the site: the operator, or a site administrator.
    pub fn is_site_admin(&self) -> bool {
        match &self.principal {
            Principal::Operator => true,
            Principal::User(user) => user.is_site_admin && user.token.as_ref().is_none_or(|token| !token.is_limited()),
            Principal::Anonymous | Principal::Key(_) => false,
        }
    }

    /// The id of the user, key or token that rights are granted to.
    pub(crate) fn grantee_id(&self) -> Option<GranteeId> {
        match &self.principal {
            Principal::User(user) => Some(self.part_grantee_id().unwrap_or(GranteeId::User(user.id))),
            Principal::Key(_) => self.part_grantee_id(),
            Principal::Anonymous | Principal::Operator => None,
        }
    }

    /// The id of the key or token, if it may have rights in parts of repositories only.
    pub(crate) fn part_grantee_id(&self) -> Option<GranteeId> {
        let token = self.token().filter(|token| token.is_limited()).map(|token| GranteeId::Token(token.id));
        token.or_else(|| self.key().map(|key| GranteeId::Key(key.id)))
    }

    /// The caller's name in the audit log, with the token.
    pub(crate) fn audit_name(&self) -> String {
        let unnamed = if matches!(self.principal, Principal::Operator) { "(console)" } else { "(anonymous)" };
        let name = self.name().unwrap_or_else(|| unnamed.into());
        match self.token() {
            Some(token) => format!("{name} (token {})", token.terms.name),
            None => name,
        }
    }

    /// The caller's address in the audit log.
    pub(crate) fn audit_address(&self) -> String {
        match self.via {
            Via::Network { address, .. } => address.to_string(),
            Via::CommandLine => "console".into(),
            Via::Job => "job".into(),
        }
    }
}

impl From<&Subject> for UserIdentity {
    fn from(subject: &Subject) -> Self {
        Self {
            id: subject.id,
            is_org: subject.kind == SubjectKind::Org,
            name: subject.name.clone(),
            is_site_admin: subject.is_site_admin,
            plan: subject.plan,
            token: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 7));

    fn caller(principal: Principal, via: Via) -> Caller {
        Caller { principal, via, agent: None, request_id: String::new() }
    }

    #[test]
    fn the_operator_runs_the_server_and_has_no_name() {
        let operator = Caller::operator();
        assert!(operator.is_site_admin() && !operator.is_signed_in());
        assert_eq!((operator.audit_name(), operator.audit_address()), ("(console)".into(), "console".into()));
        assert_eq!((operator.name(), operator.grantee_id()), (None, None));
        assert!(operator.check_signed_in().is_err() && operator.counted().is_none());
    }

    #[test]
    fn nobody_becomes_the_operator_by_what_is_missing() {
        for via in [Via::Network { address: ADDRESS, country: None }, Via::CommandLine, Via::Job] {
            let anonymous = caller(Principal::Anonymous, via);
            assert!(!anonymous.is_site_admin(), "{via:?}");
            assert_eq!(anonymous.audit_name(), "(anonymous)", "{via:?}");
        }
    }

    #[test]
    fn a_caller_without_a_network_is_on_this_machine() {
        let country = Country::parse("CH");
        let far = caller(Principal::Anonymous, Via::Network { address: ADDRESS, country });
        assert_eq!((far.origin().address, far.origin().country), (ADDRESS, country));
        assert_eq!(far.audit_address(), "192.0.2.7");
        for via in [Via::CommandLine, Via::Job] {
            let near = caller(Principal::Anonymous, via).origin();
            assert!(near.address.is_loopback() && near.country.is_none(), "{via:?}");
        }
    }
}
