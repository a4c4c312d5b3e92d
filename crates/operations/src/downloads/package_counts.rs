//! Traffic of repositories, and events for the subscribers of their owners. The repositories of packages are looked up
//! once for all downloads of a second.

use std::collections::{BTreeMap, HashMap};

use database::{
    Tx,
    downloads::download_counts::{self, CountedPackage},
    events,
    usage::{self, Traffic, recent_downloads},
};
use model::{
    day::Day,
    event::Event,
    id::{PackageId, RepoId, SubjectId},
};

use crate::{
    House,
    downloads::{CompletedDownload, download_events},
    events::stream::{DownloadEvent, write_login},
};

/// The maximum number of downloads that wait to be recorded as events; statistics contain all of them.
const QUEUED_EVENTS: usize = 20_000;

/// The maximum number of logins that are queued while the database is unavailable.
const LOGINS: usize = 10_000;

#[derive(Debug, Default)]
pub(super) struct PackageCountBatch {
    /// Downloads by package and day.
    traffic: BTreeMap<(PackageId, i64), Traffic>,
    /// Downloads for subscribers, with the ids of their packages.
    events: Vec<(PackageId, DownloadEvent)>,
    /// Logins for subscribers.
    logins: Vec<Event>,
}

impl PackageCountBatch {
    pub(super) fn is_empty(&self) -> bool {
        self.traffic.is_empty() && self.logins.is_empty()
    }

    pub(super) fn count(&mut self, delivered: &CompletedDownload) {
        let key = (delivered.counted.package_id, Day::of(delivered.at).number());
        let sum = self.traffic.entry(key).or_default();
        sum.bytes = sum.bytes.saturating_add_unsigned(delivered.bytes);
        sum.count += 1;
    }

    /// Queues the download for subscribers.
    pub(super) fn queue_event(&mut self, delivered: &CompletedDownload) {
        if self.events.len() < QUEUED_EVENTS {
            self.events.push((delivered.counted.package_id, delivered.into()));
        }
    }

    pub(super) fn add_logins(&mut self, logins: Vec<Event>) {
        let room = LOGINS.saturating_sub(self.logins.len());
        self.logins.extend(logins.into_iter().take(room));
    }

    /// Takes back a batch that was not written.
    pub(super) fn take_back(&mut self, mut other: PackageCountBatch) {
        for (key, traffic) in other.traffic {
            add(self.traffic.entry(key).or_default(), traffic);
        }
        other.events.append(&mut self.events);
        other.events.truncate(QUEUED_EVENTS);
        self.events = other.events;
        self.add_logins(other.logins);
    }

    pub(super) async fn write(&self, tx: &mut Tx, house: &House) -> database::Result<()> {
        let mut package_ids: Vec<PackageId> = self.traffic.keys().map(|(package_id, _)| *package_id).collect();
        package_ids.dedup();
        let places = download_counts::list_places(tx, &package_ids).await?;
        let mut followed: BTreeMap<SubjectId, Vec<&DownloadEvent>> = BTreeMap::new();
        for (package_id, download) in &self.events {
            if let Some(place) = places.get(package_id).filter(|place| house.followed.has(place.owner_id)) {
                followed.entry(place.owner_id).or_default().push(download);
            }
        }
        for login in &self.logins {
            write_login(tx, login).await?;
        }
        for event in &download_events::rows(house, &followed) {
            events::insert(tx, event).await?;
        }
        // In the same order on every node, and last: all nodes that flush wait for the same rows.
        for (place, count) in self.by_package(&places) {
            recent_downloads::add(tx, place.package_id, place.repo_id, count).await?;
        }
        for ((repo_id, day), traffic) in self.by_repo(&places) {
            usage::add_downloads(tx, repo_id, day, traffic).await?;
        }
        Ok(())
    }

    fn by_package<'a>(&self, places: &'a HashMap<PackageId, CountedPackage>) -> Vec<(&'a CountedPackage, i64)> {
        let mut sums: BTreeMap<PackageId, i64> = BTreeMap::new();
        for ((package_id, _), traffic) in &self.traffic {
            *sums.entry(*package_id).or_default() += traffic.count;
        }
        sums.into_iter().filter_map(|(package_id, count)| Some((places.get(&package_id)?, count))).collect()
    }

    fn by_repo(&self, places: &HashMap<PackageId, CountedPackage>) -> BTreeMap<(RepoId, i64), Traffic> {
        let mut sums: BTreeMap<(RepoId, i64), Traffic> = BTreeMap::new();
        for ((package_id, day), traffic) in &self.traffic {
            if let Some(place) = places.get(package_id) {
                add(sums.entry((place.repo_id, *day)).or_default(), *traffic);
            }
        }
        sums
    }
}

fn add(sum: &mut Traffic, traffic: Traffic) {
    sum.bytes = sum.bytes.saturating_add(traffic.bytes);
    sum.count = sum.count.saturating_add(traffic.count);
}
