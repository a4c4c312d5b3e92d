//! The daily quota of queries for other subjects' resources, by plan. Days are in UTC.

use std::time::Instant;

use database::{
    ScopedFutureExt,
    accounts::{daily_queries, members, subjects},
};
use model::{day::Day, id::SubjectId, names::SubjectName, plan::Plan};

use crate::{Error, House, Result, UserIdentity};

/// The daily quota and what is left of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DailyQuota {
    /// The number of queries per day.
    pub limit: i64,
    /// The number left today.
    pub remaining: i64,
}

/// A user with a limited number of queries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limited {
    user_id: SubjectId,
    /// The number of queries per day.
    pub limit: i64,
}

impl Limited {
    /// Returns the user whose quota this caller uses; `None` for plans without a limit.
    pub fn of(house: &House, caller: &UserIdentity) -> Option<Self> {
        Some(Self { user_id: caller.id, limit: limit(house, caller.plan)? })
    }

    /// Returns today's quota from the cache; `None` if it has to be read again.
    pub fn known(self, house: &House) -> Option<DailyQuota> {
        let day = Day::of(house.clock.now()).number();
        let count = house.known_queries.find(self.user_id, day)?;
        Some(self.quota(count))
    }

    fn quota(self, count: i64) -> DailyQuota {
        DailyQuota { limit: self.limit, remaining: (self.limit - count).max(0) }
    }
}

/// The target of a call, for the daily limit.
#[derive(Debug, Clone, Copy)]
pub enum QuotaTarget<'a> {
    /// A resource of this subject. Free if the subject is the caller, or an organization of the caller.
    Subject(&'a SubjectName),
    /// Resources of all subjects: a search.
    Everyone,
    /// No subject's resource.
    Nobody,
}

/// Counts a call if it uses the quota, and returns what is left. `None` for plans without a limit.
#[boxed::future]
pub async fn charge(house: &House, caller: &UserIdentity, about: QuotaTarget<'_>) -> Result<Option<DailyQuota>> {
    let Some(limited) = Limited::of(house, caller) else { return Ok(None) };
    let (limit, now) = (limited.limit, house.clock.now());
    let today = Day::of(now);
    let day = today.number();
    // The time is read first, because later counts make the result outdated.
    let until = Instant::now() + house.db.cache_ttl();
    let count = if is_counted(house, caller, about).await? {
        let charged = house.db.write(|tx| daily_queries::count_one(tx, caller.id, day, limit).scope_boxed()).await;
        let charged = match charged {
            // The user was deleted after the key was checked.
            Err(database::Error::Missing) => return Err(Error::wrong_credentials()),
            other => other?,
        };
        if charged.is_none() {
            house.known_queries.record(caller.id, day, limit, until);
        }
        let seconds = (today.plus(1).start().millis() - now.millis()).div_euclid(1_000) + 1;
        charged.ok_or(Error::LimitReached {
            message: format!("You have exceeded your API call limit of {limit} queries a day"),
            retry_after_secs: seconds.unsigned_abs(),
            limit: limit.unsigned_abs(),
        })?
    } else {
        daily_queries::find(&house.db, caller.id, day).await?
    };
    house.known_queries.record(caller.id, day, count, until);
    Ok(Some(limited.quota(count)))
}

fn limit(house: &House, plan: Plan) -> Option<i64> {
    match plan {
        Plan::Free => Some(house.policy.free_queries_per_day),
        Plan::Premium => Some(house.policy.premium_queries_per_day),
        Plan::Enterprise => None,
    }
}

async fn is_counted(house: &House, caller: &UserIdentity, about: QuotaTarget<'_>) -> Result<bool> {
    let subject = match about {
        QuotaTarget::Nobody => return Ok(false),
        QuotaTarget::Everyone => return Ok(true),
        QuotaTarget::Subject(name) if *name == caller.name => return Ok(false),
        QuotaTarget::Subject(name) => subjects::find(&house.db, name).await?,
    };
    Ok(match subject {
        Some(subject) => members::find(&house.db, subject.id, caller.id).await?.is_none(),
        None => true,
    })
}

/// Deletes the counts of past days.
pub(crate) async fn delete_expired(house: &House) -> Result<()> {
    let yesterday = Day::of(house.clock.now()).plus(-1).number();
    let deleted = house.db.write(|tx| daily_queries::delete_before(tx, yesterday).scope_boxed()).await;
    deleted.map_err(|error: database::Error| Error::from(error))
}
