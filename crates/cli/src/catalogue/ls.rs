//! `packhouse ls`: lists the contents of an address.

mod long;

use clap::Args;

use crate::{
    ConnectionArgs,
    address::{Address, PackageAddress, RepoAddress, VersionAddress, encode},
    error::Result,
    output::{size, table},
    session::Session,
};

/// List repositories, packages, versions or files
#[derive(Debug, Args)]
pub struct LsCommand {
    /// owner, owner/repo, owner/repo/package or owner/repo/package/version [default: your account]
    #[arg(value_name = "ADDRESS")]
    address: Option<Address>,
    /// Only packages whose names begin with this
    #[arg(long, value_name = "PREFIX")]
    prefix: Option<String>,
    /// More about each result, in a table with a head
    #[arg(long, short)]
    long: bool,
    /// Include files that are not published
    #[arg(long)]
    unpublished: bool,
    /// Maximum number of results
    #[arg(long, value_name = "NUMBER", default_value_t = usize::MAX, hide_default_value = true)]
    limit: usize,
}

pub(crate) async fn run(connection: &ConnectionArgs, command: &LsCommand) -> Result<()> {
    let session = connection.session()?;
    match &command.address {
        None => repos(&session, session.client.user()?, command.long).await,
        Some(Address::Owner(owner)) => repos(&session, owner, command.long).await,
        Some(Address::Repo(repo)) => packages(&session, repo, command).await,
        Some(Address::Package(package)) => versions(&session, package, command).await,
        Some(Address::Version(version)) => files(&session, version, command).await,
    }
}

async fn repos(session: &Session, owner: &str, is_long: bool) -> Result<()> {
    let repos: Vec<api::RepoSummary> = session.client.get(&format!("/repos/{}", encode(owner))).await?;
    if is_long {
        return long::repos(session, &repos).await;
    }
    session.output.print(&repos, |repos| {
        repos.iter().map(|repo| format!("{}/{}", repo.owner, repo.name)).collect::<Vec<_>>().join("\n")
    });
    Ok(())
}

async fn packages(session: &Session, repo: &RepoAddress, command: &LsCommand) -> Result<()> {
    let prefix = command.prefix.as_deref().map(|prefix| format!("?start_name={}", encode(prefix))).unwrap_or_default();
    let path = format!("/repos/{}/packages{prefix}", repo.path());
    let packages: Vec<api::PackageSummary> = session.client.pages(&path, command.limit).await?;
    if command.long {
        return long::packages(session, repo, &packages).await;
    }
    session.output.print(&packages, |packages| {
        let row = |package: &api::PackageSummary| {
            vec![package.name.clone(), if package.linked { "linked" } else { "" }.to_owned()]
        };
        table(&packages.iter().map(row).collect::<Vec<_>>())
    });
    Ok(())
}

async fn versions(session: &Session, package: &PackageAddress, command: &LsCommand) -> Result<()> {
    let found: api::Package = session.client.get(&format!("/packages/{}", package.path())).await?;
    // Manifests of images without a tag have no name but their digest.
    let named = found.versions.into_iter().filter(|name| !name.starts_with("sha256:"));
    let versions: Vec<String> = named.take(command.limit).collect();
    if command.long {
        return long::versions(session, package, &versions).await;
    }
    session.output.print(&versions, |versions| versions.join("\n"));
    Ok(())
}

async fn files(session: &Session, version: &VersionAddress, command: &LsCommand) -> Result<()> {
    let unpublished = if command.unpublished { "?include_unpublished=1" } else { "" };
    let path = format!("/packages/{}/files{unpublished}", version.path());
    let files: Vec<api::File> = session.client.pages(&path, command.limit).await?;
    if files.is_empty() && !command.unpublished && !session.output.is_json {
        session.output.notice(&format!("{version} has no published files; --unpublished also lists staged ones"));
        return Ok(());
    }
    if command.long {
        return long::files(session, version, files, command.unpublished).await;
    }
    session.output.print(&files, |files| {
        let row = |file: &api::File| {
            let bytes = u64::try_from(file.size).unwrap_or_default();
            vec![file.path.clone(), size(bytes), file.sha256.chars().take(12).collect()]
        };
        table(&files.iter().map(row).collect::<Vec<_>>())
    });
    Ok(())
}
