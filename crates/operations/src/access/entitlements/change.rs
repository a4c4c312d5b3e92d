//! Changes to entitlements.

use std::collections::BTreeSet;

use database::{
    Tx,
    access::{access_keys, entitlement_terms},
};
use model::{access::Right, entitlement::Entitlement, file_path::FilePath, id::SubjectId, names::AccessKeyName, text};

use super::{EntitlementAddress, access_name};
use crate::{Error, Result, change::Edits};

/// The maximum number of keys of one entitlement.
const KEYS: usize = 1_000;

/// The maximum number of tags of one entitlement.
const TAGS: usize = 100;

/// Changes to an entitlement. Absent fields stay as they are.
#[derive(Debug, Clone, Default)]
pub struct EntitlementChange {
    /// The right of the keys.
    pub right: Option<Right>,
    /// The file or folder that it is limited to; `Some(None)` extends it to the whole repository.
    pub path: Option<Option<String>>,
    /// The names of its keys.
    pub access_keys: ListChange,
    /// The tags to find it by.
    pub tags: ListChange,
}

/// Changes to a list: first its replacement, then additions and removals.
#[derive(Debug, Clone, Default)]
pub struct ListChange {
    /// The new list.
    pub all: Option<Vec<String>>,
    /// Entries to add.
    pub add: Vec<String>,
    /// Entries to remove.
    pub remove: Vec<String>,
}

impl EntitlementChange {
    /// Rejects values that no entitlement in this scope can have, and normalizes the path.
    pub(super) fn check(&mut self, at: &EntitlementAddress) -> Result<()> {
        if let Some(Some(path)) = &mut self.path {
            if !matches!(at, EntitlementAddress::Repo(_)) {
                return Err(Error::invalid("path", "only an entitlement of a repository has one"));
            }
            let plain = FilePath::parse(path.trim_matches('/')).map_err(|error| Error::invalid("path", error))?;
            *path = plain.to_string();
        }
        for (field, names) in
            [("access_keys", self.access_keys.all.as_ref()), ("access_keys_add", Some(&self.access_keys.add))]
        {
            for name in names.into_iter().flatten() {
                AccessKeyName::parse(name).map_err(|error| Error::invalid(field, error))?;
            }
        }
        text::check_labels(self.tags.all.as_deref().unwrap_or_default())
            .map_err(|reason| Error::invalid("tags", reason))?;
        text::check_labels(&self.tags.add).map_err(|reason| Error::invalid("tags_add", reason))
    }

    pub(super) fn apply(&self, entitlement: &mut Entitlement, edits: &mut Edits) {
        if let Some(right) = self.right {
            edits.record_texts("access", access_name(entitlement.right), access_name(right));
            entitlement.right = right;
        }
        edits.set("path", &mut entitlement.path, &self.path);
    }

    /// Stores the keys and the tags of an entitlement whose scope is locked.
    pub(super) async fn set_terms(&self, tx: &mut Tx, id: i64, owner_id: SubjectId, edits: &mut Edits) -> Result<()> {
        if !self.access_keys.is_empty() {
            self.set_keys(tx, id, owner_id, edits).await?;
        }
        if !self.tags.is_empty() {
            let before = entitlement_terms::list_tags_of(tx, &[id]).await?.remove(&id).unwrap_or_default();
            let tags = self.tags.apply(before.clone(), TAGS, "tags")?;
            edits.record("tags", &sorted(before), &Vec::from_iter(tags.iter().cloned()));
            entitlement_terms::delete_tags(tx, id).await?;
            for tag in tags {
                entitlement_terms::insert_tag(tx, id, &tag).await?;
            }
        }
        Ok(())
    }

    async fn set_keys(&self, tx: &mut Tx, id: i64, owner_id: SubjectId, edits: &mut Edits) -> Result<()> {
        let before = entitlement_terms::list_keys_of(tx, &[id]).await?.remove(&id).unwrap_or_default();
        let names = self.access_keys.apply(before.clone(), KEYS, "access_keys")?;
        edits.record("access_keys", &sorted(before), &Vec::from_iter(names.iter().cloned()));
        entitlement_terms::delete_keys(tx, id).await?;
        for name in names {
            let unknown = || Error::invalid("access_keys", format!("Access key '{name}' does not exist"));
            let parsed = AccessKeyName::parse(&name).map_err(|error| Error::invalid("access_keys", error))?;
            let key = access_keys::find_of_owner(tx, owner_id, &parsed).await?.ok_or_else(unknown)?;
            match entitlement_terms::insert_key(tx, id, key.id).await {
                // Deleted while the entitlement was being created.
                Err(database::Error::Missing) => return Err(unknown()),
                other => other?,
            }
        }
        Ok(())
    }
}

fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort_unstable();
    names
}

impl ListChange {
    fn is_empty(&self) -> bool {
        self.all.is_none() && self.add.is_empty() && self.remove.is_empty()
    }

    /// Returns the list after the change.
    fn apply(&self, before: Vec<String>, most: usize, field: &'static str) -> Result<BTreeSet<String>> {
        let mut list: BTreeSet<String> = self.all.clone().unwrap_or(before).into_iter().collect();
        list.extend(self.add.iter().cloned());
        list.retain(|name| !self.remove.contains(name));
        if list.len() > most {
            return Err(Error::invalid(field, format!("there are more than {most}")));
        }
        Ok(list)
    }
}
