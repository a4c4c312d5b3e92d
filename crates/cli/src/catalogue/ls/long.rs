//! `packhouse ls --long`: more about each result.

use futures_util::{StreamExt, TryStreamExt, stream};
use serde_json::Value;

use crate::{
    address::{PackageAddress, RepoAddress, encode},
    error::Result,
    output::{listing, size, table},
    session::Session,
};

/// The number of requests at the same time.
const AT_ONCE: usize = 8;

pub(super) async fn repos(session: &Session, repos: &[api::RepoSummary]) -> Result<()> {
    let paths = repos.iter().map(|repo| format!("/repos/{}/{}", encode(&repo.owner), encode(&repo.name)));
    show(session, paths.collect(), &["owner", "name", "type", "private", "package_count", "created", "desc"]).await
}

pub(super) async fn packages(session: &Session, repo: &RepoAddress, packages: &[api::PackageSummary]) -> Result<()> {
    let paths = packages.iter().map(|package| format!("/packages/{}/{}", repo.path(), encode(&package.name)));
    show(session, paths.collect(), &["name", "latest_version", "licenses", "updated", "desc"]).await
}

pub(super) async fn versions(session: &Session, package: &PackageAddress, versions: &[String]) -> Result<()> {
    let paths = versions.iter().map(|version| format!("/packages/{}", package.version(version).path()));
    show(session, paths.collect(), &["name", "published", "released", "created", "vcs_tag", "desc"]).await
}

pub(super) fn files(files: &[api::File]) -> String {
    let head = ["PATH", "SIZE", "CREATED", "SHA256"].map(str::to_owned).to_vec();
    let row = |file: &api::File| {
        let bytes = u64::try_from(file.size).unwrap_or_default();
        vec![file.path.clone(), size(bytes), file.created.clone(), file.sha256.clone()]
    };
    if files.is_empty() {
        String::new()
    } else {
        table(&std::iter::once(head).chain(files.iter().map(row)).collect::<Vec<_>>())
    }
}

/// Fetches each thing, and prints these fields of it.
async fn show(session: &Session, paths: Vec<String>, fields: &[&str]) -> Result<()> {
    let fetched = stream::iter(paths).map(|path| async move { session.client.get::<Value>(&path).await });
    let found: Vec<Value> = fetched.buffered(AT_ONCE).try_collect().await?;
    session.output.print(&found, |found| listing(found, fields));
    Ok(())
}
