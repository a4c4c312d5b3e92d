//! A user or an organization, for site administrators: the plan, a new API key, the deletion.

use askama::Template;
use axum::{extract::State, response::Response};
use model::{
    names::SubjectName,
    plan::Plan,
    subject::{Subject, SubjectKind},
};
use operations::accounts::{orgs, plans, subjects, users};
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use super::new_user::plan;
use crate::{
    address,
    band::Band,
    form::{Form, Submitted},
    layout::{Layout, render},
    notice::{self, Notice},
    parts,
    visitor::Visitor,
};

#[derive(Template)]
#[template(path = "admin/subject.html")]
struct Page {
    layout: Layout,
    band: Band,
    name: String,
    address: String,
    is_user: bool,
    subject: Subject,
    plans: [Plan; 3],
    /// A new API key, shown only this once.
    api_key: String,
}

pub(super) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    page(&app, &visitor, &path.subject("subject")?, None, String::new()).await
}

async fn page(
    app: &App,
    visitor: &Visitor,
    name: &SubjectName,
    notice: Option<Notice>,
    api_key: String,
) -> Result<Response> {
    let subject = subjects::show(app.house(), &visitor.caller, name).await?;
    let layout = visitor.layout(app).with_notice(notice);
    let page = Page {
        name: name.to_string(),
        address: home(name),
        is_user: subject.kind == SubjectKind::User,
        plans: Plan::ALL,
        band: band(name, &subject),
        layout: layout.clone(),
        subject,
        api_key,
    };
    Ok(render(&layout, &page))
}

fn band(name: &SubjectName, subject: &Subject) -> Band {
    let class = if subject.kind == SubjectKind::User { "large person" } else { "large" };
    Band {
        breadcrumbs: vec![("Administration".to_owned(), "/-/admin".to_owned())],
        picture: Some(parts::avatar(name.as_str(), class)),
        title: name.to_string(),
        lead: subject.full_name.clone(),
        ..Band::of_site().at("Users and organizations")
    }
}

fn home(name: &SubjectName) -> String {
    address::path(["-", "admin", "users", name.as_str()])
}

pub(super) async fn set_plan(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let name = path.subject("subject")?;
    let done = match plan(&form) {
        Ok(plan) => plans::set(app.house(), &visitor.caller, &name, plan).await.map_err(Failure::from),
        Err(failure) => Err(failure),
    };
    match done {
        Ok(()) => Ok(notice::redirect(&app, &visitor, &home(&name), Notice::success("The plan has been changed."))),
        Err(failure) => page(&app, &visitor, &name, Some(Notice::from_failure(failure)?), String::new()).await,
    }
}

/// Gives a user a new API key: the old one and all sessions end. This locks out anyone who uses them.
pub(super) async fn rotate_key(Submitted { app, visitor, path, .. }: Submitted) -> Result<Response> {
    let name = path.subject("subject")?;
    // Loaded first: only site administrators see the page, and their own key has another page.
    subjects::show(app.house(), &visitor.caller, &name).await?;
    match users::rotate_key(app.house(), &visitor.caller, &name).await {
        Ok(key) => {
            let notice = Notice::success("The API key has been replaced. The old key and all sessions have ended.");
            page(&app, &visitor, &name, Some(notice), key.expose().to_owned()).await
        }
        Err(error) => page(&app, &visitor, &name, Some(Notice::from_failure(error.into())?), String::new()).await,
    }
}

/// Deletes the subject after its name was typed.
pub(super) async fn delete(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let name = path.subject("subject")?;
    match remove(&app, &visitor, &name, &form).await {
        Ok(()) => {
            Ok(notice::redirect(&app, &visitor, "/-/admin/users", Notice::success(format!("{name} has been deleted."))))
        }
        Err(failure) => page(&app, &visitor, &name, Some(Notice::from_failure(failure)?), String::new()).await,
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
