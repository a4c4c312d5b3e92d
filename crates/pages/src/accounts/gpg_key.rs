//! The signing key of an account, shown to those who manage the account.

use model::{names::SubjectName, subject::SubjectKind, timestamp::Timestamp};
use operations::signing::{self, KeyOwner};
use web::{App, error::Result};

use crate::{errors::allowed, visitor::Visitor};

/// The visible details of a key.
pub(crate) struct GpgKey {
    pub(crate) fingerprint: String,
    pub(crate) created: Timestamp,
    pub(crate) expiry: Option<Timestamp>,
    pub(crate) needs_passphrase: bool,
    /// Advice if the key expires soon.
    pub(crate) warning: String,
    /// The URL of its public part.
    pub(crate) address: String,
}

impl GpgKey {
    /// The key of an account; `None` if it has none that the visitor may see.
    pub(crate) async fn find(
        app: &App,
        visitor: &Visitor,
        kind: SubjectKind,
        name: &SubjectName,
    ) -> Result<Option<Self>> {
        let owner = KeyOwner { kind, name: name.clone() };
        let found = allowed(signing::show(app.house(), &visitor.caller, &owner).await)?;
        let accounts = if kind == SubjectKind::User { "users" } else { "orgs" };
        Ok(found.map(|key| Self {
            created: key.created,
            expiry: key.expiry,
            needs_passphrase: key.needs_passphrase,
            warning: key.warning(app.house().clock.now()).unwrap_or_default(),
            address: format!("/api/{accounts}/{name}/keys/gpg/public.key"),
            fingerprint: key.fingerprint,
        }))
    }
}
