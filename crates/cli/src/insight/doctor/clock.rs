//! Compares both clocks: this machine sets expiry times, and the server enforces them.

use std::time::Duration;

use reqwest::{Method, header};

use super::Finding;
use crate::{client::Client, clock};

/// Allowed difference, which covers the travel time of the response.
const TOLERANCE: Duration = Duration::from_secs(30);

pub(super) async fn check(client: &Client) -> Finding {
    let answer = match client.answer(client.request(Method::GET, "/livez")).await {
        Ok(answer) => answer,
        Err(error) => return Finding::problem("clock", error.message, "check the log of the server"),
    };
    let date = answer.headers().get(header::DATE).and_then(|date| httpdate::parse_http_date(date.to_str().ok()?).ok());
    let Some(date) = date else { return Finding::skipped("clock", "the server does not send its time") };
    let here = clock::now();
    let apart = here.duration_since(date).unwrap_or_else(|error| error.duration());
    if apart <= TOLERANCE {
        return Finding::fine("clock", "same as the server's");
    }
    let found = format!("{} seconds off from the server's", apart.as_secs());
    Finding::problem("clock", found, "`timedatectl set-ntp true`, here or on the server")
}
