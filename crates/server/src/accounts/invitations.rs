//! Invitations to organizations.

use axum::{Json, extract::State, http::StatusCode};
use model::{email::Email, id::InvitationId, role::Role, timestamp::Timestamp};
use operations::accounts::invitations::{self, Invitation};
use web::{
    App,
    caller::SignedIn,
    error::{Failure, Result},
    json::JsonBody,
    path_names::PathNames,
};

pub(crate) async fn list_invitations(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<Vec<api::Invitation>>> {
    let found = invitations::list(app.house(), &caller, &path.subject("org")?).await?;
    Ok(Json(found.into_iter().map(|one| view(one, None)).collect()))
}

pub(crate) async fn create_invitation(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonBody(body): JsonBody<api::NewInvitation>,
) -> Result<(StatusCode, Json<api::Invitation>)> {
    let unknown = || Failure::bad_request(format!("type: '{}' is not one of owner, admin, member", body.role));
    let role = Role::parse(&body.role).ok_or_else(unknown)?;
    let email = Email::parse(&body.email).map_err(|error| Failure::bad_request(format!("email: {error}")))?;
    let made = invitations::create(app.house(), &caller, &path.subject("org")?, &email, role).await?;
    let url = made.path.map(|path| format!("{}{path}", app.settings().public_url().trim_end_matches('/')));
    Ok((StatusCode::CREATED, Json(view(made.invitation, url))))
}

pub(crate) async fn revoke_invitation(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::Message>> {
    let id = InvitationId::parse(path.invitation()).unwrap_or(InvitationId::NONE);
    let text: String = path.invitation().chars().take(40).collect();
    let revoked = invitations::revoke(app.house(), &caller, &path.subject("org")?, id).await;
    revoked.map_err(|error| Failure::from(error).renamed(&InvitationId::NONE.name(), &text))?;
    Ok(Json(api::Message::success()))
}

pub(crate) async fn accept_invitation(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    JsonBody(body): JsonBody<api::InvitationAnswer>,
) -> Result<Json<api::Message>> {
    invitations::accept(app.house(), &caller, &body.token).await?;
    Ok(Json(api::Message::success()))
}

fn view(invitation: Invitation, url: Option<String>) -> api::Invitation {
    api::Invitation {
        id: invitation.id.name(),
        email: invitation.email,
        role: invitation.role,
        inviter: invitation.inviter,
        created: Timestamp::from_millis(invitation.created).to_string(),
        expiry: Timestamp::from_millis(invitation.expiry).to_string(),
        url,
    }
}
