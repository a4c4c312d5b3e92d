//! The form that creates a team.

use axum::response::Response;
use model::names::{SubjectName, TeamName};
use operations::access::teams::{self, TeamAddress, TeamChange};
use web::{
    App,
    error::{Failure, Result},
};

use super::{org, team};
use crate::{
    form::{Form, Submitted},
    notice::{self, Notice},
    visitor::Visitor,
};

/// Creates a team.
pub(super) async fn create(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let org = path.subject("org")?;
    match new(&app, &visitor, &org, &form).await {
        Ok(at) => Ok(notice::redirect(&app, &visitor, &team::home(&at), Notice::success("The team has been created."))),
        Err(failure) => org::page(&app, &visitor, &org, Some(form.refusal(failure)?)).await,
    }
}

async fn new(app: &App, visitor: &Visitor, org: &SubjectName, form: &Form) -> Result<TeamAddress> {
    let wrong = |error| Failure::bad_request(format!("name: {error}"));
    let team = TeamName::parse(form.trimmed("name")?).map_err(wrong)?;
    let at = TeamAddress { org: org.clone(), team };
    teams::create(app.house(), &visitor.caller, &at, change(form)?).await?;
    Ok(at)
}

/// The change to a team that a form asks for.
pub(super) fn change(form: &Form) -> Result<TeamChange> {
    let (members, may_create_repos) = (form.lines("members"), form.is_checked("may_create_repos"));
    Ok(TeamChange { members: Some(members), may_create_repos: Some(may_create_repos) })
}
