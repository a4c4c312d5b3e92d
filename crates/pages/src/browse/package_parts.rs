//! Parts of a package's page: commands, links, the signing key and the rating.

use model::{
    access::Right,
    address::{PackageAddress, VersionAddress},
    file::FileListState,
    names::VersionName,
    package::PackageProfile,
    subject::SubjectKind,
};
use operations::{
    RepoAccess,
    catalogue::{files, packages::PackageDetail, repos},
    signing::{self, RepoSigner},
};
use web::{App, error::Result};

use super::{
    commands::{self, Command},
    platforms::{self, Platforms},
};
use crate::{address, errors::allowed, sizes, visitor::Visitor};

/// The URL where an owner of the linking repository removes the link.
pub(super) async fn unlink_of(
    app: &App,
    visitor: &Visitor,
    at: &PackageAddress,
    own: &PackageAddress,
) -> Result<String> {
    let owned = allowed(repos::show_for(app.house(), &visitor.caller, &at.repo, Right::Own).await)?;
    Ok(owned.filter(|_| visitor.may_change()).map(|_| address::unlink(&at.repo, own)).unwrap_or_default())
}

/// Commands that use the newest version, or the repository while it has none, and the platforms to choose from.
pub(super) async fn commands_of(
    app: &App,
    visitor: &Visitor,
    at: &PackageAddress,
    detail: &PackageDetail,
    platform: &str,
) -> Result<(Vec<Command>, Platforms)> {
    let repo = &detail.access.repo.repo;
    let latest = detail.latest_version.as_deref().and_then(|name| VersionName::parse(name).ok());
    let Some(version) = latest else {
        return Ok((commands::of_new_package(app, visitor, at, repo), Platforms::default()));
    };
    let at = VersionAddress { package: at.clone(), version };
    let files = allowed(files::list_of_version(app.house(), &visitor.caller, &at, FileListState::Published, 0).await)?;
    let files = files.into_iter().flat_map(|page| page.items);
    let mut paths: Vec<String> = files.map(|file| file.path.to_string()).collect();
    let agent = visitor.caller.agent.as_deref().unwrap_or_default();
    // Clients of other formats choose the file themselves.
    let platforms = if repo.kind == "generic" {
        platforms::choose(&mut paths, &address::package(&at.package), platform, agent)
    } else {
        Platforms::default()
    };
    Ok((commands::of_package(app, visitor, &at.package, None, repo, &paths), platforms))
}

/// The key that signs in a repository.
pub(super) struct SigningKey {
    /// The last digits of its fingerprint, in groups.
    pub(super) short: String,
    pub(super) fingerprint: String,
    /// Whose key it is.
    pub(super) holder: String,
    /// The path of the public key.
    pub(super) address: String,
}

/// The signing key of a repository.
pub(super) async fn signing_key(app: &App, access: &RepoAccess) -> Result<Option<SigningKey>> {
    let Some((signer, key)) = signing::find_of_repo(app.house(), access).await? else { return Ok(None) };
    let owner = &access.repo.owner;
    let (holder, address) = match signer {
        RepoSigner::Owner(SubjectKind::User) => (owner.to_string(), format!("/users/{owner}/keys/gpg/public.key")),
        RepoSigner::Owner(SubjectKind::Org) => (owner.to_string(), format!("/orgs/{owner}/keys/gpg/public.key")),
        RepoSigner::Server => ("this server".to_owned(), "/keys/gpg/public.key".to_owned()),
    };
    let (short, address) = (short(&key.fingerprint), format!("/api{address}"));
    Ok(Some(SigningKey { short, fingerprint: key.fingerprint, holder, address }))
}

/// The last sixteen digits of a fingerprint, which is the id of the key, in groups of four.
fn short(fingerprint: &str) -> String {
    let digits: Vec<char> = fingerprint.chars().filter(char::is_ascii_hexdigit).collect();
    let last = &digits[digits.len().saturating_sub(16)..];
    last.chunks(4).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join(" ").to_uppercase()
}

/// The links to pages of other sites.
pub(super) fn links(profile: &PackageProfile) -> Vec<(&'static str, String)> {
    let links =
        [("Website", &profile.website_url), ("Issues", &profile.issue_tracker_url), ("Source", &profile.vcs_url)];
    links.into_iter().filter_map(|(name, url)| Some((name, address::outside(url.as_deref())?))).collect()
}

/// The average of the ratings.
pub(super) fn rating(sum: i64, count: i64) -> Option<String> {
    let tenths = (sum * 10 + count / 2).checked_div(count)?;
    Some(format!("{}.{} of 5 by {}", tenths / 10, tenths % 10, sizes::counted(count.unsigned_abs(), "user")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fingerprint_is_shortened_to_the_id_of_its_key() {
        assert_eq!(short("00112233445566778899aabbccddeeff00112233"), "CCDD EEFF 0011 2233");
        assert_eq!(short("ab"), "AB");
    }
}
