//! Records what clients know the packages of a repository by, for files that were published before this was recorded.

use database::{ScopedFutureExt, content::package_identities};

use crate::{
    House, Result,
    format::Inspected,
    indexes::{IndexedRepo, build::FACTS_BYTES},
};

/// Records the packages in these files. An upload does so itself.
pub(super) async fn record(house: &House, repo: &IndexedRepo, ids: &[i64]) -> Result<()> {
    let sizes = repo.facts_sizes(&house.db, ids).await?;
    let (mut part, mut bytes) = (Vec::new(), 0);
    for id in ids {
        let size = sizes.get(id).copied().unwrap_or(0);
        if bytes + size > FACTS_BYTES {
            record_part(house, repo, &std::mem::take(&mut part)).await?;
            bytes = 0;
        }
        bytes += size;
        part.push(*id);
    }
    record_part(house, repo, &part).await
}

/// Records the packages in files whose facts fit into memory.
async fn record_part(house: &House, repo: &IndexedRepo, ids: &[i64]) -> Result<()> {
    let mut found: Vec<(String, String)> = Vec::new();
    for file in repo.files(&house.db, ids).await? {
        let sha256 = file.view.sha256.to_string();
        let inspected = Inspected { facts: file.view.facts, about: file.view.about };
        let identities = repo.indexes.identities(&file.view.path, &inspected, &repo.repo);
        found.extend(identities.into_iter().map(|identity| (identity, sha256.clone())));
    }
    if found.is_empty() {
        return Ok(());
    }
    found.sort();
    let (id, found) = (repo.id(), &found);
    let write = house.db.write(|tx| {
        async move {
            for (identity, sha256) in found {
                package_identities::insert(tx, id, identity, sha256).await?;
            }
            Ok::<_, database::Error>(())
        }
        .scope_boxed()
    });
    Ok(write.await?)
}
