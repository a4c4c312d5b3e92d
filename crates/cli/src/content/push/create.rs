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
    let (package, repo) = (&at.package, &at.package.repo);
    let has_package = client.find::<api::Package>(&format!("/packages/{}", package.path())).await?.is_some();
    if !has_package && matches!(client.find::<Value>(&format!("/repos/{}", repo.path())).await, Ok(None)) {
        let error = Error::new(ExitKind::Missing, format!("repository {repo} does not exist, or you may not see it"));
        return Err(error.hint(format!("`packhouse repo create {repo}` creates it")));
    }
    if !command.create {
        return Err(missing(at));
    }
    if !has_package {
        let body = json!({"name": package.package, "licenses": command.license});
        create(session, &format!("/packages/{}", repo.path()), &body).await?;
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
