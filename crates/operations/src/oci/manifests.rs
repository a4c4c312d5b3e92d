//! Puts a manifest: one transaction makes the package, the version, the files and what the version uses.

use blobs::ReceiveOptions;
use bytes::Bytes;
use database::ScopedFutureExt;
use futures_util::stream;
use model::{
    address::{PackageAddress, VersionAddress},
    digest::Digest,
    names::VersionName,
};

use crate::{
    Caller, Error, House, Result,
    accounts::storage_quotas::{self, By},
    audit::{entry, record},
    fault,
    oci::{
        digest_name, finished_uploads::check_digest, image_of, push_access, put::Put, staged::stage,
        versions::ImageChange,
    },
    storage::store,
};

/// A manifest to put, as the format has read it.
#[derive(Debug, Clone)]
pub struct NewManifest {
    /// The name that it is put under.
    pub reference: Reference,
    /// Its exact bytes.
    pub bytes: Bytes,
    /// The digest of the bytes.
    pub digest: Digest,
    /// What the format stores about it.
    pub facts: String,
    /// The blobs that it names, with the sizes that it says.
    pub blobs: Vec<(Digest, u64)>,
    /// The manifests that it names, with the sizes that it says.
    pub manifests: Vec<(Digest, u64)>,
    /// The manifest that it refers to, with its own entry in that one's list of referrers.
    pub subject: Option<(String, String)>,
}

/// The name that a manifest is put under.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reference {
    /// A tag.
    Tag(VersionName),
    /// Its digest.
    Digest,
}

/// Puts a manifest. Every blob and manifest that it names must be in the image or held for it. Where pushes are staged,
/// it waits until it is published.
#[boxed::future]
pub async fn put_manifest(house: &House, caller: &Caller, at: &PackageAddress, new: &NewManifest) -> Result<()> {
    let access = push_access::check(house, &house.db, caller, at).await?;
    storage_quotas::check_before(house, By { caller, access: &access }, 1).await?;
    let options = ReceiveOptions { max_bytes: new.bytes.len() as u64, md5: true, ..ReceiveOptions::PLAIN };
    let body = stream::iter([Ok::<_, std::io::Error>(new.bytes.clone())]);
    let pending = house.blobs.receive(body, options).await?;
    check_digest(pending.digest(), new.digest)?;
    let content = &store::commit_checked(house, pending, false).await?;
    fault::point("image: manifest stored");
    let name = match &new.reference {
        Reference::Tag(name) => name.clone(),
        Reference::Digest => VersionName::parse(&digest_name(new.digest)).map_err(|e| Error::invalid("digest", e))?,
    };
    if access.repo.profile.native_staged {
        return stage(house, caller, at, new, name.as_str(), content).await;
    }
    let version = &VersionAddress { package: at.clone(), version: name };
    let log = &entry(house, caller, "content.publish", version, "manifest");
    house
        .db
        .write(|tx| {
            async move {
                let change = ImageChange::lock_or_make(tx, house, caller, at, log.at).await?;
                let put = Put {
                    change: &change,
                    image: image_of(at),
                    name: &version.version,
                    new,
                    content,
                    added: 0,
                    files: 0,
                };
                put.run(tx).await?;
                fault::point("image: rows written");
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await?;
    fault::point("image: committed");
    Ok(())
}
