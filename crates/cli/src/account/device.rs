//! The sign-in of this program on a page of the server, where a person types a code.

use std::time::Duration;

use reqwest::Method;

use crate::{
    client::Client,
    credentials::Login,
    error::{Error, ExitKind, Result},
    session::body,
};

/// Shows a code, and waits until a person has typed it on the server's page.
pub(crate) async fn sign_in(client: &Client, scope: &str) -> Result<Login> {
    let wanted =
        api::NewDeviceCode { client: Some("packhouse command line".to_owned()), scope: Some(scope.to_owned()) };
    let code: api::DeviceCode = client.send(Method::POST, "/device_codes", Some(&body(&wanted))).await?;
    eprintln!("Open {} and enter the code {}", code.verification_url, code.user_code);
    let poll = body(&api::DevicePoll { device_code: code.device_code });
    let interval = Duration::from_secs(code.interval.clamp(1, 60).unsigned_abs());
    let mut pause = interval;
    for _ in 0..code.expires_in.clamp(1, 3_600) {
        tokio::time::sleep(pause).await;
        let answer: api::DeviceAnswer = client.send(Method::POST, "/device_codes/token", Some(&poll)).await?;
        match (answer.status.as_str(), answer.user, answer.token) {
            ("allowed", Some(user), Some(api_key)) => return Ok(Login { user, api_key }),
            ("pending", ..) => pause = interval,
            ("slow_down", ..) => pause += interval,
            ("denied", ..) => return Err(Error::new(ExitKind::SignedOut, "the sign-in was refused on the page")),
            _ => break,
        }
    }
    Err(Error::new(ExitKind::SignedOut, "the code has expired").hint("run `packhouse login --sso` again"))
}
