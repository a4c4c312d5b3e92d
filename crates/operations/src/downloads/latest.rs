//! Resolves `$latest` in a path to the latest version.

use database::downloads::{self as rows, signed_urls as signatures};
use model::{access::Right, address::PackageAddress, file_path::FilePath, timestamp::Timestamp};

use crate::{
    Caller, Error, House, Result, access,
    catalogue::latest,
    downloads::{
        OriginRules, admit,
        signed_urls::{self, Maker, Signature, check_key},
    },
};

/// The placeholder for the name of the latest version.
const LATEST: &str = "$latest";

/// The validity of the signed URL.
const OPEN_MS: i64 = 15_000;

/// Returns the path with the name of the latest published version, and a signature for it.
#[boxed::future]
pub async fn find_latest(
    house: &House,
    caller: &Caller,
    at: &PackageAddress,
    path: &FilePath,
) -> Result<(FilePath, Signature)> {
    let access = access::own_package(&house.db, caller, at, Right::Read).await?;
    check_key(caller)?;
    let not_found = || Error::NotFound { what: "File", name: path.to_string() };
    let format = house.format(&access.repo.repo.kind);
    let newest = latest::find(&house.db, format, access.package.id, false).await?;
    let version = newest.filter(|version| version.published_files > 0).ok_or_else(not_found)?;
    let path = path.as_str().replace(LATEST, version.name.as_str());
    let path = FilePath::parse(&path).map_err(|error| Error::invalid("path", error))?;
    let file = rows::find(&house.db, access.repo.repo.id, &path).await?;
    // A right in the package does not extend to other packages of the repository.
    let file = file.filter(|file| file.package_id == access.package.id).ok_or_else(not_found)?;
    // The signed URL opens the file to everyone who has it, so check all rules before signing.
    let rules = OriginRules::of(house, access.repo.repo.id).await?;
    if file.published.is_none() || !admit(house, caller, &access.repo, &rules, &file).await? {
        return Err(not_found());
    }
    let until = Timestamp::from_millis(house.clock.now().millis() + OPEN_MS);
    let signed = signatures::find(&house.db, &at.repo.owner, &at.repo.repo, &path).await?.ok_or_else(not_found)?;
    let signature = signed_urls::sign(house, &at.repo, &path, &signed, until, "", Maker::of(caller, Right::Read));
    Ok((path, signature))
}
