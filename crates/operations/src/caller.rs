//! Who asks, and from where.

use database::subjects::Subject;
use model::{names::SubjectName, plan::Plan};

use crate::{Result, access};

/// Who asks for an operation. Made by the edge, once a request.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The user who signed in.
    pub identity: Option<Identity>,
    /// The network address, for the audit log.
    pub address: String,
    /// The request, for the audit log.
    pub request_id: String,
}

/// A user whose credentials were checked.
#[derive(Debug, Clone)]
pub struct Identity {
    /// The user's key in the database.
    pub id: i64,
    /// The user's name.
    pub name: SubjectName,
    /// Whether the user runs this server.
    pub is_site_admin: bool,
    /// What the user has booked.
    pub plan: Plan,
}

impl Caller {
    /// The server's own operator at the command line.
    pub fn console() -> Self {
        Self { identity: None, address: "console".into(), request_id: String::new() }
    }

    /// Asks for credentials when there are none.
    pub fn check_signed_in(&self) -> Result<()> {
        access::identity(self).map(|_| ())
    }

    /// What the audit log calls this caller.
    pub(crate) fn audit_name(&self) -> String {
        self.identity.as_ref().map_or_else(|| self.address_role(), |identity| identity.name.to_string())
    }

    fn address_role(&self) -> String {
        if self.is_console() { "(console)".into() } else { "(anonymous)".into() }
    }

    /// Whether the operator sits at the server's own command line.
    pub(crate) fn is_console(&self) -> bool {
        self.identity.is_none() && self.address == "console"
    }
}

impl From<&Subject> for Identity {
    fn from(subject: &Subject) -> Self {
        Self { id: subject.id, name: subject.name.clone(), is_site_admin: subject.is_site_admin, plan: subject.plan }
    }
}
