//! The jobs of a node, in one table. The webhook dispatcher and the garbage collector have loops of their own, and
//! report in the same way.

use std::time::{Duration, UNIX_EPOCH};

use database::content::file_names;

use crate::{
    Error, House, Result,
    accounts::{device_codes, invitations, key_sessions, mails, query_limits, sessions, trusted_publishers},
    catalogue::deletions,
    downloads::{self, download_logs},
    events::{stream, webhooks},
    indexes,
    maintenance::{garbage, nodes, scrub},
    oci, rendering, signing,
    storage::checksums,
    usage::{self, usage_thresholds},
};

pub use crate::runner::{Job, JobRun, Observe, run};

/// The jobs that work on the stores. `docs/operating.md` lists them with those of the server.
pub const JOBS: &[Job<House>] = &[
    Job::new("download_counts", secs(1), |house| Box::pin(house.counter.flush(house))),
    Job::new("token_uses", secs(1), |house| Box::pin(house.token_uses.flush(house))),
    Job::new("file_names", secs(1), |house| Box::pin(index_file_names(house))),
    Job::new("repo_indexes", secs(1), |house| Box::pin(indexes::build_due(house))),
    Job::new("deleted_repos", secs(1), |house| Box::pin(deletions::delete_rows(house))),
    Job::new("geo", secs(1), |house| Box::pin(async { house.geo.reload_if_changed() })),
    Job::new("mails", secs(2), |house| Box::pin(mails::send_due(house))),
    Job::new("clock", secs(5), |house| Box::pin(set_clock(house))),
    Job::new("checksums", secs(5), |house| Box::pin(compute_checksums(house))),
    Job::new("suspects", secs(5), |house| Box::pin(scrub::examine_suspects(house))),
    Job::new("heartbeat", MINUTE, |house| Box::pin(nodes::heartbeat(house))),
    Job::new("thresholds", MINUTE, |house| Box::pin(usage_thresholds::watch(house))),
    Job::new("texts", MINUTE, |house| Box::pin(render_texts(house))),
    Job::new("scrub", MINUTE, |house| Box::pin(scrub::continue_pass(house))),
    Job::new("storage_usage", secs(600), |house| Box::pin(usage::record_storage(house))),
    Job::new("popular_packages", secs(600), |house| Box::pin(usage::count_popular(house))),
    Job::new("download_logs", secs(600), |house| Box::pin(store_logs(house))),
    Job::new("outdated_indexes", HOUR, |house| Box::pin(indexes::find_outdated(house))),
    Job::new("withheld", HOUR, |house| Box::pin(scrub::examine_withheld(house))),
    Job::new("temporaries", HOUR, |house| Box::pin(sweep_temporaries(house))),
    Job::new("image_uploads", HOUR, |house| Box::pin(oci::sweep(house))),
    Job::new("untagged_manifests", HOUR, |house| Box::pin(oci::remove_untagged(house))),
    Job::new("expired_quota", HOUR, |house| Box::pin(query_limits::delete_expired(house))),
    Job::new("expired_streams", HOUR, |house| Box::pin(stream::delete_expired(house))),
    Job::new("expired_sessions", HOUR, |house| Box::pin(sessions::delete_expired(house))),
    Job::new("expired_mails", HOUR, |house| Box::pin(mails::delete_expired(house))),
    Job::new("expiry_warnings", HOUR, |house| Box::pin(mails::warn_of_expiry(house))),
    Job::new("expired_identities", secs(600), |house| Box::pin(delete_expired_identities(house))),
    Job::new("expired_key_sessions", HOUR, |house| Box::pin(key_sessions::delete_expired(house))),
    Job::new("expired_key_downloads", HOUR, |house| Box::pin(downloads::delete_expired(house))),
    Job::new("expired_deliveries", HOUR, |house| Box::pin(webhooks::delete_expired(house))),
    Job::new("key_expiry", secs(86_400), |house| Box::pin(signing::warn_of_expiry(house))),
];

/// The loops outside the table: their names and intervals.
pub const LOOPS: &[(&str, Duration)] = &[(webhooks::DISPATCHER, webhooks::DISPATCH_EVERY), garbage::COLLECTOR];

const MINUTE: Duration = secs(60);
const HOUR: Duration = secs(3_600);

/// The pause between two batches of texts, for requests that wait for the renderer.
const TEXTS_REST: Duration = Duration::from_millis(100);

/// A node that stops waits this long to deregister.
const DEREGISTER_WITHIN: Duration = secs(1);

/// A temporary file this old belongs to no upload: no upload takes this long.
const ABANDONED_AFTER: Duration = secs(48 * 3_600);

const fn secs(number: u64) -> Duration {
    Duration::from_secs(number)
}

/// Runs every job and loop of this crate until it is dropped.
#[boxed::future]
pub async fn run_all(house: &House, observe: &Observe<'_>) {
    let (dispatcher, collector) = (webhooks::run_dispatcher(house, observe), garbage::run_collector(house, observe));
    tokio::join!(run(house, JOBS, observe), dispatcher, collector);
}

/// Runs one job now instead of at its tick.
#[boxed::future]
pub async fn run_once(house: &House, name: &str) -> Result<()> {
    let job = JOBS.iter().find(|job| job.name == name);
    let job = job.ok_or_else(|| Error::Unknown { what: "Job", name: name.to_owned() })?;
    (job.run)(house).await
}

/// Deregisters this node, if that is done soon. A node that cannot counts as stopped after some minutes.
#[boxed::future]
pub async fn deregister(house: &House) {
    match tokio::time::timeout(DEREGISTER_WITHIN, nodes::deregister(house)).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!("deregistering this node failed: {error}"),
        Err(_) => tracing::warn!("deregistering this node failed: the database did not respond in time"),
    }
}

async fn set_clock(house: &House) -> Result<()> {
    Ok(house.clock.follow(&house.db).await?)
}

async fn delete_expired_identities(house: &House) -> Result<()> {
    trusted_publishers::delete_expired(house).await?;
    invitations::delete_expired(house).await?;
    device_codes::delete_expired(house).await
}

async fn index_file_names(house: &House) -> Result<()> {
    Ok(file_names::index_new(&house.db).await.map(|_| ())?)
}

async fn compute_checksums(house: &House) -> Result<()> {
    checksums::catch_up(house).await.map(|_| ())
}

/// Stores the lines of logs that are complete, and deletes old logs.
async fn store_logs(house: &House) -> Result<()> {
    download_logs::delete_expired(house).await?;
    while download_logs::seal(house).await? {}
    Ok(())
}

/// Renders the texts that have no HTML of this edition: from an older release, from a backup, or saved under load.
async fn render_texts(house: &House) -> Result<()> {
    while rendering::catch_up(house).await? {
        tokio::time::sleep(TEXTS_REST).await;
    }
    Ok(())
}

async fn sweep_temporaries(house: &House) -> Result<()> {
    let now = UNIX_EPOCH + Duration::from_millis(house.clock.now().millis().unsigned_abs());
    let count = house.blobs.sweep_temporaries(ABANDONED_AFTER, now).await?;
    if count > 0 {
        tracing::info!("removed {count} temporary files of interrupted uploads");
    }
    Ok(())
}
