//! `packhouse eula`: the terms of products, and who has accepted them.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    ConnectionArgs,
    address::{RepoAddress, encode},
    catalogue::product,
    error::Result,
    output::listing,
    session::{Change, Session, body},
    text_file::{Syntax, read},
};

/// The subcommands of `packhouse eula`.
#[derive(Debug, Subcommand)]
pub enum EulaCommand {
    /// List the EULAs of a product
    Ls {
        /// owner/product
        #[arg(value_name = "PRODUCT")]
        at: RepoAddress,
    },
    /// Print the text of a EULA
    Show(EulaName),
    /// Create a EULA from a file
    Create {
        #[command(flatten)]
        eula: EulaName,
        /// The text; - for standard input
        file: PathBuf,
        #[command(flatten)]
        fields: EulaFields,
    },
    /// Change a EULA; a new text has to be accepted again
    Edit {
        #[command(flatten)]
        eula: EulaName,
        /// The new text; - for standard input
        #[arg(long)]
        file: Option<PathBuf>,
        #[command(flatten)]
        fields: EulaFields,
    },
    /// Delete a EULA
    Delete(EulaName),
    /// Accept a EULA for a version, with the credentials of an access key
    Accept {
        #[command(flatten)]
        eula: EulaName,
        /// The version to accept it for
        version: String,
    },
    /// List who accepted which EULA
    Signed {
        /// owner/product
        #[arg(value_name = "PRODUCT")]
        at: RepoAddress,
    },
}

/// A EULA of a product.
#[derive(Debug, Args)]
pub struct EulaName {
    /// owner/product
    #[arg(value_name = "PRODUCT")]
    at: RepoAddress,
    /// The name of the EULA
    #[arg(value_name = "NAME")]
    name: String,
}

/// The fields of a EULA.
#[derive(Debug, Args)]
pub struct EulaFields {
    /// The syntax of the text [default: by the file's name, else markdown]
    #[arg(long)]
    syntax: Option<Syntax>,
    /// Use it for all versions without a EULA of their own
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    default: Option<bool>,
    /// Only for these versions, which replace those before
    #[arg(long, value_name = "VERSION", value_delimiter = ',')]
    versions: Option<Vec<String>>,
}

pub(crate) async fn run(connection: &ConnectionArgs, command: &EulaCommand) -> Result<()> {
    let session = &connection.session()?;
    match command {
        EulaCommand::Ls { at } => {
            let found: Vec<Value> = session.client.get(&all(at)).await?;
            session.output.print(&found, |found| listing(found, &["name", "default", "versions", "syntax"]));
            Ok(())
        }
        EulaCommand::Show(eula) => {
            let found: api::Eula = session.client.get(&eula.path()).await?;
            session.output.print(&found, |found| found.content.clone());
            Ok(())
        }
        EulaCommand::Signed { at } => {
            let path = format!("{}/signed_eulas", product::path(at));
            let found: Vec<Value> = session.client.pages(&path, usize::MAX).await?;
            session.output.print(&found, |found| listing(found, &["accepted", "username", "eula", "version"]));
            Ok(())
        }
        other => session.apply(change(session, other)?).await,
    }
}

fn change(session: &Session, command: &EulaCommand) -> Result<Change> {
    Ok(match command {
        EulaCommand::Create { eula, file, fields } => {
            let new = api::NewEula { name: eula.name.clone(), change: fields.change(Some(file))? };
            let (path, body, what) = (all(&eula.at), Some(body(&new)), eula.what());
            Change { method: Method::POST, path, body, verb: "create", done: "created", what }
        }
        EulaCommand::Edit { eula, file, fields } => {
            let body = Some(body(&fields.change(file.as_ref())?));
            let (path, what) = (eula.path(), eula.what());
            Change { method: Method::PATCH, path, body, verb: "change", done: "changed", what }
        }
        EulaCommand::Delete(eula) => {
            session.confirm(&format!("delete {}", eula.what()))?;
            let (path, what) = (eula.path(), eula.what());
            Change { method: Method::DELETE, path, body: None, verb: "delete", done: "deleted", what }
        }
        EulaCommand::Accept { eula, version } => {
            let (path, body) = (format!("{}/accept", eula.path()), Some(json!({"version": version})));
            let what = format!("{} for {version}", eula.what());
            Change { method: Method::POST, path, body, verb: "accept", done: "accepted", what }
        }
        EulaCommand::Ls { .. } | EulaCommand::Show(_) | EulaCommand::Signed { .. } => {
            unreachable!("these change nothing")
        }
    })
}

fn all(at: &RepoAddress) -> String {
    format!("{}/eulas", product::path(at))
}

impl EulaName {
    fn path(&self) -> String {
        format!("{}/{}", all(&self.at), encode(&self.name))
    }

    fn what(&self) -> String {
        format!("the EULA {} of {}", self.name, self.at)
    }
}

impl EulaFields {
    /// The change of the text, if there is one, and of the other fields.
    fn change(&self, file: Option<&PathBuf>) -> Result<api::EulaChange> {
        let guessed = || file.map(|file| Syntax::of(file));
        Ok(api::EulaChange {
            syntax: self.syntax.or_else(guessed).map(|syntax| syntax.name().to_owned()),
            content: file.map(|file| read(file)).transpose()?,
            default: self.default,
            versions: self.versions.clone(),
        })
    }
}
