//! Records actions in the audit log.

use crate::{Caller, House, Result, change::Edits};
use database::{Tx, maintenance::audit};
use model::audit::NewAuditRecord;

/// Builds an entry for the caller's current action.
pub(crate) fn entry(
    house: &House,
    caller: &Caller,
    action: &'static str,
    target: impl ToString,
    detail: impl ToString,
) -> NewAuditRecord {
    // What a build does is said of the build, too: its token is soon gone.
    let detail = match (detail.to_string(), caller.build()) {
        (detail, None) => detail,
        (detail, Some(build)) if detail.is_empty() => format!("build of {}", build.summary()),
        (detail, Some(build)) => format!("{detail}; build of {}", build.summary()),
    };
    NewAuditRecord {
        at: house.clock.now(),
        actor: caller.audit_name(),
        action,
        target: target.to_string(),
        detail,
        address: caller.audit_address(),
        request_id: caller.request_id.clone(),
    }
}

/// Records an entry. This must be the last step of a transaction, because it locks the end of the log.
pub(crate) async fn record(tx: &mut Tx, entry: &NewAuditRecord) -> Result<()> {
    Ok(audit::insert(tx, entry).await?)
}

/// Does the same for an edit: the entry also contains the old and new values.
pub(crate) async fn record_edits(tx: &mut Tx, entry: &NewAuditRecord, edits: &Edits) -> Result<()> {
    let detail = match (entry.detail.as_str(), edits.to_string()) {
        (detail, edits) if edits.is_empty() => detail.to_owned(),
        ("", edits) => edits,
        (detail, edits) => format!("{detail}; {edits}"),
    };
    record(tx, &NewAuditRecord { detail, ..entry.clone() }).await
}

/// A page of a list, and the number of entries of the whole list.
#[derive(Debug)]
pub struct Page<T> {
    /// The entries of this page.
    pub items: Vec<T>,
    /// The offset of the first one.
    pub start: u64,
    /// The total number of entries.
    pub total: u64,
}
