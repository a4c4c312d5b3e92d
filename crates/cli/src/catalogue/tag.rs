//! `packhouse tag`: names that point to versions of a package.

use clap::Subcommand;
use reqwest::Method;
use serde_json::{Map, Value, json};

use crate::{
    ConnectionArgs,
    address::{PackageAddress, VersionAddress, encode},
    error::Result,
    output::table,
    session::{Change, Session, body},
};

/// The subcommands of `packhouse tag`.
#[derive(Debug, Subcommand)]
pub enum TagCommand {
    /// List the tags of a package with their versions
    Ls {
        /// owner/repo/package
        #[arg(value_name = "ADDRESS")]
        at: PackageAddress,
    },
    /// Point a tag to a version
    Set {
        /// owner/repo/package/version
        #[arg(value_name = "ADDRESS")]
        at: VersionAddress,
        /// The tag, such as latest
        tag: String,
    },
    /// Delete a tag; its version stays
    Rm {
        /// owner/repo/package
        #[arg(value_name = "ADDRESS")]
        at: PackageAddress,
        /// The tag
        tag: String,
    },
}

pub(crate) async fn run(connection: &ConnectionArgs, command: &TagCommand) -> Result<()> {
    let session = connection.session()?;
    let path = |at: &PackageAddress, tag: &str| format!("/packages/{}/tags/{}", at.path(), encode(tag));
    let change = match command {
        TagCommand::Ls { at } => return list(&session, at).await,
        TagCommand::Set { at, tag } => Change {
            method: Method::PUT,
            path: path(&at.package, tag),
            body: Some(body(&api::TagTarget { version: at.version.clone() })),
            verb: "point",
            done: "pointed",
            what: format!("the tag {tag} to {at}"),
        },
        TagCommand::Rm { at, tag } => Change {
            method: Method::DELETE,
            path: path(at, tag),
            body: None,
            verb: "delete",
            done: "deleted",
            what: format!("the tag {tag} of {at}"),
        },
    };
    session.apply(change).await
}

async fn list(session: &Session, at: &PackageAddress) -> Result<()> {
    let package: Value = session.client.get(&format!("/packages/{}", at.path())).await?;
    let tags = package.get("tags").cloned().unwrap_or_else(|| json!({}));
    let rows = |tags: &Map<String, Value>| -> Vec<Vec<String>> {
        tags.iter().map(|(tag, version)| vec![tag.clone(), version.as_str().unwrap_or_default().to_owned()]).collect()
    };
    session.output.print(&tags, |tags| tags.as_object().map(|tags| table(&rows(tags))).unwrap_or_default());
    Ok(())
}
