//! Users, their keys, and the plans of subjects.

use axum::{Json, extract::State, http::StatusCode};
use model::{email::Email, names::SubjectName, plan::Plan};
use operations::accounts::{plans, users};
use web::{
    App,
    caller::{RegisteringCaller, SignedIn},
    error::{Failure, Result},
    json::JsonBody,
    path_names::PathNames,
};

pub(crate) async fn create_user(
    State(app): State<App>,
    RegisteringCaller(caller): RegisteringCaller,
    JsonBody(body): JsonBody<api::NewUser>,
) -> Result<(StatusCode, Json<api::CreatedUser>)> {
    let new = users::NewUser {
        name: SubjectName::parse(&body.name).map_err(|error| Failure::bad_request(format!("name: {error}")))?,
        full_name: body.full_name.unwrap_or_default(),
        email: body.email.map(|email| parse_email(&email)).transpose()?,
        password: body.password,
        plan: body.plan.as_deref().map(parse_plan).transpose()?,
    };
    let (profile, key) = users::create(app.house(), &caller, new).await?;
    let created = api::CreatedUser { user: view(profile), api_key: key.expose().to_owned() };
    Ok((StatusCode::CREATED, Json(created)))
}

pub(crate) async fn show_user(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::User>> {
    Ok(Json(view(users::show(app.house(), &caller, &path.subject("user")?).await?)))
}

pub(crate) async fn edit_user(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonBody(body): JsonBody<api::UserChange>,
) -> Result<Json<api::Message>> {
    let email = body.email.map(|email| email.as_deref().map(parse_email).transpose()).transpose()?;
    let change = users::UserChange { full_name: body.full_name, email, password: body.password };
    users::edit(app.house(), &caller, &path.subject("user")?, change).await?;
    Ok(Json(api::Message::success()))
}

pub(crate) async fn delete_user(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::Message>> {
    users::delete(app.house(), &caller, &path.subject("user")?).await?;
    Ok(Json(api::Message::success()))
}

pub(crate) async fn rotate_key(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<(StatusCode, Json<api::ApiKey>)> {
    let key = users::rotate_key(app.house(), &caller, &path.subject("user")?).await?;
    Ok((StatusCode::CREATED, Json(api::ApiKey { api_key: key.expose().to_owned() })))
}

pub(crate) async fn set_plan(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonBody(body): JsonBody<api::NewPlan>,
) -> Result<Json<api::Message>> {
    plans::set(app.house(), &caller, &path.subject("subject")?, parse_plan(&body.plan)?).await?;
    Ok(Json(api::Message::success()))
}

fn parse_email(text: &str) -> Result<Email> {
    Email::parse(text).map_err(|error| Failure::bad_request(format!("email: {error}")))
}

fn parse_plan(text: &str) -> Result<Plan> {
    let unknown = || Failure::bad_request(format!("plan: '{text}' is not one of free, premium, enterprise"));
    Plan::parse(text).ok_or_else(unknown)
}

/// The profile of a user as JSON.
pub(crate) fn view(profile: users::Profile) -> api::User {
    api::User {
        name: profile.subject.name.to_string(),
        full_name: profile.subject.full_name,
        gravatar_id: profile.gravatar_id,
        repos: profile.repos,
        organizations: profile.organizations,
        followers_count: profile.followers_count,
        registered: profile.subject.registered.to_string(),
        quota_used_bytes: profile.stored_bytes,
    }
}
