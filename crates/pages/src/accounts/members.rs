//! Members of an organization and their roles.

use axum::response::Response;
use model::{names::SubjectName, role::Role};
use operations::accounts::members;
use web::{
    App,
    error::{Failure, Result},
};

use super::org;
use crate::{
    form::{Form, Submitted},
    notice::{self, Notice},
    visitor::Visitor,
};

/// Adds a member, or changes the role of one.
pub(super) async fn set(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let org = path.subject("org")?;
    finish(&app, &visitor, &org, &form, add(&app, &visitor, &org, &form).await.map(|()| "The member has been saved."))
        .await
}

async fn add(app: &App, visitor: &Visitor, org: &SubjectName, form: &Form) -> Result<()> {
    let role = form.line("role")?;
    let unknown = || Failure::bad_request(format!("role: '{role}' is not one of owner, admin, member"));
    let role = Role::parse(role).ok_or_else(unknown)?;
    Ok(members::set(app.house(), &visitor.caller, org, &user(form)?, role).await?)
}

/// Removes a member.
pub(super) async fn remove(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let (org, user) = (path.subject("org")?, user(&form)?);
    let is_oneself = visitor.caller.user().is_some_and(|identity| identity.name == user);
    let done = members::remove(app.house(), &visitor.caller, &org, &user).await;
    // Only members see the page of the organization.
    if done.is_ok() && is_oneself {
        return Ok(notice::redirect(&app, &visitor, "/account", Notice::success(format!("You have left {org}."))));
    }
    finish(&app, &visitor, &org, &form, done.map(|()| "The member has been removed.").map_err(Failure::from)).await
}

async fn finish(
    app: &App,
    visitor: &Visitor,
    org: &SubjectName,
    form: &Form,
    done: Result<&'static str>,
) -> Result<Response> {
    match done {
        Ok(text) => Ok(notice::redirect(app, visitor, &org::home(org), Notice::success(text))),
        Err(failure) => org::page(app, visitor, org, Some(form.refusal(failure)?)).await,
    }
}

fn user(form: &Form) -> Result<SubjectName> {
    SubjectName::parse(form.trimmed("user")?).map_err(|error| Failure::bad_request(format!("user: {error}")))
}
