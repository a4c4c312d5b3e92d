//! Whom somebody follows, on any server.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use arc_swap::ArcSwapOption;
use database::{engine::epochs::Epoch, events::stream_connections};

use crate::{House, Result};

/// The subjects that somebody follows. Asking costs next to nothing, and is usually answered with no.
#[derive(Debug, Default)]
pub(crate) struct SubscribedSubjects(ArcSwapOption<Subjects>);

#[derive(Debug)]
struct Subjects {
    /// When they were asked for.
    epoch: Epoch,
    by_name: HashMap<String, i64>,
    ids: HashSet<i64>,
}

impl SubscribedSubjects {
    /// Asks the database, once a second: those who go are not told of.
    pub(crate) async fn refresh(&self, house: &House) -> Result<()> {
        // First: whoever begins to follow meanwhile may be missing.
        let epoch = house.db.changes().followed();
        let listed = stream_connections::list_followed(&house.db, house.clock.now()).await?;
        let ids = listed.iter().map(|(id, _)| *id).collect();
        let by_name = listed.into_iter().map(|(id, name)| (name, id)).collect();
        let asked = Arc::new(Subjects { epoch, by_name, ids });
        self.0.rcu(|known| match known {
            // Somebody was faster who began later.
            Some(known) if known.epoch > epoch => known.clone(),
            _ => asked.clone(),
        });
        Ok(())
    }

    /// The same if somebody may have begun to follow since, on whichever server.
    pub(super) async fn catch_up(&self, house: &House) -> Result<()> {
        let epoch = house.db.changes().followed();
        let is_known = self.0.load().as_ref().is_some_and(|known| known.epoch == epoch);
        if is_known && house.db.is_cache_coherent() { Ok(()) } else { self.refresh(house).await }
    }

    /// Whether nobody follows anyone.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.load().as_ref().is_none_or(|known| known.ids.is_empty())
    }

    /// Whether somebody follows this subject.
    pub(crate) fn has(&self, subject_id: i64) -> bool {
        self.0.load().as_ref().is_some_and(|known| known.ids.contains(&subject_id))
    }

    /// The key of a subject, if somebody follows it.
    pub(super) fn find(&self, name: &str) -> Option<i64> {
        self.0.load().as_ref()?.by_name.get(name).copied()
    }
}
