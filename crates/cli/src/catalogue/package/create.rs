//! `packhouse package create`.

use clap::Args;
use reqwest::Method;

use super::PackageFields;
use crate::{
    address::PackageAddress,
    error::Result,
    session::{Change, Session, body},
};

/// Create a package
#[derive(Debug, Args)]
pub struct CreatePackage {
    /// owner/repo/package
    #[arg(value_name = "ADDRESS")]
    at: PackageAddress,
    #[command(flatten)]
    fields: PackageFields,
}

pub(super) async fn run(session: &Session, command: &CreatePackage) -> Result<()> {
    let new = api::NewPackage { name: command.at.package.clone(), change: command.fields.change() };
    let (path, what) = (format!("/packages/{}", command.at.repo.path()), format!("the package {}", command.at));
    let body = Some(body(&new));
    session.apply(Change { method: Method::POST, path, body, verb: "create", done: "created", what }).await
}
