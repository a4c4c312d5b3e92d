//! The part of a version's page for its publishers: staged files, uploads and signatures.

use model::address::VersionAddress;
use model::file::{FileListState, ListedFile};
use model::timestamp::Timestamp;
use operations::catalogue::{files, upload_end, versions::VersionDetail};
use web::{App, error::Result};

use super::{
    platforms,
    publish_checks::{self, Check},
    version_files::delete,
};
use crate::{address, sizes, visitor::Visitor};

/// The part of a version page for its publishers.
pub(crate) struct Manage {
    /// The page's own path, which follows the action in URLs.
    pub(crate) address: String,
    /// Whether the version was never published: readers do not see it.
    pub(crate) is_draft: bool,
    /// The number of staged files in words; empty if none are staged.
    pub(crate) staged_count: String,
    /// Some of the staged files.
    pub(crate) staged: Vec<StagedFile>,
    /// Whether more files are staged.
    pub(crate) is_cut: bool,
    /// The default folder of uploads.
    pub(crate) folder: String,
    /// Whether a publish signs, which may need the passphrase of a key.
    pub(crate) signs: bool,
    /// Whether published files can be signed.
    pub(crate) may_sign: bool,
    /// Whether the staged files say what they were built for.
    pub(crate) has_platforms: bool,
    /// The size of all staged files; empty if the page does not show all of them.
    pub(crate) staged_size: String,
    /// What to look at before the staged files are published; empty if none are staged.
    pub(crate) checks: Vec<Check>,
    /// When the version stops accepting files, if it was published and still does.
    pub(crate) upload_end: Option<Timestamp>,
}

/// A staged file.
pub(crate) struct StagedFile {
    pub(crate) path: String,
    /// What it was built for; empty if its name does not say so.
    pub(crate) platform: String,
    pub(crate) size: String,
    pub(crate) sha256: String,
    /// The URL of the form that deletes it.
    pub(crate) delete: String,
}

impl Manage {
    /// The actions offered to this visitor; `None` without any. A linked version is managed in its own repository.
    pub(crate) async fn find(
        app: &App,
        visitor: &Visitor,
        at: &VersionAddress,
        detail: &VersionDetail,
        has_notes: bool,
    ) -> Result<Option<Self>> {
        let (access, repo) = (&detail.package.repo, &detail.package.repo.repo);
        let is_own = repo.owner == at.package.repo.owner && repo.name == at.package.repo.repo;
        if !visitor.may_change() || !is_own || !access.is_publisher() {
            return Ok(None);
        }
        let list = files::list_of_version(app.house(), &visitor.caller, at, FileListState::Staged, 0).await?;
        let staged_count = if list.total == 0 { String::new() } else { sizes::counted(list.total, "file") };
        let folder = format!("{}/{}", at.package.package, at.version);
        let is_cut = list.total > list.items.len() as u64;
        let bytes: i64 = list.items.iter().map(|file| file.size).sum();
        let checks = publish_checks::find(app, visitor, (at, detail), &list, has_notes).await?;
        let staged: Vec<StagedFile> = list.items.into_iter().map(|file| line(at, &repo.kind, file)).collect();
        Ok(Some(Self {
            address: address::version(at),
            is_draft: detail.version.first_published.is_none(),
            has_platforms: staged.iter().any(|file| !file.platform.is_empty()),
            staged_size: if is_cut { String::new() } else { sizes::bytes(bytes.unsigned_abs()) },
            upload_end: upload_end(app.house(), repo, &detail.version),
            staged_count,
            is_cut,
            staged,
            checks,
            // Where paths contain the version, the folder of a file follows from its coordinates.
            folder: if app.house().format(&repo.kind).names_versions() { String::new() } else { folder },
            signs: repo.profile.gpg_sign_files || repo.profile.gpg_sign_metadata,
            may_sign: repo.profile.gpg_sign_files && detail.version.published_files > 0,
        }))
    }
}

fn line(at: &VersionAddress, kind: &str, file: ListedFile) -> StagedFile {
    StagedFile {
        platform: if kind == "generic" { platforms::title(file.path.file_name()) } else { String::new() },
        delete: delete(&at.package.repo, file.path.as_str()),
        path: file.path.to_string(),
        size: sizes::bytes(file.size.unsigned_abs()),
        sha256: file.sha256,
    }
}
