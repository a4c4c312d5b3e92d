//! Organisations and their members.

use axum::{Json, extract::State, http::StatusCode};
use model::{member::Membership, names::SubjectName, role::Role};
use operations::accounts::{
    members, orgs,
    requirements::{self, Requirement},
};
use web::{
    App,
    caller::SignedIn,
    error::{Failure, Result},
    json::JsonBody,
    path_names::PathNames,
};

pub(crate) async fn create_org(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    JsonBody(body): JsonBody<api::NewOrg>,
) -> Result<(StatusCode, Json<api::Org>)> {
    let name = SubjectName::parse(&body.name).map_err(|error| Failure::bad_request(format!("name: {error}")))?;
    let org = orgs::create(app.house(), &caller, name, body.full_name.unwrap_or_default()).await?;
    Ok((StatusCode::CREATED, Json(view(org))))
}

pub(crate) async fn show_org(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::Org>> {
    Ok(Json(view(orgs::show(app.house(), &caller, &path.subject("org")?).await?)))
}

pub(crate) async fn edit_org(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonBody(body): JsonBody<api::OrgChange>,
) -> Result<Json<api::Message>> {
    let org = path.subject("org")?;
    let rules = [
        (Requirement::SecondFactor, body.require_second_factor),
        (Requirement::SingleSignOn, body.require_single_sign_on),
    ];
    for (requirement, is_required) in rules {
        if let Some(is_required) = is_required {
            requirements::set(app.house(), &caller, &org, requirement, is_required).await?;
        }
    }
    if body.full_name.is_some() || rules.iter().all(|(_, is_required)| is_required.is_none()) {
        orgs::edit(app.house(), &caller, &org, body.full_name).await?;
    }
    Ok(Json(api::Message::success()))
}

pub(crate) async fn delete_org(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::Message>> {
    orgs::delete(app.house(), &caller, &path.subject("org")?).await?;
    Ok(Json(api::Message::success()))
}

pub(crate) async fn set_member(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonBody(body): JsonBody<api::NewMember>,
) -> Result<Json<api::Message>> {
    let unknown = || Failure::bad_request(format!("type: '{}' is not one of owner, admin, member", body.role));
    let role = Role::parse(&body.role).ok_or_else(unknown)?;
    members::set(app.house(), &caller, &path.subject("org")?, &path.subject("user")?, role).await?;
    Ok(Json(api::Message::success()))
}

pub(crate) async fn remove_member(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::Message>> {
    members::remove(app.house(), &caller, &path.subject("org")?, &path.subject("user")?).await?;
    Ok(Json(api::Message::success()))
}

fn view(org: orgs::OrgProfile) -> api::Org {
    let member = |member: Membership| api::Member { name: member.name, role: member.role.as_str().to_owned() };
    api::Org {
        name: org.subject.name.to_string(),
        full_name: org.subject.full_name,
        owner: org.owner,
        repos: org.repos,
        members: org.members.map(|members| members.into_iter().map(member).collect()),
        teams: org.teams,
        require_second_factor: org.subject.requires_second_factor,
        require_single_sign_on: org.subject.requires_single_sign_on,
        followers_count: org.followers_count,
        registered: org.subject.registered.to_string(),
        quota_used_bytes: org.stored_bytes,
    }
}
