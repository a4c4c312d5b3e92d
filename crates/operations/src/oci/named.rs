//! What a manifest names, found before anything is written.

use database::{
    Read,
    oci::{
        image_files::{self, ImageFile},
        pending_blobs,
    },
};
use model::{blob::Blob, digest::Digest, file_path::FilePath, id::RepoId};

use crate::{
    Error, Result,
    oci::{blob_path, digest_name, manifest_path, manifests::NewManifest},
};

/// Content that a manifest names.
pub(super) enum Named {
    /// A file of the image.
    File(ImageFile),
    /// Content that was pushed to the image and has no file yet.
    Pending(FilePath, Blob),
}

/// Finds everything that a manifest names, and compares the sizes.
pub(super) async fn find_named(db: &dyn Read, repo_id: RepoId, image: &str, new: &NewManifest) -> Result<Vec<Named>> {
    let mut named = Vec::new();
    for (digest, size) in &new.blobs {
        let path = blob_path(image, *digest)?;
        let found = match image_files::find(db, repo_id, &path).await? {
            Some(file) => Named::File(file),
            None => match pending_blobs::find(db, repo_id, image, *digest).await? {
                Some(blob) => Named::Pending(path, blob),
                None => return Err(Error::Unknown { what: "Blob", name: digest_name(*digest) }),
            },
        };
        found.check_size(*digest, *size)?;
        named.push(found);
    }
    for (digest, size) in &new.manifests {
        let path = manifest_path(image, &digest_name(*digest))?;
        let Some(file) = image_files::find(db, repo_id, &path).await? else {
            return Err(Error::Unknown { what: "Manifest", name: digest_name(*digest) });
        };
        let found = Named::File(file);
        found.check_size(*digest, *size)?;
        named.push(found);
    }
    Ok(named)
}

impl Named {
    /// Rejects a manifest that says another size than the stored content has.
    fn check_size(&self, digest: Digest, said: u64) -> Result<()> {
        let stored = match self {
            Named::File(file) => file.size,
            Named::Pending(_, blob) => blob.size,
        };
        if stored.unsigned_abs() == said {
            return Ok(());
        }
        let reason = format!("it says that sha256:{digest} has {said} bytes, but it has {stored}");
        Err(Error::invalid("manifest", reason))
    }
}
