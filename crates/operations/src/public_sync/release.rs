//! The files of a release, which are checked before anything is sent.

use database::content::{blobs, files};
use futures_util::TryStreamExt;
use model::{blob::Blob, checksum::Algorithm, file_path::FilePath, id::VersionId, repo::Repo};

use crate::{Error, House, Result, format::ReleaseFile, storage::checksums};

/// The maximum total size of the POMs.
const LOOKED_INTO: usize = 32 << 20;

/// The files to send to a registry.
#[derive(Debug)]
pub(super) struct Release {
    /// The files, sorted by path.
    pub(super) files: Vec<SyncFile>,
}

/// A file of a release.
#[derive(Debug)]
pub(super) struct SyncFile {
    /// The path, which is the same in the registry.
    pub(super) path: FilePath,
    /// The content.
    pub(super) blob: Blob,
    /// The checksum files next to it, as extension and text.
    pub(super) sums: Vec<(&'static str, String)>,
}

impl Release {
    /// Gathers the published files of a version, or returns everything that prevents their release.
    pub(super) async fn gather(
        house: &House,
        repo: &Repo,
        version_id: VersionId,
    ) -> Result<std::result::Result<Self, Vec<String>>> {
        let format = house.format(&repo.kind);
        let (mut parts, mut released, mut looked_into) = (Vec::new(), Vec::new(), 0);
        for file in files::list_published(&house.db, version_id).await? {
            let Some(blob_id) = file.published.map(|content| content.blob_id) else { continue };
            let blob = blobs::find(&house.db, blob_id).await?;
            let blob = blob.ok_or_else(|| Error::Internal(format!("blob {blob_id} has no row")))?;
            let content = match format.released_bytes(&file.path) {
                Some(limit) => Some(read(house, &blob, limit).await?),
                None => None,
            };
            looked_into += content.as_ref().map_or(0, Vec::len);
            if looked_into > LOOKED_INTO {
                return Ok(Err(vec!["The POMs together are too large".to_owned()]));
            }
            released.push(ReleaseFile { path: file.path.clone(), content });
            parts.push((file.path, blob));
        }
        if parts.is_empty() {
            return Ok(Err(vec!["The version has no published files".to_owned()]));
        }
        let gaps = format.release_gaps(&released);
        if !gaps.is_empty() {
            return Ok(Err(gaps));
        }
        let mut files = Vec::new();
        for (path, blob) in parts {
            files.push(SyncFile::new(house, path, blob).await?);
        }
        Ok(Ok(Self { files }))
    }

    /// Returns group, artifact and version of the first POM.
    pub(super) fn coordinates(&self) -> Option<[String; 3]> {
        let pom = self.files.iter().find(|file| file.path.as_str().ends_with(".pom"))?;
        let mut folders = pom.path.as_str().rsplitn(4, '/').skip(1);
        let (version, artifact, group) = (folders.next()?, folders.next()?, folders.next()?);
        Some([group.replace('/', "."), artifact.to_owned(), version.to_owned()])
    }
}

impl SyncFile {
    async fn new(house: &House, path: FilePath, blob: Blob) -> Result<Self> {
        let mut sums = Vec::new();
        // Signatures get no checksum files.
        if path.signed().is_none() {
            for algorithm in [Algorithm::Sha1, Algorithm::Md5] {
                sums.push((algorithm.extension(), checksums::of(house, &blob, algorithm).await?));
            }
        }
        Ok(Self { path, blob, sums })
    }
}

/// Reads the first bytes of a blob.
async fn read(house: &House, blob: &Blob, limit: usize) -> Result<Vec<u8>> {
    let end = blob.size.unsigned_abs().min(limit as u64);
    let content = house.blobs.read(blob.sha256, Some(0..end)).await?;
    let content = content.ok_or_else(|| Error::Internal(format!("blob {} is not in the store", blob.sha256)))?;
    let bytes = content.stream.try_collect::<Vec<_>>().await?;
    Ok(bytes.concat())
}
