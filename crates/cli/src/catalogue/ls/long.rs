//! `packhouse ls --long`: more about each result.

use std::collections::HashSet;

use crate::{
    address::{PackageAddress, RepoAddress, VersionAddress, encode},
    error::Result,
    output::{size, table},
    session::Session,
};

pub(super) async fn repos(session: &Session, repos: &[api::RepoSummary]) -> Result<()> {
    let paths = repos.iter().map(|repo| format!("/repos/{}/{}", encode(&repo.owner), encode(&repo.name)));
    session.print_each(paths.collect(), &["owner", "name", "type", "private", "package_count", "created", "desc"]).await
}

pub(super) async fn packages(session: &Session, repo: &RepoAddress, packages: &[api::PackageSummary]) -> Result<()> {
    let paths = packages.iter().map(|package| format!("/packages/{}/{}", repo.path(), encode(&package.name)));
    session.print_each(paths.collect(), &["name", "latest_version", "licenses", "updated", "desc"]).await
}

pub(super) async fn versions(session: &Session, package: &PackageAddress, versions: &[String]) -> Result<()> {
    let paths = versions.iter().map(|version| format!("/packages/{}", package.version(version).path()));
    session.print_each(paths.collect(), &["name", "published", "released", "created", "vcs_tag", "desc"]).await
}

/// Prints files; with those that are not published, the state of each.
pub(super) async fn files(
    session: &Session,
    version: &VersionAddress,
    files: Vec<api::File>,
    with_unpublished: bool,
) -> Result<()> {
    let published: Option<HashSet<(String, String)>> = if with_unpublished && !session.output.is_json {
        let path = format!("/packages/{}/files", version.path());
        let files: Vec<api::File> = session.client.pages(&path, usize::MAX).await?;
        Some(files.into_iter().map(|file| (file.path, file.sha256)).collect())
    } else {
        None
    };
    session.output.print(&files, |files| file_table(files, published.as_ref()));
    Ok(())
}

/// A file whose path is published with other content is staged to replace it.
fn file_table(files: &[api::File], published: Option<&HashSet<(String, String)>>) -> String {
    let state = |file: &api::File| {
        let is_published = published?.contains(&(file.path.clone(), file.sha256.clone()));
        Some(if is_published { "published" } else { "staged" }.to_owned())
    };
    let row = |file: &api::File| {
        let bytes = u64::try_from(file.size).unwrap_or_default();
        let words = [file.path.clone(), size(bytes)].into_iter().chain(state(file));
        words.chain([file.created.clone(), file.sha256.clone()]).collect()
    };
    if files.is_empty() {
        return String::new();
    }
    let head = ["PATH", "SIZE"].into_iter().chain(published.map(|_| "STATE")).chain(["CREATED", "SHA256"]);
    let head = head.map(str::to_owned).collect();
    table(&std::iter::once(head).chain(files.iter().map(row)).collect::<Vec<_>>())
}
