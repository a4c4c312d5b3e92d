//! `packhouse gpg`: the keys that the server signs with.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    ConnectionArgs,
    account::subject,
    error::{Error, ExitKind, Result},
    output::people,
    passphrase::Passphrase,
    session::{Change, Session},
    text_file,
};

/// The subcommands of `packhouse gpg`.
#[derive(Debug, Subcommand)]
pub enum GpgCommand {
    /// Show your key, or that of an organization
    Show {
        /// The user or the organization; you if absent
        #[arg(long, value_name = "ACCOUNT")]
        of: Option<String>,
    },
    /// Print the public key, for people who verify signatures
    PublicKey {
        /// The user or the organization; you if absent
        #[arg(long, value_name = "ACCOUNT")]
        of: Option<String>,
    },
    /// Have the server generate a key, which replaces the current one
    Generate {
        /// The user or the organization; you if absent
        #[arg(long, value_name = "ACCOUNT")]
        of: Option<String>,
    },
    /// Store a private key, which replaces the current one
    Import(ImportKey),
    /// Delete the key
    Delete {
        /// The user or the organization; you if absent
        #[arg(long, value_name = "ACCOUNT")]
        of: Option<String>,
    },
}

/// Store a private key, which replaces the current one
#[derive(Debug, Args)]
pub struct ImportKey {
    /// The armoured private key; - for standard input
    file: PathBuf,
    /// The user or the organization; you if absent
    #[arg(long, value_name = "ACCOUNT")]
    of: Option<String>,
    #[command(flatten)]
    passphrase: Passphrase,
}

pub(crate) async fn run(connection: &ConnectionArgs, command: &GpgCommand) -> Result<()> {
    let session = &connection.session()?;
    match command {
        GpgCommand::Show { of } => {
            let (owner, path) = key(session, of.as_deref()).await?;
            let found: Option<Value> = session.client.find(&path).await?;
            let found = found.ok_or_else(|| no_key(&owner))?;
            session.output.print(&found, |found| people(&format!("the key of {owner}"), found));
            Ok(())
        }
        GpgCommand::PublicKey { of } => {
            let (_, path) = key(session, of.as_deref()).await?;
            let text = session.client.text(&format!("{path}/public.key")).await?;
            session.output.print(&json!({"public_key": text}), |_| text.clone());
            Ok(())
        }
        GpgCommand::Generate { of } => {
            let (owner, path) = key(session, of.as_deref()).await?;
            let what = format!("a key for {owner}");
            check_replaced(session, &owner, &path).await?;
            let path = format!("{path}/generate");
            let (method, verb, done) = (Method::POST, "generate", "generated");
            session.apply(Change { method, path, body: None, verb, done, what }).await
        }
        GpgCommand::Import(ImportKey { file, of, passphrase }) => {
            let (owner, path) = key(session, of.as_deref()).await?;
            let text = text_file::read(file)?;
            let body = Some(json!({"private_key": text, "passphrase": passphrase.read()?}));
            check_replaced(session, &owner, &path).await?;
            let (verb, done, what) = ("store", "stored", format!("the key of {owner}"));
            session.apply(Change { method: Method::PUT, path, body, verb, done, what }).await
        }
        GpgCommand::Delete { of } => {
            let (owner, path) = key(session, of.as_deref()).await?;
            let what = format!("the key of {owner}");
            session.confirm(&format!("delete {what}"))?;
            let (verb, done) = ("delete", "deleted");
            session.apply(Change { method: Method::DELETE, path, body: None, verb, done, what }).await
        }
    }
}

fn no_key(owner: &str) -> Error {
    let error = Error::new(ExitKind::Missing, format!("{owner} has no signing key"));
    error.hint("`packhouse gpg generate` has the server generate one, and `packhouse gpg import` stores yours")
}

/// Asks for confirmation if there is a key to lose.
async fn check_replaced(session: &Session, owner: &str, path: &str) -> Result<()> {
    match session.client.find::<Value>(path).await? {
        Some(_) => session.confirm(&format!("replace the key of {owner}")),
        None => Ok(()),
    }
}

/// The owner of a key, and its path.
async fn key(session: &Session, of: Option<&str>) -> Result<(String, String)> {
    let owner = match of {
        Some(owner) => owner.to_owned(),
        None => session.client.user()?.to_owned(),
    };
    if owner.is_empty() {
        return Err(Error::usage("the account is empty"));
    }
    let path = format!("{}/keys/gpg", subject::path(&session.client, &owner).await?);
    Ok((owner, path))
}
