//! Maps a blob into memory.

use model::digest::Digest;

use super::{
    Folder,
    read::{Reader, open},
};
use crate::{error::Error, hashes, mapped::MappedBlob, off_reactor};

/// Up to this size a blob is read and compared with its digest, which costs less than a mapping and an open file.
const SMALL_BYTES: u64 = 64 << 10;

impl Folder {
    pub(crate) async fn map(&self, digest: Digest) -> Result<Option<MappedBlob>, Error> {
        let path = self.blob_path(digest);
        off_reactor::run("mapping a blob", move || {
            let path = path.find();
            let Some((file, size)) = open(&path)? else { return Ok(None) };
            if size <= SMALL_BYTES {
                let bytes = Reader::new(file, path, &(0..size))?.read_chunk()?.bytes;
                hashes::check(digest, &bytes)?;
                return Ok(Some(MappedBlob::from_memory(bytes)));
            }
            let mapped = MappedBlob::from_file(file);
            // If the system is out of mappings, it can still read files.
            Ok(mapped.inspect_err(|error| tracing::warn!("mapping `{}` failed: {error}", path.display())).ok())
        })
        .await
    }
}
