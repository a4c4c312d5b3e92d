//! Signing files that are there already, when somebody asks for it.

use database::{
    ScopedFutureExt, Tx,
    catalogue::repos::Repo,
    content::files::{self, File},
};
use model::{
    access::Right,
    address::{PackageAddress, RepoAddress, VersionAddress},
    file_path::FilePath,
};

use crate::{
    Caller, Error, House, Result, access,
    audit::{entry, record},
    catalogue::window,
    content::{
        hold_version,
        locked_version::LockedVersion,
        publish_without_events,
        signature_place::{SignatureFile, SignatureOrigin},
        signing_session::Session,
    },
    signing::SigningOptions,
};

/// Signs every file of a version, except those that have come with a signature of their own.
pub async fn sign_version(house: &House, caller: &Caller, at: &VersionAddress, with: &SigningOptions) -> Result<()> {
    let repo = access::package(&house.db, caller, at, Right::Publish).await?.repo.repo;
    sign(house, caller, &repo, at, None, with).await
}

/// Signs one file.
pub async fn sign_file(
    house: &House,
    caller: &Caller,
    at: &RepoAddress,
    path: &FilePath,
    with: &SigningOptions,
) -> Result<()> {
    let repo = access::file(&house.db, caller, at, path, Right::Publish).await?.repo;
    let owner = files::find_owner(&house.db, repo.id, path).await?.ok_or_else(|| not_found(path))?;
    let package = PackageAddress { repo: at.clone(), package: owner.package };
    let version = VersionAddress { package, version: owner.version };
    sign(house, caller, &repo, &version, Some(path), with).await
}

async fn sign(
    house: &House,
    caller: &Caller,
    repo: &Repo,
    at: &VersionAddress,
    only: Option<&FilePath>,
    with: &SigningOptions,
) -> Result<()> {
    check_enabled(repo)?;
    if only.is_some_and(FilePath::is_signature) {
        return Err(Error::invalid("path", "it is that of a signature, and signatures are not signed"));
    }
    let session = Session::with_key(house, caller, repo, with).await?;
    let log = &entry(house, caller, "content.sign", at, only.map_or("", FilePath::as_str));
    session
        .write(|tx, session| {
            async move {
                let holding = hold_version(tx, house, caller, at, only, log.at).await?;
                check_enabled(&holding.package.repo.repo)?;
                let payloads = payloads(tx, &holding, only).await?;
                sign_published(tx, &holding, session, &payloads, only.is_some()).await?;
                sign_staged(tx, &holding, session, &payloads).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}

fn check_enabled(repo: &Repo) -> Result<()> {
    if repo.profile.gpg_sign_files {
        Ok(())
    } else {
        Err(Error::invalid("gpg_sign_files", format!("signing is not enabled on repository '{}'", repo.name)))
    }
}

/// What is to be signed.
async fn payloads(tx: &mut Tx, holding: &LockedVersion<'_>, only: Option<&FilePath>) -> Result<Vec<File>> {
    let Some(path) = only else {
        let all = files::hold_all(tx, holding.version.id).await?;
        return Ok(all.into_iter().filter(|file| !file.path.is_signature()).collect());
    };
    let file = files::hold(tx, holding.package.package.repo_id, path).await?;
    let file = file.filter(|file| file.version_id == holding.version.id).ok_or_else(|| not_found(path))?;
    Ok(vec![file])
}

/// Signs what readers see; they see the signatures at once.
async fn sign_published(
    tx: &mut Tx,
    holding: &LockedVersion<'_>,
    session: &Session<'_>,
    payloads: &[File],
    must: bool,
) -> Result<()> {
    let mut shown = Vec::new();
    for payload in payloads {
        let beside = SignatureFile::find(tx, holding, &payload.path).await?;
        if matches!(beside.signs, SignatureOrigin::Foreign) {
            check_foreign(payload, must)?;
            continue;
        }
        let Some(content) = &payload.published else { continue };
        if is_final(holding, &beside) {
            continue;
        }
        shown.extend(beside.put(tx, holding, session, content).await?);
    }
    if shown.is_empty() { Ok(()) } else { publish_without_events(tx, holding, &shown, session).await }
}

/// Signs what waits for a publish; the signatures wait with it.
async fn sign_staged(tx: &mut Tx, holding: &LockedVersion<'_>, session: &Session<'_>, payloads: &[File]) -> Result<()> {
    for payload in payloads {
        let Some(content) = &payload.staged else { continue };
        let beside = SignatureFile::find(tx, holding, &payload.path).await?;
        if !matches!(beside.signs, SignatureOrigin::Foreign) {
            beside.put(tx, holding, session, content).await?;
        }
    }
    Ok(())
}

/// Past the window nothing that is published changes; a signature that is missing may still come.
fn is_final(holding: &LockedVersion<'_>, beside: &SignatureFile) -> bool {
    let (repo, now) = (&holding.package.repo.repo, holding.now);
    let is_over = window::check_upload(holding.house, repo, &holding.version, now).is_err();
    is_over && beside.file.as_ref().is_some_and(|file| file.published.is_some())
}

fn check_foreign(payload: &File, must: bool) -> Result<()> {
    if must {
        return Err(Error::Conflict(format!(
            "The file '{}' has a signature that was uploaded; delete that one first",
            payload.path
        )));
    }
    Ok(())
}

fn not_found(path: &FilePath) -> Error {
    Error::NotFound { what: "File", name: path.to_string() }
}
