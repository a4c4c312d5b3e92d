//! Blobs and manifests as readers get them.

use database::{
    content::blobs,
    oci::{image_files, pending_blobs, staged_manifests},
};
use model::{
    access::Right,
    address::PackageAddress,
    blob::Blob,
    digest::Digest,
    file_path::FilePath,
    id::{RepoId, VersionId},
};

use crate::{
    Caller, Error, House, Result, access,
    cache::Dependence,
    downloads::{self, CachePolicy, CountedVersion, OriginRules, Resolved, ResolvedFile},
    oci::{blob_path, image_of, manifest_path, pending::retain, push_access, staged::staged_of_digest},
};

/// A manifest, and what its format has stored about it.
#[derive(Debug)]
pub struct ManifestFile {
    /// The file.
    pub file: ResolvedFile,
    /// Its path in the repository.
    pub path: FilePath,
    /// The facts about it.
    pub facts: Option<String>,
    /// Whether it waits to be published, so that its response is not cached.
    pub is_pending: bool,
}

/// A blob of an image.
#[derive(Debug)]
pub struct BlobFile {
    /// The file.
    pub file: ResolvedFile,
    /// Its path in the repository.
    pub path: FilePath,
    /// Whether it still waits for a manifest. It may go at any time, so its response is not cached.
    pub is_pending: bool,
}

/// Returns a blob of an image, for a caller who may read it. Publishers also read what is held for the image.
#[boxed::future]
pub async fn find_blob(house: &House, caller: &Caller, at: &PackageAddress, digest: Digest) -> Result<BlobFile> {
    let path = blob_path(&image_of(at), digest)?;
    match find_file(house, caller, at, &path).await {
        // Layers are parts of a download that the manifest counts for.
        Ok(file) => Ok(BlobFile { file: ResolvedFile { counted: None, ..file }, path, is_pending: false }),
        Err(Error::NotFound { what: "File", name }) => match find_held(house, caller, at, digest).await? {
            Some(file) => Ok(BlobFile { file, path, is_pending: true }),
            None => Err(Error::NotFound { what: "File", name }),
        },
        Err(error) => Err(error),
    }
}

/// Returns a manifest of an image by its tag or digest, for a caller who may read it.
#[boxed::future]
pub async fn find_manifest(
    house: &House,
    caller: &Caller,
    at: &PackageAddress,
    reference: &str,
) -> Result<ManifestFile> {
    let path = manifest_path(&image_of(at), reference)?;
    let mut file = match find_file(house, caller, at, &path).await {
        Err(Error::NotFound { what: "File", name }) => {
            let staged = find_staged(house, caller, at, reference, path).await?;
            return staged.ok_or(Error::NotFound { what: "File", name });
        }
        other => other?,
    };
    let row = image_files::find(&house.db, file.repo_ids[1], &path).await?;
    if let Some(counted) = file.counted.filter(|_| reference.contains(':')) {
        file.counted = newest_tag(house, &file, counted).await?;
        // A new tag is counted instead.
        file.depends_on = file.depends_on.or_on_paths();
    }
    Ok(ManifestFile { file, path, facts: row.and_then(|row| row.facts), is_pending: false })
}

/// A manifest that waits to be published, for publishers of the image.
async fn find_staged(
    house: &House,
    caller: &Caller,
    at: &PackageAddress,
    reference: &str,
    path: FilePath,
) -> Result<Option<ManifestFile>> {
    let Ok(access) = push_access::check(house, &house.db, caller, at).await else { return Ok(None) };
    let (repo_id, image) = (access.repo.id, image_of(at));
    let row = match reference.strip_prefix("sha256:").and_then(|hex| hex.parse().ok()) {
        Some(digest) => staged_of_digest(&house.db, repo_id, &image, digest).await?,
        None => staged_manifests::find(&house.db, repo_id, &image, reference).await?,
    };
    let Some(row) = row else { return Ok(None) };
    let Some(blob) = blobs::find(&house.db, row.blob_id).await? else { return Ok(None) };
    let file = pending_file(house, repo_id, blob);
    Ok(Some(ManifestFile { file, path, facts: Some(row.facts), is_pending: true }))
}

/// Content that only publishers read.
fn pending_file(house: &House, repo_id: RepoId, blob: Blob) -> ResolvedFile {
    ResolvedFile {
        blob,
        changed: house.clock.now(),
        keeping: CachePolicy::Private,
        media_type: None,
        repo_ids: [repo_id; 2],
        depends_on: Dependence::Staged,
        rules: OriginRules::default(),
        counted: None,
    }
}

/// The newest tag that has a manifest: a download by digest counts for it.
async fn newest_tag(house: &House, file: &ResolvedFile, counted: CountedVersion) -> Result<Option<CountedVersion>> {
    let same = image_files::list_of_content(&house.db, counted.package_id, file.blob.id).await?;
    let tags = same.iter().filter(|file| !file.path.contains("/manifests/sha256:"));
    let newest = tags.map(|file| file.version_id).max_by_key(|id: &VersionId| id.get());
    Ok(newest.map(|version_id| CountedVersion { version_id, ..counted }))
}

async fn find_file(house: &House, caller: &Caller, at: &PackageAddress, path: &FilePath) -> Result<ResolvedFile> {
    match downloads::find(house, caller, &at.repo, Some(path)).await? {
        Resolved::File(file) => Ok(file),
        Resolved::Text(_) | Resolved::Index(_) | Resolved::Folder(_) => {
            Err(Error::NotFound { what: "File", name: path.to_string() })
        }
    }
}

async fn find_held(
    house: &House,
    caller: &Caller,
    at: &PackageAddress,
    digest: Digest,
) -> Result<Option<ResolvedFile>> {
    let Ok(access) = push_access::check(house, &house.db, caller, at).await else { return Ok(None) };
    let Some(blob) = pending_blobs::find(&house.db, access.repo.id, &image_of(at), digest).await? else {
        return Ok(None);
    };
    Ok(Some(pending_file(house, access.repo.id, blob)))
}

/// Holds a blob of another image for this one, if the caller may read it there; returns whether they may.
#[boxed::future]
pub async fn mount(
    house: &House,
    caller: &Caller,
    at: &PackageAddress,
    from: &PackageAddress,
    digest: Digest,
) -> Result<bool> {
    let access = push_access::check(house, &house.db, caller, at).await?;
    let found = match find_blob(house, caller, from, digest).await {
        Ok(found) if !found.file.blob.is_damaged => found.file,
        Err(error @ (Error::Unavailable(_) | Error::Internal(_))) => return Err(error),
        _ => return Ok(false),
    };
    retain(house, access.repo.id, &image_of(at), &found.blob, None).await?;
    Ok(true)
}

/// Returns whether the image exists for this caller.
pub(super) async fn check_image(house: &House, caller: &Caller, at: &PackageAddress) -> Result<access::PackageAccess> {
    match access::package(&house.db, caller, at, Right::Read).await {
        Err(Error::NotFound { .. }) if !caller.is_known_in(&at.repo.owner, &at.repo.repo) => {
            // A public repository says that an image is missing; a hidden one asks for credentials.
            let is_public = access::repo(&house.db, caller, &at.repo, Right::Read).await.is_ok();
            if is_public {
                Err(Error::NotFound { what: "Package", name: at.package.to_string() })
            } else {
                Err(Error::sign_in())
            }
        }
        other => other,
    }
}
