//! Making teams.

use axum::response::{IntoResponse, Redirect, Response};
use model::names::{SubjectName, TeamName};
use operations::access::teams::{self, TeamAddress, TeamChange};

use super::{org, team};
use crate::{
    App,
    error::{Failure, Result},
    pages::{forms::Form, posted::Submitted, said::Said, visitor::Visitor},
};

/// Makes a team.
pub(super) async fn create(Submitted { app, visitor, path, form }: Submitted<Form>) -> Result<Response> {
    let org = path.subject("org")?;
    match new(&app, &visitor, &org, &form).await {
        Ok(at) => Ok(Redirect::to(&team::home(&at)).into_response()),
        Err(failure) => org::page(&app, &visitor, &org, Said::refusal(failure)?).await,
    }
}

async fn new(app: &App, visitor: &Visitor, org: &SubjectName, form: &Form) -> Result<TeamAddress> {
    let wrong = |error| Failure::bad_request(format!("name: {error}"));
    let team = TeamName::parse(form.field("name")?.trim()).map_err(wrong)?;
    let at = TeamAddress { org: org.clone(), team };
    teams::create(app.house(), &visitor.caller, &at, change(form)?).await?;
    Ok(at)
}

/// What a form says of a team.
pub(super) fn change(form: &Form) -> Result<TeamChange> {
    let (members, may_create_repos) = (form.lines("members")?, form.is_ticked("may_create_repos")?);
    Ok(TeamChange { members: Some(members), may_create_repos: Some(may_create_repos) })
}
