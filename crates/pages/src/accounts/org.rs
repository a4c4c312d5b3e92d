//! An organization, for its members: the members and, for those who manage it, the teams and the name.

use askama::Template;
use axum::{
    extract::State,
    response::{IntoResponse, Redirect, Response},
};
use model::{member::Membership, names::SubjectName, role::Role, timestamp::Timestamp};
use operations::{
    Error,
    accounts::{
        invitations::{self, Invitation},
        mails, orgs,
        requirements::{self, Requirement, UnmetRequirement},
        sso,
    },
};
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use crate::{
    accounts::{own_account, security},
    address,
    band::{Band, SubjectPages},
    form::{Form, Submitted},
    layout::{Layout, render},
    notice::{self, Notice},
    visitor::Visitor,
};

#[derive(Template)]
#[template(path = "accounts/org.html")]
struct Page {
    layout: Layout,
    band: Band,
    name: String,
    full_name: String,
    address: String,
    members: Vec<Membership>,
    roles: [Role; 3],
    /// Whether the visitor is an owner, who manages its tokens.
    is_owner: bool,
    /// Its teams with their URLs; `None` for visitors who do not manage it.
    teams: Option<Vec<(String, String)>>,
    requires_second_factor: bool,
    requires_single_sign_on: bool,
    /// Whether the server has single sign-on.
    has_provider: bool,
    /// Members who lack something that is required.
    waiting: Vec<UnmetRequirement>,
    /// Open invitations, for visitors who manage it.
    invitations: Vec<OpenInvitation>,
    /// The link of a new invitation, shown only this once.
    link: String,
    sends_mail: bool,
}

/// An invitation in the list.
struct OpenInvitation {
    id: String,
    email: String,
    role: String,
    expiry: Timestamp,
}

impl From<Invitation> for OpenInvitation {
    fn from(one: Invitation) -> Self {
        Self { id: one.id.name(), email: one.email, role: one.role, expiry: Timestamp::from_millis(one.expiry) }
    }
}

pub(super) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    page(&app, &visitor, &path.subject("org")?, None).await
}

/// The page, with a notice about a submitted form. Only members see it.
pub(super) async fn page(app: &App, visitor: &Visitor, name: &SubjectName, notice: Option<Notice>) -> Result<Response> {
    page_with_link(app, visitor, name, notice, String::new()).await
}

/// The page, with the link of a new invitation, which is shown only this once.
pub(super) async fn page_with_link(
    app: &App,
    visitor: &Visitor,
    name: &SubjectName,
    notice: Option<Notice>,
    link: String,
) -> Result<Response> {
    let org = orgs::show(app.house(), &visitor.caller, name).await?;
    if org.members.is_none() && requirements::is_waiting(app.house(), &visitor.caller, name).await? {
        return Ok(Redirect::to(security::ADDRESS).into_response());
    }
    let members = org.members.ok_or_else(|| Error::Denied("You may not do this".into()))?;
    let team = |team: String| {
        let address = address::path(["-", "orgs", name.as_str(), "teams", &team]);
        (team, address)
    };
    let layout = visitor.layout(app).with_notice(notice);
    let is_manager = org.teams.is_some();
    let is_owner = members.iter().any(|member| member.name == layout.user && member.role == Role::Owner);
    let pages = SubjectPages {
        full_name: org.subject.full_name.clone(),
        is_org: true,
        is_member: true,
        is_manager,
        is_owner: is_owner || layout.is_site_admin,
        is_own: false,
    };
    let invitations =
        if is_manager { invitations::list(app.house(), &visitor.caller, name).await? } else { Vec::new() };
    let page = Page {
        band: Band::of_subject(name, pages).at("Members"),
        name: name.to_string(),
        full_name: org.subject.full_name.clone(),
        address: home(name),
        teams: org.teams.map(|teams| teams.into_iter().map(team).collect()),
        is_owner,
        roles: Role::ALL,
        requires_second_factor: org.subject.requires_second_factor,
        requires_single_sign_on: org.subject.requires_single_sign_on,
        has_provider: sso::config(app.house()).is_some(),
        waiting: org.waiting,
        sends_mail: mails::is_on(app.house()),
        invitations: invitations.into_iter().map(OpenInvitation::from).collect(),
        link,
        layout: layout.clone(),
        members,
    };
    Ok(render(&layout, &page))
}

/// The URL of the page that manages an organization.
pub(super) fn home(org: &SubjectName) -> String {
    address::path(["-", "orgs", org.as_str()])
}

/// Creates an organization, which the visitor owns.
pub(super) async fn create(Submitted { app, visitor, form, .. }: Submitted) -> Result<Response> {
    match new(&app, &visitor, &form).await {
        Ok(name) => {
            Ok(notice::redirect(&app, &visitor, &home(&name), Notice::success("The organization has been created.")))
        }
        Err(failure) => own_account::page(&app, &visitor, Some(form.refusal(failure)?), String::new()).await,
    }
}

async fn new(app: &App, visitor: &Visitor, form: &Form) -> Result<SubjectName> {
    let wrong = |error| Failure::bad_request(format!("name: {error}"));
    let name = SubjectName::parse(form.trimmed("name")?).map_err(wrong)?;
    let full_name = form.line("full_name")?.to_owned();
    Ok(orgs::create(app.house(), &visitor.caller, name, full_name).await?.subject.name)
}

/// Changes the display name.
pub(super) async fn edit(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let (org, full_name) = (path.subject("org")?, form.line("full_name")?.to_owned());
    let done = orgs::edit(app.house(), &visitor.caller, &org, Some(full_name)).await;
    match done.map_err(Failure::from) {
        Ok(()) => Ok(notice::redirect(&app, &visitor, &home(&org), Notice::success("The name has been saved."))),
        Err(failure) => page(&app, &visitor, &org, Some(Notice::from_failure(failure)?)).await,
    }
}

/// Changes whether members need a second factor.
pub(super) async fn require_second_factor(submitted: Submitted) -> Result<Response> {
    require(submitted, Requirement::SecondFactor).await
}

/// Changes whether members sign in with the provider of single sign-on only.
pub(super) async fn require_single_sign_on(submitted: Submitted) -> Result<Response> {
    require(submitted, Requirement::SingleSignOn).await
}

async fn require(Submitted { app, visitor, path, form }: Submitted, requirement: Requirement) -> Result<Response> {
    let (org, is_required) = (path.subject("org")?, form.is_checked("required"));
    match requirements::set(app.house(), &visitor.caller, &org, requirement, is_required).await {
        Ok(()) => Ok(notice::redirect(&app, &visitor, &home(&org), Notice::success("The rule has been saved."))),
        Err(error) => page(&app, &visitor, &org, Some(Notice::from_failure(error.into())?)).await,
    }
}

/// Deletes the organization after its name was typed.
pub(super) async fn delete(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let org = path.subject("org")?;
    let done = match form.check_confirmed(org.as_str()) {
        Ok(()) => orgs::delete(app.house(), &visitor.caller, &org).await.map_err(Failure::from),
        Err(failure) => Err(failure),
    };
    match done {
        Ok(()) => Ok(notice::redirect(
            &app,
            &visitor,
            "/account",
            Notice::success(format!("The organization {org} has been deleted.")),
        )),
        Err(failure) => page(&app, &visitor, &org, Some(Notice::from_failure(failure)?)).await,
    }
}
