//! Who asks, and from where.

use std::net::{IpAddr, Ipv4Addr};

use database::{access::access_keys::AccessKey, accounts::subjects::Subject};
use model::{
    access::{Country, Networks, Origin},
    names::{AccessKeyName, SubjectName},
    plan::Plan,
    timestamp::Timestamp,
};

use crate::{Error, Result};

/// Who asks for an operation. Made by the edge, once a request.
#[derive(Debug, Clone)]
pub struct Caller {
    /// Whose credentials were shown and checked.
    pub principal: Option<Principal>,
    /// The network address. The operator at the server's own command line has none.
    pub address: Option<IpAddr>,
    /// The country, when a proxy has told it.
    pub country: Option<Country>,
    /// What the client says it is.
    pub agent: Option<String>,
    /// The request, for the audit log.
    pub request_id: String,
}

/// Somebody whose credentials were checked.
#[derive(Debug, Clone)]
pub enum Principal {
    /// A user.
    User(UserIdentity),
    /// An outsider with a key.
    Key(Box<AccessKeyIdentity>),
}

/// A user.
#[derive(Debug, Clone)]
pub struct UserIdentity {
    /// The user's key in the database.
    pub id: i64,
    /// The user's name.
    pub name: SubjectName,
    /// Whether the user runs this server.
    pub is_site_admin: bool,
    /// What the user has booked.
    pub plan: Plan,
}

/// An outsider with a key.
#[derive(Debug, Clone)]
pub struct AccessKeyIdentity {
    /// The key's key in the database.
    pub id: i64,
    /// The key's name.
    pub name: AccessKeyName,
    /// Who has given it away; what it asks for counts for them. The owner's rights are not the key's.
    pub owner: UserIdentity,
    /// Whether it downloads nothing.
    pub is_api_only: bool,
    /// Whether its downloads are limited, so that each is taken from the rest before it begins.
    pub has_download_limit: bool,
    /// From where it is good.
    pub networks: Networks,
    /// Until when nothing has to be asked about it again.
    pub good_until: Option<Timestamp>,
}

impl Principal {
    /// The user whose daily limit counts: what a key asks for counts for whoever has given it away.
    pub fn counted(&self) -> &UserIdentity {
        match self {
            Principal::User(user) => user,
            Principal::Key(key) => &key.owner,
        }
    }
}

impl AccessKeyIdentity {
    /// How it signs in, and what logs call it.
    pub fn full_name(&self) -> String {
        format!("{}@{}", self.name, self.owner.name)
    }

    /// What is known of a key whose password was right.
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
    /// The server's own operator at the command line.
    pub fn console() -> Self {
        Self { principal: None, address: None, country: None, agent: None, request_id: String::new() }
    }

    /// Asks for credentials when there are none.
    pub fn check_signed_in(&self) -> Result<()> {
        if self.is_signed_in() { Ok(()) } else { Err(Error::sign_in()) }
    }

    /// Refuses keys that are for the API only.
    pub fn check_may_download(&self) -> Result<()> {
        match self.key().filter(|key| key.is_api_only) {
            None => Ok(()),
            Some(_) => Err(Error::Denied("The access key is for the API only and downloads nothing".into())),
        }
    }

    /// Whether credentials were shown.
    pub fn is_signed_in(&self) -> bool {
        self.principal.is_some()
    }

    /// The user who has signed in.
    pub fn user(&self) -> Option<&UserIdentity> {
        match &self.principal {
            Some(Principal::User(user)) => Some(user),
            _ => None,
        }
    }

    /// The outsider's key.
    pub fn key(&self) -> Option<&AccessKeyIdentity> {
        match &self.principal {
            Some(Principal::Key(key)) => Some(key),
            _ => None,
        }
    }

    /// The user whose daily limit counts for this caller.
    pub fn counted(&self) -> Option<&UserIdentity> {
        self.principal.as_ref().map(Principal::counted)
    }

    /// What logs call this caller, when it has a name.
    pub fn name(&self) -> Option<String> {
        Some(match self.principal.as_ref()? {
            Principal::User(user) => user.name.to_string(),
            Principal::Key(key) => key.full_name(),
        })
    }

    /// Where the caller is, as far as downloads go.
    pub fn origin(&self) -> Origin {
        Origin { address: self.address.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)), country: self.country }
    }

    /// The key in the database of whoever rights are granted to.
    pub(crate) fn grantee_id(&self) -> Option<i64> {
        match self.principal.as_ref()? {
            Principal::User(user) => Some(user.id),
            Principal::Key(key) => Some(key.id),
        }
    }

    /// Whether the caller runs this server.
    pub(crate) fn is_site_admin(&self) -> bool {
        self.is_console() || self.user().is_some_and(|user| user.is_site_admin)
    }

    /// What the audit log calls this caller.
    pub(crate) fn audit_name(&self) -> String {
        let unnamed = if self.is_console() { "(console)" } else { "(anonymous)" };
        self.name().unwrap_or_else(|| unnamed.into())
    }

    /// Where the audit log says that this caller is.
    pub(crate) fn audit_address(&self) -> String {
        self.address.map_or_else(|| "console".into(), |address| address.to_string())
    }

    /// Whether the operator sits at the server's own command line.
    pub(crate) fn is_console(&self) -> bool {
        self.principal.is_none() && self.address.is_none()
    }
}

impl From<&Subject> for UserIdentity {
    fn from(subject: &Subject) -> Self {
        Self { id: subject.id, name: subject.name.clone(), is_site_admin: subject.is_site_admin, plan: subject.plan }
    }
}
