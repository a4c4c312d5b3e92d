//! Reads the audit log.

use database::maintenance::audit;
use model::{
    access::Action,
    audit::{AuditFilter, AuditRecord},
    page::PAGE_SIZE,
    prefix::NameRange,
};

use crate::{Caller, House, Page, Result, access};

/// Lists the newest entries of the audit log, from an offset on.
#[boxed::future]
pub async fn list(house: &House, caller: &Caller, start: u64) -> Result<Page<AuditRecord>> {
    access::check_site(caller, Action::Administer)?;
    let total = audit::count(&house.db).await?;
    let last = total.saturating_sub_unsigned(start);
    let limit = i64::try_from(PAGE_SIZE).unwrap_or(i64::MAX);
    let items = if last > 0 { audit::list_down(&house.db, last, limit).await? } else { Vec::new() };
    Ok(Page { items, start, total: total.unsigned_abs() })
}

/// The number of entries that one search examines, chosen to keep the response time acceptable.
const LOOKED_AT: i64 = 100_000;

/// Filters for entries; an empty text matches all.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// The actor.
    pub actor: String,
    /// The prefix of the action.
    pub action: String,
    /// The prefix of the target.
    pub target: String,
}

/// The results of a search, and the cursor to continue from.
#[derive(Debug)]
pub struct AuditPage {
    /// The newest matching entries among those examined.
    pub items: Vec<AuditRecord>,
    /// The newest entry that was not examined; `None` at the end of the log.
    pub next: Option<i64>,
}

/// Returns the newest matching entries, backwards from a cursor or from the end of the log. A search examines a part of
/// a long log and returns where that part ends: the log has no index, so that writing it stays cheap.
#[boxed::future]
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
