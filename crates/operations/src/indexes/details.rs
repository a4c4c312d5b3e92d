//! Further facts about content that some streams are made of, such as the files in packages.
//!
//! Only repositories that list them need them, and reading them may take seconds. So they are read when a generation
//! lists the content for the first time, and stored beside it one by one: a builder that ends early has lost nothing.

use database::{
    ScopedFutureExt,
    content::content_facts,
    indexes::{heads::IndexLease, sources},
};

use crate::{
    Error, House, Result,
    indexes::{IndexedRepo, settle},
    storage::inspect::inspect_details,
};

/// Reads the facts of files whose content was not read yet; returns false if another builder has taken over. Content
/// without such facts is not read again.
pub(super) async fn read_missing(house: &House, repo: &IndexedRepo, lease: IndexLease, ids: &[i64]) -> Result<bool> {
    let Some(name) = repo.indexes.details(&repo.repo) else { return Ok(true) };
    for (path, blob) in sources::list_undetailed(&house.db, name, ids).await? {
        let found = match inspect_details(house, repo.indexes, &path, &blob).await {
            Ok(found) => found.unwrap_or_default(),
            Err(error @ (Error::Unavailable(_) | Error::Internal(_))) => return Err(error),
            // Damaged content may come back.
            Err(Error::Damaged(_)) => continue,
            Err(error) => {
                tracing::warn!("the files in '{path}' are not listed: {error}");
                Vec::new()
            }
        };
        house.db.write(|tx| content_facts::insert(tx, blob.id, name, &found).scope_boxed()).await?;
        if !settle::renew(house, lease).await? {
            return Ok(false);
        }
    }
    Ok(true)
}
