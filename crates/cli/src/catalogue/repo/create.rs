//! `packhouse repo create`.

use clap::Args;
use reqwest::Method;

use super::RepoFields;
use crate::{
    address::RepoAddress,
    error::Result,
    session::{Change, Session, body},
};

/// Create a repository
#[derive(Debug, Args)]
pub struct CreateRepo {
    /// owner/repo
    #[arg(value_name = "ADDRESS")]
    at: RepoAddress,
    /// The type of the repository, such as generic or maven
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<String>,
    #[command(flatten)]
    fields: RepoFields,
}

pub(super) async fn run(session: &Session, command: &CreateRepo) -> Result<()> {
    let new = api::NewRepo { kind: command.kind.clone(), change: command.fields.change() };
    let (path, what) = (format!("/repos/{}", command.at.path()), format!("the repository {}", command.at));
    let body = Some(body(&new));
    session.apply(Change { method: Method::POST, path, body, verb: "create", done: "created", what }).await
}
