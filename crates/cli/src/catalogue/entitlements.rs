//! `packhouse entitlements`: the rights of access keys.

mod fields;

use clap::Subcommand;
use reqwest::Method;
use serde_json::Value;

use crate::{
    ConnectionArgs,
    address::{Address, encode},
    error::{Error, Result},
    output::object,
    session::{Change, Session, body},
};
use fields::{EditedEntitlement, NewEntitlement};

/// The subcommands of `packhouse entitlements`.
#[derive(Debug, Subcommand)]
pub enum EntitlementsCommand {
    /// List the entitlements of a repository, a package or a version
    Ls {
        /// owner/repo, owner/repo/package or owner/repo/package/version
        #[arg(value_name = "ADDRESS")]
        address: Address,
        /// More about each entitlement, in a table with a head
        #[arg(long, short)]
        long: bool,
    },
    /// Show an entitlement
    Show {
        /// owner/repo, owner/repo/package or owner/repo/package/version
        #[arg(value_name = "ADDRESS")]
        address: Address,
        /// The id of the entitlement
        id: String,
    },
    /// Grant a right to access keys
    Add {
        /// owner/repo, owner/repo/package or owner/repo/package/version
        #[arg(value_name = "ADDRESS")]
        address: Address,
        #[command(flatten)]
        fields: NewEntitlement,
    },
    /// Change an entitlement
    Edit {
        /// owner/repo, owner/repo/package or owner/repo/package/version
        #[arg(value_name = "ADDRESS")]
        address: Address,
        /// The id of the entitlement
        id: String,
        #[command(flatten)]
        fields: EditedEntitlement,
    },
    /// Delete an entitlement
    Rm {
        /// owner/repo, owner/repo/package or owner/repo/package/version
        #[arg(value_name = "ADDRESS")]
        address: Address,
        /// The id of the entitlement
        id: String,
    },
}

pub(crate) async fn run(connection: &ConnectionArgs, command: &EntitlementsCommand) -> Result<()> {
    let session = &connection.session()?;
    match command {
        EntitlementsCommand::Ls { address, long } => list(session, address, *long).await,
        EntitlementsCommand::Show { address, id } => {
            let found: Value = session.client.get(&one(address, id)?).await?;
            session.output.print(&found, object);
            Ok(())
        }
        EntitlementsCommand::Add { address, fields } => {
            let what = format!("an entitlement of {address} for {}", fields.keys());
            let (path, body) = (all(address)?, Some(body(&fields.body())));
            session.apply(Change { method: Method::POST, path, body, verb: "add", done: "added", what }).await
        }
        EntitlementsCommand::Edit { address, id, fields } => {
            let (path, what) = (one(address, id)?, format!("the entitlement {id} of {address}"));
            let body = Some(body(&fields.body()));
            session.apply(Change { method: Method::PATCH, path, body, verb: "change", done: "changed", what }).await
        }
        EntitlementsCommand::Rm { address, id } => {
            let (path, what) = (one(address, id)?, format!("the entitlement {id} of {address}"));
            session.confirm(&format!("delete {what}"))?;
            let (method, verb, done) = (Method::DELETE, "delete", "deleted");
            session.apply(Change { method, path, body: None, verb, done, what }).await
        }
    }
}

fn all(address: &Address) -> Result<String> {
    match address {
        Address::Owner(_) => Err(Error::usage("a repository is written as owner/repo")),
        Address::Repo(repo) => Ok(format!("/repos/{}/entitlements", repo.path())),
        Address::Package(package) => Ok(format!("/packages/{}/entitlements", package.path())),
        Address::Version(version) => Ok(format!("/packages/{}/entitlements", version.path())),
    }
}

fn one(address: &Address, id: &str) -> Result<String> {
    Ok(format!("{}/{}", all(address)?, encode(id)))
}

async fn list(session: &Session, address: &Address, is_long: bool) -> Result<()> {
    let found: Vec<api::EntitlementSummary> = session.client.pages(&all(address)?, usize::MAX).await?;
    if is_long {
        let paths = found.iter().map(|entitlement| one(address, &entitlement.id)).collect::<Result<Vec<String>>>()?;
        return session.print_each(paths, &["id", "access", "access_keys", "path", "tags"]).await;
    }
    session
        .output
        .print(&found, |found| found.iter().map(|entitlement| entitlement.id.clone()).collect::<Vec<_>>().join("\n"));
    Ok(())
}
