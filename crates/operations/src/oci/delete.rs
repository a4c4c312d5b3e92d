//! Deletes a tag, or a manifest with all its tags.

use database::{
    ScopedFutureExt, Tx,
    catalogue::{packages, versions},
    oci::{
        image_files::{self, ImageFile},
        staged_manifests, uses,
    },
};
use model::{
    access::Right, address::PackageAddress, file_path::FilePath, id::VersionId, names::VersionName, version::Version,
};

use crate::{
    Caller, Error, House, Result, access,
    audit::{entry, record},
    catalogue::window,
    oci::{image_of, manifest_path, push_access, versions::ImageChange},
};

/// Deletes a tag, whose manifest stays, or the manifest with this digest and all its tags.
#[boxed::future]
pub async fn delete_manifest(house: &House, caller: &Caller, at: &PackageAddress, reference: &str) -> Result<()> {
    if delete_staged(house, caller, at, reference).await? {
        return Ok(());
    }
    let access = access::package(&house.db, caller, at, Right::Publish).await?;
    push_access::check_kind(house, &access.repo.repo)?;
    let path = &manifest_path(&image_of(at), reference)?;
    let log = &entry(house, caller, "version.delete", at, reference);
    house
        .db
        .write(|tx| {
            async move {
                let change = ImageChange::lock(tx, house, caller, at, log.at).await?;
                let found = image_files::find(tx, change.package.package.repo_id, path).await?;
                let file = found.ok_or_else(|| not_found(path))?;
                if reference.contains(':') {
                    delete_all(tx, &change, &file, reference).await?;
                } else {
                    delete_tag(tx, &change, &file, reference).await?;
                }
                packages::touch(tx, change.package.package.id, log.at).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}

/// Removes a manifest that waits to be published, if nothing is published under its name. Returns whether there was one.
async fn delete_staged(house: &House, caller: &Caller, at: &PackageAddress, reference: &str) -> Result<bool> {
    let Ok(access) = push_access::check(house, &house.db, caller, at).await else { return Ok(false) };
    let (repo_id, image) = (access.repo.id, &image_of(at));
    let published = image_files::find(&house.db, repo_id, &manifest_path(image, reference)?).await?;
    if published.is_some() || staged_manifests::find(&house.db, repo_id, image, reference).await?.is_none() {
        return Ok(false);
    }
    let log = &entry(house, caller, "content.discard", at, reference);
    house
        .db
        .write(|tx| {
            async move {
                push_access::check(house, tx, caller, at).await?;
                let was_there = staged_manifests::delete(tx, repo_id, image, reference).await?;
                record(tx, log).await?;
                Ok(was_there)
            }
            .scope_boxed()
        })
        .await
}

async fn delete_tag(tx: &mut Tx, change: &ImageChange<'_>, tag: &ImageFile, name: &str) -> Result<()> {
    let version = find_version(tx, change, name).await?.ok_or_else(|| no_manifest(name))?;
    window::check_delete(change.house, change.caller, &version, change.now)?;
    let same = image_files::list_of_content(tx, tag.package_id, tag.blob_id).await?;
    uses::clear(tx, version.id).await?;
    if let Some(root) = same.iter().find(|file| file.path.contains("/manifests/sha256:")) {
        change.insert_untagged(tx, root).await?;
    }
    change.remove(tx, &version).await
}

async fn delete_all(tx: &mut Tx, change: &ImageChange<'_>, root: &ImageFile, digest: &str) -> Result<()> {
    let same = image_files::list_of_content(tx, root.package_id, root.blob_id).await?;
    let mut going: Vec<Version> = find_version(tx, change, digest).await?.into_iter().collect();
    for tag in same.iter().filter(|file| file.id != root.id) {
        let name = tag.path.rsplit('/').next().unwrap_or_default();
        going.extend(find_version(tx, change, name).await?);
    }
    let others: Vec<VersionId> = uses::list_versions(tx, root.id).await?;
    if others.iter().any(|id| going.iter().all(|version| version.id != *id)) {
        return Err(Error::Conflict(format!("The manifest {digest} is part of an index; delete the index first")));
    }
    for version in &going {
        window::check_delete(change.house, change.caller, version, change.now)?;
        uses::clear(tx, version.id).await?;
    }
    for version in &going {
        change.remove(tx, version).await?;
    }
    Ok(())
}

async fn find_version(tx: &mut Tx, change: &ImageChange<'_>, name: &str) -> Result<Option<Version>> {
    let Ok(name) = VersionName::parse(name) else { return Ok(None) };
    Ok(versions::find(tx, change.package.package.id, &name).await?)
}

fn no_manifest(name: &str) -> Error {
    Error::NotFound { what: "File", name: name.to_owned() }
}

fn not_found(path: &FilePath) -> Error {
    no_manifest(path.as_str())
}
