//! `packhouse readme` and `packhouse notes`: the texts of packages and versions.

use std::path::PathBuf;

use clap::Subcommand;
use reqwest::Method;
use serde_json::json;

use crate::{
    ConnectionArgs,
    address::Address,
    error::{Error, Result},
    session::Change,
    text_file::{Syntax, read},
};

/// The subcommands of `packhouse readme` and `packhouse notes`.
#[derive(Debug, Subcommand)]
pub enum DocumentCommand {
    /// Print the text
    #[command(alias = "get")]
    Show {
        /// owner/repo/package; for release notes also owner/repo/package/version
        #[arg(value_name = "ADDRESS")]
        address: Address,
    },
    /// Set the text from a file
    Set {
        /// owner/repo/package; for release notes also owner/repo/package/version
        #[arg(value_name = "ADDRESS")]
        address: Address,
        /// The file; - for standard input
        file: PathBuf,
        /// The syntax of the text [default: by the file's name, else markdown]
        #[arg(long)]
        syntax: Option<Syntax>,
    },
    /// Remove the text
    Rm {
        /// owner/repo/package; for release notes also owner/repo/package/version
        #[arg(value_name = "ADDRESS")]
        address: Address,
    },
}

/// The text of a package or a version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DocumentKind {
    Readme,
    Notes,
}

pub(crate) async fn run(connection: &ConnectionArgs, kind: DocumentKind, command: &DocumentCommand) -> Result<()> {
    let session = connection.session()?;
    match command {
        DocumentCommand::Show { address } => {
            let found: api::Document = session.client.get(&path(kind, address)?).await?;
            session.output.print(&found, |found| found.content.clone());
            Ok(())
        }
        DocumentCommand::Set { address, file, syntax } => {
            let syntax = syntax.unwrap_or_else(|| Syntax::of(file)).name();
            let body = Some(json!({"syntax": syntax, "content": read(file)?}));
            let (path, what) = (path(kind, address)?, what(kind, address));
            session.apply(Change { method: Method::POST, path, body, verb: "set", done: "set", what }).await
        }
        DocumentCommand::Rm { address } => {
            let (path, what) = (path(kind, address)?, what(kind, address));
            session.confirm(&format!("remove {what}"))?;
            let (method, verb, done) = (Method::DELETE, "remove", "removed");
            session.apply(Change { method, path, body: None, verb, done, what }).await
        }
    }
}

fn what(kind: DocumentKind, address: &Address) -> String {
    match kind {
        DocumentKind::Readme => format!("the readme of {address}"),
        DocumentKind::Notes => format!("the release notes of {address}"),
    }
}

fn path(kind: DocumentKind, address: &Address) -> Result<String> {
    match (kind, address) {
        (DocumentKind::Readme, Address::Package(package)) => Ok(format!("/packages/{}/readme", package.path())),
        (DocumentKind::Notes, Address::Package(package)) => Ok(format!("/packages/{}/release_notes", package.path())),
        (DocumentKind::Notes, Address::Version(version)) => Ok(format!("/packages/{}/release_notes", version.path())),
        (DocumentKind::Readme, _) => Err(Error::usage("only packages have a readme: owner/repo/package")),
        (DocumentKind::Notes, _) => Err(Error::usage("only packages and versions have release notes")),
    }
}
