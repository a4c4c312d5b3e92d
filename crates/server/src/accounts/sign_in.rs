//! Sessions, second factors, suspension and names: for users, and for site administrators.

use axum::{Json, extract::State, http::StatusCode, response::Response};
use model::{names::SubjectName, subject::Subject, timestamp::Timestamp};
use operations::{
    accounts::{
        second_factors,
        sessions::{self, SessionDetail},
        subjects,
        suspension::{self, Suspension},
    },
    maintenance::rename,
};
use web::{
    App,
    caller::SignedIn,
    error::{Failure, Result},
    json::JsonBody,
    paging,
    path_names::PathNames,
};

pub(crate) async fn list_sessions(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<Vec<api::Session>>> {
    let sessions = sessions::list(app.house(), &caller, &path.subject("user")?, None).await?;
    Ok(Json(sessions.into_iter().map(session).collect()))
}

pub(crate) async fn end_session(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::Message>> {
    sessions::end(app.house(), &caller, &path.subject("user")?, path.session()).await?;
    Ok(Json(api::Message::success()))
}

pub(crate) async fn end_sessions(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::Message>> {
    sessions::end_all(app.house(), &caller, &path.subject("user")?, None).await?;
    Ok(Json(api::Message::success()))
}

pub(crate) async fn show_second_factor(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::SecondFactor>> {
    let status = second_factors::show_of(app.house(), &caller, &path.subject("user")?).await?;
    Ok(Json(api::SecondFactor {
        enabled: status.since.is_some(),
        since: status.since.as_ref().map(Timestamp::to_string),
        recovery_codes: status.codes_left,
    }))
}

pub(crate) async fn reset_second_factor(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::Message>> {
    second_factors::reset(app.house(), &caller, &path.subject("user")?).await?;
    Ok(Json(api::Message::success()))
}

pub(crate) async fn suspend_user(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::Message>> {
    suspension::set(app.house(), &caller, &path.subject("user")?, Suspension::Suspended).await?;
    Ok(Json(api::Message::success()))
}

pub(crate) async fn unsuspend_user(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::Message>> {
    suspension::set(app.house(), &caller, &path.subject("user")?, Suspension::Active).await?;
    Ok(Json(api::Message::success()))
}

pub(crate) async fn reset_password(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<(StatusCode, Json<api::NewPassword>)> {
    let password = suspension::reset_password(app.house(), &caller, &path.subject("user")?).await?;
    Ok((StatusCode::CREATED, Json(api::NewPassword { password })))
}

pub(crate) async fn rename_subject(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonBody(body): JsonBody<api::NewName>,
) -> Result<Json<api::Message>> {
    let to = SubjectName::parse(&body.name).map_err(|error| Failure::bad_request(format!("name: {error}")))?;
    rename::rename(app.house(), &caller, &path.subject("subject")?, &to).await?;
    Ok(Json(api::Message::success()))
}

pub(crate) async fn list_subjects(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Response> {
    let beginning = path.query("start_name")?.unwrap_or_default();
    let page = subjects::list(app.house(), &caller, beginning, path.start_position()?).await?;
    Ok(paging::respond(page, subject))
}

fn session(session: SessionDetail) -> api::Session {
    api::Session {
        id: session.id,
        device: session.device,
        address: session.address,
        country: session.country,
        method: session.method,
        created: session.created.to_string(),
        used: session.used.to_string(),
    }
}

fn subject(subject: Subject) -> api::ListedSubject {
    api::ListedSubject {
        name: subject.name.to_string(),
        kind: subject.kind.as_str().to_owned(),
        full_name: subject.full_name,
        email: subject.email,
        plan: subject.plan.as_str().to_owned(),
        site_admin: subject.is_site_admin,
        suspended: subject.is_suspended,
        registered: subject.registered.to_string(),
    }
}
