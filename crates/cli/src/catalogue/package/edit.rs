//! `packhouse package edit`.

use clap::Args;
use reqwest::Method;

use super::PackageFields;
use crate::{
    address::PackageAddress,
    error::Result,
    session::{Change, Session, body},
};

/// Change a package
#[derive(Debug, Args)]
pub struct EditPackage {
    /// owner/repo/package
    #[arg(value_name = "ADDRESS")]
    at: PackageAddress,
    #[command(flatten)]
    fields: PackageFields,
}

pub(super) async fn run(session: &Session, command: &EditPackage) -> Result<()> {
    let (path, what) = (format!("/packages/{}", command.at.path()), format!("the package {}", command.at));
    let body = Some(body(&command.fields.change()));
    session.apply(Change { method: Method::PATCH, path, body, verb: "change", done: "changed", what }).await
}
