//! Addresses that anyone may read one file by, for a while.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use database::{
    downloads::{self as rows, Readable},
    repos::{self, Repo},
    subjects,
};
use model::{access::Right, address::RepoAddress, digest::Digest, file_path::FilePath, timestamp::Timestamp};

use crate::{
    Caller, Error, House, RepoAccess, Result,
    downloads::{File, Keeping, Rules, Wanted, decide, open, wrong_origin},
};

/// What makes an address good.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// Until when, in milliseconds since the start of 1970.
    pub expiry: i64,
    /// The proof that we made it.
    pub signature: String,
}

/// Signs the address of a file's content, until a time.
pub(crate) async fn sign(
    house: &House,
    repo: &Repo,
    path: &FilePath,
    sha256: Digest,
    until: Timestamp,
) -> Result<Signature> {
    let expiry = until.millis();
    let at = RepoAddress { owner: repo.owner.clone(), repo: repo.name.clone() };
    let proof = proof(house, repo.owner_id, &at, path, sha256, expiry).await?;
    Ok(Signature { expiry, signature: BASE64_URL_SAFE_NO_PAD.encode(proof) })
}

/// The file at a signed address. Whatever is wrong with the address, the answer is the same.
pub async fn find(
    house: &House,
    caller: &Caller,
    at: &RepoAddress,
    path: &FilePath,
    signature: &Signature,
) -> Result<File> {
    let refused = || Error::Denied("The signature of this address is not valid, or no longer".into());
    let given = BASE64_URL_SAFE_NO_PAD.decode(&signature.signature).map_err(|_| refused())?;
    let found = published(house, at, path).await?;
    // A file that does not exist costs as much as one that does, and proves nothing either.
    let (owner_id, sha256) =
        found.as_ref().map_or((0, Digest::from_bytes([0; 32])), |(repo, file)| (repo.owner_id, file.blob.sha256));
    let expected = proof(house, owner_id, at, path, sha256, signature.expiry).await?;
    let is_genuine = house.secrets.is_same(&given, &expected);
    let is_good = is_genuine && house.clock.now().millis() <= signature.expiry;
    let (repo, file) = found.filter(|_| is_good).ok_or_else(refused)?;
    let rules = Rules::of(house, repo.id).await?;
    let access = RepoAccess { repo, right: Right::Read };
    decide(house, caller, &access, &rules, Wanted::OPEN).map_err(|_| wrong_origin())?;
    Ok(File { keeping: Keeping::Private, rules, ..open(house, &access.repo, file) })
}

async fn published(house: &House, at: &RepoAddress, path: &FilePath) -> Result<Option<(Repo, Readable)>> {
    let Some(found) = repos::find(&house.db, &at.owner, &at.repo, None).await? else { return Ok(None) };
    let file = rows::find(&house.db, found.repo.id, path).await?.filter(|file| file.published.is_some());
    Ok(file.map(|file| (found.repo, file)))
}

async fn proof(
    house: &House,
    owner_id: i64,
    at: &RepoAddress,
    path: &FilePath,
    sha256: Digest,
    expiry: i64,
) -> Result<[u8; 32]> {
    let generation = subjects::url_key_generation(&house.db, owner_id).await?.unwrap_or_default();
    let mut said = Vec::new();
    // Each part with its length before it, so that no two addresses read the same.
    for part in ["v1", "GET", at.owner.as_str(), at.repo.as_str(), path.as_str()] {
        said.extend_from_slice(&u32::try_from(part.len()).unwrap_or(u32::MAX).to_be_bytes());
        said.extend_from_slice(part.as_bytes());
    }
    said.extend_from_slice(sha256.as_bytes());
    said.extend_from_slice(&expiry.to_be_bytes());
    Ok(house.secrets.sign_url(owner_id, generation, &said))
}
