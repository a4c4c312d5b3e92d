//! Downloads that were delivered: noted in memory, written down once a second, never waited for.

use std::{
    collections::{BTreeMap, HashMap},
    mem,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
};

use database::{
    ScopedFutureExt,
    access::access_key_transfers::Content,
    downloads::download_counts::{self, DownloadCount},
};
use model::{access::Country, day::Day, timestamp::Timestamp};

use crate::{
    House, Result,
    downloads::{
        CountedVersion,
        key_counts::{KeyQuotaLocks, KeyUsageBatch},
        log_line::LogTime,
        package_counts::PackageCountBatch,
    },
};

/// Deliveries that are kept until they are written; beyond it their lines are lost, and their numbers are not.
const PENDING: usize = 200_000;

/// Bytes of lines that are kept while the database is away.
const LINE_BYTES: usize = 64 << 20;

/// The country of an address that no database places.
const UNKNOWN_COUNTRY: &str = "ZZ";

/// A file that a client has received to its end.
#[derive(Debug, Clone)]
pub struct CompletedDownload {
    /// What it counts for.
    pub counted: CountedVersion,
    /// When.
    pub at: Timestamp,
    /// The client's network address.
    pub address: IpAddr,
    /// The client's country, when somebody who is trusted has told it.
    pub country: Option<Country>,
    /// The user who asked.
    pub user: Option<Arc<str>>,
    /// What the maker of a signed address calls it.
    pub callback_id: Option<Arc<str>>,
    /// The key of the access key that it was asked for with.
    pub key_id: Option<i64>,
    /// The path that was asked for.
    pub path: Arc<str>,
    /// The status of the answer.
    pub status: u16,
    /// Bytes that were sent.
    pub bytes: u64,
    /// Where the client says it comes from.
    pub referer: Option<Arc<str>>,
    /// What the client says it is.
    pub agent: Option<Arc<str>>,
}

/// Counts deliveries.
#[derive(Debug, Default)]
pub struct DownloadCounter {
    pending: Mutex<Vec<CompletedDownload>>,
    unwritten: Mutex<Unwritten>,
    /// Whoever holds it writes down; with the room of what was written down last, which is used again.
    pub(super) writing: tokio::sync::Mutex<Vec<CompletedDownload>>,
    pub(super) turns: KeyQuotaLocks,
}

/// A version, a day and a country.
type TotalKey = (i64, i64, Option<Country>);

#[derive(Debug, Default)]
struct Unwritten {
    totals: HashMap<TotalKey, Total>,
    /// By package and second.
    lines: BTreeMap<(i64, i64), String>,
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
    /// Notes a delivery.
    pub fn note(&self, delivered: CompletedDownload) {
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        if pending.len() < PENDING {
            pending.push(delivered);
        } else {
            drop(pending);
            self.unwritten.lock().unwrap_or_else(PoisonError::into_inner).count(&delivered, delivered.country);
        }
    }

    /// Notes that bytes which were taken from the downloads of a key were not sent.
    pub fn give_back(&self, key_id: i64, content: Content, bytes: i64) {
        self.unwritten.lock().unwrap_or_else(PoisonError::into_inner).keys.give_back(key_id, content, bytes);
    }

    /// Takes out what was given back to a key and is not written down yet.
    pub(super) fn take_given_back(&self, key_id: i64) -> Vec<(Content, i64)> {
        self.unwritten.lock().unwrap_or_else(PoisonError::into_inner).keys.take_given_back(key_id)
    }

    /// Puts it back again.
    pub(super) fn return_given_back(&self, key_id: i64, given_back: Vec<(Content, i64)>) {
        let mut unwritten = self.unwritten.lock().unwrap_or_else(PoisonError::into_inner);
        for (content, bytes) in given_back {
            unwritten.keys.give_back(key_id, content, bytes);
        }
    }

    /// Writes down what was noted. What cannot be written now is kept for the next time.
    pub async fn flush(&self, house: &House) -> Result<()> {
        // One at a time, so that nothing is written twice.
        let mut room = self.writing.lock().await;
        // Whom somebody follows has changed rarely; what was known of it is good enough while the database is away.
        let _ = house.followed.refresh(house).await;
        let is_followed = !house.followed.is_empty();
        mem::swap(&mut *room, &mut *self.pending.lock().unwrap_or_else(PoisonError::into_inner));
        let mut batch = {
            let mut unwritten = self.unwritten.lock().unwrap_or_else(PoisonError::into_inner);
            let mut time = LogTime::default();
            for delivered in &*room {
                // Here, where no request waits for it.
                let country = house.geo.origin(delivered.address, delivered.country).country;
                unwritten.count(delivered, country);
                unwritten.add_line(delivered, &mut time);
                if is_followed {
                    unwritten.places.tell(delivered);
                }
            }
            unwritten.places.add_logins(house.logins.take(house));
            mem::take(&mut *unwritten)
        };
        let most = 4 * room.len();
        room.clear();
        // What a busy second needed is not held for quiet ones.
        room.shrink_to(most);
        if batch.totals.is_empty() && batch.keys.is_empty() && batch.places.is_empty() {
            return Ok(());
        }
        let result = batch.write(house).await;
        if let Err(error) = &result {
            if matches!(error, database::Error::Unanswered(_)) {
                batch.keys.forget_given_back();
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
        // In one order on every node, so that no two wait for each other.
        let (totals, now): (&BTreeMap<_, _>, _) = (&self.totals.iter().collect(), house.clock.now());
        house
            .db
            .write(|tx| {
                async move {
                    for ((version_id, day, country), total) in totals {
                        let country = country.as_ref().map_or(UNKNOWN_COUNTRY, Country::as_str).to_owned();
                        let (version_id, day) = (*version_id, *day);
                        let Total { count, bytes } = **total;
                        download_counts::add(tx, &DownloadCount { version_id, day, country, count, bytes }).await?;
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
