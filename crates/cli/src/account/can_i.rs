//! `packhouse can-i`: checks rights without changing anything.

use clap::{Args, ValueEnum};
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    ConnectionArgs,
    address::Address,
    client::Client,
    error::{Error, ExitKind, Result},
};

/// Check whether you may do something; exits with 0 for yes and 4 for no
#[derive(Debug, Args)]
pub struct CanICommand {
    /// The action to check
    action: Action,
    /// owner/repo or owner/repo/package
    #[arg(value_name = "ADDRESS")]
    address: Address,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Action {
    /// View and download
    Read,
    /// Upload and publish
    Publish,
    /// Manage
    Own,
}

pub(crate) async fn run(connection: &ConnectionArgs, command: &CanICommand) -> Result<()> {
    let session = connection.session()?;
    let may = ask(&session.client, command).await?;
    session.output.print(&json!({"allowed": may}), |_| if may { "yes" } else { "no" }.to_owned());
    if may {
        return Ok(());
    }
    let what = format!("you may not {:?} {}", command.action, command.address).to_lowercase();
    Err(Error::new(ExitKind::Denied, what))
}

async fn ask(client: &Client, command: &CanICommand) -> Result<bool> {
    let (repo, package) = match &command.address {
        Address::Owner(_) => return Err(Error::usage("a repository is written as owner/repo")),
        Address::Repo(repo) => (repo, None),
        Address::Package(package) => (&package.repo, Some(package)),
        Address::Version(version) => (&version.package.repo, Some(&version.package)),
    };
    match (command.action, package) {
        (Action::Read, None) => allowed(client.get::<Value>(&format!("/repos/{}", repo.path())).await),
        (Action::Read, Some(package)) => allowed(client.get::<Value>(&format!("/packages/{}", package.path())).await),
        (Action::Own, _) => allowed(client.get::<Value>(&format!("/repos/{}/permissions", repo.path())).await),
        (Action::Publish, Some(package)) => {
            // Only publishers may read this list.
            allowed(
                client
                    .get::<Value>(&format!("/packages/{}/files?include_unpublished=1&start_pos=0", package.path()))
                    .await,
            )
        }
        (Action::Publish, None) => {
            // An invalid licence: the server checks the right before the licence.
            let body = json!({"name": "can-i", "licenses": [""]});
            match client.send::<Value>(Method::POST, &format!("/packages/{}", repo.path()), Some(&body)).await {
                Err(error) if error.kind == ExitKind::Failed && error.message.contains(" 400:") => Ok(true),
                other => allowed(other),
            }
        }
    }
}

/// Returns whether the request was allowed. A missing right and a missing resource both mean "no"; other failures are
/// errors.
fn allowed(answer: Result<Value>) -> Result<bool> {
    match answer {
        Ok(_) => Ok(true),
        Err(error) if matches!(error.kind, ExitKind::Denied | ExitKind::Missing) => Ok(false),
        Err(error) => Err(error),
    }
}
