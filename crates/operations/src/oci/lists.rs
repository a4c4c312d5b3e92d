//! Lists of tags, of referrers and of images.

use database::oci::{images, subjects};
use model::{access::Right, address::PackageAddress};

use crate::{
    Caller, Error, House, Result, access,
    oci::{content::check_image, image_of},
};

/// The maximum number of referrers in a list.
const REFERRERS: i64 = 10_000;

/// The entries of the manifests that refer to a manifest.
pub type Referrers = Vec<String>;

/// Returns the tags of an image after a name, by their bytes, for callers who may read the image.
pub async fn list_tags(
    house: &House,
    caller: &Caller,
    at: &PackageAddress,
    after: &str,
    limit: usize,
) -> Result<Vec<String>> {
    let package = check_image(house, caller, at).await?.package;
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    Ok(images::list_tags(&house.db, package.id, after, limit).await?)
}

/// Returns the entries of the manifests that refer to a manifest. An image that does not exist has none.
pub async fn list_referrers(house: &House, caller: &Caller, at: &PackageAddress, subject: &str) -> Result<Referrers> {
    let package = match check_image(house, caller, at).await {
        Ok(access) => access.package,
        Err(Error::NotFound { what: "Package", .. }) => {
            access::repo(&house.db, caller, &at.repo, Right::Read).await?;
            return Ok(Vec::new());
        }
        Err(error) => return Err(error),
    };
    Ok(subjects::list(&house.db, package.repo_id, &image_of(at), subject, REFERRERS).await?)
}

/// Returns the images that the caller may read, after a name, by their bytes.
pub async fn list_images(house: &House, caller: &Caller, after: &str, limit: usize) -> Result<Vec<String>> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let kinds = house.formats.iter().filter(|format| format.holds_images());
    let mut names = Vec::new();
    for kind in kinds {
        names.extend(images::list(&house.db, kind.name(), after, access::reader(caller), limit).await?);
    }
    Ok(names)
}
