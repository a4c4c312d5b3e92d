//! Sign-ins of devices.

use axum::{Json, extract::State, http::StatusCode};
use operations::accounts::device_codes::{self, DeviceAnswer, INTERVAL_SECS, WAITS_SECS};
use web::{
    App,
    caller::RequestCaller,
    error::Result,
    json::{JsonBody, OptionalJsonBody},
};

/// The scope of a device that asks for none.
const SCOPE: &str = "manage";

pub(crate) async fn create_device_code(
    State(app): State<App>,
    RequestCaller(caller): RequestCaller,
    OptionalJsonBody(body): OptionalJsonBody<api::NewDeviceCode>,
) -> Result<(StatusCode, Json<api::DeviceCode>)> {
    let (client, scope) = (body.client.unwrap_or_default(), body.scope.unwrap_or_else(|| SCOPE.to_owned()));
    let made = device_codes::begin(app.house(), &caller, &client, &scope).await?;
    let code = api::DeviceCode {
        device_code: made.device_code,
        user_code: made.user_code,
        verification_url: format!("{}/-/device", app.settings().public_url()),
        expires_in: WAITS_SECS,
        interval: INTERVAL_SECS,
    };
    Ok((StatusCode::CREATED, Json(code)))
}

pub(crate) async fn poll_device_code(
    State(app): State<App>,
    RequestCaller(caller): RequestCaller,
    JsonBody(body): JsonBody<api::DevicePoll>,
) -> Result<Json<api::DeviceAnswer>> {
    let answer = device_codes::poll(app.house(), &caller, &body.device_code).await?;
    let (status, given) = match answer {
        DeviceAnswer::Pending => ("pending", None),
        DeviceAnswer::SlowDown => ("slow_down", None),
        DeviceAnswer::Denied => ("denied", None),
        DeviceAnswer::Expired => ("expired", None),
        DeviceAnswer::Allowed(user, secret) => ("allowed", Some((user.to_string(), secret.expose().to_owned()))),
    };
    let (user, token) = given.unzip();
    Ok(Json(api::DeviceAnswer { status: status.to_owned(), user, token }))
}
