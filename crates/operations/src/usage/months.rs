//! Usage by month, in UTC.

use std::collections::HashMap;

use database::usage as rows;
use model::{
    access::Right,
    address::RepoAddress,
    day::{Day, Days},
    month::Month,
    names::SubjectName,
    page::PAGE_SIZE,
    timestamp::Timestamp,
    usage::UsageScope,
};

use crate::{
    Caller, Error, House, Page, Result,
    access::{self, products},
};

/// The default number of months, including the current one.
const USUAL_MONTHS: i64 = 12;

/// The maximum number of months per call.
const MOST_MONTHS: i64 = 120;

/// The requested months, given by a time in the first and one in the last.
#[derive(Debug, Clone, Copy, Default)]
pub struct MonthRange {
    /// A time in the first month; if absent, the default number of months is listed.
    pub from: Option<Timestamp>,
    /// A time in the last month; now if absent.
    pub to: Option<Timestamp>,
}

/// The usage of a month.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Usage {
    /// The start of the month.
    pub from: Timestamp,
    /// The end of the month; now for the current month.
    pub to: Timestamp,
    /// Whether the month is not over.
    pub is_partial: bool,
    /// Bytes stored at the end of the month.
    pub storage_bytes: i64,
    /// Bytes downloaded.
    pub download_bytes: i64,
}

/// Lists the usage of all repositories of a subject.
#[boxed::future]
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

/// Lists the usage of a repository.
#[boxed::future]
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

/// Returns a page of months, from the month of creation to the current one: other months have no usage.
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

/// Bytes downloaded, by month.
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
    /// Lists the months, oldest first.
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
