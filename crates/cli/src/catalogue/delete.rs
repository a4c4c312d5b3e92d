//! `packhouse delete`: deletes a repository, a package, a version or a file.

use clap::Args;
use reqwest::Method;

use crate::{
    ConnectionArgs,
    address::Address,
    error::{Error, Result},
    session::{Change, Session},
};

/// Delete a repository, a package, a version or a file
#[derive(Debug, Args)]
pub struct DeleteCommand {
    /// owner/repo, owner/repo/package or owner/repo/package/version
    #[arg(value_name = "ADDRESS")]
    address: Address,
    /// Delete only this file of the repository
    #[arg(long, value_name = "PATH")]
    file: Option<String>,
}

pub(crate) async fn run(connection: &ConnectionArgs, command: &DeleteCommand) -> Result<()> {
    let session = connection.session()?;
    match (&command.address, &command.file) {
        (Address::Repo(repo), Some(file)) => {
            delete(&session, format!("/content/{}", repo.file(file)), format!("the file {file} of {repo}")).await
        }
        (_, Some(_)) => Err(Error::usage("to delete a file, run `packhouse delete owner/repo --file PATH`")),
        (address, None) => delete_at(&session, address).await,
    }
}

/// Deletes a repository, a package or a version after confirmation.
pub(crate) async fn delete_at(session: &Session, address: &Address) -> Result<()> {
    let (path, what) = match address {
        Address::Owner(_) => return Err(Error::usage("to delete an account, run `packhouse admin` on the server")),
        Address::Repo(repo) => {
            (format!("/repos/{}", repo.path()), format!("the repository {repo} with all its packages"))
        }
        Address::Package(package) => {
            (format!("/packages/{}", package.path()), format!("the package {package} with all its versions"))
        }
        Address::Version(version) => {
            (format!("/packages/{}", version.path()), format!("the version {version} with all its files"))
        }
    };
    delete(session, path, what).await
}

async fn delete(session: &Session, path: String, what: String) -> Result<()> {
    session.confirm(&format!("delete {what}"))?;
    let change = Change { method: Method::DELETE, path, body: None, verb: "delete", done: "deleted", what };
    session.apply(change).await
}
