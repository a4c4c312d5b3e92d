//! An organization, for its members: who is in it, and for those who run it its teams and its name.

use askama::Template;
use axum::{
    extract::State,
    response::{IntoResponse, Redirect, Response},
};
use database::accounts::members::Membership;
use model::{names::SubjectName, role::Role};
use operations::{Error, accounts::orgs};

use crate::{
    App,
    error::{Failure, Result},
    pages::{
        account, address,
        forms::Form,
        layout::Layout,
        posted::Submitted,
        said::{Said, back, render_said},
        visitor::Visitor,
    },
    path_names::PathNames,
};

#[derive(Template)]
#[template(path = "org.html")]
struct Page {
    layout: Layout,
    said: Said,
    name: String,
    full_name: String,
    address: String,
    members: Vec<Membership>,
    roles: [Role; 3],
    /// Its teams with their addresses; `None` for those who do not run it.
    teams: Option<Vec<(String, String)>>,
}

pub(super) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    page(&app, &visitor, &path.subject("org")?, Said::on(&path)?).await
}

/// The page, with what there is to say. Those who are no members may not see who is.
pub(super) async fn page(app: &App, visitor: &Visitor, name: &SubjectName, said: Said) -> Result<Response> {
    let org = orgs::show(app.house(), &visitor.caller, name).await?;
    let members = org.members.ok_or_else(|| Error::Denied("You may not do this".into()))?;
    let team = |team: String| {
        let address = address::path(["-", "orgs", name.as_str(), "teams", &team]);
        (team, address)
    };
    let (layout, status) = (visitor.layout(app), said.status);
    let page = Page {
        name: name.to_string(),
        full_name: org.subject.full_name,
        address: home(name),
        teams: org.teams.map(|teams| teams.into_iter().map(team).collect()),
        roles: Role::ALL,
        layout: layout.clone(),
        members,
        said,
    };
    Ok(render_said(status, &layout, &page))
}

/// Where an organization is managed.
pub(super) fn home(org: &SubjectName) -> String {
    address::path(["-", "orgs", org.as_str()])
}

/// Makes an organization, which the visitor owns.
pub(super) async fn create(Submitted { app, visitor, form, .. }: Submitted<Form>) -> Result<Response> {
    match new(&app, &visitor, &form).await {
        Ok(name) => Ok(Redirect::to(&home(&name)).into_response()),
        Err(failure) => account::page(&app, &visitor, Said::refusal(failure)?, String::new()).await,
    }
}

async fn new(app: &App, visitor: &Visitor, form: &Form) -> Result<SubjectName> {
    let wrong = |error| Failure::bad_request(format!("name: {error}"));
    let name = SubjectName::parse(form.field("name")?.trim()).map_err(wrong)?;
    let full_name = form.field("full_name")?.to_owned();
    Ok(orgs::create(app.house(), &visitor.caller, name, full_name).await?.subject.name)
}

/// Changes the name for people.
pub(super) async fn edit(Submitted { app, visitor, path, form }: Submitted<Form>) -> Result<Response> {
    let (org, full_name) = (path.subject("org")?, form.field("full_name")?.to_owned());
    let done = orgs::edit(app.house(), &visitor.caller, &org, Some(full_name)).await;
    match Said::of(done.map_err(Failure::from))? {
        None => Ok(back(&home(&org))),
        Some(said) => page(&app, &visitor, &org, said).await,
    }
}

/// Deletes it, for whoever types its name.
pub(super) async fn delete(Submitted { app, visitor, path, form }: Submitted<Form>) -> Result<Response> {
    let org = path.subject("org")?;
    let done = match form.check_confirmed(org.as_str()) {
        Ok(()) => orgs::delete(app.house(), &visitor.caller, &org).await.map_err(Failure::from),
        Err(failure) => Err(failure),
    };
    match Said::of(done)? {
        None => Ok(back("/account")),
        Some(said) => page(&app, &visitor, &org, said).await,
    }
}
