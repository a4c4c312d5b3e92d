//! Work that every node does by itself, for as long as it runs.

use std::time::{Duration, UNIX_EPOCH};

use database::content::file_names;

use crate::{
    House, Result,
    accounts::{query_limits, sessions},
    downloads::{self, download_logs},
    events::{stream, webhooks},
    maintenance::{garbage, nodes, scrub},
    rendering, signing,
    storage::checksums,
    ticks::every,
    usage::{self, usage_thresholds},
};

/// How often the clock is set to the database's.
const CLOCK_EVERY: Duration = Duration::from_secs(5);

/// How often left-overs of broken uploads and of past days are looked for.
const SWEEP_EVERY: Duration = Duration::from_secs(3600);

/// How often delivered downloads are written down.
const COUNT_EVERY: Duration = Duration::from_secs(1);

/// How often searches learn the names of new files.
const NAMES_EVERY: Duration = Duration::from_secs(1);

/// How often the lines of logs are looked at that could lie in the store.
const LOGS_EVERY: Duration = Duration::from_secs(600);

/// How often what repositories store is written down, and so how exact the ends of months are.
const STORAGE_EVERY: Duration = Duration::from_secs(600);

/// How often what is used is compared with thresholds.
const THRESHOLDS_EVERY: Duration = Duration::from_secs(60);

/// How often checksums are computed that uploads did not wait for.
const SUMS_EVERY: Duration = Duration::from_secs(5);

/// How often texts without HTML of this edition are looked for.
const TEXTS_EVERY: Duration = Duration::from_secs(60);

/// How long rendering rests between some texts and the next.
const TEXTS_REST: Duration = Duration::from_millis(100);

/// How long a server that stops waits to say so.
const LEAVE_WITHIN: Duration = Duration::from_secs(1);

/// How often a server tells that it is there.
const NODES_EVERY: Duration = Duration::from_secs(60);

/// How often the file with the countries of addresses is looked at.
const PLACES_EVERY: Duration = Duration::from_secs(1);

/// How often keys that end soon are told of.
const KEYS_EVERY: Duration = Duration::from_secs(24 * 3600);

/// A temporary this old belongs to no upload: longer than the longest one takes.
const ABANDONED_AFTER: Duration = Duration::from_secs(48 * 3600);

/// Runs until it is dropped. Nothing waits for anything else: a large file may take a while to be hashed.
pub async fn run(house: &House) {
    let (time, counts, sums, names) = (keep_time(house), keep_counts(house), keep_sums(house), keep_names(house));
    let (clean, logs, places, keys) = (keep_clean(house), keep_logs(house), keep_places(house), keep_keys(house));
    let (storage, thresholds, hooks) = (keep_storage(house), keep_thresholds(house), webhooks::run_dispatcher(house));
    let (nodes, garbage, texts, scrub) =
        (keep_nodes(house), garbage::keep(house), keep_texts(house), scrub::keep(house));
    tokio::join!(
        time, counts, sums, names, clean, logs, places, keys, storage, thresholds, hooks, nodes, garbage, texts, scrub
    );
}

/// Looks at what seems damaged, and goes on with the pass over all content to its end.
pub async fn scrub(house: &House) -> Result<()> {
    scrub::look_at_suspects(house).await?;
    scrub::go_on(house).await
}

async fn keep_nodes(house: &House) {
    let mut ticks = every(NODES_EVERY);
    loop {
        ticks.tick().await;
        if let Err(error) = note_node(house).await {
            tracing::warn!("it could not be written down that this server is there: {error}");
        }
    }
}

/// Tells that this server is there.
pub async fn note_node(house: &House) -> Result<()> {
    nodes::heartbeat(house).await
}

/// Tells that this server stops, if that is done soon. One that cannot is missed after some minutes.
pub async fn leave(house: &House) {
    match tokio::time::timeout(LEAVE_WITHIN, nodes::deregister(house)).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!("it could not be written down that this server stops: {error}"),
        Err(_) => tracing::warn!("it could not be written down in time that this server stops"),
    }
}

async fn keep_time(house: &House) {
    let mut ticks = every(CLOCK_EVERY);
    loop {
        ticks.tick().await;
        follow_clock(house).await;
    }
}

async fn keep_counts(house: &House) {
    let mut ticks = every(COUNT_EVERY);
    loop {
        ticks.tick().await;
        write_counts(house).await;
    }
}

async fn keep_sums(house: &House) {
    let mut ticks = every(SUMS_EVERY);
    loop {
        ticks.tick().await;
        compute_sums(house).await;
    }
}

async fn keep_names(house: &House) {
    let mut ticks = every(NAMES_EVERY);
    loop {
        ticks.tick().await;
        if let Err(error) = file_names::index_new(&house.db).await {
            tracing::warn!("searches could not learn the names of new files: {error}");
        }
    }
}

async fn keep_logs(house: &House) {
    let mut ticks = every(LOGS_EVERY);
    loop {
        ticks.tick().await;
        if let Err(error) = store_logs(house).await {
            tracing::warn!("logs of downloads could not be stored yet: {error}");
        }
    }
}

/// Stores the lines of logs that can be, and forgets the logs that are old.
pub async fn store_logs(house: &House) -> Result<()> {
    download_logs::forget(house).await?;
    while download_logs::seal(house).await? {}
    Ok(())
}

async fn keep_texts(house: &House) {
    let mut ticks = every(TEXTS_EVERY);
    loop {
        ticks.tick().await;
        if let Err(error) = render_texts(house).await {
            tracing::warn!("rendering texts failed: {error}");
        }
    }
}

/// Renders the texts that have no HTML of this edition: saved by an older release, from a backup, or in a rush.
pub async fn render_texts(house: &House) -> Result<()> {
    while rendering::catch_up(house).await? {
        tokio::time::sleep(TEXTS_REST).await;
    }
    Ok(())
}

async fn keep_storage(house: &House) {
    let mut ticks = every(STORAGE_EVERY);
    loop {
        ticks.tick().await;
        if let Err(error) = note_storage(house).await {
            tracing::warn!("what repositories store could not be written down: {error}");
        }
    }
}

/// Writes down what repositories store today.
pub async fn note_storage(house: &House) -> Result<()> {
    usage::note_storage(house).await
}

async fn keep_thresholds(house: &House) {
    let mut ticks = every(THRESHOLDS_EVERY);
    loop {
        ticks.tick().await;
        if let Err(error) = watch_thresholds(house).await {
            tracing::warn!("what is used could not be compared with thresholds: {error}");
        }
    }
}

/// Tells of thresholds that are crossed.
pub async fn watch_thresholds(house: &House) -> Result<()> {
    usage_thresholds::watch(house).await
}

async fn keep_places(house: &House) {
    let mut ticks = every(PLACES_EVERY);
    loop {
        ticks.tick().await;
        // A file of some megabytes, a few times a month.
        house.geo.reload_if_changed();
    }
}

async fn keep_keys(house: &House) {
    let mut ticks = every(KEYS_EVERY);
    loop {
        ticks.tick().await;
        if let Err(error) = signing::warn_of_expiry(house).await {
            tracing::warn!("GPG keys could not be looked at: {error}");
        }
    }
}

async fn keep_clean(house: &House) {
    let mut ticks = every(SWEEP_EVERY);
    loop {
        ticks.tick().await;
        sweep_temporaries(house).await;
        forget_queries(house).await;
        forget_connections(house).await;
        forget_sessions(house).await;
        if let Err(error) = downloads::forget(house).await {
            tracing::warn!("forgetting old transfers of access keys failed: {error}");
        }
        if let Err(error) = forget_callbacks(house).await {
            tracing::warn!("old callbacks could not be forgotten: {error}");
        }
    }
}

async fn follow_clock(house: &House) {
    if let Err(error) = house.clock.follow(&house.db).await {
        tracing::warn!("the clock could not be compared with the database's: {error}");
    }
}

async fn compute_sums(house: &House) {
    if let Err(error) = checksums::catch_up(house).await {
        tracing::warn!("checksums could not be computed yet: {error}");
    }
}

async fn write_counts(house: &House) {
    if let Err(error) = house.counter.flush(house).await {
        tracing::warn!("downloads could not be counted yet: {error}");
    }
}

async fn forget_queries(house: &House) {
    if let Err(error) = query_limits::forget(house).await {
        tracing::warn!("old counts of queries could not be removed: {error}");
    }
}

/// Forgets what came of callbacks of long ago, and events that no hook waits for any more.
pub async fn forget_callbacks(house: &House) -> Result<()> {
    webhooks::forget(house).await
}

async fn forget_sessions(house: &House) {
    if let Err(error) = sessions::forget(house).await {
        tracing::warn!("sessions that are over could not be removed: {error}");
    }
}

async fn forget_connections(house: &House) {
    if let Err(error) = stream::forget(house).await {
        tracing::warn!("connections that have ended could not be removed: {error}");
    }
}

async fn sweep_temporaries(house: &House) {
    let now = UNIX_EPOCH + Duration::from_millis(house.clock.now().millis().unsigned_abs());
    match house.blobs.sweep_temporaries(ABANDONED_AFTER, now).await {
        Ok(0) => {}
        Ok(count) => tracing::info!("removed {count} left-overs of broken uploads"),
        Err(error) => tracing::warn!("left-overs of broken uploads could not be removed: {error}"),
    }
}
