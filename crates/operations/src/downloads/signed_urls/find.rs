//! Resolves signed URLs.

use database::{
    catalogue::repos,
    downloads::{
        self as rows,
        signed_urls::{self as signatures, SignedFile},
    },
};
use model::{
    access::Right,
    address::RepoAddress,
    digest::Digest,
    file_path::FilePath,
    id::{KeyId, SubjectId},
    timestamp::Timestamp,
};

use crate::{
    Caller, Error, House, RepoAccess, Result,
    downloads::{
        CachePolicy, DownloadAttempt, OriginRules, ResolvedFile, decide, open,
        signed_urls::{
            Signature,
            proof::{SignedFields, read},
        },
        wrong_origin,
    },
};

/// The file that a signed URL opens.
#[derive(Debug, Clone)]
pub struct SignedDownload {
    /// The file.
    pub file: ResolvedFile,
    /// The time when the URL expires.
    pub until: Timestamp,
    /// The name that the creator of the URL gave to it, for the log.
    pub callback_id: Option<String>,
    /// The id of the access key that created it.
    pub maker_key_id: Option<KeyId>,
}

/// Finds the file of a signed URL. The error is the same for every defect of the URL.
#[boxed::future]
pub async fn find(
    house: &House,
    caller: &Caller,
    at: &RepoAddress,
    path: &FilePath,
    signature: &Signature,
) -> Result<SignedDownload> {
    let (given, maker, callback_id) = read(&signature.signature).ok_or_else(refused)?;
    let found = signatures::find(&house.db, &at.owner, &at.repo, path).await?;
    let about = SignedFields { at, path, expiry: signature.expiry, callback_id: &callback_id, maker };
    let is_genuine = house.secrets.is_same(&given, &about.proof(house, &found.unwrap_or_else(nothing)));
    let signed = found.filter(|_| is_genuine).ok_or_else(refused)?;
    let until = Timestamp::from_millis(signature.expiry);
    if house.clock.now() >= until {
        return Err(refused());
    }
    let entitled = maker.check(house, caller, at, path).await?;
    let file = opened(house, caller, at, path, &signed).await?;
    let until = entitled.until.map_or(until, |end| end.min(until));
    let callback_id = Some(callback_id).filter(|id| !id.is_empty());
    Ok(SignedDownload { file, until, callback_id, maker_key_id: entitled.key_id })
}

/// The error for a URL whose signature is not valid.
pub fn refused() -> Error {
    Error::Denied("The signature of this URL is not valid or has expired".into())
}

/// Opens the signed content, if the origin rules admit the caller. The content may have changed since the signature was
/// checked.
async fn opened(
    house: &House,
    caller: &Caller,
    at: &RepoAddress,
    path: &FilePath,
    signed: &SignedFile,
) -> Result<ResolvedFile> {
    let repo = repos::find(&house.db, &at.owner, &at.repo, None).await?.ok_or_else(refused)?.repo;
    let file = rows::find(&house.db, repo.id, path).await?;
    let is_signed =
        |file: &rows::ReadableFile| file.published == Some(signed.published) && file.blob.sha256 == signed.sha256;
    let file = file.filter(is_signed).ok_or_else(refused)?;
    let rules = OriginRules::of(house, repo.id).await?;
    let access = RepoAccess { repo, right: Right::Read };
    decide(house, caller, &access, &rules, DownloadAttempt::OPEN).map_err(|_| wrong_origin())?;
    Ok(ResolvedFile { keeping: CachePolicy::Private, rules, ..open(house, &access.repo, path, file) })
}

/// A stand-in for a file that does not exist, so that checking its signature takes as long as for an existing one and
/// fails, too.
fn nothing() -> SignedFile {
    SignedFile {
        owner_id: SubjectId::NONE,
        generation: 0,
        sha256: Digest::from_bytes([0; 32]),
        published: Timestamp::EPOCH,
    }
}
