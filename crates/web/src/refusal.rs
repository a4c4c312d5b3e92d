//! The rejection of a download.

use axum::http::StatusCode;
use model::target::Target;
use operations::Error;

use crate::{App, error::Failure};

/// Rejects a download. If a EULA must be accepted, the message says where.
pub fn refuse_download(app: &App, error: Error) -> Failure {
    let Error::AgreementNeeded { owner, product, version } = &error else { return error.into() };
    let segments = ["eula", owner, product, version].map(str::to_owned).to_vec();
    let path = Target { segments, ..Target::default() }.canonical_path();
    Failure::new(StatusCode::FORBIDDEN, format!("{error}: {}{path}", app.settings().public_url()))
}
