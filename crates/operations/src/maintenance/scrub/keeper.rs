//! Scrubbing by itself, for as long as the server runs.

use std::time::Duration;

use database::content::{blobs, damage};

use crate::{
    House, Result,
    maintenance::scrub::{Outcome, examine::examine, pace::Pace, pass::Claimed},
    ticks::every,
};

/// How often what looks damaged is looked at.
const SUSPECTS_EVERY: Duration = Duration::from_secs(5);

/// How often a pass is looked for that is due, or that another server has left.
const PASS_EVERY: Duration = Duration::from_secs(60);

/// How often what is withheld is looked at again: it may have been brought back behind the server.
const WITHHELD_EVERY: Duration = Duration::from_secs(3_600);

/// How much of it each time.
const WITHHELD: i64 = 64;

/// Scrubs for as long as it runs.
pub(crate) async fn keep(house: &House) {
    tokio::join!(keep_suspects(house), keep_passes(house), keep_withheld(house));
}

async fn keep_suspects(house: &House) {
    let mut ticks = every(SUSPECTS_EVERY);
    loop {
        ticks.tick().await;
        if let Err(error) = look_at_suspects(house).await {
            tracing::warn!("looking at content that seems damaged failed: {error}");
        }
    }
}

/// Reads and judges what looked damaged to somebody.
pub(crate) async fn look_at_suspects(house: &House) -> Result<()> {
    for id in house.suspects.take() {
        if let Some(blob) = blobs::find(&house.db, id).await? {
            examine(house, &blob, Pace::fastest(house)).await?;
        }
    }
    Ok(())
}

async fn keep_passes(house: &House) {
    let mut ticks = every(PASS_EVERY);
    loop {
        ticks.tick().await;
        if let Err(error) = go_on(house).await {
            tracing::warn!("reading all content failed and goes on later: {error}");
        }
    }
}

/// Goes on with the pass to its end, if this server may.
pub(crate) async fn go_on(house: &House) -> Result<()> {
    let Some(mut claimed) = Claimed::begin(house).await? else { return Ok(()) };
    while claimed.step().await? {}
    claimed.release().await
}

async fn keep_withheld(house: &House) {
    let mut ticks = every(WITHHELD_EVERY);
    let mut last = 0;
    loop {
        ticks.tick().await;
        // Where some of it is whole again, more is: a disk was away.
        loop {
            match look_at_withheld(house, last).await {
                Ok(looked) => {
                    last = looked.last;
                    if !looked.has_healed {
                        break;
                    }
                }
                Err(error) => {
                    tracing::warn!("looking at withheld content failed: {error}");
                    break;
                }
            }
        }
    }
}

struct Looked {
    /// Where to go on.
    last: i64,
    has_healed: bool,
}

/// Looks again at some of what is withheld, after a key.
async fn look_at_withheld(house: &House, after_id: i64) -> Result<Looked> {
    let page = damage::list(&house.db, after_id, WITHHELD).await?;
    let mut has_healed = false;
    for damaged in &page {
        has_healed |= examine(house, &damaged.blob, Pace::fastest(house)).await? == Outcome::Healed;
    }
    Ok(Looked { last: page.last().map_or(0, |damaged| damaged.blob.id), has_healed })
}
