//! Container images: uploads in pieces, manifests, tags, and what versions of an image use.
//!
//! An image is a package, a tag is a version, and a manifest without a tag is a version that is named by its digest. The
//! bytes are ordinary files of the repository.

mod closure;
mod content;
mod delete;
mod describe;
mod leases;
mod lists;
mod manifests;
mod named;
mod pending;
mod push_access;
mod put;
mod put_files;
mod release;
mod selection;
mod staged;
mod untagged;
mod versions;
mod waiting;

pub mod finished_uploads;
pub mod uploads;

pub use content::{BlobFile, ManifestFile, find_blob, find_manifest, mount};
pub use delete::delete_manifest;
pub use describe::{ImageDescription, PlatformImage, describe, read_pushed_config, summarize};
pub use lists::{Referrers, list_images, list_referrers, list_tags};
pub use manifests::{NewManifest, Reference, put_manifest};
pub use pending::sweep;
pub use release::{discard, publish};
pub use untagged::remove_untagged;
pub use waiting::{WaitingTag, list_waiting};

use database::oci::images;
use model::{
    address::{PackageAddress, RepoAddress},
    digest::Digest,
    file_path::FilePath,
    names::{RepoName, SubjectName},
};

use crate::{Caller, Error, House, Result};

/// Returns the repository with these names, whatever their letter case is; the names themselves if there is none.
#[boxed::future]
pub async fn resolve(house: &House, owner: &SubjectName, repo: &RepoName) -> Result<RepoAddress> {
    let given = || RepoAddress { owner: owner.clone(), repo: repo.clone() };
    Ok(images::find_repo(&house.db, owner, repo).await?.unwrap_or_else(given))
}

/// Rejects callers who may not push to an image, before a body is read.
#[boxed::future]
pub async fn check_push(house: &House, caller: &Caller, at: &PackageAddress) -> Result<()> {
    push_access::check(house, &house.db, caller, at).await.map(|_| ())
}

/// The image of a package: `team:app` is `team/app`.
fn image_of(at: &PackageAddress) -> String {
    at.package.as_str().replace(':', "/")
}

/// The file of a manifest, by its tag or digest.
fn manifest_path(image: &str, reference: &str) -> Result<FilePath> {
    path(format!("{image}/manifests/{reference}"))
}

/// The file of a blob.
fn blob_path(image: &str, digest: Digest) -> Result<FilePath> {
    path(format!("{image}/blobs/sha256:{digest}"))
}

fn path(text: String) -> Result<FilePath> {
    FilePath::parse(&text).map_err(|error| Error::invalid("name", error))
}

/// The name of a digest in references.
fn digest_name(digest: Digest) -> String {
    format!("sha256:{digest}")
}
