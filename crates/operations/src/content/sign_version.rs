//! Signs existing files on request.

use database::{Database, Read, Tx, content::files};
use model::{
    access::Right,
    address::{PackageAddress, RepoAddress, VersionAddress},
    audit::NewAuditRecord,
    file::File,
    file_path::FilePath,
    repo::Repo,
};

use crate::{
    Caller, Error, House, Result, access,
    audit::{entry, record},
    catalogue::window,
    content::{
        planned_rows::PlannedRows,
        publish_plan::PublishPlan,
        signature_place::{SignatureFile, SignatureOrigin},
        signed_write::{self, SignedWrite},
        version_target::VersionTarget,
    },
    signing::{SigningOptions, signatures::Signatures, signer::Signer},
};

/// Signs every file of a version, except files that were uploaded with their own signature.
#[boxed::future]
pub async fn sign_version(house: &House, caller: &Caller, at: &VersionAddress, with: &SigningOptions) -> Result<()> {
    let repo = access::package(&house.db, caller, at, Right::Publish).await?.repo.repo;
    sign(house, caller, &repo, at, None, with).await
}

/// Signs one file.
#[boxed::future]
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
        return Err(Error::invalid("path", "it is a signature, and signatures are not signed"));
    }
    let signer = Signer::with_key(house, caller, repo, with).await?;
    let log = entry(house, caller, "content.sign", at, only.map_or("", FilePath::as_str));
    signed_write::run(signer, &SignFiles { house, caller, at, only, log }).await
}

/// Signs all files of a version, or one of them.
struct SignFiles<'s> {
    house: &'s House,
    caller: &'s Caller,
    at: &'s VersionAddress,
    only: Option<&'s FilePath>,
    log: NewAuditRecord,
}

impl<'s> SignedWrite for SignFiles<'s> {
    type Target = VersionTarget<'s>;
    type Plan = PublishPlan;
    type Output = ();

    async fn find(&self, db: &Database) -> Result<VersionTarget<'s>> {
        VersionTarget::find(db, self.house, self.caller, self.at, self.only, self.log.at).await
    }

    async fn lock(&self, tx: &mut Tx) -> Result<VersionTarget<'s>> {
        VersionTarget::lock(tx, self.house, self.caller, self.at, self.only, self.log.at).await
    }

    async fn plan(&self, db: &dyn Read, target: &VersionTarget<'s>, key: Option<&str>) -> Result<PublishPlan> {
        check_enabled(target.repo())?;
        let rows = &mut PlannedRows::new(db, target.repo().id, self.log.at);
        let mut signatures = Vec::new();
        for payload in payloads(rows, target, self.only).await? {
            let beside = SignatureFile::find(rows, target.version.id, &payload.path).await?;
            if matches!(beside.origin, SignatureOrigin::Foreign) {
                check_foreign(&payload, self.only.is_some())?;
                continue;
            }
            let published = payload.published.as_ref().filter(|_| !is_final(target, &beside));
            if published.is_some() || payload.staged.is_some() {
                signatures.push(beside.sign(published, payload.staged.as_ref()));
            }
        }
        PublishPlan::of_signatures(rows, target, key, signatures).await
    }

    /// Readers see the signatures of published content at once. A signature is not news, so no event is recorded.
    async fn apply(
        &self,
        tx: &mut Tx,
        target: VersionTarget<'s>,
        plan: PublishPlan,
        signatures: &Signatures,
    ) -> Result<()> {
        plan.apply(tx, &target, signatures).await?;
        record(tx, &self.log).await
    }
}

fn check_enabled(repo: &Repo) -> Result<()> {
    if repo.profile.gpg_sign_files {
        Ok(())
    } else {
        Err(Error::invalid("gpg_sign_files", format!("signing is not enabled on repository '{}'", repo.name)))
    }
}

/// Returns the files to sign.
async fn payloads(
    rows: &mut PlannedRows<'_>,
    target: &VersionTarget<'_>,
    only: Option<&FilePath>,
) -> Result<Vec<File>> {
    let Some(path) = only else {
        let all = files::lock_all(rows.db, target.version.id).await?;
        return Ok(all.into_iter().filter(|file| !file.path.is_signature()).collect());
    };
    let file = rows.find(path).await?;
    let file = file.filter(|file| file.version_id == target.version.id).ok_or_else(|| not_found(path))?;
    Ok(vec![file])
}

/// Whether the published signature may no longer change. Past the window no published content changes, but a missing
/// signature may still be added.
fn is_final(target: &VersionTarget<'_>, beside: &SignatureFile) -> bool {
    let is_over = window::check_upload(target.house, target.repo(), &target.version, target.now).is_err();
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
