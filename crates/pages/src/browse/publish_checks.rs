//! What a publisher looks at before staged files are published.

use std::collections::BTreeSet;

use model::{
    address::VersionAddress,
    file::{FileListState, ListedFile},
};
use operations::{
    catalogue::{
        files,
        versions::{self, VersionDetail},
    },
    signing::{self, RepoSigner},
};
use web::{App, error::Result};

use super::platforms;
use crate::{errors::allowed, sizes, visitor::Visitor};

/// Something to look at.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Check {
    pub(crate) is_good: bool,
    pub(crate) text: String,
}

/// The checks of a version with these staged files; empty if none are staged.
pub(crate) async fn find(
    app: &App,
    visitor: &Visitor,
    (at, detail): (&VersionAddress, &VersionDetail),
    staged: &operations::Page<ListedFile>,
    has_notes: bool,
) -> Result<Vec<Check>> {
    if staged.total == 0 {
        return Ok(Vec::new());
    }
    let mut checks = vec![good(format!("{} uploaded", sizes::counted(staged.total, "file")))];
    if detail.package.repo.repo.profile.gpg_sign_files {
        checks.push(match signing::find_of_repo(app.house(), &detail.package.repo).await? {
            Some((RepoSigner::Owner(_), key)) if key.needs_passphrase => good("Signing key ready, with its passphrase"),
            Some((RepoSigner::Owner(_), _)) => good("Signing key ready"),
            // The server generates its key when it first signs.
            Some((RepoSigner::Server, _)) | None => good("Signed with the key of this server"),
        });
    }
    checks.push(if has_notes { good("Release notes written") } else { open("No release notes yet") });
    checks.extend(platforms_of_latest(app, visitor, (at, detail), staged).await?);
    Ok(checks)
}

/// Whether the staged files are for all the platforms of the latest version.
async fn platforms_of_latest(
    app: &App,
    visitor: &Visitor,
    (at, detail): (&VersionAddress, &VersionDetail),
    staged: &operations::Page<ListedFile>,
) -> Result<Option<Check>> {
    let (house, caller) = (app.house(), &visitor.caller);
    // In a version that is published already, the other platforms may be published as well.
    if detail.package.repo.repo.kind != "generic" || detail.version.published_files > 0 {
        return Ok(None);
    }
    let Some(latest) = allowed(versions::show_latest(house, caller, &at.package).await)? else { return Ok(None) };
    let latest = VersionAddress { package: at.package.clone(), version: latest.version.name };
    let list = files::list_of_version(house, caller, &latest, FileListState::Published, 0).await?;
    Ok(compare(latest.version.as_str(), &titles(&list.items), &titles(&staged.items)))
}

fn titles(files: &[ListedFile]) -> BTreeSet<String> {
    files.iter().map(|file| platforms::title(file.path.file_name())).filter(|title| !title.is_empty()).collect()
}

/// Which platforms of a version are missing among the staged ones.
fn compare(version: &str, latest: &BTreeSet<String>, staged: &BTreeSet<String>) -> Option<Check> {
    let missing: Vec<&str> = latest.difference(staged).map(String::as_str).collect();
    match missing[..] {
        _ if latest.is_empty() => None,
        [] => Some(good(format!("All platforms of {version}"))),
        _ => Some(open(format!("Not for {}, unlike {version}", missing.join(", ")))),
    }
}

fn good(text: impl Into<String>) -> Check {
    Check { is_good: true, text: text.into() }
}

fn open(text: impl Into<String>) -> Check {
    Check { is_good: false, text: text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_platforms_are_named() {
        let set = |titles: &[&str]| titles.iter().map(|title| (*title).to_owned()).collect();
        let latest = set(&["Linux x86-64", "macOS arm64", "Source"]);
        assert_eq!(compare("1.0", &BTreeSet::new(), &latest), None);
        assert_eq!(compare("1.0", &latest, &latest), Some(good("All platforms of 1.0")));
        let missing = compare("1.0", &latest, &set(&["Linux x86-64"]));
        assert_eq!(missing, Some(open("Not for Source, macOS arm64, unlike 1.0")));
    }
}
