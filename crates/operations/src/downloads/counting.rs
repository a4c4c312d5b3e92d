//! Counts completed downloads in memory and flushes them every second; requests never wait.

use std::{
    collections::{BTreeMap, HashMap},
    mem,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
};

use database::{
    ScopedFutureExt,
    downloads::download_counts,
    usage::statistics::{self, DownloadCount},
};
use model::{
    access::Country,
    day::Day,
    download_quota::PaidContent,
    id::{KeyId, PackageId, VersionId},
    statistics::UNKNOWN_COUNTRY,
    timestamp::Timestamp,
};

use crate::{
    House, Result,
    downloads::{
        CountedVersion,
        key_counts::{KeyQuotaLocks, KeyUsageBatch},
        log_line::LogTime,
        package_counts::PackageCountBatch,
    },
};

/// The number of downloads that are queued for the next flush. Beyond it, downloads are still counted, but their log
/// lines are lost.
const PENDING: usize = 200_000;

/// The bytes of log lines that are held in memory while the database is unavailable.
const LINE_BYTES: usize = 64 << 20;

/// A file that a client has received completely.
#[derive(Debug, Clone)]
pub struct CompletedDownload {
    /// The version that the download counts for.
    pub counted: CountedVersion,
    /// The time of the download.
    pub at: Timestamp,
    /// The client's IP address.
    pub address: IpAddr,
    /// The client's country, if a trusted proxy has reported it.
    pub country: Option<Country>,
    /// The user who sent the request.
    pub user: Option<Arc<str>>,
    /// The name that the creator of a signed URL gave to it.
    pub callback_id: Option<Arc<str>>,
    /// The id of the access key that was used.
    pub key_id: Option<KeyId>,
    /// The requested path.
    pub path: Arc<str>,
    /// The status of the response.
    pub status: u16,
    /// The number of bytes sent.
    pub bytes: u64,
    /// The `Referer` header of the client.
    pub referer: Option<Arc<str>>,
    /// The `User-Agent` header of the client.
    pub agent: Option<Arc<str>>,
}

/// Counts completed downloads.
#[derive(Debug, Default)]
pub struct DownloadCounter {
    pending: Mutex<Vec<CompletedDownload>>,
    unwritten: Mutex<Unwritten>,
    /// Held during a flush. It contains the emptied buffer of the last flush, whose memory is reused.
    pub(super) writing: tokio::sync::Mutex<Vec<CompletedDownload>>,
    pub(super) turns: KeyQuotaLocks,
}

/// The ids of a version, a day, and a country.
type TotalKey = (VersionId, i64, Option<Country>);

#[derive(Debug, Default)]
struct Unwritten {
    totals: HashMap<TotalKey, Total>,
    /// Log lines by package and second.
    lines: BTreeMap<(PackageId, i64), String>,
    line_bytes: usize,
    keys: KeyUsageBatch,
    places: PackageCountBatch,
}

#[derive(Debug, Default, Clone, Copy)]
struct Total {
    count: i64,
    bytes: i64,
}

impl DownloadCounter {
    /// Records a download.
    pub fn record(&self, delivered: CompletedDownload) {
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        if pending.len() < PENDING {
            pending.push(delivered);
        } else {
            drop(pending);
            self.unwritten.lock().unwrap_or_else(PoisonError::into_inner).count(&delivered, delivered.country);
        }
    }

    /// Records that bytes which were charged to an access key were not sent.
    pub fn give_back(&self, key_id: KeyId, content: PaidContent, bytes: i64) {
        self.unwritten.lock().unwrap_or_else(PoisonError::into_inner).keys.give_back(key_id, content, bytes);
    }

    /// Takes the refunds of a key that are not flushed yet.
    pub(super) fn take_given_back(&self, key_id: KeyId) -> Vec<(PaidContent, i64)> {
        self.unwritten.lock().unwrap_or_else(PoisonError::into_inner).keys.take_given_back(key_id)
    }

    /// Puts refunds back that were taken but not written.
    pub(super) fn return_given_back(&self, key_id: KeyId, given_back: Vec<(PaidContent, i64)>) {
        let mut unwritten = self.unwritten.lock().unwrap_or_else(PoisonError::into_inner);
        for (content, bytes) in given_back {
            unwritten.keys.give_back(key_id, content, bytes);
        }
    }

    /// Flushes the recorded downloads. A batch that fails to be written stays for the next flush.
    #[boxed::future]
    pub async fn flush(&self, house: &House) -> Result<()> {
        // One flush at a time, so that nothing is written twice.
        let mut room = self.writing.lock().await;
        // Subscriptions change rarely, so the cached ones are good enough while the database is unavailable.
        let _ = house.followed.refresh(house).await;
        let is_followed = !house.followed.is_empty();
        mem::swap(&mut *room, &mut *self.pending.lock().unwrap_or_else(PoisonError::into_inner));
        let mut batch = {
            let mut unwritten = self.unwritten.lock().unwrap_or_else(PoisonError::into_inner);
            let mut time = LogTime::default();
            for delivered in &*room {
                // Look up the country here, where no request waits for it.
                let country = house.geo.origin(delivered.address, delivered.country).country;
                unwritten.count(delivered, country);
                unwritten.add_line(delivered, &mut time);
                if is_followed {
                    unwritten.places.queue_event(delivered);
                }
            }
            unwritten.places.add_logins(house.logins.take(house));
            mem::take(&mut *unwritten)
        };
        let most = 4 * room.len();
        room.clear();
        // Release the memory of a busy second during quiet ones.
        room.shrink_to(most);
        if batch.totals.is_empty() && batch.keys.is_empty() && batch.places.is_empty() {
            return Ok(());
        }
        let result = batch.write(house).await;
        if let Err(error) = &result {
            if matches!(error, database::Error::Unanswered(_)) {
                batch.keys.drop_given_back();
            }
            self.unwritten.lock().unwrap_or_else(PoisonError::into_inner).take_back(batch);
        }
        Ok(result?)
    }
}

impl Unwritten {
    fn count(&mut self, delivered: &CompletedDownload, country: Option<Country>) {
        let total =
            self.totals.entry((delivered.counted.version_id, Day::of(delivered.at).number(), country)).or_default();
        total.count += 1;
        total.bytes += i64::try_from(delivered.bytes).unwrap_or(i64::MAX);
        self.keys.count(delivered);
        self.places.count(delivered);
    }

    fn add_line(&mut self, delivered: &CompletedDownload, time: &mut LogTime) {
        if self.line_bytes < LINE_BYTES {
            let second = delivered.at.millis().div_euclid(1_000);
            let lines = self.lines.entry((delivered.counted.package_id, second)).or_default();
            let before = lines.len();
            delivered.write_line(time, lines);
            self.line_bytes += lines.len() - before;
        }
    }

    fn take_back(&mut self, batch: Unwritten) {
        for (key, total) in batch.totals {
            let sum = self.totals.entry(key).or_default();
            sum.count += total.count;
            sum.bytes += total.bytes;
        }
        for (key, lines) in batch.lines {
            self.line_bytes += lines.len();
            self.lines.entry(key).or_default().insert_str(0, &lines);
        }
        self.keys.take_back(batch.keys);
        self.places.take_back(batch.places);
    }

    async fn write(&self, house: &House) -> database::Result<()> {
        // In the same order on every node, so that nodes cannot deadlock.
        let (totals, now): (&BTreeMap<_, _>, _) = (&self.totals.iter().collect(), house.clock.now());
        house
            .db
            .write(|tx| {
                async move {
                    for ((version_id, day, country), total) in totals {
                        let country = country.as_ref().map_or(UNKNOWN_COUNTRY, Country::as_str).to_owned();
                        let (version_id, day) = (*version_id, *day);
                        let Total { count, bytes } = **total;
                        statistics::add(tx, &DownloadCount { version_id, day, country, count, bytes }).await?;
                    }
                    for ((package_id, second), lines) in &self.lines {
                        download_counts::add_lines(tx, house.next_id(), *package_id, *second, lines).await?;
                    }
                    self.keys.write(tx, now).await?;
                    self.places.write(tx, house).await
                }
                .scope_boxed()
            })
            .await
    }
}
