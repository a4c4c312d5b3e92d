//! The files that a manifest names.

use model::{
    file_path::FilePath,
    id::{BlobId, PackageId, RepoId, VersionId},
};

use crate::{
    Read, Result, Tx,
    engine::{
        row::row,
        statement::{insert, select},
    },
};

row! {
    /// A file of an image.
    pub struct ImageFile {
        /// Its database id.
        id: i64 = "f.id",
        /// The id of its package.
        package_id: PackageId = "f.package_id",
        /// The id of its own version.
        version_id: VersionId = "f.version_id",
        /// Its path.
        path: String = "f.path",
        /// The id of its content.
        blob_id: BlobId = "b.id",
        /// The size of its content.
        size: i64 = "b.size",
        /// The facts about it.
        facts: Option<String> = "f.published_facts",
    }
}

/// Returns the published file at a path.
pub async fn find(db: &dyn Read, repo_id: RepoId, path: &FilePath) -> Result<Option<ImageFile>> {
    let statement = select!(
        ImageFile,
        "FROM files f
         JOIN blobs b ON b.id = f.published_blob_id
         WHERE f.repo_id = $1 AND f.path = $2",
        repo_id,
        path,
    );
    db.one(statement.looking_up()).await
}

/// Returns the files that a manifest names, by path.
pub async fn list_of_manifest(db: &dyn Read, manifest_id: i64) -> Result<Vec<ImageFile>> {
    db.all(select!(
        ImageFile,
        "FROM oci_references r
         JOIN files f ON f.id = r.file_id
         JOIN blobs b ON b.id = f.published_blob_id
         WHERE r.manifest_id = $1
         ORDER BY f.path",
        manifest_id,
    ))
    .await
}

/// Returns the published files of an image with this content, by path: a manifest by its digest and by its tags.
pub async fn list_of_content(db: &dyn Read, package_id: PackageId, blob_id: BlobId) -> Result<Vec<ImageFile>> {
    db.all(select!(
        ImageFile,
        "FROM files f
         JOIN blobs b ON b.id = f.published_blob_id
         WHERE f.published_blob_id = $2 AND f.package_id = $1
         ORDER BY f.path",
        package_id,
        blob_id,
    ))
    .await
}

/// Records that a manifest names a file.
pub async fn add_reference(tx: &mut Tx, manifest_id: i64, file_id: i64) -> Result<()> {
    tx.run(insert!(oci_references { manifest_id, file_id }, "ON CONFLICT (manifest_id, file_id) DO NOTHING")).await?;
    Ok(())
}
