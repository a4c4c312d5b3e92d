//! `packhouse version create`.

use clap::Args;
use reqwest::Method;

use super::VersionFields;
use crate::{
    address::VersionAddress,
    error::Result,
    session::{Change, Session, body},
};

/// Create a version
#[derive(Debug, Args)]
pub struct CreateVersion {
    /// owner/repo/package/version
    #[arg(value_name = "ADDRESS")]
    at: VersionAddress,
    #[command(flatten)]
    fields: VersionFields,
}

pub(super) async fn run(session: &Session, command: &CreateVersion) -> Result<()> {
    let new = api::NewVersion { name: command.at.version.clone(), change: command.fields.change() };
    let (path, what) =
        (format!("/packages/{}/versions", command.at.package.path()), format!("the version {}", command.at));
    let body = Some(body(&new));
    session.apply(Change { method: Method::POST, path, body, verb: "create", done: "created", what }).await
}
