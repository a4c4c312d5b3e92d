//! Files of indexes, put together from blocks, in the terms of downloads.

use model::{blob::Blob, digest::hex, id::BlobId};
use operations::downloads::{IndexBytes, ResolvedFile, ResolvedIndex};

use super::source::Source;

/// The source of the bytes.
pub(super) fn source(bytes: &IndexBytes) -> Source {
    match bytes {
        IndexBytes::Memory(bytes) => Source::Memory(bytes.clone()),
        IndexBytes::Mapped(mapped) => Source::Mapped(mapped.clone()),
    }
}

/// The file for the cache of responses. It has no blob in the store, and its downloads are not counted.
pub(super) fn file(index: &ResolvedIndex) -> ResolvedFile {
    let content = &index.content;
    let blob = Blob {
        id: BlobId::NONE,
        sha256: content.sha256,
        sha1: hex(&content.sha1),
        md5: None,
        sha512: None,
        size: i64::try_from(content.size).unwrap_or(i64::MAX),
        is_damaged: false,
        check: None,
    };
    ResolvedFile {
        blob,
        changed: content.changed,
        keeping: index.keeping,
        repo_ids: [index.repo_id; 2],
        rules: index.rules.clone(),
        counted: None,
    }
}
