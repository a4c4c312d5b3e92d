//! Telling that a threshold was crossed, once a period.

use database::{
    ScopedFutureExt,
    events::{self, Event, EventKind},
    usage::usage_thresholds::{self as rows, OwnedThresholds},
};
use model::{plan::Plan, timestamp::Timestamp};

use crate::{Error, House, Result, usage::usage_thresholds::measure::Measure};

/// Thresholds that are looked at together.
const TOGETHER: i64 = 100;

/// Who tells of it.
const SERVER: &str = "(server)";

/// Compares all thresholds with what is used, and tells of those that are crossed.
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
    // Most of those that are crossed were told of before.
    if measure.take(&house.db, watched.scope, now).await? < threshold
        || rows::is_crossed(&house.db, watched.id, measure.as_str(), period).await?
    {
        return Ok(());
    }
    tell(house, watched, measure, now).await
}

/// Writes it down; of several servers that find it at once, one does.
async fn tell(house: &House, watched: &OwnedThresholds, measure: Measure, now: Timestamp) -> Result<()> {
    let (period, event) = (measure.period(now).first.number(), &event(house, watched, measure, now));
    // The month before is over on every server.
    let month_before = Measure::MonthlyStorage.period(now).first.plus(-1).number();
    house
        .db
        .write(|tx| {
            async move {
                rows::forget_periods(tx, watched.id, month_before).await?;
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
