//! Files of views that were replaced, for clients that have just read the documents over them. Only paths that name their
//! digests are found here, by callers with the same grants, on every node.

use std::{collections::HashMap, sync::Arc};

use database::{
    ScopedFutureExt,
    indexes::view_files::{self, ViewFile, ViewReaders},
};
use model::{access::GrantScope, digest::hex, id::RepoId, timestamp::Timestamp};
use sha2::{Digest, Sha256};

use crate::{
    House, Result,
    indexes::assemble::{IndexBytes, IndexContent},
};

/// The maximum size of a file that is stored.
const FILE_BYTES: u64 = 1 << 20;

/// A view is made again after this time, which stores its files for longer.
pub(super) const VIEW_MS: i64 = 12 * 3_600_000;

/// How long a file is found after its view was made: a day after the view was replaced.
const FOUND_MS: i64 = VIEW_MS + 24 * 3_600_000;

/// Stores the files of a new view whose paths name their digests. A view is of use without them.
pub(super) async fn store(
    house: &House,
    repo_id: RepoId,
    scopes: &[GrantScope],
    files: &HashMap<String, Arc<IndexContent>>,
) {
    let lasting = files.iter().filter(|(_, content)| content.is_lasting && content.size <= FILE_BYTES);
    let lasting: Vec<(&String, &Arc<IndexContent>)> = lasting.collect();
    if lasting.is_empty() {
        return;
    }
    let grants = digest(scopes);
    let (readers, until) = (ViewReaders { repo_id, grants: &grants }, house.clock.now().millis() + FOUND_MS);
    let (lasting, until) = (&lasting, Timestamp::from_millis(until));
    let stored = house.db.write(|tx| {
        async move {
            for (path, content) in lasting {
                let IndexBytes::Memory(bytes) = &content.bytes else { continue };
                if !view_files::extend(tx, readers, path, until).await? {
                    let file = ViewFile { bytes: bytes.to_vec(), created: content.changed.millis() };
                    view_files::insert(tx, readers, path, file, until).await?;
                }
            }
            Ok::<_, database::Error>(())
        }
        .scope_boxed()
    });
    if let Err(error) = stored.await {
        tracing::warn!("storing an index for a part of repository {repo_id} failed: {error}");
    }
}

/// Finds such a file.
pub(super) async fn find(
    house: &House,
    repo_id: RepoId,
    scopes: &[GrantScope],
    path: &str,
) -> Result<Option<Arc<IndexContent>>> {
    let grants = digest(scopes);
    let readers = ViewReaders { repo_id, grants: &grants };
    let found = view_files::find(&house.db, readers, path, house.clock.now()).await?;
    let content = |file: ViewFile| IndexContent::in_memory(file.bytes, Timestamp::from_millis(file.created), true);
    Ok(found.map(|file| Arc::new(content(file))))
}

/// The digest of grants, whatever their order.
fn digest(scopes: &[GrantScope]) -> String {
    let mut texts: Vec<String> = scopes.iter().map(|scope| format!("{scope:?}\n")).collect();
    texts.sort();
    hex(&Sha256::digest(texts.concat()))
}
