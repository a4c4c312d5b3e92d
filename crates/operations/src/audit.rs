//! Writing down what was done, and reading it.

use database::{
    Tx,
    audit::{self, Entry, Recorded},
};
use model::{access::Action, page::PAGE_SIZE};

use crate::{Caller, House, Result, access};

/// An entry about what this caller does now.
pub(crate) fn entry(
    house: &House,
    caller: &Caller,
    action: &'static str,
    target: impl ToString,
    detail: impl ToString,
) -> Entry {
    Entry {
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
pub(crate) async fn record(tx: &mut Tx, entry: &Entry) -> Result<()> {
    Ok(audit::insert(tx, entry).await?)
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

/// The newest entries of the audit log, from a position on.
pub async fn list(house: &House, caller: &Caller, start: u64) -> Result<Page<Recorded>> {
    access::check_site(caller, Action::Administer)?;
    let total = audit::count(&house.db).await?;
    let last = total.saturating_sub_unsigned(start);
    let limit = i64::try_from(PAGE_SIZE).unwrap_or(i64::MAX);
    let items = if last > 0 { audit::list_down(&house.db, last, limit).await? } else { Vec::new() };
    Ok(Page { items, start, total: total.unsigned_abs() })
}
