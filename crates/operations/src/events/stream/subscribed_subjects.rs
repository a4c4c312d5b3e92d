//! The subjects that have subscribers, on any node.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use arc_swap::ArcSwapOption;
use database::{engine::epochs::Epoch, events::stream_connections};
use model::id::SubjectId;

use crate::{House, Result};

/// Caches the subjects that have subscribers. A look-up is very cheap, and its answer is usually no.
#[derive(Debug, Default)]
pub(crate) struct SubscribedSubjects(ArcSwapOption<Subjects>);

#[derive(Debug)]
struct Subjects {
    /// The epoch at the time of the query.
    epoch: Epoch,
    by_name: HashMap<String, SubjectId>,
    ids: HashSet<SubjectId>,
}

impl SubscribedSubjects {
    /// Reads the subjects from the database. This runs once a second, because a subscriber that leaves does not change
    /// the epoch.
    pub(crate) async fn refresh(&self, house: &House) -> Result<()> {
        // The epoch is read first, because a subscriber that connects during the query may be missing from its result.
        let epoch = house.db.changes().followed();
        let listed = stream_connections::list_followed(&house.db, house.clock.now()).await?;
        let ids = listed.iter().map(|(id, _)| *id).collect();
        let by_name = listed.into_iter().map(|(id, name)| (name, id)).collect();
        let asked = Arc::new(Subjects { epoch, by_name, ids });
        self.0.rcu(|known| match known {
            // A query that began later has finished earlier.
            Some(known) if known.epoch > epoch => known.clone(),
            _ => asked.clone(),
        });
        Ok(())
    }

    /// Does the same if a subscriber may have connected since, on any node.
    pub(super) async fn catch_up(&self, house: &House) -> Result<()> {
        let epoch = house.db.changes().followed();
        let is_known = self.0.load().as_ref().is_some_and(|known| known.epoch == epoch);
        if is_known && house.db.is_cache_coherent() { Ok(()) } else { self.refresh(house).await }
    }

    /// Returns whether no subject has subscribers.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.load().as_ref().is_none_or(|known| known.ids.is_empty())
    }

    /// Returns whether this subject has subscribers.
    pub(crate) fn has(&self, subject_id: SubjectId) -> bool {
        self.0.load().as_ref().is_some_and(|known| known.ids.contains(&subject_id))
    }

    /// Returns the id of a subject, if it has subscribers.
    pub(super) fn find(&self, name: &str) -> Option<SubjectId> {
        self.0.load().as_ref()?.by_name.get(name).copied()
    }
}
