//! Recording what was done.

use crate::{Caller, House, Result, change::Edits};
use database::{
    Tx,
    maintenance::audit::{self, NewAuditRecord},
};

/// An entry about what this caller does now.
pub(crate) fn entry(
    house: &House,
    caller: &Caller,
    action: &'static str,
    target: impl ToString,
    detail: impl ToString,
) -> NewAuditRecord {
    NewAuditRecord {
        at: house.clock.now(),
        actor: caller.audit_name(),
        action,
        target: target.to_string(),
        detail: detail.to_string(),
        address: caller.audit_address(),
        request_id: caller.request_id.clone(),
    }
}

/// Writes an entry down. The last thing a transaction does: it locks the end of the log.
pub(crate) async fn record(tx: &mut Tx, entry: &NewAuditRecord) -> Result<()> {
    Ok(audit::insert(tx, entry).await?)
}

/// The same for an edit: the entry also says what has changed from what to what.
pub(crate) async fn record_edits(tx: &mut Tx, entry: &NewAuditRecord, edits: &Edits) -> Result<()> {
    let detail = match (entry.detail.as_str(), edits.to_string()) {
        (detail, edits) if edits.is_empty() => detail.to_owned(),
        ("", edits) => edits,
        (detail, edits) => format!("{detail}; {edits}"),
    };
    record(tx, &NewAuditRecord { detail, ..entry.clone() }).await
}

/// A page of a list, and how many entries the whole list has.
#[derive(Debug)]
pub struct Page<T> {
    /// The entries of this page.
    pub items: Vec<T>,
    /// The position of the first one.
    pub start: u64,
    /// How many there are in all.
    pub total: u64,
}
