//! The package and the version to upload to.

use reqwest::Method;
use serde_json::{Value, json};

use super::PushCommand;
use crate::{
    address::VersionAddress,
    error::{Error, ExitKind, Result},
    session::Session,
};

/// Finds the version. Creates it and its package if the user asked for that.
pub(super) async fn ensure(session: &Session, command: &PushCommand) -> Result<()> {
    let (client, at) = (&session.client, &command.at);
    if client.find::<api::Version>(&format!("/packages/{}", at.path())).await?.is_some() {
        return Ok(());
    }
    if !command.create {
        return Err(missing(at));
    }
    if client.find::<api::Package>(&format!("/packages/{}", at.package.path())).await?.is_none() {
        let body = json!({"name": at.package.package, "licenses": command.license});
        create(session, &format!("/packages/{}", at.package.repo.path()), &body).await?;
    }
    create(session, &format!("/packages/{}/versions", at.package.path()), &json!({"name": at.version})).await
}

/// Creates a resource. It is not an error if someone else has just created it.
async fn create(session: &Session, path: &str, body: &Value) -> Result<()> {
    match session.client.send::<Value>(Method::POST, path, Some(body)).await {
        Ok(_) => Ok(()),
        Err(error) if error.kind == ExitKind::Conflict => Ok(()),
        Err(error) => Err(error),
    }
}

pub(super) fn missing(at: &VersionAddress) -> Error {
    let error = Error::new(ExitKind::Missing, format!("version {at} does not exist"));
    error.hint("add --create to create the package and the version")
}
