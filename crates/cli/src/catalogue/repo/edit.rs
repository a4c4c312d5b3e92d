//! `packhouse repo edit`.

use clap::Args;
use reqwest::Method;
use serde_json::Value;

use super::RepoFields;
use crate::{
    address::RepoAddress,
    error::Result,
    session::{Change, Session, body},
};

/// Change a repository
#[derive(Debug, Args)]
pub struct EditRepo {
    /// owner/repo
    #[arg(value_name = "ADDRESS")]
    at: RepoAddress,
    #[command(flatten)]
    fields: RepoFields,
}

pub(super) async fn run(session: &Session, command: &EditRepo) -> Result<()> {
    let (path, what) = (format!("/repos/{}", command.at.path()), format!("the repository {}", command.at));
    let mut body = body(&command.fields.change());
    if command.fields.untagged_days == Some(0) {
        body["untagged_days"] = Value::Null;
    }
    session.apply(Change { method: Method::PATCH, path, body: Some(body), verb: "change", done: "changed", what }).await
}
