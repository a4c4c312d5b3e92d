//! `packhouse show`: shows the fields of a thing.

use clap::Args;
use serde_json::Value;

use crate::{
    ConnectionArgs,
    address::{Address, VersionAddress, encode},
    error::{ExitKind, Result},
    output::{people, size},
    session::Session,
};

/// Show an account, a repository, a package or a version
#[derive(Debug, Args)]
pub struct ShowCommand {
    /// owner, owner/repo, owner/repo/package or owner/repo/package/version
    #[arg(value_name = "ADDRESS")]
    address: Address,
}

pub(crate) async fn run(connection: &ConnectionArgs, command: &ShowCommand) -> Result<()> {
    let session = connection.session()?;
    let found = match &command.address {
        Address::Owner(owner) => account(&session, owner).await?,
        Address::Repo(repo) => session.client.get(&format!("/repos/{}", repo.path())).await?,
        Address::Package(package) => {
            session.client.get(&format!("/packages/{}?attribute_values=1", package.path())).await?
        }
        Address::Version(version) => self::version(&session, version).await?,
    };
    session.output.print(&found, |found| people(&command.address.to_string(), found));
    Ok(())
}

/// Fetches a version; for people, with its published files.
async fn version(session: &Session, at: &VersionAddress) -> Result<Value> {
    let mut found: Value = session.client.get(&format!("/packages/{}?attribute_values=1", at.path())).await?;
    if !session.output.is_json {
        let files: Vec<api::File> = session.client.pages(&format!("/packages/{}/files", at.path()), usize::MAX).await?;
        let line = |file: &api::File| format!("{} ({})", file.path, size(u64::try_from(file.size).unwrap_or_default()));
        found["files"] = files.iter().map(line).collect();
    }
    Ok(found)
}

/// Fetches a user, or else an organization.
async fn account(session: &Session, owner: &str) -> Result<Value> {
    match session.client.get(&format!("/users/{}", encode(owner))).await {
        Err(error) if error.kind == ExitKind::Missing => session.client.get(&format!("/orgs/{}", encode(owner))).await,
        other => other,
    }
}
