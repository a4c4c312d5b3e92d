//! A user or an organization, for site administrators: the plan, a new API key, the state, the deletion.

use askama::Template;
use axum::{extract::State, response::Response};
use model::{
    names::SubjectName,
    plan::Plan,
    subject::{Subject, SubjectKind},
};
use operations::accounts::{
    orgs, plans,
    second_factors::{self, Status},
    sessions::{self, SessionDetail},
    subjects, users,
};
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
    /// Whether the user has a second factor; `None` for organizations.
    second_factor: Option<Status>,
    sessions: Vec<SessionDetail>,
    shown: Shown,
}

/// Secrets that are shown only once.
#[derive(Default)]
pub(super) struct Shown {
    /// A new API key.
    pub(super) api_key: String,
    /// A new password.
    pub(super) password: String,
}

pub(super) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    page(&app, &visitor, &path.subject("subject")?, None, Shown::default()).await
}

pub(super) async fn page(
    app: &App,
    visitor: &Visitor,
    name: &SubjectName,
    notice: Option<Notice>,
    shown: Shown,
) -> Result<Response> {
    let subject = subjects::show(app.house(), &visitor.caller, name).await?;
    let is_user = subject.kind == SubjectKind::User;
    let (second_factor, sessions) = if is_user {
        let status = second_factors::show_of(app.house(), &visitor.caller, name).await?;
        (Some(status), sessions::list(app.house(), &visitor.caller, name, None).await?)
    } else {
        (None, Vec::new())
    };
    let layout = visitor.layout(app).with_notice(notice);
    let page = Page {
        name: name.to_string(),
        address: home(name),
        is_user,
        plans: Plan::ALL,
        band: band(name, &subject),
        layout: layout.clone(),
        subject,
        second_factor,
        sessions,
        shown,
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
        states: if subject.is_suspended { vec![parts::state("bad", "ban", "Suspended")] } else { Vec::new() },
        ..Band::of_site().at("Users and organizations")
    }
}

pub(super) fn home(name: &SubjectName) -> String {
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
        Err(failure) => page(&app, &visitor, &name, Some(Notice::from_failure(failure)?), Shown::default()).await,
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
            let shown = Shown { api_key: key.expose().to_owned(), ..Shown::default() };
            page(&app, &visitor, &name, Some(notice), shown).await
        }
        Err(error) => page(&app, &visitor, &name, Some(Notice::from_failure(error.into())?), Shown::default()).await,
    }
}

/// Deletes the subject after its name was typed.
pub(super) async fn delete(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let name = path.subject("subject")?;
    match remove(&app, &visitor, &name, &form).await {
        Ok(()) => {
            Ok(notice::redirect(&app, &visitor, "/-/admin/users", Notice::success(format!("{name} has been deleted."))))
        }
        Err(failure) => page(&app, &visitor, &name, Some(Notice::from_failure(failure)?), Shown::default()).await,
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
