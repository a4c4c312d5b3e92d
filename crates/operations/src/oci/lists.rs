//! Lists of tags, of referrers and of images.

use database::oci::{images, subjects};
use model::{access::Right, address::PackageAddress};

use crate::{
    Caller, Error, House, Result, access,
    oci::{content::check_image, image_of},
};

/// The number of referrers that are read at a time.
const REFERRERS: i64 = 64;

/// The maximum size of a page of referrers; the specification asks for less than 4 MiB.
const PAGE_BYTES: usize = 3 << 20;

/// A page of the manifests that refer to a manifest.
#[derive(Debug, Default)]
pub struct Referrers {
    /// Their entries.
    pub entries: Vec<String>,
    /// The last one of the page, if others follow.
    pub last: Option<i64>,
}

/// Returns the tags of an image after a name, by their bytes, for callers who may read the image.
#[boxed::future]
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

/// Returns a page of the manifests that refer to a manifest. An image that does not exist has none.
#[boxed::future]
pub async fn list_referrers(
    house: &House,
    caller: &Caller,
    at: &PackageAddress,
    subject: &str,
    after: i64,
) -> Result<Referrers> {
    let package = match check_image(house, caller, at).await {
        Ok(access) => access.package,
        Err(Error::NotFound { what: "Package", .. }) => {
            access::repo(&house.db, caller, &at.repo, Right::Read).await?;
            return Ok(Referrers::default());
        }
        Err(error) => return Err(error),
    };
    let (mut page, mut after, mut bytes) = (Referrers::default(), after, 0);
    loop {
        let rows = subjects::list(&house.db, package.repo_id, &image_of(at), subject, after, REFERRERS).await?;
        let is_end = i64::try_from(rows.len()).unwrap_or(i64::MAX) < REFERRERS;
        for (file_id, entry) in rows {
            bytes += entry.len();
            if bytes > PAGE_BYTES {
                page.last = Some(after);
                return Ok(page);
            }
            page.entries.push(entry);
            after = file_id;
        }
        if is_end {
            return Ok(page);
        }
    }
}

/// Returns the images that the caller may read, after a name, by their bytes.
#[boxed::future]
pub async fn list_images(house: &House, caller: &Caller, after: &str, limit: usize) -> Result<Vec<String>> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let kinds = house.formats.iter().filter(|format| format.holds_images());
    let mut names = Vec::new();
    for kind in kinds {
        names.extend(images::list(&house.db, kind.name(), after, access::reader(caller), limit).await?);
    }
    Ok(names)
}
