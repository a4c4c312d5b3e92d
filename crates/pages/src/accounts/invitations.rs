//! Invitations to an organization: its owners and admins make them, and the invited accept them.

use axum::{extract::State, response::Response};
use model::{email::Email, id::InvitationId, names::SubjectName, role::Role};
use operations::accounts::invitations;
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use super::org;
use crate::{
    accounts::own_account,
    form::{Form, FormPage, Submitted},
    notice::{self, Notice},
    visitor::Visitor,
};

/// Invites somebody. Without a mail server, the page shows the link once.
pub(super) async fn create(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let org = path.subject("org")?;
    match invite(&app, &visitor, &org, &form).await {
        Ok(Some(link)) => {
            let notice = Notice::success("The invitation is ready. Send the link below.");
            org::page_with_link(&app, &visitor, &org, Some(notice), link).await
        }
        Ok(None) => {
            Ok(notice::redirect(&app, &visitor, &org::home(&org), Notice::success("The invitation is on its way.")))
        }
        Err(failure) => org::page(&app, &visitor, &org, Some(form.refusal(failure)?)).await,
    }
}

/// Returns the link, if nothing was mailed.
async fn invite(app: &App, visitor: &Visitor, org: &SubjectName, form: &Form) -> Result<Option<String>> {
    let role = form.line("role")?;
    let unknown = || Failure::bad_request(format!("role: '{role}' is not one of owner, admin, member"));
    let role = Role::parse(role).ok_or_else(unknown)?;
    let email = form.trimmed("email")?;
    let email = Email::parse(email).map_err(|error| Failure::bad_request(format!("email: {error}")))?;
    let made = invitations::create(app.house(), &visitor.caller, org, &email, role).await?;
    Ok(made.path.map(|path| format!("{}{path}", app.settings().public_url().trim_end_matches('/'))))
}

/// Revokes an invitation.
pub(super) async fn revoke(Submitted { app, visitor, path, .. }: Submitted) -> Result<Response> {
    let (org, id) = (path.subject("org")?, InvitationId::parse(path.invitation()).unwrap_or(InvitationId::NONE));
    match invitations::revoke(app.house(), &visitor.caller, &org, id).await {
        Ok(()) => {
            Ok(notice::redirect(&app, &visitor, &org::home(&org), Notice::success("The invitation has been revoked.")))
        }
        Err(error) => org::page(&app, &visitor, &org, Some(Notice::from_failure(error.into())?)).await,
    }
}

/// Asks whether to accept. Opening a link changes nothing: programs that look at mail open links.
pub(super) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    visitor.user_name()?;
    let token = path.query("token")?.unwrap_or_default().to_owned();
    let (org, invitation) = invitations::show(app.house(), &visitor.caller, &token).await?;
    let page = FormPage {
        title: format!("Join {org}"),
        lead: format!("{} invites you to {org} as {}.", invitation.inviter, invitation.role),
        action: "/-/invitation".to_owned(),
        hidden: vec![("token".to_owned(), token)],
        back: "/".to_owned(),
        button: "Accept the invitation",
        ..FormPage::default()
    };
    Ok(page.show(&app, &visitor))
}

/// Accepts it.
pub(super) async fn accept(Submitted { app, visitor, form, .. }: Submitted) -> Result<Response> {
    match invitations::accept(app.house(), &visitor.caller, form.line("token")?).await {
        Ok(org) => {
            let notice = Notice::success(format!("You are a member of {org} now."));
            Ok(notice::redirect(&app, &visitor, &org::home(&org), notice))
        }
        Err(error) => own_account::page(&app, &visitor, Some(Notice::from_failure(error.into())?), String::new()).await,
    }
}
