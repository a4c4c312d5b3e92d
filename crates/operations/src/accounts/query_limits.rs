//! How many queries of others' resources a user has each day, by plan. The day is UTC's.

use std::time::Instant;

use database::{
    ScopedFutureExt,
    accounts::{daily_queries, members, subjects},
};
use model::{day::Day, names::SubjectName, plan::Plan};

use crate::{Error, House, Result, UserIdentity};

/// What is left of a day's queries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DailyQuota {
    /// How many a day has.
    pub limit: i64,
    /// How many are left of today's.
    pub remaining: i64,
}

/// A user whose queries are limited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limited {
    user_id: i64,
    /// How many a day has.
    pub limit: i64,
}

impl Limited {
    /// Whose queries count for this caller; `None` for plans without a limit.
    pub fn of(house: &House, caller: &UserIdentity) -> Option<Self> {
        Some(Self { user_id: caller.id, limit: limit(house, caller.plan)? })
    }

    /// What is left of today's, as this node saw it a moment ago; `None` when it has to look again.
    pub fn known(self, house: &House) -> Option<DailyQuota> {
        let day = Day::of(house.clock.now()).number();
        let count = house.known_queries.find(self.user_id, day)?;
        Some(self.allowance(count))
    }

    fn allowance(self, count: i64) -> DailyQuota {
        DailyQuota { limit: self.limit, remaining: (self.limit - count).max(0) }
    }
}

/// What a call is about, as far as the daily limit goes.
#[derive(Debug, Clone, Copy)]
pub enum QuotaTarget<'a> {
    /// A resource of this subject. Free when it is the caller, or an organisation of the caller.
    Subject(&'a SubjectName),
    /// Resources of everyone: a search.
    Everyone,
    /// Nothing that belongs to anyone.
    Nobody,
}

/// Counts a call where it counts, and says what is left. `None` for plans without a limit.
pub async fn charge(house: &House, caller: &UserIdentity, about: QuotaTarget<'_>) -> Result<Option<DailyQuota>> {
    let Some(limited) = Limited::of(house, caller) else { return Ok(None) };
    let (limit, now) = (limited.limit, house.clock.now());
    let today = Day::of(now);
    let day = today.number();
    // First: what is counted meanwhile makes it old.
    let until = Instant::now() + house.db.cache_ttl();
    let count = if is_counted(house, caller, about).await? {
        let charged = house.db.write(|tx| daily_queries::count_one(tx, caller.id, day, limit).scope_boxed()).await;
        let charged = match charged {
            // The user was deleted after the key was checked.
            Err(database::Error::Missing) => return Err(Error::wrong_credentials()),
            other => other?,
        };
        if charged.is_none() {
            house.known_queries.note(caller.id, day, limit, until);
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
    house.known_queries.note(caller.id, day, count, until);
    Ok(Some(limited.allowance(count)))
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

/// Forgets the counts of days that are over.
pub(crate) async fn forget(house: &House) -> Result<()> {
    let yesterday = Day::of(house.clock.now()).plus(-1).number();
    let forgotten = house.db.write(|tx| daily_queries::delete_before(tx, yesterday).scope_boxed()).await;
    forgotten.map_err(|error: database::Error| Error::from(error))
}
