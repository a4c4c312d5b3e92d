//! `packhouse keys`: access keys.

mod fields;

use clap::Subcommand;
use reqwest::Method;
use serde_json::Value;

use crate::{
    ConnectionArgs,
    account::subject,
    address::encode,
    error::Result,
    output::object,
    session::{Change, Session, body},
};
use fields::KeyFields;

/// The subcommands of `packhouse keys`.
#[derive(Debug, Subcommand)]
pub enum KeysCommand {
    /// List the access keys of an account
    Ls {
        /// The user or the organization
        owner: String,
        /// More about each key, in a table with a head
        #[arg(long, short)]
        long: bool,
    },
    /// Show an access key
    Show {
        /// The user or the organization
        owner: String,
        /// The name of the key
        id: String,
    },
    /// Create an access key and print its credentials, which are shown only once
    Create {
        /// The user or the organization
        owner: String,
        /// The name of the key
        id: String,
        #[command(flatten)]
        fields: KeyFields,
    },
    /// Change an access key
    Edit {
        /// The user or the organization
        owner: String,
        /// The name of the key
        id: String,
        #[command(flatten)]
        fields: KeyFields,
    },
    /// Replace the password of an access key and print the new one
    Rotate {
        /// The user or the organization
        owner: String,
        /// The name of the key
        id: String,
    },
    /// Show the usage of an access key
    Usage {
        /// The user or the organization
        owner: String,
        /// The name of the key
        id: String,
    },
    /// Delete an access key
    Delete {
        /// The user or the organization
        owner: String,
        /// The name of the key
        id: String,
    },
}

pub(crate) async fn run(connection: &ConnectionArgs, command: &KeysCommand) -> Result<()> {
    let session = &connection.session()?;
    match command {
        KeysCommand::Ls { owner, long } => {
            let path = all(session, owner).await?;
            let keys: api::AccessKeyList = session.client.get(&path).await?;
            if *long {
                let paths = keys.access_keys.iter().map(|id| format!("{path}/{}", encode(id))).collect();
                return session.print_each(paths, &["id", "username", "expiry", "created"]).await;
            }
            session.output.print(&keys, |keys| keys.access_keys.join("\n"));
            Ok(())
        }
        KeysCommand::Show { owner, id } => show(session, &one(session, owner, id).await?).await,
        KeysCommand::Usage { owner, id } => show(session, &format!("{}/usage", one(session, owner, id).await?)).await,
        KeysCommand::Create { owner, id, fields } => {
            let new = api::NewAccessKey { id: id.clone(), change: fields.change()? };
            let path = all(session, owner).await?;
            credentials(session, &path, Some(body(&new)), &format!("create the access key {id}@{owner}")).await
        }
        KeysCommand::Rotate { owner, id } => {
            let path = format!("{}/password", one(session, owner, id).await?);
            session.confirm(&format!("replace the password of the access key {id}@{owner}"))?;
            credentials(session, &path, None, &format!("replace the password of the access key {id}@{owner}")).await
        }
        KeysCommand::Edit { owner, id, fields } => {
            let (path, what) = (one(session, owner, id).await?, format!("the access key {id}@{owner}"));
            let body = Some(body(&fields.change()?));
            session.apply(Change { method: Method::PATCH, path, body, verb: "change", done: "changed", what }).await
        }
        KeysCommand::Delete { owner, id } => {
            let (path, what) = (one(session, owner, id).await?, format!("the access key {id}@{owner}"));
            session.confirm(&format!("delete {what}"))?;
            let (method, verb, done) = (Method::DELETE, "delete", "deleted");
            session.apply(Change { method, path, body: None, verb, done, what }).await
        }
    }
}

async fn all(session: &Session, owner: &str) -> Result<String> {
    Ok(format!("{}/access_keys", subject::path(&session.client, owner).await?))
}

async fn one(session: &Session, owner: &str, id: &str) -> Result<String> {
    Ok(format!("{}/{}", all(session, owner).await?, encode(id)))
}

async fn show(session: &Session, path: &str) -> Result<()> {
    let found: Value = session.client.get(path).await?;
    session.output.print(&found, object);
    Ok(())
}

async fn credentials(session: &Session, path: &str, body: Option<Value>, what: &str) -> Result<()> {
    if session.is_dry_run {
        session.would(what);
        return Ok(());
    }
    let made: api::AccessKeyCredentials = session.client.send(Method::POST, path, body.as_ref()).await?;
    session.output.print(&made, |made| format!("username  {}\npassword  {}", made.username, made.password));
    Ok(())
}
