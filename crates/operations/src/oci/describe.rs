//! What a version of an image is made of, for pages.

use blobs::Error as BlobError;
use bytes::Bytes;
use database::{
    content::blobs as stored_blobs,
    oci::{image_files, images, pending_blobs, subjects},
};
use model::{
    address::{PackageAddress, VersionAddress},
    digest::Digest,
    id::{RepoId, VersionId},
};

use crate::{
    Caller, House, PackageAccess, Result,
    format::{ConfigView, ImageReader, ImageSummary, LayerView, ManifestEntry, ManifestView},
    oci::{blob_path, content::find_manifest, digest_name, find_blob, image_of, push_access},
};

/// The maximum number of platforms that are described.
const PLATFORMS: usize = 16;

/// The maximum number of referrers that are described.
const REFERRERS: i64 = 50;

/// The maximum size of a configuration that is read.
const CONFIG_BYTES: u64 = 1 << 20;

/// The maximum size of a manifest.
const MANIFEST_BYTES: u64 = 4 << 20;

/// A version of an image.
#[derive(Debug, Clone, Default)]
pub struct ImageDescription {
    /// The digest of its manifest.
    pub digest: String,
    /// What it is, such as `Helm chart`; empty for an image.
    pub purpose: String,
    /// The digest of the manifest that it refers to.
    pub subject: Option<String>,
    /// The images in it; one unless it is an index.
    pub platforms: Vec<PlatformImage>,
    /// The number of images that are not described.
    pub left_out: usize,
    /// Signatures, attestations and other manifests about it, each with the version that shows it.
    pub about: Vec<(ManifestEntry, String)>,
}

/// The image for a platform.
#[derive(Debug, Clone, Default)]
pub struct PlatformImage {
    /// The platform; empty if the image does not say it.
    pub platform: String,
    /// The digest of its manifest.
    pub digest: String,
    /// The size of its configuration and layers.
    pub size: u64,
    /// Its layers, each with the command that made it.
    pub layers: Vec<LayerView>,
    /// The steps that made it.
    pub config: ConfigView,
}

/// Describes a version of an image, for a caller who may read it; `None` if it is not an image.
#[boxed::future]
pub async fn describe(house: &House, caller: &Caller, at: &VersionAddress) -> Result<Option<ImageDescription>> {
    let repo = crate::access::package(&house.db, caller, at, model::access::Right::Read).await?.repo.repo;
    let Some(reader) = house.format(&repo.kind).image_reader() else { return Ok(None) };
    let Some((repo_id, sha256)) = find_version(house, caller, at).await? else { return Ok(None) };
    let digest = digest_name(sha256);
    let Some(view) = read(house, sha256, MANIFEST_BYTES).await?.and_then(|text| reader.manifest(&text)) else {
        return Ok(None);
    };
    let (purpose, subject) = (view.purpose.clone(), view.subject.clone());
    let mut described = ImageDescription { purpose, subject, ..ImageDescription::default() };
    let image = image_of(&at.package);
    for (entry, version) in subjects::list_with_versions(&house.db, repo_id, &image, &digest, REFERRERS).await? {
        described.about.extend(reader.referrer(&entry).map(|entry| (entry, version)));
    }
    for tag in reader.tags_about(&digest) {
        let path = super::manifest_path(&image, &tag)?;
        let Some(file) = image_files::find(&house.db, repo_id, &path).await? else { continue };
        let purpose = reader.summary(&tag, "").purpose;
        let size = file.size.unsigned_abs();
        described.about.push((ManifestEntry { purpose, size, ..ManifestEntry::default() }, tag));
    }
    if view.children.is_empty() {
        described.platforms.push(platform(house, caller, &at.package, reader, digest.clone(), view).await?);
    } else {
        describe_children(house, caller, &at.package, reader, &view.children, &mut described).await?;
    }
    described.digest = digest;
    Ok(Some(described))
}

/// Finds the manifest of a version, with its repository. Publishers see what their image is made of wherever they are;
/// for others, it is content like any other.
async fn find_version(house: &House, caller: &Caller, at: &VersionAddress) -> Result<Option<(RepoId, Digest)>> {
    if let Ok(access) = push_access::check(house, &house.db, caller, &at.package).await {
        let path = super::manifest_path(&image_of(&at.package), at.version.as_str())?;
        if let Some(file) = image_files::find(&house.db, access.repo.id, &path).await? {
            let blob = stored_blobs::find(&house.db, file.blob_id).await?;
            return Ok(blob.map(|blob| (access.repo.id, blob.sha256)));
        }
    }
    match find_manifest(house, caller, &at.package, at.version.as_str()).await {
        Ok(found) => Ok(Some((found.file.repo_ids[1], found.file.blob.sha256))),
        Err(crate::Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

async fn describe_children(
    house: &House,
    caller: &Caller,
    at: &PackageAddress,
    reader: &dyn ImageReader,
    children: &[ManifestEntry],
    described: &mut ImageDescription,
) -> Result<()> {
    let (about, images): (Vec<_>, Vec<_>) = children.iter().partition(|child| !child.purpose.is_empty());
    described.about.extend(about.into_iter().map(|child| (child.clone(), String::new())));
    described.left_out = images.len().saturating_sub(PLATFORMS);
    for child in images.into_iter().take(PLATFORMS) {
        let Some(sha256) = parse(&child.digest) else { continue };
        let Some(view) = read(house, sha256, MANIFEST_BYTES).await?.and_then(|text| reader.manifest(&text)) else {
            continue;
        };
        let mut image = platform(house, caller, at, reader, child.digest.clone(), view).await?;
        if !child.platform.is_empty() {
            image.platform.clone_from(&child.platform);
        }
        described.platforms.push(image);
    }
    Ok(())
}

async fn platform(
    house: &House,
    caller: &Caller,
    at: &PackageAddress,
    reader: &dyn ImageReader,
    digest: String,
    view: ManifestView,
) -> Result<PlatformImage> {
    let text = match view.config.as_deref().and_then(parse) {
        Some(sha256) => read_config(house, caller, at, sha256).await?,
        None => None,
    };
    let config = text.and_then(|text| reader.config(&text)).unwrap_or_default();
    let mut layers = view.layers;
    let made = config.history.iter().filter(|step| !step.is_empty);
    for (layer, step) in layers.iter_mut().zip(made) {
        layer.made_by.clone_from(&step.made_by);
    }
    Ok(PlatformImage { platform: config.platform.clone(), digest, size: view.size, layers, config })
}

/// Reads the configuration of an image, if the image has it and it is small.
async fn read_config(house: &House, caller: &Caller, at: &PackageAddress, digest: Digest) -> Result<Option<Bytes>> {
    if let Ok(Some(bytes)) = read_pushed_config(house, caller, at, digest).await {
        return Ok(Some(bytes));
    }
    match find_blob(house, caller, at, digest).await {
        Ok(found) if found.file.blob.size.unsigned_abs() <= CONFIG_BYTES => read(house, digest, CONFIG_BYTES).await,
        Ok(_) | Err(crate::Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Reads the configuration that a pushed manifest names, for a caller who may push. Where downloads are allowed from does
/// not matter here.
#[boxed::future]
pub async fn read_pushed_config(
    house: &House,
    caller: &Caller,
    at: &PackageAddress,
    digest: Digest,
) -> Result<Option<Bytes>> {
    let repo_id = push_access::check(house, &house.db, caller, at).await?.repo.id;
    let image = image_of(at);
    let size = match image_files::find(&house.db, repo_id, &blob_path(&image, digest)?).await? {
        Some(file) => Some(file.size),
        None => pending_blobs::find(&house.db, repo_id, &image, digest).await?.map(|blob| blob.size),
    };
    match size {
        Some(size) if size.unsigned_abs() <= CONFIG_BYTES => read(house, digest, CONFIG_BYTES).await,
        _ => Ok(None),
    }
}

/// Reads small content; what is damaged or missing is not shown.
async fn read(house: &House, digest: Digest, max_bytes: u64) -> Result<Option<Bytes>> {
    match house.blobs.read_small(digest, max_bytes).await {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error @ BlobError::Unavailable { .. }) => Err(error.into()),
        Err(_) => Ok(None),
    }
}

fn parse(digest: &str) -> Option<Digest> {
    digest.strip_prefix("sha256:")?.parse().ok()
}

/// Summarises versions of an image for a list: what they are, their platforms, and the size of what a pull fetches.
#[boxed::future]
pub async fn summarize(
    house: &House,
    access: &PackageAccess,
    versions: &[(VersionId, String)],
) -> Result<Vec<(ImageSummary, i64)>> {
    let Some(reader) = house.format(&access.repo.repo.kind).image_reader() else { return Ok(Vec::new()) };
    let ids: Vec<VersionId> = versions.iter().map(|(id, _)| *id).collect();
    let manifests = images::list_manifests(&house.db, &ids).await?;
    let sizes = images::list_sizes(&house.db, &ids).await?;
    let one = |(id, name): &(VersionId, String)| {
        let ending = format!("/manifests/{name}");
        let found = manifests.iter().find(|file| file.version_id == *id && file.path.ends_with(&ending));
        let facts = found.and_then(|file| file.facts.as_deref()).unwrap_or_default();
        let size = sizes.iter().find(|(version_id, _)| version_id == id).map_or(0, |(_, size)| *size);
        (reader.summary(name, facts), size)
    };
    Ok(versions.iter().map(one).collect())
}
