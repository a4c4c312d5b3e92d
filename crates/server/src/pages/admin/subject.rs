//! A user or an organization, for those who run the server: the plan, a new key, the end.

use askama::Template;
use axum::{extract::State, response::Response};
use database::accounts::subjects::{Subject, SubjectKind};
use model::{names::SubjectName, plan::Plan};
use operations::accounts::{orgs, plans, subjects, users};

use super::new_user::plan;
use crate::{
    App,
    error::{Failure, Result},
    pages::{
        address,
        forms::Form,
        layout::Layout,
        posted::Submitted,
        said::{Said, back, render_said},
        sizes,
        visitor::Visitor,
    },
    path_names::PathNames,
};

#[derive(Template)]
#[template(path = "admin_subject.html")]
struct Page {
    layout: Layout,
    said: Said,
    name: String,
    address: String,
    is_user: bool,
    subject: Subject,
    since: String,
    plans: [Plan; 3],
    /// A new API key, shown this once.
    api_key: String,
}

pub(super) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    page(&app, &visitor, &path.subject("subject")?, Said::on(&path)?, String::new()).await
}

async fn page(app: &App, visitor: &Visitor, name: &SubjectName, said: Said, api_key: String) -> Result<Response> {
    let subject = subjects::show(app.house(), &visitor.caller, name).await?;
    let (layout, status) = (visitor.layout(app), said.status);
    let page = Page {
        name: name.to_string(),
        address: home(name),
        is_user: subject.kind == SubjectKind::User,
        since: sizes::day(subject.registered),
        plans: Plan::ALL,
        layout: layout.clone(),
        subject,
        said,
        api_key,
    };
    Ok(render_said(status, &layout, &page))
}

fn home(name: &SubjectName) -> String {
    address::path(["-", "admin", "users", name.as_str()])
}

pub(super) async fn set_plan(Submitted { app, visitor, path, form }: Submitted<Form>) -> Result<Response> {
    let name = path.subject("subject")?;
    let done = match plan(&form) {
        Ok(plan) => plans::set(app.house(), &visitor.caller, &name, plan).await.map_err(Failure::from),
        Err(failure) => Err(failure),
    };
    match Said::of(done)? {
        None => Ok(back(&home(&name))),
        Some(said) => page(&app, &visitor, &name, said, String::new()).await,
    }
}

/// Gives a user a new API key: the old one, and all sessions, end. So somebody is locked out who should be.
pub(super) async fn rotate_key(Submitted { app, visitor, path, .. }: Submitted<Form>) -> Result<Response> {
    let name = path.subject("subject")?;
    // The page is asked for first: only those who run the server see it, and one's own key has a page of its own.
    subjects::show(app.house(), &visitor.caller, &name).await?;
    match users::rotate_key(app.house(), &visitor.caller, &name).await {
        Ok(key) => {
            let said = Said::done("There is a new API key; the old one and all sessions have ended.");
            page(&app, &visitor, &name, said, key.expose().to_owned()).await
        }
        Err(error) => page(&app, &visitor, &name, Said::refusal(error.into())?, String::new()).await,
    }
}

/// Deletes it, for whoever types its name.
pub(super) async fn delete(Submitted { app, visitor, path, form }: Submitted<Form>) -> Result<Response> {
    let name = path.subject("subject")?;
    match Said::of(remove(&app, &visitor, &name, &form).await)? {
        None => Ok(back("/-/admin/users")),
        Some(said) => page(&app, &visitor, &name, said, String::new()).await,
    }
}

async fn remove(app: &App, visitor: &Visitor, name: &SubjectName, form: &Form) -> Result<()> {
    let subject = subjects::show(app.house(), &visitor.caller, name).await?;
    form.check_confirmed(name.as_str())?;
    match subject.kind {
        SubjectKind::User => Ok(users::delete(app.house(), &visitor.caller, name).await?),
        SubjectKind::Org => Ok(orgs::delete(app.house(), &visitor.caller, name).await?),
    }
}
