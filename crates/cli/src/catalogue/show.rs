//! `packhouse show`: shows the fields of a thing.

use clap::Args;
use serde_json::Value;

use crate::{
    ConnectionArgs,
    address::{Address, encode},
    error::{ExitKind, Result},
    output::people,
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
        Address::Version(version) => {
            session.client.get(&format!("/packages/{}?attribute_values=1", version.path())).await?
        }
    };
    session.output.print(&found, |found| people(&command.address.to_string(), found));
    Ok(())
}

/// Fetches a user, or else an organization.
async fn account(session: &Session, owner: &str) -> Result<Value> {
    match session.client.get(&format!("/users/{}", encode(owner))).await {
        Err(error) if error.kind == ExitKind::Missing => session.client.get(&format!("/orgs/{}", encode(owner))).await,
        other => other,
    }
}
