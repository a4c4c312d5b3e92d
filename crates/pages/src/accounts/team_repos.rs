//! The permissions of a team in repositories.

use axum::response::Response;
use model::{address::RepoAddress, names::RepoName};
use operations::access::{permissions, teams::TeamAddress};
use web::{
    App,
    error::{Failure, Result},
};

use super::team::{at, finish};
use crate::{
    form::{Form, Submitted},
    visitor::Visitor,
};

/// Sets the permission of the team in a repository.
pub(super) async fn permit(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let at = at(&path)?;
    finish(&app, &visitor, &at, &form, set(&app, &visitor, &at, &form).await).await
}

async fn set(app: &App, visitor: &Visitor, at: &TeamAddress, form: &Form) -> Result<()> {
    let permission = form.line("permission")?;
    let unknown = || Failure::bad_request(format!("permission: '{permission}' is not one of read, publish, admin"));
    let right = permissions::parse(permission).ok_or_else(unknown)?;
    Ok(permissions::set(app.house(), &visitor.caller, &repo(at, form)?, &at.team, right).await?)
}

/// Removes the permission of the team in a repository.
pub(super) async fn forbid(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let at = at(&path)?;
    let done = permissions::delete(app.house(), &visitor.caller, &repo(&at, &form)?, &at.team).await;
    finish(&app, &visitor, &at, &form, done.map_err(Failure::from)).await
}

fn repo(at: &TeamAddress, form: &Form) -> Result<RepoAddress> {
    let wrong = |error| Failure::bad_request(format!("repo: {error}"));
    Ok(RepoAddress { owner: at.org.clone(), repo: RepoName::parse(form.trimmed("repo")?).map_err(wrong)? })
}
