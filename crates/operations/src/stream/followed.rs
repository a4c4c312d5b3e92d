//! Whom somebody follows, on any server, as far as this one has heard.

use std::collections::{HashMap, HashSet};

use arc_swap::ArcSwap;
use database::stream_connections;

use crate::{House, Result};

/// The subjects that somebody follows. Asking costs next to nothing, and is usually answered with no.
#[derive(Debug, Default)]
pub(crate) struct Followed(ArcSwap<Subjects>);

#[derive(Debug, Default)]
struct Subjects {
    by_name: HashMap<String, i64>,
    ids: HashSet<i64>,
}

impl Followed {
    /// Asks the database, once a second and when somebody begins to follow.
    pub(crate) async fn refresh(&self, house: &House) -> Result<()> {
        let listed = stream_connections::list_followed(&house.db, house.clock.now()).await?;
        let ids = listed.iter().map(|(id, _)| *id).collect();
        let by_name = listed.into_iter().map(|(id, name)| (name, id)).collect();
        self.0.store(Subjects { by_name, ids }.into());
        Ok(())
    }

    /// Whether nobody follows anyone.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.load().ids.is_empty()
    }

    /// Whether somebody follows this subject.
    pub(crate) fn has(&self, subject_id: i64) -> bool {
        self.0.load().ids.contains(&subject_id)
    }

    /// The key of a subject, if somebody follows it.
    pub(super) fn find(&self, name: &str) -> Option<i64> {
        self.0.load().by_name.get(name).copied()
    }
}
