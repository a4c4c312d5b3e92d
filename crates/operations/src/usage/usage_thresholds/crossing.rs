//! Records that a threshold was crossed, once per period.

use database::{
    ScopedFutureExt, events,
    usage::usage_thresholds::{self as rows, OwnedThresholds},
};
use model::{
    event::{Event, EventKind},
    plan::Plan,
    timestamp::Timestamp,
};

use crate::{Error, House, Result, usage::usage_thresholds::measure::Measure};

/// The number of thresholds per page.
const TOGETHER: i64 = 100;

/// The actor of these events.
const SERVER: &str = "(server)";

/// Compares all thresholds with the current usage, and records an event for each one that is crossed.
pub(crate) async fn watch(house: &House) -> Result<()> {
    let mut after = i64::MIN;
    loop {
        let listed = rows::list(&house.db, after, TOGETHER).await?;
        let Some(last) = listed.last() else { return Ok(()) };
        after = last.id;
        for watched in listed.iter().filter(|watched| watched.plan >= Plan::Enterprise) {
            for measure in Measure::ALL {
                compare(house, watched, measure).await?;
            }
        }
    }
}

async fn compare(house: &House, watched: &OwnedThresholds, measure: Measure) -> Result<()> {
    let Some(threshold) = measure.of(&watched.thresholds) else { return Ok(()) };
    let now = house.clock.now();
    let period = measure.period(now).first.number();
    // Most crossed thresholds were already recorded in this period.
    if measure.take(&house.db, watched.scope, now).await? < threshold
        || rows::is_crossed(&house.db, watched.id, measure.as_str(), period).await?
    {
        return Ok(());
    }
    record(house, watched, measure, now).await
}

/// Records the event. If several nodes find it at once, only one records it.
async fn record(house: &House, watched: &OwnedThresholds, measure: Measure, now: Timestamp) -> Result<()> {
    let (period, event) = (measure.period(now).first.number(), &event(house, watched, measure, now));
    // The previous month is over on every node.
    let month_before = Measure::MonthlyStorage.period(now).first.plus(-1).number();
    house
        .db
        .write(|tx| {
            async move {
                rows::delete_expired_crossings(tx, watched.id, month_before).await?;
                if rows::cross(tx, watched.id, measure.as_str(), period).await? {
                    events::insert(tx, event).await?;
                }
                Ok::<_, Error>(())
            }
            .scope_boxed()
        })
        .await
}

fn event(house: &House, watched: &OwnedThresholds, measure: Measure, now: Timestamp) -> Event {
    Event {
        id: house.next_id(),
        subject_id: watched.scope.owner_id,
        at: now,
        kind: EventKind::UsageThreshold,
        repo: watched.repo.clone().unwrap_or_default(),
        package: String::new(),
        version: String::new(),
        path: None,
        actor: SERVER.to_owned(),
        address: String::new(),
        agent: None,
        detail: Some(measure.as_str().to_owned()),
    }
}
