//! `packhouse link`: links packages into other repositories.

use clap::Subcommand;
use reqwest::Method;

use crate::{
    ConnectionArgs,
    address::{PackageAddress, RepoAddress},
    error::Result,
    session::{Change, body},
};

/// The subcommands of `packhouse link`.
#[derive(Debug, Subcommand)]
pub enum LinkCommand {
    /// Link a package into another repository
    Add {
        /// The package: owner/repo/package
        package: PackageAddress,
        /// The repository to link it into: owner/repo
        into: RepoAddress,
        /// Only files below this folder
        #[arg(long, value_name = "FOLDER")]
        path_prefix: Option<String>,
    },
    /// Remove the link of a package
    Rm {
        /// The package: owner/repo/package
        package: PackageAddress,
        /// The repository to remove it from: owner/repo
        from: RepoAddress,
    },
}

pub(crate) async fn run(connection: &ConnectionArgs, command: &LinkCommand) -> Result<()> {
    let session = connection.session()?;
    let path =
        |repo: &RepoAddress, package: &PackageAddress| format!("/repository/{}/links/{}", repo.path(), package.path());
    let change = match command {
        LinkCommand::Add { package, into, path_prefix } => Change {
            method: Method::PUT,
            path: path(into, package),
            body: Some(body(&api::NewLink { path_prefix: path_prefix.clone() })),
            verb: "link",
            done: "linked",
            what: format!("{package} into {into}"),
        },
        LinkCommand::Rm { package, from } => {
            session.confirm(&format!("unlink {package} from {from}"))?;
            Change {
                method: Method::DELETE,
                path: path(from, package),
                body: None,
                verb: "unlink",
                done: "unlinked",
                what: format!("{package} from {from}"),
            }
        }
    };
    session.apply(change).await
}
