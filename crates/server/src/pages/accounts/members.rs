//! Who is in an organization, and as what.

use axum::response::Response;
use model::{names::SubjectName, role::Role};
use operations::accounts::members;

use super::org;
use crate::{
    App,
    error::{Failure, Result},
    pages::{
        forms::Form,
        posted::Submitted,
        said::{Said, back},
        visitor::Visitor,
    },
};

/// Adds a member, or changes the role of one.
pub(super) async fn set(Submitted { app, visitor, path, form }: Submitted<Form>) -> Result<Response> {
    let org = path.subject("org")?;
    finish(&app, &visitor, &org, add(&app, &visitor, &org, &form).await).await
}

async fn add(app: &App, visitor: &Visitor, org: &SubjectName, form: &Form) -> Result<()> {
    let role = form.field("role")?;
    let unknown = || Failure::bad_request(format!("role: '{role}' is not one of owner, admin, member"));
    let role = Role::parse(role).ok_or_else(unknown)?;
    Ok(members::set(app.house(), &visitor.caller, org, &user(form)?, role).await?)
}

/// Takes a member out.
pub(super) async fn remove(Submitted { app, visitor, path, form }: Submitted<Form>) -> Result<Response> {
    let (org, user) = (path.subject("org")?, user(&form)?);
    let is_oneself = visitor.caller.user().is_some_and(|identity| identity.name == user);
    let done = members::remove(app.house(), &visitor.caller, &org, &user).await;
    // Whoever has left sees no members any more.
    if done.is_ok() && is_oneself {
        return Ok(back("/account"));
    }
    finish(&app, &visitor, &org, done.map_err(Failure::from)).await
}

async fn finish(app: &App, visitor: &Visitor, org: &SubjectName, done: Result<()>) -> Result<Response> {
    match Said::of(done)? {
        None => Ok(back(&org::home(org))),
        Some(said) => org::page(app, visitor, org, said).await,
    }
}

fn user(form: &Form) -> Result<SubjectName> {
    SubjectName::parse(form.field("user")?.trim()).map_err(|error| Failure::bad_request(format!("user: {error}")))
}
