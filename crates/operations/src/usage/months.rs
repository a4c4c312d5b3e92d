//! Use by month, in UTC.

use std::collections::HashMap;

use database::usage::{self as rows, UsageScope};
use model::{
    access::Right,
    address::RepoAddress,
    day::{Day, Days},
    month::Month,
    names::SubjectName,
    page::PAGE_SIZE,
    timestamp::Timestamp,
};

use crate::{
    Caller, Error, House, Page, Result,
    access::{self, products},
};

/// How many months are meant when nothing is said, the running one among them.
const USUAL_MONTHS: i64 = 12;

/// The most months of one call.
const MOST_MONTHS: i64 = 120;

/// Which months are wanted, by a moment of the first and of the last.
#[derive(Debug, Clone, Copy, Default)]
pub struct MonthRange {
    /// A moment of the first month; so many as usual when it is absent.
    pub from: Option<Timestamp>,
    /// A moment of the last month; now when it is absent.
    pub to: Option<Timestamp>,
}

/// What was used in a month.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Usage {
    /// Its first moment.
    pub from: Timestamp,
    /// Its last moment; now for the month that is not over.
    pub to: Timestamp,
    /// Whether it is not over.
    pub is_partial: bool,
    /// Bytes that were stored at its end.
    pub storage_bytes: i64,
    /// Bytes that were downloaded.
    pub download_bytes: i64,
}

/// What all repositories of a subject have used.
pub async fn list_of_subject(
    house: &House,
    caller: &Caller,
    name: &SubjectName,
    months: MonthRange,
    start: u64,
) -> Result<Page<Usage>> {
    let subject = products::manager(&house.db, caller, name).await?;
    let scope = UsageScope { owner_id: subject.id, repo_id: None };
    list(house, scope, subject.registered, months, start).await
}

/// What a repository has used.
pub async fn list_of_repo(
    house: &House,
    caller: &Caller,
    at: &RepoAddress,
    months: MonthRange,
    start: u64,
) -> Result<Page<Usage>> {
    let repo = access::repo(&house.db, caller, at, Right::Own).await?.repo;
    let scope = UsageScope { owner_id: repo.owner_id, repo_id: Some(repo.id) };
    list(house, scope, repo.created, months, start).await
}

/// A page of months, from the one on in which it was made; there is nothing to tell of others.
async fn list(
    house: &House,
    scope: UsageScope,
    made: Timestamp,
    months: MonthRange,
    start: u64,
) -> Result<Page<Usage>> {
    let now = house.clock.now();
    let wanted = months.list(now)?;
    let known = |month: &Month| *month >= Month::of(made) && *month <= Month::of(now);
    let all: Vec<Month> = wanted.into_iter().filter(known).collect();
    let (skipped, limit) = (usize::try_from(start), usize::try_from(PAGE_SIZE));
    let page = all.iter().copied().skip(skipped.unwrap_or(usize::MAX)).take(limit.unwrap_or_default());
    let page: Vec<Month> = page.collect();
    let downloads = downloads(house, scope, &page).await?;
    let mut items = Vec::with_capacity(page.len());
    for month in page {
        let download_bytes = downloads.get(&month).copied().unwrap_or_default();
        items.push(measure(house, scope, month, now, download_bytes).await?);
    }
    Ok(Page { items, start, total: all.len() as u64 })
}

async fn measure(house: &House, scope: UsageScope, month: Month, now: Timestamp, download_bytes: i64) -> Result<Usage> {
    let Days { first, last } = month.days();
    let is_partial = month == Month::of(now);
    let storage_bytes = if is_partial {
        rows::find_storage(&house.db, scope).await?
    } else {
        rows::find_storage_on(&house.db, scope, last.number()).await?
    };
    let to = if is_partial { now } else { last.end() };
    Ok(Usage { from: first.start(), to, is_partial, storage_bytes, download_bytes })
}

/// Bytes that were downloaded, by month.
async fn downloads(house: &House, scope: UsageScope, months: &[Month]) -> Result<HashMap<Month, i64>> {
    let (Some(first), Some(last)) = (months.first(), months.last()) else { return Ok(HashMap::new()) };
    let days = Days { first: first.days().first, last: last.days().last };
    let mut sums: HashMap<Month, i64> = HashMap::new();
    for (day, bytes) in rows::list_downloads(&house.db, scope, days).await? {
        let sum = sums.entry(Month::of_day(Day::from_number(day))).or_default();
        *sum = sum.saturating_add(bytes);
    }
    Ok(sums)
}

impl MonthRange {
    /// The months, oldest first.
    fn list(self, now: Timestamp) -> Result<Vec<Month>> {
        let to = self.to.unwrap_or(now);
        let last = Month::of(to);
        let first = self.from.map_or_else(|| last.plus(1 - USUAL_MONTHS), Month::of);
        if self.from.is_some_and(|from| from > to) {
            return Err(Error::invalid("to", "it is before the start"));
        }
        let count = last.since(first) + 1;
        if count > MOST_MONTHS {
            return Err(Error::invalid("from", format!("more than {MOST_MONTHS} months lie between it and the end")));
        }
        Ok((0..count).map(|number| first.plus(number)).collect())
    }
}
