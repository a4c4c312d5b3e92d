//! Thresholds for the usage of a subject or a repository: crossing one records an event. For its owners.

mod change;
mod crossing;
mod measure;
mod whose;

pub use change::ThresholdChange;
pub use whose::ThresholdOwner;

pub(crate) use crossing::watch;

use database::{ScopedFutureExt, usage::usage_thresholds as rows};
use model::{plan::Plan, usage::Thresholds};

use crate::{
    Caller, Error, House, Result, access,
    audit::{entry, record, record_edits},
    change::Edits,
    usage::usage_thresholds::measure::Measure,
};

/// Returns the thresholds.
#[boxed::future]
pub async fn show(house: &House, caller: &Caller, whose: &ThresholdOwner) -> Result<Thresholds> {
    let (scope, _) = whose.find(house, caller).await?;
    let id = rows::find_id(&house.db, scope).await?.ok_or_else(|| whose.not_found())?;
    rows::find(&house.db, id).await?.ok_or_else(|| whose.not_found())
}

/// A threshold and the current usage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThresholdStatus {
    /// The measure, by the name of its field.
    pub measure: &'static str,
    /// Bytes used in the current period.
    pub used: i64,
    /// The number of bytes from which on the threshold is crossed.
    pub threshold: i64,
}

/// Compares the thresholds with the current usage.
#[boxed::future]
pub async fn compare(house: &House, caller: &Caller, whose: &ThresholdOwner) -> Result<Vec<ThresholdStatus>> {
    let (thresholds, now) = (show(house, caller, whose).await?, house.clock.now());
    let (scope, _) = whose.find(house, caller).await?;
    let mut compared = Vec::new();
    for measure in Measure::ALL {
        if let Some(threshold) = measure.of(&thresholds) {
            let used = measure.take(&house.db, scope, now).await?;
            compared.push(ThresholdStatus { measure: measure.as_str(), used, threshold });
        }
    }
    Ok(compared)
}

/// Creates the first thresholds of an owner.
#[boxed::future]
pub async fn create(
    house: &House,
    caller: &Caller,
    whose: &ThresholdOwner,
    change: ThresholdChange,
) -> Result<Thresholds> {
    let (_, plan) = whose.find(house, caller).await?;
    access::check_plan(plan, Plan::Enterprise)?;
    let thresholds = &change.apply(Thresholds::default())?;
    let (id, log) = (house.next_id(), &entry(house, caller, "usage_threshold.create", whose.name(), ""));
    house
        .db
        .write(|tx| {
            async move {
                let (scope, plan) = whose.lock(tx, caller).await?;
                access::check_plan(plan, Plan::Enterprise)?;
                if rows::find_id(tx, scope).await?.is_some() {
                    return Err(Error::Conflict(format!("Usage thresholds of '{}' already exist", whose.name())));
                }
                rows::insert(tx, id, scope, thresholds).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await?;
    Ok(*thresholds)
}

/// Changes thresholds. A threshold with a new value can be crossed again in the same period.
#[boxed::future]
pub async fn edit(house: &House, caller: &Caller, whose: &ThresholdOwner, change: ThresholdChange) -> Result<()> {
    let (_, plan) = whose.find(house, caller).await?;
    access::check_plan(plan, Plan::Enterprise)?;
    let log = &entry(house, caller, "usage_threshold.edit", whose.name(), "");
    house
        .db
        .write(|tx| {
            async move {
                let (scope, plan) = whose.lock(tx, caller).await?;
                access::check_plan(plan, Plan::Enterprise)?;
                let (id, before) = whose.find_locked(tx, scope).await?;
                let after = change.apply(before)?;
                rows::update(tx, id, &after).await?;
                let mut edits = Edits::default();
                for measure in Measure::ALL.into_iter().filter(|measure| measure.of(&before) != measure.of(&after)) {
                    rows::delete_crossings(tx, id, measure.as_str()).await?;
                    edits.record(measure.as_str(), &measure.of(&before), &measure.of(&after));
                }
                record_edits(tx, log, &edits).await
            }
            .scope_boxed()
        })
        .await
}

/// Removes thresholds. This needs no plan.
#[boxed::future]
pub async fn delete(house: &House, caller: &Caller, whose: &ThresholdOwner) -> Result<()> {
    whose.find(house, caller).await?;
    let log = &entry(house, caller, "usage_threshold.delete", whose.name(), "");
    house
        .db
        .write(|tx| {
            async move {
                let (scope, _) = whose.lock(tx, caller).await?;
                let (id, _) = whose.find_locked(tx, scope).await?;
                rows::delete(tx, id).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}
