//! Publishes staged pushes, all at once, or discards them.

use database::{
    ScopedFutureExt, Tx,
    content::blobs as blob_rows,
    oci::staged_manifests::{self, StagedManifest},
};
use model::{access::Right, address::VersionAddress, id::RepoId, names::VersionName};

use crate::{
    Caller, Error, House, Result, access,
    audit::{entry, record},
    content, fault,
    oci::{
        image_of, push_access,
        put::Put,
        selection::Selection,
        staged::{MANIFESTS, StagedNames},
        versions::ImageChange,
    },
    signing::SigningOptions,
    storage::store::ReceivedContent,
};

/// Publishes everything that is staged for a version: files, and the image that was pushed under this tag with all that
/// it reaches and what refers to it. Returns the number of files, and whether indexes show them already.
#[boxed::future]
pub async fn publish(
    house: &House,
    caller: &Caller,
    at: &VersionAddress,
    with: &SigningOptions,
) -> Result<(u64, bool)> {
    if let Ok(package) = access::package(&house.db, caller, at, Right::Publish).await
        && !house.format(&package.repo.repo.kind).holds_images()
    {
        return content::publish_in(house, caller, at, with, &package.repo.repo).await;
    }
    let images = publish_image(house, caller, at).await?;
    let (files, is_indexed) = content::publish_indexed(house, caller, at, with).await?;
    Ok((files + images, is_indexed))
}

/// Discards everything that is staged for a version; returns the number of files.
#[boxed::future]
pub async fn discard(house: &House, caller: &Caller, at: &VersionAddress) -> Result<u64> {
    let found = access::package(&house.db, caller, at, Right::Publish).await;
    let repo = match &found {
        Ok(package) => Some(package.repo.clone()),
        // The package of an image that was never published does not exist.
        Err(Error::NotFound { what: "Package", .. }) => {
            access::repo(&house.db, caller, &at.package.repo, Right::Publish).await.ok()
        }
        Err(_) => None,
    };
    let of_images = repo.filter(|repo| house.format(&repo.repo.kind).holds_images());
    let discarded = match of_images {
        Some(repo) => discard_image(house, caller, at, repo.repo.id).await?,
        None => 0,
    };
    let files = match found {
        Ok(_) => content::discard_in(house, caller, at).await,
        Err(error) => Err(error),
    };
    match files {
        // The version of a tag that was never published does not exist.
        Err(Error::NotFound { .. }) if discarded > 0 => Ok(discarded),
        files => Ok(files? + discarded),
    }
}

async fn discard_image(house: &House, caller: &Caller, at: &VersionAddress, repo_id: RepoId) -> Result<u64> {
    let (image, reference) = (&image_of(&at.package), at.version.as_str());
    let log = &entry(house, caller, "content.discard", at, "");
    house
        .db
        .write(|tx| {
            async move {
                push_access::check(house, tx, caller, &at.package).await?;
                let rows = staged_manifests::list(tx, repo_id, image, MANIFESTS).await?;
                let going = Selection::of(&rows, reference)?;
                let mut count = 0;
                for row in going.ordered.iter().filter(|row| row.reference == reference || !going.is_shared(row)) {
                    staged_manifests::delete(tx, repo_id, image, &row.reference).await?;
                    count += 1;
                }
                if count > 0 {
                    record(tx, log).await?;
                }
                Ok::<u64, Error>(count)
            }
            .scope_boxed()
        })
        .await
}

/// The repository of a version, if it holds images and the caller may publish there.
async fn image_repo(house: &House, caller: &Caller, at: &VersionAddress) -> Result<Option<RepoId>> {
    // Callers who may not publish get the error of the ordinary way.
    let access = match access::package(&house.db, caller, at, Right::Publish).await {
        Ok(package) => package.repo,
        Err(Error::NotFound { what: "Package", .. }) => {
            match access::repo(&house.db, caller, &at.package.repo, Right::Publish).await {
                Ok(repo) => repo,
                Err(_) => return Ok(None),
            }
        }
        Err(_) => return Ok(None),
    };
    Ok(house.format(&access.repo.kind).holds_images().then_some(access.repo.id))
}

async fn publish_image(house: &House, caller: &Caller, at: &VersionAddress) -> Result<u64> {
    let Some(repo_id) = image_repo(house, caller, at).await? else { return Ok(0) };
    let (image, reference) = (&image_of(&at.package), at.version.as_str());
    if staged_manifests::find(&house.db, repo_id, image, reference).await?.is_none() {
        return Ok(0);
    }
    let log = &entry(house, caller, "content.publish", at, "manifest");
    let published = house
        .db
        .write(|tx| {
            async move {
                let change = ImageChange::lock_or_make(tx, house, caller, &at.package, log.at).await?;
                let rows = staged_manifests::list(tx, repo_id, image, MANIFESTS).await?;
                let going = Selection::of(&rows, reference)?;
                let mut files = 0;
                for row in &going.ordered {
                    files += put(tx, &change, image, row).await?;
                }
                for row in going.ordered.iter().filter(|row| row.reference == reference || !going.is_shared(row)) {
                    staged_manifests::delete(tx, repo_id, image, &row.reference).await?;
                }
                fault::point("image: staged rows written");
                record(tx, log).await?;
                Ok::<i64, Error>(files)
            }
            .scope_boxed()
        })
        .await?;
    fault::point("image: staged published");
    Ok(published.unsigned_abs())
}

async fn put(tx: &mut Tx, change: &ImageChange<'_>, image: &str, row: &StagedManifest) -> Result<i64> {
    let new = &StagedNames::of(row)?.to_manifest(row)?;
    let missing = || Error::Internal(format!("the content of the staged manifest {} is missing", row.reference));
    let blob = blob_rows::find(tx, row.blob_id).await?.ok_or_else(missing)?;
    let content = &ReceivedContent { blob, stored: None };
    let name = &VersionName::parse(&row.reference).map_err(|error| Error::Internal(error.to_string()))?;
    Put { change, image: image.to_owned(), name, new, content, added: 0, files: 0 }.run(tx).await
}
