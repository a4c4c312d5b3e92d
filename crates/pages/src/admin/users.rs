//! All users and organizations.

use askama::Template;
use axum::{extract::State, response::Response};
use model::{
    plan::Plan,
    subject::{Subject, SubjectKind},
    timestamp::Timestamp,
};
use operations::accounts::subjects;
use web::{App, error::Result, path_names::PathNames};

use super::new_user::NewFields;
use crate::{
    address,
    band::Band,
    layout::{Layout, render},
    notice::Notice,
    pager::Pager,
    visitor::Visitor,
};

#[derive(Template)]
#[template(path = "admin/users.html")]
struct Page {
    layout: Layout,
    band: Band,
    filter: String,
    subjects: Vec<Line>,
    pager: Pager,
    plans: [Plan; 3],
    default_plan: Plan,
    fields: NewFields,
    made: Option<(String, String)>,
}

struct Line {
    name: String,
    address: String,
    kind: &'static str,
    full_name: String,
    plan: &'static str,
    since: Timestamp,
    is_site_admin: bool,
    is_suspended: bool,
}

/// Parts of the page that depend on a submitted form.
#[derive(Default)]
pub(super) struct Outcome {
    pub(super) notice: Option<Notice>,
    /// The submitted fields of a rejected form.
    pub(super) fields: NewFields,
    /// A new user, with the API key, which is shown only this once.
    pub(super) made: Option<(String, String)>,
}

pub(super) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    page(&app, &visitor, &path, Outcome::default()).await
}

pub(super) async fn page(app: &App, visitor: &Visitor, path: &PathNames, outcome: Outcome) -> Result<Response> {
    let (filter, start) = (path.query("start_name")?.unwrap_or_default().trim().to_owned(), path.start_position()?);
    let list = subjects::list(app.house(), &visitor.caller, &filter, start).await?;
    let parameters = [("start_name", filter.as_str())];
    let pager = Pager::new("/-/admin/users", &parameters, start, list.items.len(), list.total);
    let Outcome { notice, fields, made } = outcome;
    let layout = visitor.layout(app).with_notice(notice);
    let page = Page {
        subjects: list.items.into_iter().map(line).collect(),
        plans: Plan::ALL,
        default_plan: app.house().policy.default_plan,
        band: Band::of_site().at("Users and organizations"),
        layout: layout.clone(),
        filter,
        pager,
        fields,
        made,
    };
    Ok(render(&layout, &page))
}

fn line(subject: Subject) -> Line {
    Line {
        address: address::path(["-", "admin", "users", subject.name.as_str()]),
        name: subject.name.to_string(),
        kind: if subject.kind == SubjectKind::User { "user" } else { "organization" },
        full_name: subject.full_name,
        plan: subject.plan.as_str(),
        since: subject.registered,
        is_site_admin: subject.is_site_admin,
        is_suspended: subject.is_suspended,
    }
}
