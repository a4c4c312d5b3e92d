//! Finds the agreements that bind a file, and those a caller still has to accept.

use database::{
    Read,
    access::eula_versions::{self, ProductVersion},
    downloads::{self as rows, ReadableFile},
};
use model::{access::Right, address::RepoAddress, eula::Eula, file_path::FilePath, id::VersionId};

use super::signatures::is_accepted;
use crate::{
    AccessKeyIdentity, Caller, Error, House, RepoAccess, Result,
    access::{self, files::is_below},
};

/// Returns the agreement that the caller has to accept before reading a file, if any. All agreements of the key's owner
/// that bind the file count.
pub(crate) async fn owed(
    house: &House,
    caller: &Caller,
    access: &RepoAccess,
    file: &ReadableFile,
) -> Result<Option<Error>> {
    let Some(key) = caller.key().filter(|_| !access.is_publisher()) else { return Ok(None) };
    let products = eula_versions::list_products(&house.db, file.version_id).await?;
    let own = products.into_iter().filter(|holding| holding.owner == key.owner.name.as_str());
    for ProductVersion { product_id, owner, product, version, .. } in own {
        let Some(eula) = eula_versions::find_binding(&house.db, product_id, &version).await? else { continue };
        if !is_accepted(&house.db, key, &eula, &version).await? {
            return Ok(Some(Error::AgreementNeeded { owner, product, version }));
        }
    }
    Ok(None)
}

/// An agreement about a version of a product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionTerms {
    /// The owner of the product.
    pub owner: String,
    /// The product.
    pub product: String,
    /// The name of the product for people.
    pub title: String,
    /// The version.
    pub version: String,
    /// Whether the key has accepted it.
    pub is_accepted: bool,
}

/// Returns the agreements of a key's owner that bind a version, in the order of the products.
pub(crate) async fn list_of_version(
    db: &dyn Read,
    key: &AccessKeyIdentity,
    version_id: VersionId,
) -> Result<Vec<VersionTerms>> {
    let mut terms = Vec::new();
    for holding in eula_versions::list_products(db, version_id).await? {
        let ProductVersion { product_id, owner, product, title, version } = holding;
        if owner != key.owner.name.as_str() {
            continue;
        }
        if let Some(eula) = eula_versions::find_binding(db, product_id, &version).await? {
            let is_accepted = is_accepted(db, key, &eula, &version).await?;
            terms.push(VersionTerms { owner, product, title, version, is_accepted });
        }
    }
    Ok(terms)
}

/// Returns the agreement that binds a file, with its product, for callers who may read the file. Of several, it is the
/// one of the product whose name comes first.
#[boxed::future]
pub async fn find_of_file(
    house: &House,
    caller: &Caller,
    at: &RepoAddress,
    path: &FilePath,
) -> Result<(ProductVersion, Eula)> {
    let access = access::file(&house.db, caller, at, path, Right::Read).await?;
    let not_found = || Error::NotFound { what: "File", name: path.to_string() };
    let file = readable(house, caller, &access, path).await?.ok_or_else(not_found)?;
    for holding in eula_versions::list_products(&house.db, file.version_id).await? {
        if let Some(eula) = eula_versions::find_binding(&house.db, holding.product_id, &holding.version).await? {
            return Ok((holding, eula));
        }
    }
    Err(Error::NotFound { what: "EULA of file", name: path.to_string() })
}

/// Returns the file at a path that the caller may see: the repository's own, or one of a linked package.
async fn readable(
    house: &House,
    caller: &Caller,
    access: &RepoAccess,
    path: &FilePath,
) -> Result<Option<ReadableFile>> {
    let own = rows::find(&house.db, access.repo.id, path).await?;
    if let Some(file) = own.filter(|file| file.published.is_some() || access.is_publisher()) {
        return Ok(Some(file));
    }
    for file in rows::list_linked(&house.db, access.repo.id, path).await? {
        let is_shown = file.path_prefix.as_deref().is_none_or(|prefix| is_below(path.as_str(), prefix));
        if is_shown && access::readable_repo(&house.db, caller, file.repo_id).await?.is_some() {
            return Ok(Some(file));
        }
    }
    Ok(None)
}
