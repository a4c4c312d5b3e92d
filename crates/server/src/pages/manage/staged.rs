//! Staged files of a version: publish and discard them, and sign published ones.

use axum::response::Response;
use model::{
    access::Right,
    address::VersionAddress,
    file::{FileListState, ListedFile},
};
use operations::{
    catalogue::{
        files,
        versions::{self, VersionDetail},
    },
    content,
    signing::{SecretText, SigningOptions},
};
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use crate::pages::{
    address,
    form::{Form, Submitted},
    notice::{self, Notice},
    sizes,
    version::refused,
    version_files::delete,
    visitor::Visitor,
};

/// The part of a version page for its publishers.
pub(in crate::pages) struct Manage {
    /// The page's own path, which follows the action in URLs.
    pub(in crate::pages) address: String,
    /// The number of staged files in words; empty if none are staged.
    pub(in crate::pages) staged_count: String,
    /// Some of the staged files.
    pub(in crate::pages) staged: Vec<StagedFile>,
    /// Whether more files are staged.
    pub(in crate::pages) is_cut: bool,
    /// The default folder of uploads.
    pub(in crate::pages) folder: String,
    /// Whether a publish signs, which may need the passphrase of a key.
    pub(in crate::pages) signs: bool,
    /// Whether published files can be signed.
    pub(in crate::pages) may_sign: bool,
}

/// A staged file.
pub(in crate::pages) struct StagedFile {
    pub(in crate::pages) path: String,
    pub(in crate::pages) size: String,
    pub(in crate::pages) sha256: String,
    /// The URL of the form that deletes it.
    pub(in crate::pages) delete: String,
}

impl Manage {
    /// The actions offered to this visitor; `None` without any. A linked version is managed in its own repository.
    pub(in crate::pages) async fn find(
        app: &App,
        visitor: &Visitor,
        at: &VersionAddress,
        detail: &VersionDetail,
    ) -> Result<Option<Self>> {
        let (access, repo) = (&detail.package.repo, &detail.package.repo.repo);
        let is_own = repo.owner == at.package.repo.owner && repo.name == at.package.repo.repo;
        if !visitor.may_change() || !is_own || !access.is_publisher() {
            return Ok(None);
        }
        let list = files::list_of_version(app.house(), &visitor.caller, at, FileListState::Staged, 0).await?;
        let staged_count = if list.total == 0 { String::new() } else { sizes::counted(list.total, "file") };
        let folder = format!("{}/{}", at.package.package, at.version);
        Ok(Some(Self {
            address: address::version(at),
            staged_count,
            is_cut: list.total > list.items.len() as u64,
            staged: list.items.into_iter().map(|file| line(at, file)).collect(),
            // In Maven's layout, the path of a file follows from its coordinates.
            folder: if repo.kind == "maven" { String::new() } else { folder },
            signs: repo.profile.gpg_sign_files || repo.profile.gpg_sign_metadata,
            may_sign: repo.profile.gpg_sign_files && detail.version.published_files > 0,
        }))
    }
}

fn line(at: &VersionAddress, file: ListedFile) -> StagedFile {
    StagedFile {
        delete: delete(&at.package.repo, file.path.as_str()),
        path: file.path.to_string(),
        size: sizes::bytes(file.size.unsigned_abs()),
        sha256: file.sha256,
    }
}

pub(super) async fn publish(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let at = find(&app, &visitor, &path).await?;
    let published = content::publish(app.house(), &visitor.caller, &at, &with(&form)).await;
    let published = published.map(|files| format!("Published: {}.", sizes::counted(files, "file")));
    answer(&app, &visitor, &at, published.map_err(Failure::from)).await
}

pub(super) async fn discard(Submitted { app, visitor, path, .. }: Submitted) -> Result<Response> {
    let at = find(&app, &visitor, &path).await?;
    let discarded = content::discard(app.house(), &visitor.caller, &at).await;
    let discarded = discarded.map(|files| format!("Discarded: {}.", sizes::counted(files, "file")));
    answer(&app, &visitor, &at, discarded.map_err(Failure::from)).await
}

pub(super) async fn sign(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let at = find(&app, &visitor, &path).await?;
    let signed = content::sign_version(app.house(), &visitor.caller, &at, &with(&form)).await;
    let signed = signed.map(|()| "The version has been signed.".to_owned());
    answer(&app, &visitor, &at, signed.map_err(Failure::from)).await
}

/// The version, for those who may publish in it.
async fn find(app: &App, visitor: &Visitor, path: &PathNames) -> Result<VersionAddress> {
    let at = path.version_address()?;
    versions::show_for(app.house(), &visitor.caller, &at, Right::Publish).await?;
    Ok(at)
}

fn with(form: &Form) -> SigningOptions {
    let passphrase = Some(form.text("passphrase")).filter(|text| !text.is_empty());
    SigningOptions {
        passphrase: passphrase.map(|text| SecretText::presented(text.to_owned())),
        ..SigningOptions::default()
    }
}

/// Redirects to the version with a notice, or shows it with the reason of the rejection.
async fn answer(app: &App, visitor: &Visitor, at: &VersionAddress, done: Result<String>) -> Result<Response> {
    match done {
        Ok(text) => Ok(notice::redirect(app, visitor, &address::version(at), Notice::success(text))),
        Err(failure) => refused(app, visitor, at, failure).await,
    }
}
