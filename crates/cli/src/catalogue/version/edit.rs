//! `packhouse version edit`.

use clap::Args;
use reqwest::Method;

use super::VersionFields;
use crate::{
    address::VersionAddress,
    error::Result,
    session::{Change, Session, body},
};

/// Change a version
#[derive(Debug, Args)]
pub struct EditVersion {
    /// owner/repo/package/version
    #[arg(value_name = "ADDRESS")]
    at: VersionAddress,
    #[command(flatten)]
    fields: VersionFields,
}

pub(super) async fn run(session: &Session, command: &EditVersion) -> Result<()> {
    let (path, what) = (format!("/packages/{}", command.at.path()), format!("the version {}", command.at));
    let body = Some(body(&command.fields.change()));
    session.apply(Change { method: Method::PATCH, path, body, verb: "change", done: "changed", what }).await
}
