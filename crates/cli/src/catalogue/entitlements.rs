//! `packhouse entitlements`: the rights of access keys.

mod fields;

use clap::Subcommand;
use reqwest::Method;
use serde_json::Value;

use crate::{
    ConnectionArgs,
    address::{Address, encode},
    catalogue::show::to_text,
    error::{Error, Result},
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
        place: Address,
    },
    /// Show an entitlement
    Show {
        /// owner/repo, owner/repo/package or owner/repo/package/version
        #[arg(value_name = "ADDRESS")]
        place: Address,
        /// The id of the entitlement
        id: String,
    },
    /// Grant a right to access keys
    Add {
        /// owner/repo, owner/repo/package or owner/repo/package/version
        #[arg(value_name = "ADDRESS")]
        place: Address,
        #[command(flatten)]
        fields: NewEntitlement,
    },
    /// Change an entitlement
    Edit {
        /// owner/repo, owner/repo/package or owner/repo/package/version
        #[arg(value_name = "ADDRESS")]
        place: Address,
        /// The id of the entitlement
        id: String,
        #[command(flatten)]
        fields: EditedEntitlement,
    },
    /// Delete an entitlement
    Rm {
        /// owner/repo, owner/repo/package or owner/repo/package/version
        #[arg(value_name = "ADDRESS")]
        place: Address,
        /// The id of the entitlement
        id: String,
    },
}

pub(crate) async fn run(common: &ConnectionArgs, command: &EntitlementsCommand) -> Result<()> {
    let session = &common.session()?;
    match command {
        EntitlementsCommand::Ls { place } => list(session, place).await,
        EntitlementsCommand::Show { place, id } => {
            let found: Value = session.client.get(&one(place, id)?).await?;
            session.output.show(&found, to_text);
            Ok(())
        }
        EntitlementsCommand::Add { place, fields } => {
            let what = format!("an entitlement of {place} for {}", fields.keys());
            let (path, body) = (all(place)?, Some(body(&fields.body())));
            session.apply(Change { method: Method::POST, path, body, verb: "add", done: "added", what }).await
        }
        EntitlementsCommand::Edit { place, id, fields } => {
            let (path, what) = (one(place, id)?, format!("the entitlement {id} of {place}"));
            let body = Some(body(&fields.body()));
            session.apply(Change { method: Method::PATCH, path, body, verb: "change", done: "changed", what }).await
        }
        EntitlementsCommand::Rm { place, id } => {
            let (path, what) = (one(place, id)?, format!("the entitlement {id} of {place}"));
            session.confirm(&format!("delete {what}"))?;
            let (method, verb, done) = (Method::DELETE, "delete", "deleted");
            session.apply(Change { method, path, body: None, verb, done, what }).await
        }
    }
}

fn all(place: &Address) -> Result<String> {
    match place {
        Address::Owner(_) => Err(Error::usage("a repository is written as owner/repo")),
        Address::Repo(repo) => Ok(format!("/repos/{}/entitlements", repo.path())),
        Address::Package(package) => Ok(format!("/packages/{}/entitlements", package.path())),
        Address::Version(version) => Ok(format!("/packages/{}/entitlements", version.path())),
    }
}

fn one(place: &Address, id: &str) -> Result<String> {
    Ok(format!("{}/{}", all(place)?, encode(id)))
}

async fn list(session: &Session, place: &Address) -> Result<()> {
    let found: Vec<api::EntitlementSummary> = session.client.pages(&all(place)?, usize::MAX).await?;
    session
        .output
        .show(&found, |found| found.iter().map(|entitlement| entitlement.id.clone()).collect::<Vec<_>>().join("\n"));
    Ok(())
}
