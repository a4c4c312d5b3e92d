//! Reading the audit log.

use database::maintenance::audit::{self, AuditFilter, AuditRecord};
use model::{access::Action, page::PAGE_SIZE, prefix::NameRange};

use crate::{Caller, House, Page, Result, access};

/// The newest entries of the audit log, from a position on.
pub async fn list(house: &House, caller: &Caller, start: u64) -> Result<Page<AuditRecord>> {
    access::check_site(caller, Action::Administer)?;
    let total = audit::count(&house.db).await?;
    let last = total.saturating_sub_unsigned(start);
    let limit = i64::try_from(PAGE_SIZE).unwrap_or(i64::MAX);
    let items = if last > 0 { audit::list_down(&house.db, last, limit).await? } else { Vec::new() };
    Ok(Page { items, start, total: total.unsigned_abs() })
}

/// Entries that one search looks at: as many as a reader gladly waits for.
const LOOKED_AT: i64 = 100_000;

/// What entries are looked for; an empty text is any.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// By whom.
    pub actor: String,
    /// The beginning of what was done.
    pub action: String,
    /// The beginning of what it was done to.
    pub target: String,
}

/// What a search has found, and where to go on.
#[derive(Debug)]
pub struct AuditPage {
    /// The newest entries that fit, among those that were looked at.
    pub items: Vec<AuditRecord>,
    /// The newest entry that was not looked at; `None` at the end of the log.
    pub next: Option<i64>,
}

/// The newest entries that fit, from a place of the log downwards or from its end. A search looks at a part of a long log
/// and says where that ends: the log has no index, so that writing it stays cheap.
pub async fn search(house: &House, caller: &Caller, filter: &Filter, from: Option<i64>) -> Result<AuditPage> {
    access::check_site(caller, Action::Administer)?;
    let end = audit::count(&house.db).await?;
    let last = from.map_or(end, |from| from.min(end));
    let (first, limit) = ((last - LOOKED_AT).max(0), PAGE_SIZE.cast_signed());
    let wanted = AuditFilter {
        actor: filter.actor.clone(),
        actions: NameRange::beginning_with(&filter.action),
        targets: NameRange::beginning_with(&filter.target),
    };
    let items = audit::search(&house.db, &wanted, first, last, limit).await?;
    let is_full = items.len() as u64 == PAGE_SIZE;
    let looked = items.last().filter(|_| is_full).map_or(first, |item| item.seq - 1);
    Ok(AuditPage { items, next: (looked > 0).then_some(looked) })
}
